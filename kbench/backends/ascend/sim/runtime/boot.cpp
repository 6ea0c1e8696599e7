// Launches: the machine's state and on-chip memories, which cores a kernel runs on, and what is looked at when it has ended.
#include "kbfs.h"
#include "machine.h"

// What KERNEL_TASK_TYPE leaves in the program (kernel_macros.h). No such section: the bounds are null.
struct KernelTypeRecord {
    uint64_t key;
    const char* function;
    uint32_t keyed;
    uint32_t type;
};
extern "C" {
extern const KernelTypeRecord __start_kb_kernel_types[] __attribute__((weak, visibility("hidden")));
extern const KernelTypeRecord __stop_kb_kernel_types[] __attribute__((weak, visibility("hidden")));
}

namespace kb {

namespace {

constexpr uint64_t kCanary = 0x6b62656e63685f31ull;
constexpr uint64_t kLocalBase = 0x40000000ull;  // below 4 GiB: an address fits where the device's would
constexpr uint64_t kRandomSpan = 64ull << 20;

uint64_t page() {
    return kbfs::page_size();
}

uint64_t pages(uint64_t bytes) {
    return (bytes + page() - 1) / page() * page();
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

void map_local(uint32_t fibres) {
    auto* low = reinterpret_cast<uint8_t*>(kLocalBase);
    if (kbfs::map_memory(static_cast<uint64_t>(fibres) * kSlotSpan + page(), kbfs::kNone, low) != low) {
        broken("no memory for UB");
    }
    for (uint32_t i = 0; i < fibres; ++i) {
        uint8_t* ub = low + static_cast<uint64_t>(i) * kSlotSpan + page();
        if (!kbfs::protect(ub, pages(machine->plan.ub_bytes), kbfs::kReadWrite)) {
            broken("no memory for UB");
        }
        machine->blocks[i].local[static_cast<int>(Space::ub)] = {ub, machine->plan.ub_bytes};
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

// Cores of each kind for one logical block.
struct Ratio {
    uint32_t vectors;
    uint32_t cubes;
};

Ratio ratio_of(KernelType type, uint32_t asked) {
    switch (type) {
        case kAicOnly:
        case kMixAic10: return {0, 1};
        case kMixAic11: return {1, 1};
        case kMixAic12: return {2, 1};
        default: return {asked == 0 ? 1 : asked, 0};
    }
}

uint32_t least(uint64_t a, uint64_t b) {
    return static_cast<uint32_t>(a < b ? a : b);
}

bool same_text(const char* a, const char* b) {
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

}  // namespace

void broken(const char* what) {
    kbfs::die("harness_error", "the kernel's runtime: %s", what);
}

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

uint32_t fibres_of(const PlanHeader& plan) {
    const uint64_t subs = plan.sub_blocks > 2 ? plan.sub_blocks : 2;
    return least(plan.block_dim * subs, plan.cores) + least(plan.block_dim, plan.cube_cores);
}

void make_machine(const PlanHeader& plan, uint32_t fibres, uint32_t buffers) {
    const uint64_t queue_bytes = (queues_bytes() + 63) / 64 * 64;
    const uint64_t bytes = sizeof(Machine) + buffers * (sizeof(GmBuffer) + sizeof(uint8_t*)) +
                           fibres * (sizeof(Fibre) + sizeof(Block) + queue_bytes + 256) + 65536;
    Arena arena{hidden_memory(bytes)};
    machine = arena.take<Machine>(1);
    machine->plan = plan;
    machine->buffers = arena.take<GmBuffer>(buffers);
    machine->guards = arena.take<uint8_t*>(buffers);
    machine->fibres = arena.take<Fibre>(fibres);
    machine->blocks = arena.take<Block>(fibres);
    kbfs::random_bytes(&machine->secret, sizeof machine->secret);
    machine->canary_low = machine->canary_high = kCanary ^ machine->secret;
    for (uint32_t i = 0; i < fibres; ++i) {
        machine->blocks[i].queues = reinterpret_cast<Queues*>(arena.take<uint8_t>(queue_bytes));
    }
    map_local(fibres);
    make_dcache(hidden_memory(dcache_bytes(fibres)));
}

void set_launch(KernelType type) {
    const PlanHeader& plan = machine->plan;
    const Ratio ratio = ratio_of(type, plan.sub_blocks);
    machine->kernel_type = type;
    machine->plan.sub_blocks = ratio.vectors;
    const uint32_t vectors = plan.block_dim * ratio.vectors, cubes = plan.block_dim * ratio.cubes;
    const uint32_t vector_slots = least(vectors, plan.cores), cube_slots = least(cubes, plan.cube_cores);
    machine->cores[kVector] = {vectors, vector_slots, 0, 0};
    machine->cores[kCube] = {cubes, cube_slots, 0, vector_slots};
    machine->total_blocks = vectors + cubes;
    machine->slots = vector_slots + cube_slots;
    machine->ended_blocks = 0;
    for (uint32_t i = 0; i < machine->slots; ++i) {
        Block& block = machine->blocks[i];
        block.is_cube = i >= vector_slots;
        block.local[static_cast<int>(Space::ub)].bytes = block.is_cube ? 0 : plan.ub_bytes;
    }
    if (cubes > 0 && machine->enter[kCube] == nullptr) {
        broken("the kernel's cube side is missing");
    }
}

KernelType declared_type(uint64_t tiling_key, const char* function) {
    KernelType type = kUntyped;
    for (const KernelTypeRecord* r = __start_kb_kernel_types; r != __stop_kb_kernel_types; ++r) {
        if (function != nullptr && !same_text(function, r->function)) {
            continue;
        }
        if (r->keyed != 0 && r->key == tiling_key) {
            return static_cast<KernelType>(r->type);
        }
        if (r->keyed == 0) {
            type = static_cast<KernelType>(r->type);
        }
    }
    return type;
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

void check_intact() {
    if (!intact()) {
        kbfs::die("tampered", "the simulator's counters were changed from outside");
    }
}

// E48: the kernel has branches for tiling keys, and none for the launch's. Key 0 may mean the code beside the branches.
void check_tiling_key() {
    const auto key = static_cast<unsigned long long>(machine->plan.tiling_key);
    if (machine->key_pc == 0 || machine->key_found) {
        return;
    }
    char text[128];
    kbfs::format(text, sizeof text, "TILING_KEY_IS: expected a branch for the tiling key %llu that the host side sets, got none", key);
    if (key == 0) {
        return warn_of("E48", "TILING_KEY_IS", text, {{machine->key_pc}, 1});
    }
    report_finding("error", "E48", "TILING_KEY_IS", text, {{machine->key_pc}, 1});
    kbfs::die("rule_violation", "%s", text);
}

// A byte of [first, end) that a raw store has reached, or `end`.
static uint64_t written_byte(const GmBuffer& gm, uint64_t first, uint64_t end) {
    const auto poison = static_cast<uint8_t>(machine->plan.poison);
    while (first < end && gm.base[first] == poison) {
        ++first;
    }
    return first;
}

// Bytes between a tensor's end and its guard page that raw stores have reached: harmless inside its allocation.
void check_slack() {
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) {
        const GmBuffer& gm = machine->buffers[i];
        if (!gm.writable || gm.name[0] == 0) {
            continue;
        }
        const uint64_t inside = gm.padding_told ? gm.padded : written_byte(gm, gm.bytes, gm.padded);
        const uint64_t beyond = written_byte(gm, gm.padded, gm.mapped);
        if (inside == gm.padded && beyond == gm.mapped) {
            continue;
        }
        char text[256];
        kbfs::format(text, sizeof text, "byte %llu of '%s' was written: expected a byte below %llu",
                     static_cast<unsigned long long>(beyond < gm.mapped ? beyond : inside), gm.name,
                     static_cast<unsigned long long>(gm.bytes));
        report_finding(beyond < gm.mapped ? "error" : "warning", "E35", "", text, {});
        if (beyond < gm.mapped) {
            kbfs::die("out_of_bounds", "%s", text);
        }
    }
}

}  // namespace kb
