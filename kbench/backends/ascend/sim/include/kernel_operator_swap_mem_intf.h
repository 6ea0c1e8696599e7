// The workspace: the system's part comes first, the user's after it.
#pragma once

#include "kernel_utils.h"

extern "C" {
uint8_t* kbrt_system_workspace();
void kbrt_set_system_workspace(uint8_t* workspace);
uint8_t* kbrt_user_workspace(uint8_t* workspace);
}

namespace AscendC {

KB_API GM_ADDR GetSysWorkSpacePtr() {
    return kbrt_system_workspace();
}

KB_API void SetSysWorkSpacePtr(GM_ADDR workspace) {
    kbrt_set_system_workspace(workspace);
}

KB_API void SetSysWorkspace(GM_ADDR workspace) {
    kbrt_set_system_workspace(workspace);
}

KB_API GM_ADDR GetUserWorkspace(GM_ADDR workspace) {
    return kbrt_user_workspace(workspace);
}

}  // namespace AscendC
