// What a kernel prints: printf, ascendc_assert, DumpTensor.
#include "kernel_operator_dump_tensor_intf.h"

#include "kbfs.h"
#include "machine.h"

using namespace kb;

namespace {

constexpr uint64_t kPrintLimit = 256 * 1024;
constexpr uint32_t kDumpBytes = 30 * 1024;  // of a call of DumpTensor

// ---- elements -------------------------------------------------------------------------------------------------------

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

// ---- where it goes --------------------------------------------------------------------------------------------------

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

// ---- formats --------------------------------------------------------------------------------------------------------

// One conversion of a format: `%`, flags, width and precision, and what it converts to. Sizes (l, ll) say nothing: each
// argument carries its own.
struct Conversion {
    char spec[24];
    char kind;         // 0 at the end of the format
    const char* next;  // what follows it
};

bool among(char c, const char* set) {
    while (*set != 0 && *set != c) {
        ++set;
    }
    return *set != 0;
}

Conversion read_conversion(const char* p) {
    Conversion c{"%", 0, p};
    size_t n = 1;
    for (; among(*p, "-+ #.0123456789"); ++p) {
        c.spec[n] = *p;
        n += n + 4 < sizeof c.spec;
    }
    while (among(*p, "hlzjt")) {
        ++p;
    }
    c.spec[n] = 0;
    c.kind = *p;
    c.next = *p == 0 ? p : p + 1;
    return c;
}

const char* name_of(PrintKind kind) {
    switch (kind) {
        case PrintKind::word:
        case PrintKind::wide: return "an integer";
        case PrintKind::real: return "a floating number";
        case PrintKind::text: return "a string";
        case PrintKind::pointer: return "a pointer";
        default: return "something else";
    }
}

// What a conversion takes.
PrintKind wanted_by(char kind) {
    return among(kind, "dixXuoc")    ? PrintKind::word
           : among(kind, "fFeEgGaA") ? PrintKind::real
           : kind == 's'             ? PrintKind::text
           : kind == 'p'             ? PrintKind::pointer
                                     : PrintKind::other;
}

bool fits(PrintKind wanted, PrintKind given) {
    if (wanted == PrintKind::pointer) {
        return given != PrintKind::real && given != PrintKind::other;
    }
    return given == wanted || (wanted == PrintKind::word && given == PrintKind::wide);
}

// The argument as the conversion has it. A word is what an int32_t or a uint32_t holds.
int put(char* out, size_t room, Conversion& c, const PrintArgument& a) {
    char* end = c.spec + __builtin_strlen(c.spec);
    const bool integer = wanted_by(c.kind) == PrintKind::word && c.kind != 'c';
    if (integer) {
        *end++ = 'l';
    }
    end[0] = c.kind;
    end[1] = 0;
    if (wanted_by(c.kind) == PrintKind::real) {
        return kbfs::format(out, room, c.spec, __builtin_bit_cast(double, a.bits));
    }
    const auto value = static_cast<long>(a.bits);
    const bool is_signed = c.kind == 'd' || c.kind == 'i';
    const long word = is_signed ? static_cast<int32_t>(value) : static_cast<long>(static_cast<uint32_t>(value));
    return kbfs::format(out, room, c.spec, integer && a.kind == PrintKind::word ? word : value);
}

// One conversion, or a question mark and what is wrong with it (E60).
int convert(char* out, size_t room, const char* api, Conversion& c, const PrintArgument* given, uint32_t number) {
    const PrintKind wanted = wanted_by(c.kind);
    if (wanted == PrintKind::other) {
        warning("E60", api, "conversion %u: expected one of d, i, u, x, f, s, p, got '%c'", number, c.kind == 0 ? ' ' : c.kind);
    } else if (given == nullptr) {
        warning("E60", api, "conversion %u, %%%c: expected %s, got no argument", number, c.kind, name_of(wanted));
    } else if (!fits(wanted, given->kind)) {
        warning("E60", api, "conversion %u, %%%c: expected %s, got %s", number, c.kind, name_of(wanted), name_of(given->kind));
    } else {
        return put(out, room, c, *given);
    }
    return kbfs::format(out, room, "?");
}

// What a call's format makes of its arguments. Bytes written before the closing zero.
size_t fill(char* out, size_t room, const char* api, const char* format, const PrintArgument* given, uint32_t count) {
    size_t n = 0;
    uint32_t used = 0;
    const char* p = format;
    while (*p != 0 && n + 1 < room) {
        if (*p != '%' || p[1] == '%') {
            out[n++] = *p;
            p += *p == '%' ? 2 : 1;
            continue;
        }
        Conversion c = read_conversion(p + 1);
        p = c.next;
        const int made = convert(out + n, room - n, api, c, used < count ? given + used : nullptr, used + 1);
        ++used;
        n += static_cast<size_t>(made) < room - n ? static_cast<size_t>(made) : room - n - 1;
    }
    if (*p == 0 && used < count) {
        warning("E60", api, "expected an argument for each of %u conversions, got %u", used, count);
    }
    out[n] = 0;
    return n;
}

}  // namespace

extern "C" {

void kbrt_printf(const char* format, const PrintArgument* given, uint32_t count) {
    char text[1024];
    const auto from = static_cast<size_t>(running == nullptr ? 0 : whose(text, sizeof text));
    const size_t n = fill(text + from, sizeof text - from, "printf", format, given, count);
    if (running == nullptr) {
        say(text);  // host code that calls it under the same name
    } else if (may_print(n)) {
        print(text);
    }
}

void kbrt_assert(const char* condition, const char* format, const PrintArgument* given, uint32_t count) {
    char said[512];
    const size_t n = fill(said, sizeof said, "ascendc_assert", format, given, count);
    if (n > 0 && said[n - 1] == '\n') {
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

}  // extern "C"
