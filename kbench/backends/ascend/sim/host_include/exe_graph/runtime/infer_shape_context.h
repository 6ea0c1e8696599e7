// What a shape-inference function gets.
#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/shape.h"

namespace gert {
using InferShapeFunction = ge::graphStatus (*)(class InferShapeContext*);

class InferShapeContext : public ExtendedKernelContext {
public:
    explicit InferShapeContext(kbhost::ContextState* state) : ExtendedKernelContext(state) {}

    const Shape* GetInputShape(size_t index) const;
    const Shape* GetRequiredInputShape(size_t ir_index) const;
    const Shape* GetOptionalInputShape(size_t ir_index) const;
    const Shape* GetDynamicInputShape(size_t ir_index, size_t relative_index) const;
    const Tensor* GetInputTensor(size_t index) const;
    const Tensor* GetRequiredInputTensor(size_t ir_index) const;
    const Tensor* GetOptionalInputTensor(size_t ir_index) const;
    const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index) const;
    Shape* GetOutputShape(size_t index);
};
}  // namespace gert
