// What a tiling function gets: the case, and where to put its answer.
#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/tiling_data.h"

namespace fe {
class PlatFormInfos;
}

namespace gert {
class TilingContext : public ExtendedKernelContext {
public:
    explicit TilingContext(kbhost::ContextState* state) : ExtendedKernelContext(state) {}

    const void* GetCompileInfo() const;
    template <typename T>
    const T* GetCompileInfo() const {
        return static_cast<const T*>(GetCompileInfo());
    }
    fe::PlatFormInfos* GetPlatformInfo() const;
    int32_t GetDeterministic() const;

    const StorageShape* GetInputShape(size_t index) const;
    const StorageShape* GetRequiredInputShape(size_t ir_index) const;
    const StorageShape* GetOptionalInputShape(size_t ir_index) const;
    const StorageShape* GetDynamicInputShape(size_t ir_index, size_t relative_index) const;
    const Tensor* GetInputTensor(size_t index) const;
    const Tensor* GetRequiredInputTensor(size_t ir_index) const;
    const Tensor* GetOptionalInputTensor(size_t ir_index) const;
    const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index) const;
    const StorageShape* GetOutputShape(size_t index) const;

    ge::graphStatus SetTilingKey(uint64_t key);
    uint64_t GetTilingKey() const;
    ge::graphStatus SetBlockDim(uint32_t blocks);
    uint32_t GetBlockDim() const;
    ge::graphStatus SetNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
    uint32_t GetNumBlocks() const { return GetBlockDim(); }
    ge::graphStatus SetSimdNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
    ge::graphStatus SetAicpuBlockDim(uint32_t blocks);
    uint32_t GetAicpuBlockDim() const;
    ge::graphStatus SetScheduleMode(uint32_t mode);
    uint32_t GetScheduleMode() const;
    ge::graphStatus SetNeedAtomic(bool need);
    bool NeedAtomic() const;
    bool InputIsView(size_t) const { return false; }  // inputs are contiguous here
    ge::graphStatus SetTilingCond(int32_t condition);
    int32_t GetTilingCond() const;
    ge::graphStatus SetLocalMemorySize(uint32_t bytes);
    uint32_t GetLocalMemorySize() const;

    TilingData* GetRawTilingData();
    const TilingData* GetRawTilingData() const;
    // The tiling data seen as a T, its size set to sizeof(T); null where the capacity is less.
    template <typename T>
    T* GetTilingData() {
        return static_cast<T*>(TypedTilingData(sizeof(T)));
    }
    // Room for `count` workspace sizes in bytes; at most 16.
    size_t* GetWorkspaceSizes(size_t count);
    size_t GetWorkspaceNum() const;

private:
    void* TypedTilingData(size_t bytes);
};
}  // namespace gert
