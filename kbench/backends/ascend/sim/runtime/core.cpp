// What a core knows of itself and of its launch: indices, workspace, tiling data, clock.
#include "kbfs.h"
#include "timing.h"

using namespace kb;

namespace {

constexpr uint64_t kSystemWorkspace = 16ull << 20;  // GetLibApiWorkSpaceSize of A2/A3

}  // namespace

extern "C" {

int64_t kbrt_block_index() {
    return self().index;
}

int64_t kbrt_block_count() {
    return machine->plan.block_dim;
}

int64_t kbrt_sub_block_index() {
    return self().sub_index;
}

int64_t kbrt_sub_block_count() {
    return machine->plan.sub_blocks;
}

int64_t kbrt_task_ratio() {
    return self().is_cube ? 1 : machine->plan.sub_blocks;
}

int64_t kbrt_system_cycle() {
    return static_cast<int64_t>(++machine->cycles);
}

void kbrt_trap() {
    report_finding("error", "", "Trap", "Trap is reached", trace());
    kbfs::die("crash", "Trap is reached");
}

uint8_t* kbrt_system_workspace() {
    return machine->system_workspace;
}

void kbrt_set_system_workspace(uint8_t* workspace) {
    machine->system_workspace = workspace;
}

uint8_t* kbrt_user_workspace(uint8_t* workspace) {
    if (workspace == nullptr) {
        return nullptr;
    }
    const GmBuffer* gm = nearest_buffer(workspace);
    if (gm != nullptr && workspace == gm->base && gm->bytes < kSystemWorkspace) {
        warning("E47", "GetUserWorkspace",
                "expected a workspace of at least %llu bytes (the system's part), got %llu; no byte is the user's",
                static_cast<unsigned long long>(kSystemWorkspace), static_cast<unsigned long long>(gm->bytes));
    }
    return workspace + kSystemWorkspace;
}

uint64_t kbrt_tiling_key() {
    return machine->plan.tiling_key;
}

bool kbrt_tiling_key_is(uint64_t key) {
    const bool is = machine->plan.tiling_key == key;
    machine->key_pc = machine->key_pc == 0 ? reinterpret_cast<uintptr_t>(__builtin_return_address(0)) : machine->key_pc;
    machine->key_found = machine->key_found || is;
    return is;
}

void kbrt_no_instance() {
    error("E48", "ASCENDC_TPL_SEL",
          "expected an instance of the kernel template for the tiling key %llu that the host side sets, got none",
          static_cast<unsigned long long>(machine->plan.tiling_key));
}

void kbrt_tiling_read(void* into, const void* tiling, uint32_t offset, uint32_t bytes) {
    const GmBuffer* gm = nearest_buffer(tiling);
    const uint64_t at = gm == nullptr || tiling == nullptr ? 0 : static_cast<uint64_t>(static_cast<const uint8_t*>(tiling) - gm->base);
    if (tiling == nullptr || gm == nullptr || at + offset + bytes > (gm->bytes + 7) / 8 * 8) {
        error("E44", "GET_TILING_DATA",
              "expected %u bytes of tiling data, got %llu: is the last argument the tiling pointer, and does the host side "
              "call SetDataSize?",
              offset + bytes, static_cast<unsigned long long>(gm == nullptr || tiling == nullptr ? 0 : gm->bytes));
    }
    if (at + offset + bytes > gm->bytes) {  // the end of a structure may be nothing but padding
        warning("E44", "GET_TILING_DATA",
                "expected %u bytes of tiling data, got %llu by SetDataSize; what a field has beyond them is arbitrary",
                offset + bytes, static_cast<unsigned long long>(gm->bytes));
    }
    __builtin_memcpy(into, static_cast<const uint8_t*>(tiling) + offset, bytes);
    kb::event(Pipe::S, kOpScalar, 1, bytes);
}

int64_t kbrt_program_counter() {
    return static_cast<int64_t>(reinterpret_cast<uint64_t>(__builtin_return_address(0)) & 0xffffffffffff);
}

void kbrt_cache(const void* address, uint8_t what) {
    if (what != 2) {
        dcache_clean(address, what == 1);
    }
    kb::event(Pipe::S, kOpCache, 1, 64, what);
}

// It changes the time of copies alone.
void kbrt_l2_hint(const void* p, bool on) {
    hint_l2(p, on);
}

void kbrt_init_soc_state() {
    Block& b = self();
    b.atomic_op = 0;
    b.atomic_dtype = Dtype::none;
    b.vec = VecState{};
    kb::event(Pipe::S, kOpScalar, 1, 0);
}

// Rounds by AscendC::RoundMode, saturates.
int32_t kbrt_scalar_to_int(float value, uint8_t mode) {
    if (value != value) {
        return 0;
    }
    double r = static_cast<double>(value);
    switch (mode) {
        case 2: r = __builtin_floor(r); break;
        case 3: r = __builtin_ceil(r); break;
        case 4: r = __builtin_round(r); break;
        case 5: r = __builtin_trunc(r); break;
        default: r = __builtin_rint(r); break;
    }
    return r >= 2147483647.0 ? INT32_MAX : r <= -2147483648.0 ? INT32_MIN : static_cast<int32_t>(r);
}

// Towards zero, then the last bit is set where anything was lost.
uint16_t kbrt_scalar_to_half_odd(float value) {
    const auto nearest = static_cast<_Float16>(value);
    auto bits = __builtin_bit_cast(uint16_t, nearest);
    const auto back = static_cast<float>(nearest);
    if (back == value || back != back || (bits & 0x7fff) == 0x7c00) {
        return bits;
    }
    const bool beyond = __builtin_fabsf(back) > __builtin_fabsf(value);
    if (beyond) {
        bits = static_cast<uint16_t>(bits - 1);
    }
    return static_cast<uint16_t>(bits | 1);
}

}  // extern "C"
