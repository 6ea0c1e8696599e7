// What a shape-range inference function gets.
#pragma once

#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/range.h"

namespace gert {
class InferShapeRangeContext : public ExtendedKernelContext {
public:
    explicit InferShapeRangeContext(kbhost::ContextState* state) : ExtendedKernelContext(state) {}

    const Range<Shape>* GetInputShapeRange(size_t index) const;
    const Range<Shape>* GetOptionalInputShapeRange(size_t ir_index) const;
    const Range<Shape>* GetDynamicInputShapeRange(size_t ir_index, size_t relative_index) const;
    const Range<Tensor>* GetInputTensorRange(size_t index) const;
    Range<Shape>* GetOutputShapeRange(size_t index);
};
}  // namespace gert
