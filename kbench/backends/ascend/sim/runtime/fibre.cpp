// Blocks as fibres: a stack each, switched by hand, round robin at the points where a block waits.
#include "kbfs.h"
#include "machine.h"

extern "C" {
void kb_switch(void** save, void* next);
void kb_fibre_start();
}

// Saves what a callee must keep on the running stack, and continues on the other. kb_fibre_start is where a new fibre's
// first switch returns to.
#if defined(__x86_64__)
asm(R"(
.section kbrt_text,"ax",@progbits
.globl kb_switch
.hidden kb_switch
kb_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.globl kb_fibre_start
.hidden kb_fibre_start
kb_fibre_start:
    xorl %ebp, %ebp
    call kb_fibre_main
    ud2
.text
)");
static constexpr int kSavedWords = 7;
static constexpr int kReturnWord = 6;
#elif defined(__aarch64__)
asm(R"(
.section kbrt_text,"ax",@progbits
.globl kb_switch
.hidden kb_switch
kb_switch:
    sub sp, sp, #160
    stp x29, x30, [sp]
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x29, x30, [sp]
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.globl kb_fibre_start
.hidden kb_fibre_start
kb_fibre_start:
    mov x29, #0
    mov x30, #0
    bl kb_fibre_main
    brk #1
.text
)");
static constexpr int kSavedWords = 20;
static constexpr int kReturnWord = 1;
#else
#error "fibres are written for x86-64 and aarch64"
#endif

namespace kb {

Machine* machine;
Fibre* running;
Block* current;

namespace {

constexpr uint64_t kStackBytes = 256 * 1024;  // the device gives 32 KiB; a host frame is larger
constexpr uint64_t kGuardBytes = 64 * 1024;

void* scheduler_stack;

void begin_block(Block& block, uint32_t index) {
    running->poll = Poll{};
    block.index = index;
    block.sub_index = block.is_cube ? 0 : index % machine->plan.sub_blocks;
    block.atomic_op = 0;
    block.atomic_dtype = Dtype::none;
    block.pad_set = false;
    block.hccl_context[0] = block.hccl_context[1] = nullptr;
    block.vec = VecState{};
    block.enqueued = 0;
    reset_queues(block);
}

bool stands(const Fibre& fibre) {
    return fibre.busy && (fibre.wait != nullptr || fibre.polls);
}

// Says what the first block that stands waits for, and ends the run.
[[noreturn]] void deadlock() {
    const Fibre* first = nullptr;
    uint32_t standing = 0;
    for (uint32_t i = 0; i < machine->slots; ++i) {
        const Fibre& fibre = machine->fibres[i];
        if (stands(fibre)) {
            first = first == nullptr ? &fibre : first;
            ++standing;
        }
    }
    current = first->block;
    const char* api = first->wait != nullptr ? first->wait->api : "loop";
    char what[256];
    if (first->wait != nullptr) {
        first->wait->describe(*first->wait, what, sizeof what);
    } else {
        poll_describe(*first, what, sizeof what);
    }
    char text[512];
    const char* kind = machine->cores[kCube].total == 0 ? "" : first->block->is_cube ? "cube " : "vector ";
    kbfs::format(text, sizeof text, "%s: %sblock %u waits for %s, which never comes: %u of %u blocks wait, %u have ended", api,
                 kind, first->block->index, what, standing, machine->total_blocks, machine->ended_blocks);
    report_finding("error", "E29", api, text, {{first->wait_pc}, 1});
    kbfs::die("deadlock", "%s", text);
}

// Rounds in which blocks only poll, and see what they saw before, until that counts as a deadlock. A loop with a limit of
// its own may end first.
constexpr uint32_t kIdleRounds = 20000;

enum class Step { none, same, progress };

// Runs a block's fibre until it waits, polls or ends.
Step resume(Fibre& fibre) {
    if (!fibre.busy || (fibre.wait != nullptr && !fibre.wait->ready(*fibre.wait))) {
        return Step::none;
    }
    const bool polled = fibre.polls;
    const Poll before = fibre.poll;
    fibre.wait = nullptr;
    fibre.polls = false;
    running = &fibre;
    current = fibre.block;
    kb_switch(&scheduler_stack, fibre.stack_pointer);
    running = nullptr;
    const Poll& after = fibre.poll;
    const bool same = polled && fibre.polls && before.address == after.address && before.value == after.value &&
                      before.work == after.work;
    return same ? Step::same : Step::progress;
}

}  // namespace

void wait_until(const Waiting& wait) {
    if (wait.ready(wait)) {
        return;
    }
    running->wait = &wait;
    running->wait_pc = where();
    kb_switch(&running->stack_pointer, scheduler_stack);
}

void yield() {
    kb_switch(&running->stack_pointer, scheduler_stack);
}

void rewind(Fibre& fibre) {
    auto* top = reinterpret_cast<uintptr_t*>(fibre.stack + fibre.stack_bytes) - 2;
    top -= kSavedWords;
    top[kReturnWord] = reinterpret_cast<uintptr_t>(&kb_fibre_start);
    fibre.stack_pointer = top;
}

void make_stacks(uint32_t fibres) {
    for (uint32_t i = 0; i < fibres; ++i) {
        auto* low = static_cast<uint8_t*>(kbfs::map_memory(kGuardBytes + kStackBytes, kbfs::kNone));
        if (low == nullptr || !kbfs::protect(low + kGuardBytes, kStackBytes, kbfs::kReadWrite)) {
            kbfs::die("harness_error", "no memory for the stack of block %u", i);
        }
        kbfs::guard_region(low, kGuardBytes);
        Fibre& fibre = machine->fibres[i];
        fibre.stack = low + kGuardBytes;
        fibre.stack_bytes = kStackBytes;
        fibre.block = &machine->blocks[i];
        rewind(fibre);
    }
}

void run_all_blocks() {
    for (uint32_t i = 0; i < machine->slots; ++i) {
        machine->fibres[i].busy = true;
    }
    uint32_t idle = 0;
    while (machine->ended_blocks < machine->total_blocks) {
        Step best = Step::none;
        for (uint32_t i = 0; i < machine->slots; ++i) {
            const Step step = resume(machine->fibres[i]);
            best = step > best ? step : best;
        }
        idle = best == Step::progress ? 0 : idle + 1;
        if (best == Step::none || idle == kIdleRounds) {
            deadlock();
        }
    }
    current = &machine->blocks[0];
}

}  // namespace kb

// A core takes the next block until there is none.
extern "C" __attribute__((used)) void kb_fibre_main() {
    using namespace kb;
    Cores& cores = cores_of(*current);
    while (cores.next < cores.total) {
        begin_block(*current, cores.next++);
        signal(Pipe::S, kOpBlockBegin, current->sub_index, current->is_cube);
        machine->enter[current->is_cube ? kCube : kVector]();
        finish_queues(*current);
        signal(Pipe::S, kOpBlockEnd, 0, 0);
        machine->ended_blocks += 1;
    }
    running->busy = false;
    kb_switch(&running->stack_pointer, scheduler_stack);
}
