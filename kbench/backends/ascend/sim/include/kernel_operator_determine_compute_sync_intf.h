// Blocks that take turns: each waits for the one before it and tells the next.
#pragma once

#include "kernel_tensor.h"

extern "C" {
void kbrt_turns_init(void* workspace, kb::View local);
void kbrt_turns_wait(void* workspace, kb::View local);
void kbrt_turns_notify(void* workspace, kb::View local);
}

namespace AscendC {

KB_API void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
    kbrt_turns_init(gmWorkspace.raw(), ubWorkspace.view());
}

KB_API void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
    kbrt_turns_wait(gmWorkspace.raw(), ubWorkspace.view());
}

KB_API void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
    kbrt_turns_notify(gmWorkspace.raw(), ubWorkspace.view());
}

}  // namespace AscendC
