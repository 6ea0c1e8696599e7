// An operator in a graph, as check-support functions see it. Such functions are compiled and never called here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {
class Operator {
public:
    Operator() = default;

    TensorDesc GetInputDescByName(const char* name) const;
    TensorDesc GetOutputDescByName(const char* name) const;
    TensorDesc GetInputDesc(uint32_t index) const;
    TensorDesc GetOutputDesc(uint32_t index) const;
    graphStatus GetName(AscendString& name) const;
    graphStatus GetOpType(AscendString& type) const;
    size_t GetInputsSize() const;
    size_t GetOutputsSize() const;
    graphStatus GetAttr(const char* name, int64_t& value) const;
    graphStatus GetAttr(const char* name, int32_t& value) const;
    graphStatus GetAttr(const char* name, float& value) const;
    graphStatus GetAttr(const char* name, bool& value) const;
    graphStatus GetAttr(const char* name, AscendString& value) const;
    graphStatus GetAttr(const char* name, std::vector<int64_t>& value) const;
    graphStatus GetAttr(const char* name, std::vector<float>& value) const;
};
}  // namespace ge
