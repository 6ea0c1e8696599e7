// What every context answers: descriptions of the tensors, attributes, names.
//
// `index` counts the tensors that are present, in order: a list counts once for each of its tensors, an absent optional
// argument not at all. `ir_index` counts the arguments of the definition.
#pragma once

#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/tensor.h"

namespace gert {

class KernelContext {
public:
    KernelContext(const KernelContext&) = delete;
    KernelContext& operator=(const KernelContext&) = delete;

protected:
    explicit KernelContext(kbhost::ContextState* state) : state_(state) {}
    kbhost::ContextState* state_;
};

class ExtendedKernelContext : public KernelContext {
public:
    const CompileTimeTensorDesc* GetInputDesc(size_t index) const;
    const CompileTimeTensorDesc* GetOutputDesc(size_t index) const;
    const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index) const;
    const CompileTimeTensorDesc* GetOptionalInputDesc(size_t ir_index) const;
    const CompileTimeTensorDesc* GetDynamicInputDesc(size_t ir_index, size_t relative_index) const;
    const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t ir_index) const;
    const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t ir_index) const;
    const RuntimeAttrs* GetAttrs() const;
    const char* GetNodeType() const;
    const char* GetNodeName() const;
    const ComputeNodeInfo* GetComputeNodeInfo() const;
    size_t GetComputeNodeInputNum() const;
    size_t GetComputeNodeOutputNum() const;

protected:
    using KernelContext::KernelContext;
};

}  // namespace gert
