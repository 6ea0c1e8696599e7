// A kernel program's life: read the plan, map the memories, run the blocks, report what was counted.
//
// Descriptors: 3 the data file (plan.h), 4 the report (JSON lines). Everything is mapped before lock-down.
#include "kbfs.h"
#include "stream.h"

namespace kb {

namespace {

constexpr int kDataFile = 3;
constexpr int kReportFile = 4;
constexpr uint64_t kCanary = 0x6b62656e63685f31ull;
constexpr uint64_t kLocalBase = 0x40000000ull;  // below 4 GiB: an address fits where the device's would
constexpr uint64_t kRandomSpan = 64ull << 20;

[[noreturn]] void broken(const char* what) {
    kbfs::die("harness_error", "the kernel's runtime: %s", what);
}

uint64_t page() {
    return kbfs::page_size();
}

uint64_t pages(uint64_t bytes) {
    return (bytes + page() - 1) / page() * page();
}

// Memory somewhere that cannot be guessed, between pages that do not exist.
uint8_t* hidden_memory(uint64_t bytes) {
    uint64_t shift = 0;
    kbfs::random_bytes(&shift, sizeof shift);
    const uint64_t span = pages(bytes) + 2 * page();
    auto* low = static_cast<uint8_t*>(kbfs::map_memory(span + kRandomSpan, kbfs::kNone));
    if (low == nullptr) {
        broken("no memory for its state");
    }
    uint8_t* at = low + page() + shift % (kRandomSpan / page()) * page();
    if (!kbfs::protect(at, pages(bytes), kbfs::kReadWrite)) {
        broken("no memory for its state");
    }
    return at;
}

// Hands out parts of the hidden memory.
struct Arena {
    uint8_t* next;

    template <class T>
    T* take(uint64_t n) {
        auto* p = reinterpret_cast<T*>(next);
        next += (n * sizeof(T) + 63) / 64 * 64;
        return p;
    }
};

uint32_t slots_of(const PlanHeader& plan) {
    const uint64_t total = static_cast<uint64_t>(plan.block_dim) * plan.sub_blocks;
    return static_cast<uint32_t>(total < plan.cores ? total : plan.cores);
}

void read_plan(PlanHeader& plan) {
    if (!kbfs::read_at(kDataFile, &plan, sizeof plan, 0) || plan.magic != kPlanMagic || plan.arguments > kMaxArguments) {
        broken("the plan cannot be read");
    }
}

void make_machine(const PlanHeader& plan) {
    const uint32_t slots = slots_of(plan);
    const uint64_t queue_bytes = (queues_bytes() + 63) / 64 * 64;
    const uint64_t bytes = sizeof(Machine) + plan.buffers * (sizeof(GmBuffer) + sizeof(uint8_t*)) +
                           slots * (sizeof(Fibre) + sizeof(Block) + queue_bytes + 256) + 65536;
    Arena arena{hidden_memory(bytes)};
    machine = arena.take<Machine>(1);
    machine->plan = plan;
    machine->total_blocks = plan.block_dim * plan.sub_blocks;
    machine->slots = slots;
    machine->buffers = arena.take<GmBuffer>(plan.buffers);
    machine->guards = arena.take<uint8_t*>(plan.buffers);
    machine->fibres = arena.take<Fibre>(slots);
    machine->blocks = arena.take<Block>(slots);
    kbfs::random_bytes(&machine->secret, sizeof machine->secret);
    machine->canary_low = machine->canary_high = kCanary ^ machine->secret;
    for (uint32_t i = 0; i < slots; ++i) {
        machine->blocks[i].queues = reinterpret_cast<Queues*>(arena.take<uint8_t>(queue_bytes));
    }
}

void map_local() {
    auto* low = reinterpret_cast<uint8_t*>(kLocalBase);
    if (kbfs::map_memory(static_cast<uint64_t>(machine->slots) * kSlotSpan + page(), kbfs::kNone, low) != low) {
        broken("no memory for UB");
    }
    for (uint32_t i = 0; i < machine->slots; ++i) {
        uint8_t* ub = low + static_cast<uint64_t>(i) * kSlotSpan + page();
        if (!kbfs::protect(ub, pages(machine->plan.ub_bytes), kbfs::kReadWrite)) {
            broken("no memory for UB");
        }
        machine->blocks[i].local[static_cast<int>(Space::ub)] = {ub, machine->plan.ub_bytes};
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
    gm = {at + b.lead, b.bytes, (b.bytes + 31) / 32 * 32 + 32, b.mapped - b.lead, name, writable};
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
    auto* heard = reinterpret_cast<Heard*>(hidden_memory(machine->slots * sizeof(Heard)));
    if (into == nullptr) {
        broken("the recording cannot be mapped");
    }
    record_events(into, plan.record_bytes);
    for (uint32_t i = 0; i < machine->slots; ++i) {
        machine->blocks[i].heard = heard + i;
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

void report_counts() {
    kbfs::Report r;
    r.unsigned_number("blocks", machine->total_blocks).open_list("cores");
    for (uint32_t i = 0; i < machine->slots; ++i) {
        const Block& b = machine->blocks[i];
        r.open_list();
        for (const PipeCount& c : b.count) {
            r.item_unsigned(c.events).item_unsigned(c.repeats).item_unsigned(c.bytes);
        }
        r.close();
    }
}

bool intact() {
    if (machine->canary_low != (kCanary ^ machine->secret) || machine->canary_high != machine->canary_low) {
        return false;
    }
    for (uint32_t i = 0; i < machine->slots; ++i) {
        const Block& b = machine->blocks[i];
        for (int p = 0; p < kPipes; ++p) {
            const PipeCount& c = b.count[p];
            if (b.seal[p] != c.events + 3 * c.repeats + 5 * c.bytes) {
                return false;
            }
        }
    }
    return true;
}

// Bytes between a tensor's end and its guard page that raw stores have reached. Copies may write up to the 32nd byte.
void check_slack() {
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) {
        const GmBuffer& gm = machine->buffers[i];
        for (uint64_t at = gm.padded; gm.writable && gm.name[0] != 0 && at < gm.mapped; ++at) {
            if (gm.base[at] != static_cast<uint8_t>(machine->plan.poison)) {
                char text[256];
                kbfs::format(text, sizeof text, "byte %llu of '%s' was written: expected a byte below %llu",
                             static_cast<unsigned long long>(at), gm.name, static_cast<unsigned long long>(gm.bytes));
                report_finding("error", "E35", "", text, {});
                kbfs::die("out_of_bounds", "%s", text);
            }
        }
    }
}

}  // namespace

}  // namespace kb

extern "C" void fs_before(int, char**) {
    using namespace kb;
    kbfs::report_to(kReportFile);
    watch_faults();
    PlanHeader plan;
    read_plan(plan);
    make_machine(plan);
    map_local();
    map_global(plan);
    set_arguments(plan);
    start_recording(plan);
    make_stacks();
}

extern "C" int fs_main(int, char**) {
    using namespace kb;
    begin_sync();
    run_all_blocks();
    if (!intact()) {
        kbfs::die("tampered", "the simulator's counters were changed from outside");
    }
    check_slack();
    report_counts();
    kbfs::Report r;
    r.boolean("end", true).text("outcome", "ok");
    return 0;
}
