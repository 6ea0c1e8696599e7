// What a core knows of itself and of its launch: indices, workspace, tiling data, clock; and what it prints.
#include <stdarg.h>

#include "kbfs.h"
#include "machine.h"

using namespace kb;

namespace {

constexpr uint64_t kSystemWorkspace = 16ull << 20;  // GetLibApiWorkSpaceSize of A2/A3
constexpr uint64_t kPrintLimit = 256 * 1024;
constexpr uint32_t kDumpBytes = 30 * 1024;  // of a call of DumpTensor

double element(const uint8_t* p, Dtype dtype) {
    switch (dtype) {
        case Dtype::f32: return *reinterpret_cast<const float*>(p);
        case Dtype::f16: return static_cast<double>(*reinterpret_cast<const _Float16*>(p));
        case Dtype::bf16: return __builtin_bit_cast(float, static_cast<uint32_t>(*reinterpret_cast<const uint16_t*>(p)) << 16);
        case Dtype::f64: return *reinterpret_cast<const double*>(p);
        case Dtype::i8: return *reinterpret_cast<const int8_t*>(p);
        case Dtype::i16: return *reinterpret_cast<const int16_t*>(p);
        case Dtype::u16: return *reinterpret_cast<const uint16_t*>(p);
        case Dtype::i32: return *reinterpret_cast<const int32_t*>(p);
        case Dtype::u32: return *reinterpret_cast<const uint32_t*>(p);
        case Dtype::i64: return static_cast<double>(*reinterpret_cast<const int64_t*>(p));
        case Dtype::u64: return static_cast<double>(*reinterpret_cast<const uint64_t*>(p));
        default: return *p;
    }
}

uint32_t bytes_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f64:
        case Dtype::i64:
        case Dtype::u64: return 8;
        case Dtype::f32:
        case Dtype::i32:
        case Dtype::u32: return 4;
        case Dtype::f16:
        case Dtype::bf16:
        case Dtype::i16:
        case Dtype::u16: return 2;
        default: return 1;
    }
}

const char* name_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f32: return "float32";
        case Dtype::f16: return "float16";
        case Dtype::bf16: return "bfloat16";
        case Dtype::f64: return "float64";
        case Dtype::i8: return "int8";
        case Dtype::i16: return "int16";
        case Dtype::u16: return "uint16";
        case Dtype::i32: return "int32";
        case Dtype::u32: return "uint32";
        case Dtype::i64: return "int64";
        case Dtype::u64: return "uint64";
        default: return "uint8";
    }
}

bool is_real(Dtype dtype) {
    return dtype == Dtype::f32 || dtype == Dtype::f16 || dtype == Dtype::bf16 || dtype == Dtype::f64;
}

void say(const char* text) {
    kbfs::flush_stdout();
    kbfs::write_all(1, text, __builtin_strlen(text));
}

// Of a program, to where its own output goes; of an operator's kernel, to the report.
void print(const char* text) {
    if (machine->speaks) {
        say(text);
        return;
    }
    kbfs::Report r;
    r.text("print", text).number("block", self().index);
}

// "[AIV Block 0/8] ": of a kernel with several vector cores for each block, each counts.
int whose(char* out, size_t capacity) {
    return kbfs::format(out, capacity, "[%s Block %u/%u] ", self().is_cube ? "AIC" : "AIV", self().index, cores_of(self()).total);
}

// "[1.000000, 2.000000]"
void print_elements(const uint8_t* data, Dtype dtype, uint64_t n) {
    char line[512];
    int used = kbfs::format(line, sizeof line, "[");
    for (uint64_t i = 0; i < n; ++i) {
        const char* separator = i + 1 < n ? ", " : "";
        const double value = element(data + i * bytes_of(dtype), dtype);
        char* end = line + used;
        const size_t room = sizeof line - static_cast<size_t>(used);
        used += is_real(dtype) ? kbfs::format(end, room, "%f%s", value, separator)
                               : kbfs::format(end, room, "%lld%s", static_cast<long long>(value), separator);
        if (used > 400) {
            print(line);
            used = 0;
        }
    }
    kbfs::format(line + used, sizeof line - static_cast<size_t>(used), "]\n");
    print(line);
}

// False once the kernel has printed as much as is kept.
bool may_print(uint64_t bytes) {
    machine->printed_bytes += bytes;
    return machine->printed_bytes <= kPrintLimit;
}

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

void kbrt_init_soc_state() {
    Block& b = self();
    b.atomic_op = 0;
    b.atomic_dtype = Dtype::none;
    b.vec = VecState{};
    kb::event(Pipe::S, kOpScalar, 1, 0);
}

void kbrt_printf(const char* format, ...) {
    char text[1024];
    const int from = running == nullptr ? 0 : whose(text, sizeof text);
    va_list arguments;
    va_start(arguments, format);
    const int n = kbfs::vformat(text + from, sizeof text - static_cast<size_t>(from), format, arguments);
    va_end(arguments);
    if (running == nullptr) {
        say(text);  // host code that calls it under the same name
    } else if (may_print(static_cast<uint64_t>(n < 0 ? 0 : n))) {
        print(text);
    }
}

void kbrt_assert(const char* condition, const char* format, ...) {
    char said[512];
    va_list arguments;
    va_start(arguments, format);
    const int n = kbfs::vformat(said, sizeof said, format, arguments);
    va_end(arguments);
    if (n > 0 && n < static_cast<int>(sizeof said) && said[n - 1] == '\n') {
        said[n - 1] = 0;
    }
    char text[768];
    kbfs::format(text, sizeof text, "ascendc_assert: Assertion `%s' %s", condition, said);
    report_finding("error", "", "ascendc_assert", text, trace());
    kbfs::die("crash", "%s", text);
}

void kbrt_dump(const void* data, uint64_t bytes, Dtype dtype, uint32_t desc, uint32_t size, bool local) {
    const uint32_t step = bytes_of(dtype);
    const uint64_t held = local ? bytes / step : size;
    const uint64_t n = held < size ? held : size;
    const uint64_t shown = n * step <= kDumpBytes ? n : 0;  // more than that is not printed at all
    if (!local) {
        check_gm(data, n * step, false, "DumpTensor", "tensor");
    }
    if (!may_print(shown * 16)) {
        return;
    }
    const auto at = local ? static_cast<const uint8_t*>(data) - self().local[static_cast<int>(Space::ub)].base
                          : static_cast<int64_t>(reinterpret_cast<uintptr_t>(data));
    char line[512];
    kbfs::format(line, sizeof line, "DumpTensor: desc=%u, addr=0x%llx, data_type=%s, position=%s, dump_size=%u\n", desc,
                 static_cast<unsigned long long>(at), name_of(dtype), local ? "UB" : "GM", size);
    print(line);
    if (shown < n) {
        kbfs::format(line, sizeof line, "(%llu bytes are more than the %u that a call prints)\n",
                     static_cast<unsigned long long>(n * step), kDumpBytes);
        print(line);
    }
    print_elements(static_cast<const uint8_t*>(data), dtype, shown);
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
