// Launches: the blocks of one kernel run to their end, then the host goes on.
#include "kb_launch.h"

#include "hazards.h"
#include "kbfs.h"
#include "machine.h"
#include "../../host_runtime/plan.h"
#include "program.h"

namespace {

using kb::LaunchRecord;

constexpr uint64_t kMostBlocks = 65535;  // E46

bool pending;
const LaunchRecord* launch;
const void* cube_kernel;

// Where the linker put the kernels of each kind: the qualifiers of kernel_macros.h name the sections.
#define KB_SECTION(name)                                                             \
    extern "C" const char __start_##name[] __attribute__((weak, visibility("hidden"))); \
    extern "C" const char __stop_##name[] __attribute__((weak, visibility("hidden")));
KB_SECTION(kb_vector)
KB_SECTION(kb_cube)
KB_SECTION(kb_mix_0_1)
KB_SECTION(kb_mix_1_0)
KB_SECTION(kb_mix_1_1)
KB_SECTION(kb_mix_1_2)
#undef KB_SECTION
extern "C" const kb::CubeTwin __start_kb_cube_twins[] __attribute__((weak, visibility("hidden")));
extern "C" const kb::CubeTwin __stop_kb_cube_twins[] __attribute__((weak, visibility("hidden")));

bool same(const char* a, const char* b) {
    return __builtin_strcmp(a, b) == 0;
}

// "space::f<T, 4>" → "f", as __func__ has it.
void plain_name(const char* name, char* out, size_t capacity) {
    size_t n = 0;
    for (const char* at = name; *at != 0 && *at != '<' && n + 1 < capacity; ++at) {
        out[n++] = *at;
        n = *at == ':' || *at == ' ' || *at == '&' ? 0 : n;
    }
    out[n] = 0;
}

kb::KernelType type_of(const LaunchRecord& l) {
    const auto* at = static_cast<const char*>(l.kernel);
#define KB_IN(name) (at >= __start_##name && at < __stop_##name)
    if (KB_IN(kb_vector)) return kb::kAivOnly;
    if (KB_IN(kb_cube)) return kb::kAicOnly;
    if (KB_IN(kb_mix_0_1)) return kb::kMixAiv10;
    if (KB_IN(kb_mix_1_0)) return kb::kMixAic10;
    if (KB_IN(kb_mix_1_1)) return kb::kMixAic11;
    if (KB_IN(kb_mix_1_2)) return kb::kMixAic12;
#undef KB_IN
    char name[128];
    plain_name(l.name, name, sizeof name);
    return kb::declared_type(0, name);
}

void enter_vector() {
    launch->call(launch->kernel, launch->arguments);
}

void enter_cube() {
    launch->call(cube_kernel, launch->arguments);
}

const void* cube_twin(const LaunchRecord& l) {
    for (const kb::CubeTwin* t = __start_kb_cube_twins; t != __stop_kb_cube_twins; ++t) {
        if (same(t->id, l.id)) return t->kernel;
    }
    return nullptr;
}

// An error of the host's, at its own line.
[[noreturn]] void refuse(const char* rule, const char* api, const char* text) {
    kb::report_finding("error", rule, api, text, kb::trace());
    kbfs::die("rule_violation", "%s", text);
}

void reset_counters() {
    for (uint32_t i = 0; i < kb::machine->slots; ++i) {
        kb::Block& b = kb::machine->blocks[i];
        for (int p = 0; p < kb::kPipes; ++p) {
            b.count[p] = {};
            b.seal[p] = 0;
        }
    }
}

void begin(const LaunchRecord& l) {
    using namespace kb;
    launch = &l;
    cube_kernel = cube_twin(l);
    machine->plan.block_dim = static_cast<uint32_t>(l.blocks);
    machine->plan.sub_blocks = 0;
    machine->enter[kVector] = enter_vector;
    machine->enter[kCube] = cube_kernel != nullptr ? enter_cube : nullptr;
    set_launch(type_of(l));
    for (uint32_t i = 0; i < machine->slots; ++i) {
        rewind(machine->fibres[i]);
    }
    reset_counters();
    begin_sync();
    begin_hazards();
}

void finish(const LaunchRecord& l) {
    using namespace kb;
    check_intact();
    check_slack();
    report_counts();
    kbfs::Report report;
    report.text("launch", l.name).unsigned_number("block_dim", l.blocks);
    current = nullptr;
}

}  // namespace

namespace kb_program {

void make_device() {
    using namespace kb;
    const kbhost::Json& chip = kbhost::plan()["platform"];
    PlanHeader plan{};
    plan.cores = static_cast<uint32_t>(chip["aiv"].integer());
    plan.cube_cores = static_cast<uint32_t>(chip["aic"].integer());
    plan.ub_bytes = static_cast<uint32_t>(chip["ub"].integer());
    plan.poison = static_cast<uint32_t>(kbhost::plan()["poison"].integer());
    plan.numerics = static_cast<uint32_t>(kbhost::plan()["numerics"].integer());
    const uint32_t fibres = plan.cores + plan.cube_cores;
    make_machine(plan, fibres, kMaxBuffers);
    make_stacks(fibres);
    make_heard(fibres);
    make_hazards();
    machine->speaks = true;
}

bool unfinished() {
    return pending;
}

void wait_for_streams() {
    pending = false;
}

}  // namespace kb_program

extern "C" {

void kbrt_launch(const kb::LaunchRecord* l) {
    char text[256];
    if (kb::running != nullptr) {
        refuse("", "<<<>>>", "<<<>>>: expected a launch by the host, got one by a kernel");
    }
    if (l->blocks < 1 || l->blocks > kMostBlocks) {
        kbfs::format(text, sizeof text, "<<<>>>: blockDim: expected 1 to 65535, got %llu", static_cast<unsigned long long>(l->blocks));
        refuse("E46", "<<<>>>", text);
    }
    kb_program::open_device();
    begin(*l);
    kb::run_all_blocks();
    finish(*l);
    kb_program::close_device();
    pending = true;
}

void kbrt_launch_pointer(const char* kernel, uint32_t position, const void* pointer) {
    const kb::GmBuffer* gm = kb::nearest_buffer(pointer);
    const auto* p = static_cast<const uint8_t*>(pointer);
    if (pointer == nullptr || (gm != nullptr && p >= gm->base && p <= gm->base + gm->bytes)) {
        return;
    }
    char text[256];
    kbfs::format(text, sizeof text, "%s: argument %u: expected an address of aclrtMalloc, got one of the host's memory", kernel,
                 position + 1);
    refuse("E35", kernel, text);
}

}  // extern "C"
