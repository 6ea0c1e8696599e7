#include "conflict.h"

#include "kbfs.h"
#include "queues.h"

namespace kb {

namespace {

constexpr int kTextBytes = 448;

// Ends the run; the place is the operation's own, which may lie behind. `early`: bytes are overwritten that another pipe
// may still be reading. Whether it does is a matter of time alone, which published kernels count on: told once.
void tell(const char* rule, const Place& now, const char* text, bool early = false) {
    char whole[kTextBytes + 64];
    kbfs::format(whole, sizeof whole, "%s: %s", now.api, text);
    if (early) {
        return warn_of(rule, now.api, whole, {{now.pc, now.outer}, 2});
    }
    report_finding("error", rule, now.api, whole, {{now.pc, now.outer}, 2});
    kbfs::die("rule_violation", "%s", whole);
}

const char* verb(bool writes) {
    return writes ? "writes" : "reads";
}

}  // namespace

void tell_pipes(const Conflict& c) {
    char text[kTextBytes];
    const char* p = kPipeName[c.before.pipe];
    const char* q = kPipeName[c.now.pipe];
    const auto at = static_cast<unsigned long long>(c.first), to = static_cast<unsigned long long>(c.end);
    const auto pc = static_cast<unsigned long>(c.before.pc), outer = static_cast<unsigned long>(c.before.outer);
    if (c.before.pipe == c.now.pipe) {
        kbfs::format(text, sizeof text, "writes bytes [%llu, %llu) of %s that the %s at @%lx/%lx@ writes too: expected a "
                     "PipeBarrier<PIPE_%s>() between them, got none", at, to, c.memory, c.before.api, pc, outer, q);
        tell("E23", c.now, text);
    }
    kbfs::format(text, sizeof text, "%s bytes [%llu, %llu) of %s while the %s at @%lx/%lx@ may still be at work and %s them: "
                 "expected pipe %s to wait for pipe %s (SetFlag and WaitFlag of HardEvent::%s_%s, or the queue's EnQue and DeQue, "
                 "FreeTensor and AllocTensor), got nothing that makes it wait", c.now.writes() ? "overwrites" : "reads", at, to,
                 c.memory, c.before.api, pc, outer, verb(c.before.writes()), q, p, p, q);
    tell("E22", c.now, text, !c.before.writes());
}

void tell_blocks(const Conflict& c) {
    char text[kTextBytes];
    kbfs::format(text, sizeof text, "block %u %s bytes [%llu, %llu) of %s that block %u %s in the %s at @%lx/%lx@: expected a "
                 "SyncAll or a cross-core flag between them, got nothing that orders the blocks", c.now.block & 0xffff,
                 verb(c.now.writes()), static_cast<unsigned long long>(c.first), static_cast<unsigned long long>(c.end), c.memory,
                 c.before.block & 0xffff, verb(c.before.writes()), c.before.api, static_cast<unsigned long>(c.before.pc),
                 static_cast<unsigned long>(c.before.outer));
    tell("E58", c.now, text);
}

}  // namespace kb
