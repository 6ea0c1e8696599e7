// A tensor at run time. Its data is present on the host only where the operator declares that the host reads it.
#pragma once

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"

namespace gert {

enum TensorPlacement { kOnDeviceHbm, kOnHost, kFollowing, kOnDeviceP2p, kTensorPlacementEnd };

class Tensor {
public:
    Tensor() = default;
    Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType type, const void* data, size_t bytes);

    const StorageShape& GetShape() const { return shape_; }
    StorageShape& GetShape() { return shape_; }
    const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
    const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
    Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
    Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }
    int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
    ge::DataType GetDataType() const { return type_; }
    const StorageFormat& GetFormat() const { return format_; }
    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
    size_t GetSize() const { return bytes_; }
    TensorPlacement GetPlacement() const { return data_ == nullptr ? kOnDeviceHbm : kOnHost; }
    // Null where the operator does not declare a dependency on the values.
    const void* GetAddr() const { return data_; }
    template <typename T>
    const T* GetData() const {
        return static_cast<const T*>(data_);
    }

private:
    StorageShape shape_;
    StorageFormat format_;
    ge::DataType type_ = ge::DT_UNDEFINED;
    const void* data_ = nullptr;
    size_t bytes_ = 0;
};

class CompileTimeTensorDesc {
public:
    CompileTimeTensorDesc() = default;
    CompileTimeTensorDesc(ge::DataType type, const StorageFormat& format) : type_(type), format_(format) {}

    ge::DataType GetDataType() const { return type_; }
    const StorageFormat& GetFormat() const { return format_; }
    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
    void SetDataType(ge::DataType type) { type_ = type; }
    void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
    void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }

private:
    ge::DataType type_ = ge::DT_UNDEFINED;
    StorageFormat format_;
};

}  // namespace gert
