// Which core this is, and how many there are.
#pragma once

#include "kernel_utils.h"

extern "C" {
int64_t kbrt_block_index() __attribute__((pure));
int64_t kbrt_block_count() __attribute__((pure));
int64_t kbrt_sub_block_index() __attribute__((pure));
int64_t kbrt_sub_block_count() __attribute__((pure));
int64_t kbrt_task_ratio() __attribute__((pure));
int64_t kbrt_system_cycle();
int64_t kbrt_program_counter();
[[noreturn]] void kbrt_trap();
}

namespace AscendC {

KB_API int64_t GetBlockIdx() {
    return kbrt_block_index();
}

KB_API int64_t GetBlockNum() {
    return kbrt_block_count();
}

KB_API int64_t GetSubBlockIdx() {
    return kbrt_sub_block_index();
}

KB_API int64_t GetSubBlockNum() {
    return kbrt_sub_block_count();
}

// Cores of this kind for each logical block.
KB_API int64_t GetTaskRatio() {
    return kbrt_task_ratio();
}

KB_API int64_t GetTaskRation() {
    return GetTaskRatio();
}

// A 50 MHz counter that only grows: one tick for each read, so that results do not depend on the machine.
KB_API int64_t GetSystemCycle() {
    return kbrt_system_cycle();
}

// The address of the code behind the call; the device's has 48 bits too.
KB_API int64_t GetProgramCounter() {
    return kbrt_program_counter();
}

KB_API constexpr int16_t GetDataBlockSizeInBytes() {
    return ONE_BLK_SIZE;
}

KB_API void GetArchVersion(uint32_t& coreVersion) {
    coreVersion = 0x220;
}

KB_API void Trap() {
    kbrt_trap();
}

}  // namespace AscendC

KB_API int64_t get_block_idx() {
    return kbrt_block_index();
}

KB_API int64_t get_block_num() {
    return kbrt_block_count();
}

KB_API int64_t get_subblockid() {
    return kbrt_sub_block_index();
}

KB_API int64_t get_subblockdim() {
    return kbrt_sub_block_count();
}

// Read as variables. Objects, not macros, so that a candidate's own variable of that name hides them.
struct KbBlockIndex {
    KB_API operator int64_t() const { return kbrt_block_index(); }
};

struct KbBlockCount {
    KB_API operator int64_t() const { return kbrt_block_count(); }
};

inline constexpr KbBlockIndex block_idx;
inline constexpr KbBlockCount block_num;
