// How the definition's arguments map to the tensors that are present.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/tensor.h"
#include "kb_host.h"

namespace gert {

// One declared argument: its first tensor among all that are present, and how many it has (0 where absent).
class AnchorInstanceInfo {
public:
    AnchorInstanceInfo() = default;
    AnchorInstanceInfo(uint32_t start, uint32_t count) : start_(start), count_(count) {}
    size_t GetInstanceStart() const { return start_; }
    size_t GetInstanceNum() const { return count_; }

private:
    uint32_t start_ = 0;
    uint32_t count_ = 0;
};

class ComputeNodeInfo {
public:
    explicit ComputeNodeInfo(const kbhost::ContextState* state) : state_(state) {}

    const char* GetNodeType() const;
    const char* GetNodeName() const;
    size_t GetIrInputsNum() const;
    size_t GetIrOutputsNum() const;
    size_t GetInputsNum() const;
    size_t GetOutputsNum() const;
    const AnchorInstanceInfo* GetInputInstanceInfo(size_t ir_index) const;
    const AnchorInstanceInfo* GetOutputInstanceInfo(size_t ir_index) const;
    const CompileTimeTensorDesc* GetInputTdInfo(size_t index) const;
    const CompileTimeTensorDesc* GetOutputTdInfo(size_t index) const;
    const RuntimeAttrs* GetAttrs() const;

private:
    const kbhost::ContextState* state_;
};

}  // namespace gert
