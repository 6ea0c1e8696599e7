// Shape and description of a tensor in a graph (not of one at run time: that is gert::Tensor).
#pragma once

#include <cstdint>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {

class Shape {
public:
    Shape() = default;
    explicit Shape(const std::vector<int64_t>& dims) : dims_(dims) {}

    size_t GetDimNum() const;
    int64_t GetDim(size_t index) const;
    graphStatus SetDim(size_t index, int64_t value);
    std::vector<int64_t> GetDims() const;
    // Product of the dims; 0 for no dims, -1 where one is unknown.
    int64_t GetShapeSize() const;

private:
    std::vector<int64_t> dims_;
};

class TensorDesc {
public:
    TensorDesc() = default;
    explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType type = DT_FLOAT);

    Shape GetShape() const;
    void SetShape(const Shape& shape);
    Shape GetOriginShape() const;
    void SetOriginShape(const Shape& shape);
    Format GetFormat() const;
    void SetFormat(Format format);
    Format GetOriginFormat() const;
    void SetOriginFormat(Format format);
    DataType GetDataType() const;
    void SetDataType(DataType type);
    graphStatus GetName(AscendString& name) const;
    void SetName(const char* name);

private:
    Shape shape_;
    Shape origin_shape_;
    Format format_ = FORMAT_ND;
    Format origin_format_ = FORMAT_ND;
    DataType type_ = DT_FLOAT;
    AscendString name_;
};

}  // namespace ge
