// A kernel program's life: read the plan, map the memories, run the blocks, report what was counted.
//
// Descriptors: 3 the data file (plan.h), 4 the report (JSON lines). Everything is mapped before lock-down.
#include "hazards.h"
#include "kbfs.h"
#include "timing.h"

extern "C" {
// The candidate's kernel as each kind of core has it; callees take the arguments that they declare.
void kb_kernel(...);
void kb_kernel_cube(...) __attribute__((weak));
}

namespace kb {

namespace {

constexpr int kDataFile = 3;
constexpr int kReportFile = 4;

uint64_t page() {
    return kbfs::page_size();
}

void read_plan(PlanHeader& plan) {
    if (!kbfs::read_at(kDataFile, &plan, sizeof plan, 0) || plan.magic != kPlanMagic || plan.arguments > kMaxArguments) {
        broken("the plan cannot be read");
    }
}

void map_buffer(const PlanBuffer& b, GmBuffer& gm, uint8_t*& guard, const char* name) {
    auto* low = static_cast<uint8_t*>(kbfs::map_memory(b.mapped + 2 * page(), kbfs::kNone));
    uint8_t* at = low + page();
    const bool writable = (b.flags & kWritable) != 0;
    const kbfs::Protection protection = writable ? kbfs::kReadWrite : kbfs::kRead;
    if (low == nullptr) {
        broken("no memory for a buffer");
    }
    if ((b.flags & kAnonymous) != 0) {
        if (!kbfs::protect(at, b.mapped, kbfs::kReadWrite)) {
            broken("no memory for a workspace");
        }
    } else if (kbfs::map_file(kDataFile, b.offset, b.mapped, protection, writable, at) != at) {
        broken("a buffer cannot be mapped");
    }
    gm = {at + b.lead, b.bytes, b.mapped - b.lead, b.mapped - b.lead, name, writable, false, (b.flags & kPoisoned) != 0, {}, {}};
    guard = at + b.mapped;
}

// A workspace looks like nothing sensible until it is written; its first part is the system's, which nobody reads. The
// file's buffers come filled: touching one page in sixteen maps them all.
void prepare_buffer(const PlanBuffer& b, const GmBuffer& gm) {
    constexpr uint64_t kSystem = 16ull << 20;
    const uint64_t around = 16 * page();
    if ((b.flags & kAnonymous) != 0) {
        const uint64_t from = (b.flags & kWorkspace) != 0 && gm.bytes >= kSystem ? kSystem : 0;
        __builtin_memset(gm.base + from, static_cast<int>(machine->plan.poison), gm.mapped - from);
        return;
    }
    for (uint64_t at = 0; at < gm.mapped; at += around) {
        (void)*static_cast<volatile uint8_t*>(gm.base + at);
    }
}

void map_global(const PlanHeader& plan) {
    const uint64_t bytes = plan.buffers * sizeof(PlanBuffer);
    auto* list = reinterpret_cast<PlanBuffer*>(hidden_memory(bytes + page()));
    if (!kbfs::read_at(kDataFile, list, bytes, sizeof plan)) {
        broken("the plan's buffers cannot be read");
    }
    for (uint32_t i = 0; i < plan.buffers; ++i) {
        map_buffer(list[i], machine->buffers[i], machine->guards[i], list[i].name);
        prepare_buffer(list[i], machine->buffers[i]);
        if ((list[i].flags & kWorkspace) != 0) {
            machine->system_workspace = machine->buffers[i].base;
        }
    }
}

// A list's table is in the file with its shapes; the addresses are only known here.
void fill_table(const PlanArgument& argument) {
    GmBuffer& table = machine->buffers[argument.first];
    auto* words = reinterpret_cast<uint64_t*>(table.base);
    uint64_t* addresses = words + words[0] / sizeof(uint64_t);
    for (uint32_t i = 0; i < argument.count; ++i) {
        addresses[i] = reinterpret_cast<uint64_t>(machine->buffers[argument.first + 1 + i].base);
    }
    table.writable = false;
}

// Room in the file to record events in: shared, so that what was recorded survives whatever ends the process.
void start_recording(const PlanHeader& plan) {
    if (plan.record_bytes == 0) {
        return;
    }
    void* into = kbfs::map_file(kDataFile, plan.record_offset, plan.record_bytes, kbfs::kReadWrite, true);
    if (into == nullptr) {
        broken("the recording cannot be mapped");
    }
    record_events(into, plan.record_bytes);
}

// Those who listen to the events of all blocks.
void start_listening(const PlanHeader& plan) {
    if (plan.record_bytes == 0 && plan.follow == 0 && plan.time == 0) {
        return;
    }
    make_heard(machine->slots);
    start_recording(plan);
    if (plan.follow != 0) {
        make_hazards();
        begin_hazards();
    }
    if (plan.time != 0) {
        make_timing();
        begin_timing();
    }
}

void set_arguments(const PlanHeader& plan) {
    PlanArgument list[kMaxArguments];
    const uint64_t at = sizeof plan + plan.buffers * sizeof(PlanBuffer);
    if (plan.arguments > 0 && !kbfs::read_at(kDataFile, list, plan.arguments * sizeof(PlanArgument), at)) {
        broken("the plan's arguments cannot be read");
    }
    for (uint32_t i = 0; i < plan.arguments; ++i) {
        if (list[i].kind == kNull) {
            continue;
        }
        machine->arguments[i] = machine->buffers[list[i].first].base;
        if (list[i].kind == kList) {
            fill_table(list[i]);
        }
    }
}

void call(void (*kernel)(...)) {
    using Kernel = void (*)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                            void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                            void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*,
                            void*);
    void** a = machine->arguments;
    reinterpret_cast<Kernel>(kernel)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
                                     a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23],
                                     a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31], a[32], a[33], a[34],
                                     a[35], a[36], a[37], a[38], a[39]);
}

void call_vector_kernel() {
    call(kb_kernel);
}

void call_cube_kernel() {
    call(kb_kernel_cube);
}

}  // namespace

}  // namespace kb

extern "C" void fs_before(int, char**) {
    using namespace kb;
    kbfs::report_to(kReportFile);
    watch_faults();
    PlanHeader plan;
    read_plan(plan);
    make_machine(plan, fibres_of(plan), plan.buffers);
    machine->enter[kVector] = call_vector_kernel;
    machine->enter[kCube] = kb_kernel_cube != nullptr ? call_cube_kernel : nullptr;
    set_launch(declared_type(plan.tiling_key, nullptr));
    map_global(plan);
    set_arguments(plan);
    start_listening(plan);
    make_stacks(machine->slots);
}

extern "C" int fs_main(int, char**) {
    using namespace kb;
    begin_sync();
    run_all_blocks();
    check_intact();
    check_tiling_key();
    check_slack();
    report_counts();
    if (machine->plan.time != 0) {
        report_time(machine->plan.spans);
    }
    kbfs::Report r;
    r.boolean("end", true).text("outcome", "ok");
    return 0;
}
