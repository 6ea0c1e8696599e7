// Synchronisation of pipes, of blocks and of scalar stores.
#pragma once

#include "kernel_event.h"
#include "kernel_tensor.h"

extern "C" {
void kbrt_set_flag(uint8_t event, int32_t id);
void kbrt_wait_flag(uint8_t event, int32_t id);
void kbrt_pipe_flag(int32_t source, int32_t destination, int32_t id, bool wait);
void kbrt_pipe_barrier(int32_t pipe);
void kbrt_sync_all(bool vectors_only);
void kbrt_sync_all_soft(void* workspace, kb::View local, int32_t used_cores);
void kbrt_cross_core_set(uint8_t mode, int32_t pipe, uint16_t id);
void kbrt_cross_core_wait(uint16_t id);
void kbrt_block_set(void* workspace, kb::View local, int32_t block, int32_t event);
void kbrt_block_wait(void* workspace, kb::View local, int32_t block, int32_t event);
}

namespace AscendC {

template <HardEvent event>
KB_API void SetFlag(int32_t eventID) {
    kbrt_set_flag(static_cast<uint8_t>(event), eventID);
}

template <HardEvent event>
KB_API void WaitFlag(int32_t eventID) {
    kbrt_wait_flag(static_cast<uint8_t>(event), eventID);
}

template <pipe_t src, pipe_t dst>
class TQueSync {
public:
    KB_API void SetFlag(TEventID id) { kbrt_pipe_flag(src, dst, id, false); }
    KB_API void WaitFlag(TEventID id) { kbrt_pipe_flag(src, dst, id, true); }
};

template <pipe_t pipe>
KB_API void PipeBarrier() {
    kbrt_pipe_barrier(pipe);
}

template <MemDsbT arg0>
KB_API void DataSyncBarrier() {
    kbrt_pipe_barrier(PIPE_S);
}

template <bool isAIVOnly = true>
KB_API void SyncAll() {
    kbrt_sync_all(isAIVOnly);
}

template <bool isAIVOnly = true>
KB_API void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
                    const int32_t usedCores = 0) {
    kbrt_sync_all_soft(gmWorkspace.raw(), ubWorkspace.view(), usedCores);
}

template <uint8_t modeId, pipe_t pipe>
KB_API void CrossCoreSetFlag(uint16_t flagId) {
    kbrt_cross_core_set(modeId, pipe, flagId);
}

template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
KB_API void CrossCoreWaitFlag(uint16_t flagId) {
    kbrt_cross_core_wait(flagId);
}

template <bool isAIVOnly = true>
KB_API void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
                  int32_t eventID) {
    kbrt_block_set(gmWorkspace.raw(), ubWorkspace.view(), blockIdx, eventID);
}

template <bool isAIVOnly = true>
KB_API void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
                   int32_t eventID) {
    kbrt_block_wait(gmWorkspace.raw(), ubWorkspace.view(), blockIdx, eventID);
}

}  // namespace AscendC

// The compiler's own spellings.
KB_API void set_flag(pipe_t source, pipe_t destination, int32_t id) {
    kbrt_pipe_flag(source, destination, id, false);
}

KB_API void wait_flag(pipe_t source, pipe_t destination, int32_t id) {
    kbrt_pipe_flag(source, destination, id, true);
}

KB_API void pipe_barrier(pipe_t pipe) {
    kbrt_pipe_barrier(pipe);
}
