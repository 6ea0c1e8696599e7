// What the runtime says of a candidate: broken rules, faults, operations that are not modelled.
#include <stdarg.h>

#include "kbfs.h"
#include "machine.h"

extern "C" {
extern const char __start_kbrt_text[] __attribute__((visibility("hidden")));
extern const char __stop_kbrt_text[] __attribute__((visibility("hidden")));
}

namespace kb {

uint32_t truncated_to;

namespace {

constexpr int kTextBytes = 512;
constexpr int kFrames = 16;
constexpr int kSeen = 256;

uint32_t truncated_from;

// Rule and place of each warning already told.
struct Seen {
    const char* rule;
    const char* api;
    uintptr_t pc;
};
Seen seen[kSeen];
int seen_count;

bool in_runtime(uintptr_t pc) {
    return pc >= reinterpret_cast<uintptr_t>(__start_kbrt_text) && pc < reinterpret_cast<uintptr_t>(__stop_kbrt_text);
}

uintptr_t stack_end() {
    return running != nullptr ? reinterpret_cast<uintptr_t>(running->stack + running->stack_bytes)
                              : kbfs::main_stack_end();
}

// The candidate's return addresses from `frame` outwards, after `pc` where that is its own.
Trace trace_from(uintptr_t pc, uintptr_t frame) {
    Trace trace{};
    uintptr_t pcs[kFrames];
    const size_t n = kbfs::walk_frames(frame, stack_end(), pcs, kFrames);
    if (pc != 0 && !in_runtime(pc)) {
        trace.pc[trace.count++] = pc + 1;  // as a return address: just after the instruction
    }
    for (size_t i = 0; i < n && trace.count < kTrace; ++i) {
        if (!in_runtime(pcs[i])) {
            trace.pc[trace.count++] = pcs[i];
        }
    }
    return trace;
}

bool told_before(const char* rule, const char* api, uintptr_t pc) {
    for (int i = 0; i < seen_count; ++i) {
        if (seen[i].pc == pc && seen[i].rule == rule && seen[i].api == api) {
            return true;
        }
    }
    if (seen_count == kSeen) {
        return true;
    }
    seen[seen_count++] = {rule, api, pc};
    return false;
}

bool is(const char* a, const char* b) {
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

// Rules about addresses are accesses outside their memory; the others are the device's order of things.
const char* outcome_of(const char* rule) {
    return is(rule, "E10") || is(rule, "E35") || is(rule, "E36") ? "out_of_bounds" : "rule_violation";
}

[[noreturn]] void told(const kbfs::Fault& fault, const char* outcome, const char* rule, const char* text) {
    report_finding("error", rule, "", text, trace_from(fault.pc, fault.frame));
    kbfs::die(outcome, "%s", text);
}

void fault_in_memory(const kbfs::Fault& fault) {
    const auto* address = reinterpret_cast<const uint8_t*>(fault.address);
    const char* access = fault.write ? "write" : "read";
    char text[kTextBytes];
    for (uint32_t i = 0; i < machine->slots; ++i) {
        const Region& ub = machine->blocks[i].local[static_cast<int>(Space::ub)];
        if (ub.bytes != 0 && address >= ub.base - kbfs::page_size() && address < ub.base + kSlotSpan) {
            kbfs::format(text, sizeof text, "%s through a pointer beyond UB: expected an address below %u, got %ld", access,
                         ub.bytes, static_cast<long>(address - ub.base));
            told(fault, "out_of_bounds", "E10", text);
        }
    }
    const GmBuffer* gm = nearest_buffer(address);
    if (gm == nullptr || fault.address < 65536) {
        return;
    }
    const long at = static_cast<long>(address - gm->base);
    if (running == nullptr && at >= 0 && static_cast<uint64_t>(at) < gm->mapped) {
        kbfs::format(text, sizeof text, "host code %ss device memory ('%s', byte %ld): expected aclrtMemcpy", access, gm->name, at);
        told(fault, "out_of_bounds", "E35", text);
    }
    if (at >= 0 && static_cast<uint64_t>(at) < gm->mapped) {
        kbfs::format(text, sizeof text, "%s to input '%s' at byte %ld: an input that is not in-place may not change", access,
                     gm->name, at);
        told(fault, "input_modified", gm->tiling() ? "E45" : "", text);
    }
    if (at > -(1l << 24) && at < static_cast<long>(gm->mapped) + (1l << 24)) {
        kbfs::format(text, sizeof text, "%s through a pointer outside '%s': expected a byte below %lu, got %ld", access,
                     gm->name, static_cast<unsigned long>(gm->bytes), at);
        told(fault, "out_of_bounds", "E35", text);
    }
}

void on_fault(const kbfs::Fault& fault) {
    constexpr int kIll = 4, kTrap = 5, kBus = 7, kFpe = 8, kSegv = 11;
    for (uint32_t i = 0; machine != nullptr && i < machine->slots; ++i) {
        const Fibre& fibre = machine->fibres[i];
        const auto low = reinterpret_cast<uintptr_t>(fibre.stack);
        if (fault.signal == kSegv && fault.address < low && low - fault.address <= 65536) {
            told(fault, "stack_overflow", "", "the block's stack is used up (256 KiB)");
        }
    }
    if (machine != nullptr && (fault.signal == kSegv || fault.signal == kBus)) {
        fault_in_memory(fault);
        char text[kTextBytes];
        kbfs::format(text, sizeof text, "%s at address 0x%lx, which is no memory of the kernel's",
                     fault.write ? "write" : "read", static_cast<unsigned long>(fault.address));
        told(fault, "crash", "", text);
    }
    if (fault.signal == kFpe) {
        told(fault, "crash", "", "an integer is divided by zero");
    }
    if (fault.signal == kIll || fault.signal == kTrap) {
        told(fault, "crash", "", "undefined behaviour is reached (a function without a return, an impossible branch)");
    }
}

// Descriptions that the compiler hands to the handler of implicit conversions.
struct TypeDescriptor {
    uint16_t kind;
    uint16_t info;  // bit 0: signed; above: log2 of the width
    char name[1];
};
struct ConversionData {
    const char* file;
    uint32_t line;
    uint32_t column;
    const TypeDescriptor* from;
    const TypeDescriptor* to;
};

}  // namespace

Trace trace() {
    return trace_from(0, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}

uintptr_t where() {
    return trace().pc[0];
}

void report_finding(const char* severity, const char* rule, const char* api, const char* message, const Trace& trace) {
    kbfs::Report r;
    r.text("severity", severity).text("rule", rule).text("api", api).text("message", message);
    r.number("block", current != nullptr ? static_cast<int64_t>(current->index) : -1);
    r.open_list("pcs");
    for (uint32_t i = 0; i < trace.count; ++i) {
        r.item_unsigned(trace.pc[i]);
    }
    r.end();
}

static void tell_once(const char* severity, const char* rule, const char* api, const char* fmt, va_list arguments,
                      const Trace& at) {
    if (told_before(rule, api, at.pc[0])) {
        return;
    }
    char text[kTextBytes];
    const int used = kbfs::format(text, sizeof text, "%s: ", api);
    kbfs::vformat(text + used, sizeof text - static_cast<size_t>(used), fmt, arguments);
    report_finding(severity, rule, api, text, at);
}

void error(const char* rule, const char* api, const char* fmt, ...) {
    char text[kTextBytes];
    const int used = kbfs::format(text, sizeof text, "%s: ", api);
    va_list arguments;
    va_start(arguments, fmt);
    kbfs::vformat(text + used, sizeof text - static_cast<size_t>(used), fmt, arguments);
    va_end(arguments);
    report_finding("error", rule, api, text, trace());
    kbfs::die(outcome_of(rule), "%s", text);
}

void warning(const char* rule, const char* api, const char* fmt, ...) {
    va_list arguments;
    va_start(arguments, fmt);
    tell_once("warning", rule, api, fmt, arguments, trace());
    va_end(arguments);
}

void note(const char* rule, const char* api, const char* fmt, ...) {
    va_list arguments;
    va_start(arguments, fmt);
    tell_once("note", rule, api, fmt, arguments, trace());
    va_end(arguments);
}

void warn_of(const char* rule, const char* api, const char* message, const Trace& trace) {
    if (!told_before(rule, api, trace.pc[0])) {
        report_finding("warning", rule, api, message, trace);
    }
}

void unsupported(const char* name) {
    report_finding("note", "", name, "not modelled", trace());
    kbfs::die("unsupported", "%s", name);
}

void check_truncation(uint32_t repeats) {
    const uint32_t to = truncated_to - 1;
    truncated_to = 0;
    if (to == repeats) {
        error("E7", "repeatTime", "expected at most 255, got %u, which wraps to %u", truncated_from, to);
    }
}

void watch_faults() {
    kbfs::on_fault(on_fault);
}

}  // namespace kb

// -fsanitize=implicit-*-integer-truncation calls this where a conversion in the candidate's code changes the value. Only
// the narrowing to uint8_t matters: repeat counts and strides have that type.
extern "C" void __ubsan_handle_implicit_conversion(const kb::ConversionData* data, uintptr_t from, uintptr_t to) {
    const bool to_byte = data->to->kind == 0 && data->to->info == (3u << 1);
    if (to_byte && kb::current != nullptr) {
        kb::truncated_from = static_cast<uint32_t>(from);
        kb::truncated_to = static_cast<uint32_t>(to & 0xff) + 1;
    }
}

// -fsanitize-coverage=trace-pc calls this in every basic block of the candidate's code.
extern "C" void __sanitizer_cov_trace_pc() {
    if (kb::current != nullptr) {
        kb::current->scalar_blocks += 1;
    }
}
