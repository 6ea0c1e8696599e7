// Integers in input tensors whose values the host reads.
#pragma once

#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "op_common/log/log.h"

namespace kbhost {
// The tensor's int32, int64, uint32 or uint64 elements; false where it is absent or of another type.
bool read_integers(const gert::Tensor* tensor, std::vector<int64_t>& values);
}  // namespace kbhost

namespace Ops::Base {

template <typename Context, typename T>
bool GetConstInt(const Context* context, int64_t input, T& value) {
    std::vector<int64_t> values;
    if (!kbhost::read_integers(context->GetInputTensor(input), values) || values.empty()) return false;
    value = static_cast<T>(values[0]);
    return true;
}

template <typename Context>
bool GetConstIntToShape(const Context* context, int64_t input, gert::Shape& shape) {
    std::vector<int64_t> values;
    if (!kbhost::read_integers(context->GetInputTensor(input), values)) return false;
    shape.SetDimNum(0);
    for (const int64_t value : values) shape.AppendDim(value);
    return true;
}

}  // namespace Ops::Base
