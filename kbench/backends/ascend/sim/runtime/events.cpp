// Events between the pipes of a core: the flags that kernels set by hand and those that queues use.
#include "queues.h"

namespace kb {

const char* const kPipeName[kPipes] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};

namespace {

// AscendC::HardEvent by its two pipes, in declaration order.
struct EventPipes {
    Pipe source;
    Pipe destination;
};
constexpr EventPipes kEventPipes[kEvents] = {
    {Pipe::MTE2, Pipe::MTE1}, {Pipe::MTE1, Pipe::MTE2}, {Pipe::MTE1, Pipe::M},   {Pipe::M, Pipe::MTE1},
    {Pipe::MTE2, Pipe::V},    {Pipe::V, Pipe::MTE2},    {Pipe::MTE3, Pipe::V},   {Pipe::V, Pipe::MTE3},
    {Pipe::M, Pipe::V},       {Pipe::V, Pipe::M},       {Pipe::V, Pipe::V},      {Pipe::MTE3, Pipe::MTE1},
    {Pipe::MTE1, Pipe::MTE3}, {Pipe::MTE1, Pipe::V},    {Pipe::MTE2, Pipe::M},   {Pipe::M, Pipe::MTE2},
    {Pipe::V, Pipe::MTE1},    {Pipe::M, Pipe::FIX},     {Pipe::FIX, Pipe::M},    {Pipe::MTE3, Pipe::MTE2},
    {Pipe::MTE2, Pipe::MTE3}, {Pipe::S, Pipe::V},       {Pipe::V, Pipe::S},      {Pipe::S, Pipe::MTE2},
    {Pipe::MTE2, Pipe::S},    {Pipe::S, Pipe::MTE3},    {Pipe::MTE3, Pipe::S},   {Pipe::MTE2, Pipe::FIX},
    {Pipe::FIX, Pipe::MTE2},  {Pipe::FIX, Pipe::S},     {Pipe::M, Pipe::S},      {Pipe::FIX, Pipe::MTE3},
    {Pipe::MTE1, Pipe::FIX},  {Pipe::FIX, Pipe::MTE1},  {Pipe::FIX, Pipe::FIX},
};

// HardEvent numbers that queues use.
constexpr uint8_t kMte2V = 4, kVMte2 = 5, kMte3V = 6, kVMte3 = 7, kMte3Mte2 = 19, kMte2Mte3 = 20;

const char* source_of(uint8_t event) {
    return kPipeName[static_cast<int>(kEventPipes[event].source)];
}

const char* destination_of(uint8_t event) {
    return kPipeName[static_cast<int>(kEventPipes[event].destination)];
}

int take_event(uint8_t event, const char* api) {
    Queues& q = queues();
    const unsigned free = ~static_cast<unsigned>(q.taken[event]) & 0xff;
    if (free == 0) {
        error("E16", api, "all %d event ids of %s_%s are in use: expected at most %d buffers or ids at the same time", kEventIds,
              source_of(event), destination_of(event), kEventIds);
    }
    return __builtin_ctz(free);
}

// What `source` wrote is seen from here on. (By every pipe, though only one has waited: a chain of waits leads to others.)
void see_writes(Pipe source) {
    self().epoch[kByMte2] += source == Pipe::MTE2;
    self().epoch[kByV] += source == Pipe::V;
}

void check_event(uint8_t event, int32_t id, const char* api) {
    if (event >= kEvents) {
        error("E25", api, "expected a HardEvent, got %u", event);
    }
    if (id < 0 || id >= kEventIds) {
        error("E27", api, "eventID: expected 0 to %d, got %d", kEventIds - 1, id);
    }
}

// E26: documented as undefined, though published kernels that fetch an id twice do it and wait as often: told, and an error
// when it happens again before a wait.
void set_flag(uint8_t event, int32_t id) {
    check_event(event, id, "SetFlag");
    Queues& q = queues();
    uint8_t& set = q.set[event][id];
    if (set == kMaxSet) {
        error("E26", "SetFlag", "%s_%s id %d: expected a WaitFlag before it is set again, got %d sets without one",
              source_of(event), destination_of(event), id, set + 1);
    }
    if (set != 0) {
        warning("E26", "SetFlag", "%s_%s id %d is set a second time before anything waited for it", source_of(event),
                destination_of(event), id);
    }
    if ((q.queue_set[event] >> id & 1) != 0) {
        warning("E27", "SetFlag", "%s_%s id %d is in use by a queue: expected an id from AllocEventID or FetchEventID",
                source_of(event), destination_of(event), id);
    }
    if (q.pipe == nullptr && id >= 6) {
        warning("E27", "SetFlag", "%s_%s: eventID: expected 0 to 5 in a kernel without TPipe, got %d, which the compiler uses",
                source_of(event), destination_of(event), id);
    }
    set += 1;
    q.set_pc[event][id] = where();
    kb::event(kEventPipes[event].source, kOpSetFlag, 1, 0, event, static_cast<uint32_t>(id));
}

void wait_flag(uint8_t event, int32_t id) {
    check_event(event, id, "WaitFlag");
    uint8_t& set = queues().set[event][id];
    if (set == 0) {
        error("E25", "WaitFlag", "%s_%s id %d was not set: expected a SetFlag of the same event and id before it",
              source_of(event), destination_of(event), id);
    }
    set -= 1;
    see_writes(kEventPipes[event].source);
    kb::event(kEventPipes[event].destination, kOpWaitFlag, 1, 0, event, static_cast<uint32_t>(id));
}

uint8_t event_between(int32_t source, int32_t destination, const char* api) {
    const int from = pipe_of(source);
    const int to = pipe_of(destination);
    for (int e = 0; e < kEvents; ++e) {
        if (static_cast<int>(kEventPipes[e].source) == from && static_cast<int>(kEventPipes[e].destination) == to) {
            return static_cast<uint8_t>(e);
        }
    }
    error("E25", api, "no event leads from pipe %d to pipe %d", source, destination);
}

}  // namespace

uint8_t event_when_full(uint8_t source, uint8_t destination) {
    if (source == kGM) {
        return destination == kVECIN ? kMte2V : kNoEvent;
    }
    if (destination == kGM) {
        return source == kVECOUT ? kVMte3 : kNoEvent;
    }
    return source == kVECIN && destination == kVECOUT ? kMte2Mte3 : kNoEvent;
}

uint8_t event_when_free(uint8_t source, uint8_t destination) {
    switch (event_when_full(source, destination)) {
        case kMte2V: return kVMte2;
        case kVMte3: return kMte3V;
        case kMte2Mte3: return kMte3Mte2;
        default: return kNoEvent;
    }
}

int8_t queue_event_set(uint8_t event, const char* api) {
    if (event == kNoEvent) {
        return -1;
    }
    const int id = take_event(event, api);
    queues().taken[event] |= static_cast<uint8_t>(1u << id);
    queues().queue_set[event] |= static_cast<uint8_t>(1u << id);
    kb::event(kEventPipes[event].source, kOpSetFlag, 1, 0, event, static_cast<uint32_t>(id));
    return static_cast<int8_t>(id);
}

void queue_event_wait(uint8_t event, int8_t id) {
    if (event == kNoEvent || id < 0) {
        return;
    }
    queues().taken[event] &= static_cast<uint8_t>(~(1u << id));
    queues().queue_set[event] &= static_cast<uint8_t>(~(1u << id));
    kb::event(kEventPipes[event].destination, kOpWaitFlag, 1, 0, event, static_cast<uint32_t>(id));
}

Pipe source_pipe(uint8_t event) {
    return kEventPipes[event].source;
}

int pipe_of(int32_t pipe) {
    return pipe >= 0 && pipe <= 5 ? pipe : pipe == 10 ? static_cast<int>(Pipe::FIX) : -1;
}

void see_all_writes() {
    self().epoch[kByMte2] += 1;
    self().epoch[kByV] += 1;
}

// E54, E55. The next kernel on the core starts with what this one left; where it uses a TPipe or InitSocState it does not
// notice.
static void tell_modes(const Block& block) {
    if (block.atomic_op != 0) {
        warn_of("E54", "SetAtomic", "SetAtomic: the atomic mode is on when the kernel ends: expected DisableDmaAtomic after it",
                {{block.atomic_pc}, 1});
    }
    if (block.vec.counter) {
        warn_of("E55", "SetMaskCount", "SetMaskCount: the mask counts when the kernel ends: expected SetMaskNorm after it",
                {{block.vec.counter_pc}, 1});
    }
}

void finish_queues(Block& block) {
    const Queues& q = *block.queues;
    tell_left_over(q);
    tell_modes(block);
    for (int e = 0; e < kEvents; ++e) {
        for (int id = 0; id < kEventIds; ++id) {
            if (q.set[e][id] != 0) {
                warn_of("E25", "SetFlag", "SetFlag: nothing waited for this flag: it is still set when the kernel ends",
                        {{q.set_pc[e][id]}, 1});
            }
        }
    }
}

}  // namespace kb

using namespace kb;

extern "C" {

void kbrt_set_flag(uint8_t event, int32_t id) {
    kb::set_flag(event, id);
}

void kbrt_wait_flag(uint8_t event, int32_t id) {
    kb::wait_flag(event, id);
}

void kbrt_pipe_flag(int32_t source, int32_t destination, int32_t id, bool wait) {
    if (wait) {
        kb::wait_flag(event_between(source, destination, "wait_flag"), id);
    } else {
        kb::set_flag(event_between(source, destination, "set_flag"), id);
    }
}

int32_t kbrt_event_alloc(uint8_t event, bool fetch) {
    const char* api = fetch ? "FetchEventID" : "AllocEventID";
    check_event(event, 0, api);
    const int id = take_event(event, api);
    if (!fetch) {
        queues().taken[event] |= static_cast<uint8_t>(1u << id);
    }
    return id;
}

void kbrt_event_release(uint8_t event, int32_t id) {
    check_event(event, id, "ReleaseEventID");
    queues().taken[event] &= static_cast<uint8_t>(~(1u << id));
}

void kbrt_pipe_barrier(int32_t pipe) {
    constexpr int32_t kAll = 6;
    if (pipe == kAll) {
        see_all_writes();
    }
    const int p = pipe_of(pipe);
    kb::event(p < 0 ? Pipe::S : static_cast<Pipe>(p), kOpBarrier, 1, 0, pipe == kAll);
}

}  // extern "C"
