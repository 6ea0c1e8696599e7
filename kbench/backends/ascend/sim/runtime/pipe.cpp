// TPipe: who owns which bytes of UB, the queues' discipline, and the events between pipes.
#include "machine.h"

namespace kb {

namespace {

constexpr uint32_t kMaxBuffers = 64;  // E15
constexpr uint32_t kMaxEntries = 128;
constexpr int kEvents = 36;           // AscendC::HardEvent
constexpr int kEventIds = 8;
constexpr uint32_t kAlign = 32;

enum State : uint8_t { kFree, kOccupied, kEnqueued, kDequeued };
const char* const kStateName[] = {"free", "allocated", "enqueued", "dequeued"};

enum Kind : uint8_t { kQueue, kTBuf, kPool };

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
    {Pipe::MTE1, Pipe::FIX},  {Pipe::FIX, Pipe::MTE1},  {Pipe::FIX, Pipe::FIX},  {Pipe::S, Pipe::S},
};
const char* const kPipeName[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};

// HardEvent numbers that queues use.
constexpr uint8_t kMte2V = 4, kVMte2 = 5, kMte3V = 6, kVMte3 = 7, kMte3Mte2 = 19, kMte2Mte3 = 20, kNoEvent = 255;

const char* const kPositionName[] = {"GM", "A1", "A2", "B1", "B2", "C1", "C2", "CO1", "CO2", "VECIN", "VECOUT", "VECCALC",
                                     "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL", "MAX"};
constexpr uint8_t kGM = 0, kVECIN = 9, kVECOUT = 10, kVECCALC = 11;

struct Buffer {
    State state;
    int8_t free_id;  // event that FreeTensor set and the next AllocTensor waits for, or −1
};

// A queue, a TBuf or a pool.
struct Entry {
    Kind kind;
    uint8_t source;
    uint8_t destination;
    uint8_t full_event;  // set by EnQue, waited for by DeQue
    uint8_t free_event;  // set by FreeTensor, waited for by AllocTensor
    uint32_t num;
    uint32_t len;      // bytes of one buffer
    uint32_t address;  // in UB
    uint32_t depth;    // tensors that may be enqueued at the same time
    uint32_t first;    // index of the first of its Buffers
    uint32_t next;     // buffer that AllocTensor looks at first
    uint32_t used;     // pool: bytes given out
    uint32_t head;
    uint32_t queued;
    uint8_t ring[kMaxBuffers];
    int8_t ring_id[kMaxBuffers];
};

}  // namespace

struct Queues {
    void* pipe;  // the TPipe that is alive, or null
    uint32_t generation;
    bool fixed;  // a tensor was placed at a fixed address
    uint32_t used_bytes;
    uint32_t entries;
    uint32_t buffers;
    uint8_t taken[kEvents];  // ids in use, by TPipe or AllocEventID
    uint8_t set[kEvents];    // flags that are set and not yet waited for
    uint8_t queue_set[kEvents];
    uintptr_t set_pc[kEvents][kEventIds];
    Entry entry[kMaxEntries];
    Buffer buffer[kMaxBuffers];
};

uint64_t queues_bytes() {
    return sizeof(Queues);
}

void see_all_writes() {
    __builtin_memset(self().unseen, 0, kTrackedBuffers);
}

namespace {

Queues& queues() {
    return *self().queues;
}

// ---- events ---------------------------------------------------------------------------------------------------------

int take_event(uint8_t event, const char* api) {
    Queues& q = queues();
    const unsigned free = ~static_cast<unsigned>(q.taken[event]) & 0xff;
    if (free == 0) {
        error("E16", api, "all %d event ids of %s_%s are in use: expected at most %d buffers or ids at the same time", kEventIds,
              kPipeName[static_cast<int>(kEventPipes[event].source)],
              kPipeName[static_cast<int>(kEventPipes[event].destination)], kEventIds);
    }
    return __builtin_ctz(free);
}

int8_t queue_event_set(uint8_t event, const char* api) {
    if (event == kNoEvent) {
        return -1;
    }
    const int id = take_event(event, api);
    queues().taken[event] |= static_cast<uint8_t>(1u << id);
    queues().queue_set[event] |= static_cast<uint8_t>(1u << id);
    kb::event(kEventPipes[event].source, kOpSetFlag, 1, 0);
    return static_cast<int8_t>(id);
}

void queue_event_wait(uint8_t event, int8_t id) {
    if (event == kNoEvent || id < 0) {
        return;
    }
    queues().taken[event] &= static_cast<uint8_t>(~(1u << id));
    queues().queue_set[event] &= static_cast<uint8_t>(~(1u << id));
    kb::event(kEventPipes[event].destination, kOpWaitFlag, 1, 0);
}

// What `source` wrote is seen from here on. (By every pipe, though only one has waited: a chain of waits leads to others.)
void see_writes(Pipe source) {
    const uint8_t by = source == Pipe::MTE2 ? kByMte2 : source == Pipe::V ? kByV : 0;
    for (uint8_t& unseen : self().unseen) {
        unseen &= static_cast<uint8_t>(~by);
    }
}

void check_event(uint8_t event, int32_t id, const char* api) {
    if (event >= kEvents) {
        error("E25", api, "expected a HardEvent, got %u", event);
    }
    if (id < 0 || id >= kEventIds) {
        error("E27", api, "eventID: expected 0 to %d, got %d", kEventIds - 1, id);
    }
}

void set_flag(uint8_t event, int32_t id) {
    check_event(event, id, "SetFlag");
    Queues& q = queues();
    const auto bit = static_cast<uint8_t>(1u << id);
    const char* source = kPipeName[static_cast<int>(kEventPipes[event].source)];
    const char* destination = kPipeName[static_cast<int>(kEventPipes[event].destination)];
    if ((q.set[event] & bit) != 0) {
        error("E26", "SetFlag", "%s_%s id %d is set a second time before anything waited for it", source, destination, id);
    }
    if ((q.queue_set[event] & bit) != 0) {
        warning("E27", "SetFlag", "%s_%s id %d is in use by a queue: expected an id from AllocEventID or FetchEventID", source,
                destination, id);
    }
    q.set[event] |= bit;
    q.set_pc[event][id] = where();
    kb::event(kEventPipes[event].source, kOpSetFlag, 1, 0);
}

void wait_flag(uint8_t event, int32_t id) {
    check_event(event, id, "WaitFlag");
    Queues& q = queues();
    const auto bit = static_cast<uint8_t>(1u << id);
    if ((q.set[event] & bit) == 0) {
        error("E25", "WaitFlag", "%s_%s id %d was not set: expected a SetFlag of the same event and id before it",
              kPipeName[static_cast<int>(kEventPipes[event].source)],
              kPipeName[static_cast<int>(kEventPipes[event].destination)], id);
    }
    q.set[event] &= static_cast<uint8_t>(~bit);
    see_writes(kEventPipes[event].source);
    kb::event(kEventPipes[event].destination, kOpWaitFlag, 1, 0);
}

// pipe_t → Pipe; pipe_t counts FIX as 10.
int pipe_of(int32_t pipe) {
    return pipe >= 0 && pipe <= 5 ? pipe : pipe == 10 ? static_cast<int>(Pipe::FIX) : -1;
}

uint8_t event_between(int32_t source, int32_t destination, const char* api) {
    const int from = pipe_of(source);
    const int to = pipe_of(destination);
    for (int e = 0; e < kEvents - 1; ++e) {
        if (static_cast<int>(kEventPipes[e].source) == from && static_cast<int>(kEventPipes[e].destination) == to) {
            return static_cast<uint8_t>(e);
        }
    }
    error("E25", api, "no event leads from pipe %d to pipe %d", source, destination);
}

// ---- memory of a pipe -----------------------------------------------------------------------------------------------

// Handles carry the generation: one from before Reset names nothing any more.
uint32_t handle_of(uint32_t index) {
    return queues().generation << 8 | (index + 1);
}

Entry& entry_of(uint32_t handle, const char* api) {
    Queues& q = queues();
    const uint32_t index = (handle & 0xff) - 1;
    if (handle == 0 || handle >> 8 != q.generation || index >= q.entries) {
        error("E34", api, "expected a queue or buffer that InitBuffer has initialised%s",
              handle == 0 ? "" : " since the pipe was reset or destroyed");
    }
    return q.entry[index];
}

uint32_t round_up(uint32_t bytes) {
    return (bytes + kAlign - 1) / kAlign * kAlign;
}

void check_position(uint8_t position) {
    if (position == kVECIN || position == kVECOUT || position == kVECCALC) {
        return;
    }
    static char name[32] = "TPosition::";
    __builtin_strcpy(name + 11, kPositionName[position < 17 ? position : 16]);
    unsupported(name);
}

uint8_t local_position(uint8_t source, uint8_t destination) {
    return destination == kGM ? source : destination;
}

// Bytes of UB, from the pipe or from one of its pools. Beyond the end: only a warning, as long as nobody goes there.
uint32_t take_bytes(uint32_t pool, uint64_t bytes, const char* api) {
    Queues& q = queues();
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    uint32_t address = 0;
    if (pool == 0) {
        address = q.used_bytes;
        q.used_bytes += static_cast<uint32_t>(bytes);
        if (q.used_bytes > ub.bytes) {
            warning("E14", api, "UB is overrun: expected at most %u bytes in all, got %u", ub.bytes, q.used_bytes);
        }
    } else {
        Entry& p = entry_of(pool, api);
        address = p.address + p.used;
        p.used += static_cast<uint32_t>(bytes);
        if (p.used > p.len) {
            warning("E14", api, "the buffer pool is overrun: expected at most %u bytes in all, got %u", p.len, p.used);
        }
    }
    if (address < ub.bytes) {
        poison_local(ub.base + address, address + bytes <= ub.bytes ? bytes : ub.bytes - address);
    }
    return address;
}

Entry& new_entry(const char* api) {
    Queues& q = queues();
    if (q.pipe == nullptr) {
        error("E34", api, "expected a TPipe that is alive");
    }
    if (q.entries == kMaxEntries) {
        error("E15", api, "expected at most %u queues, buffers and pools", kMaxEntries);
    }
    Entry& e = q.entry[q.entries++];
    e = Entry{};
    return e;
}

uint8_t full_event(uint8_t source, uint8_t destination) {
    if (source == kGM) {
        return destination == kVECIN ? kMte2V : kNoEvent;
    }
    if (destination == kGM) {
        return source == kVECOUT ? kVMte3 : kNoEvent;
    }
    return source == kVECIN && destination == kVECOUT ? kMte2Mte3 : kNoEvent;
}

uint8_t free_event(uint8_t source, uint8_t destination) {
    switch (full_event(source, destination)) {
        case kMte2V: return kVMte2;
        case kVMte3: return kMte3V;
        case kMte2Mte3: return kMte3Mte2;
        default: return kNoEvent;
    }
}

View view_of(uint32_t address, uint32_t bytes, uint8_t position) {
    return {self().local[static_cast<int>(Space::ub)].base + address, bytes, position, Dtype::none, 0};
}

View buffer_view(const Entry& e, uint32_t i) {
    View v = view_of(e.address + i * e.len, e.len, local_position(e.source, e.destination));
    v.buffer = static_cast<uint16_t>(e.first + i + 1);
    return v;
}

// The buffer of the queue that a tensor lies in. E19.
uint32_t buffer_index(const Entry& e, const View& v, const char* api) {
    const uint32_t own = static_cast<uint32_t>(v.buffer) - 1 - e.first;
    if (v.buffer == 0 || own >= e.num) {
        const int64_t at = v.ptr - self().local[static_cast<int>(Space::ub)].base;
        error("E19", api, "expected a tensor of this queue (UB bytes [%u, %u)), got one at %lld", e.address,
              e.address + e.num * e.len, static_cast<long long>(at));
    }
    return own;
}

void clear_pipe(Queues& q) {
    q.used_bytes = 0;
    q.entries = 0;
    q.buffers = 0;
    q.generation = (q.generation + 1) & 0xffffff;
    for (int e = 0; e < kEvents; ++e) {
        q.taken[e] = 0;
        q.queue_set[e] = 0;
    }
}

}  // namespace

void reset_queues(Block& block) {
    see_all_writes();
    Queues& q = *block.queues;
    clear_pipe(q);
    q.pipe = nullptr;
    q.fixed = false;
    for (int e = 0; e < kEvents; ++e) {
        q.set[e] = 0;
    }
}

void finish_queues(Block& block) {
    const Queues& q = *block.queues;
    for (int e = 0; e < kEvents; ++e) {
        for (int id = 0; id < kEventIds; ++id) {
            if ((q.set[e] >> id & 1) != 0) {
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

void kbrt_pipe_begin(void* pipe) {
    if (current == nullptr) {
        error("E33", "TPipe", "a TPipe outside the kernel: expected one that the kernel makes");
    }
    Queues& q = queues();
    if (q.pipe != nullptr && q.pipe != pipe) {
        error("E33", "TPipe", "another TPipe of this kernel is still alive: expected one at a time");
    }
    clear_pipe(q);
    q.pipe = pipe;
}

void kbrt_pipe_end(void* pipe, bool barrier) {
    Queues& q = queues();
    if (q.pipe != pipe) {
        return;
    }
    if (barrier) {
        kb::event(Pipe::S, kOpBarrier, 1, 0);
    }
    clear_pipe(q);
    q.pipe = nullptr;
}

void kbrt_pipe_reset(void* pipe) {
    if (queues().pipe != pipe) {
        error("E34", "Reset", "expected a TPipe that is alive");
    }
    clear_pipe(queues());
}

void* kbrt_pipe_current() {
    if (queues().pipe == nullptr) {
        error("E34", "GetTPipePtr", "expected a TPipe that is alive");
    }
    return queues().pipe;
}

uint32_t kbrt_pipe_queue(uint32_t pool, uint8_t source, uint8_t destination, int32_t depth, uint32_t num, uint32_t len) {
    const uint8_t position = local_position(source, destination);
    check_position(position);
    Queues& q = queues();
    Entry& e = new_entry("InitBuffer");
    if (len == 0 || num == 0) {
        warning("E14", "InitBuffer", "expected at least one buffer of at least 1 byte, got %u of %u bytes", num, len);
    }
    if (q.buffers + num > kMaxBuffers) {
        error("E15", "InitBuffer", "expected at most %u buffers in a kernel, got %u", kMaxBuffers, q.buffers + num);
    }
    const uint32_t rounded = round_up(len);
    e.kind = depth < 0 ? kTBuf : kQueue;
    e.source = source;
    e.destination = destination;
    e.full_event = full_event(source, destination);
    e.free_event = free_event(source, destination);
    e.num = num;
    e.len = rounded;
    e.depth = depth > 0 ? static_cast<uint32_t>(depth) : num;
    e.first = q.buffers;
    q.buffers += num;
    for (uint32_t i = 0; i < num; ++i) {
        q.buffer[e.first + i] = {kFree, -1};
    }
    e.address = take_bytes(pool, static_cast<uint64_t>(rounded) * num, "InitBuffer");
    return handle_of(static_cast<uint32_t>(&e - q.entry));
}

uint32_t kbrt_pipe_pool(uint32_t pool, uint8_t position, uint32_t len, uint32_t shared) {
    check_position(position);
    Queues& q = queues();
    Entry& e = new_entry("InitBufPool");
    e.kind = kPool;
    e.source = e.destination = position;
    e.num = 1;
    e.len = round_up(len);
    if (shared != 0) {
        const Entry& other = entry_of(shared, "InitBufPool");
        e.address = other.address;
        if (e.len > other.len) {
            error("E14", "InitBufPool", "expected at most the %u bytes of the pool it shares, got %u", other.len, e.len);
        }
    } else {
        e.address = take_bytes(pool, e.len, "InitBufPool");
    }
    return handle_of(static_cast<uint32_t>(&e - q.entry));
}

void kbrt_pool_reset(uint32_t pool) {
    entry_of(pool, "TBufPool::Reset").used = 0;
}

View kbrt_queue_alloc(uint32_t queue) {
    Entry& e = entry_of(queue, "AllocTensor");
    for (uint32_t tried = 0; tried < e.num; ++tried) {
        const uint32_t i = e.next;
        e.next = i + 1 == e.num ? 0 : i + 1;
        Buffer& b = queues().buffer[e.first + i];
        if (b.state == kFree) {
            b.state = kOccupied;
            self().unseen[e.first + i + 1] = 0;
            queue_event_wait(e.free_event, b.free_id);
            b.free_id = -1;
            return buffer_view(e, i);
        }
    }
    error("E17", "AllocTensor", "no buffer of the %s queue is free: expected at most %u tensors between AllocTensor and FreeTensor",
          kPositionName[local_position(e.source, e.destination)], e.num);
}

bool kbrt_queue_enque(uint32_t queue, View tensor) {
    Entry& e = entry_of(queue, "EnQue");
    const uint32_t i = buffer_index(e, tensor, "EnQue");
    Buffer& b = queues().buffer[e.first + i];
    if (b.state != kOccupied && b.state != kDequeued) {
        error("E19", "EnQue", "expected a tensor that was allocated or dequeued, got one that is %s", kStateName[b.state]);
    }
    if (e.queued >= e.depth) {
        error("E20", "EnQue", "expected at most %u tensors in the queue (its depth), got %u", e.depth, e.queued + 1);
    }
    const uint32_t slot = (e.head + e.queued) % kMaxBuffers;
    e.ring[slot] = static_cast<uint8_t>(i);
    e.ring_id[slot] = queue_event_set(e.full_event, "EnQue");
    e.queued += 1;
    b.state = kEnqueued;
    return true;
}

View kbrt_queue_deque(uint32_t queue) {
    Entry& e = entry_of(queue, "DeQue");
    if (e.queued == 0) {
        error("E18", "DeQue", "the %s queue is empty: expected an EnQue before it",
              kPositionName[local_position(e.source, e.destination)]);
    }
    const uint32_t i = e.ring[e.head];
    queue_event_wait(e.full_event, e.ring_id[e.head]);
    e.head = (e.head + 1) % kMaxBuffers;
    e.queued -= 1;
    Buffer& b = queues().buffer[e.first + i];
    if (b.state != kEnqueued) {
        error("E19", "DeQue", "expected a tensor that is enqueued, got one that is %s", kStateName[b.state]);
    }
    b.state = kDequeued;
    self().unseen[e.first + i + 1] = 0;
    return buffer_view(e, i);
}

void kbrt_queue_free(uint32_t queue, View tensor) {
    Entry& e = entry_of(queue, "FreeTensor");
    const uint32_t i = buffer_index(e, tensor, "FreeTensor");
    Buffer& b = queues().buffer[e.first + i];
    if (b.state == kFree) {
        error("E19", "FreeTensor", "the tensor is already free: expected one FreeTensor for each AllocTensor");
    }
    b.state = kFree;
    b.free_id = queue_event_set(e.free_event, "FreeTensor");
}

void kbrt_queue_free_events(uint32_t queue) {
    Entry& e = entry_of(queue, "FreeAllEvent");
    for (uint32_t i = 0; i < e.num; ++i) {
        Buffer& b = queues().buffer[e.first + i];
        queue_event_wait(e.free_event, b.free_id);
        b.free_id = -1;
    }
}

int32_t kbrt_queue_count(uint32_t queue) {
    return static_cast<int32_t>(entry_of(queue, "GetTensorCountInQue").queued);
}

bool kbrt_queue_vacant(uint32_t queue) {
    const Entry& e = entry_of(queue, "VacantInQue");
    return e.queued < e.depth;
}

bool kbrt_queue_idle(uint32_t queue) {
    const Entry& e = entry_of(queue, "HasIdleBuffer");
    for (uint32_t i = 0; i < e.num; ++i) {
        if (queues().buffer[e.first + i].state == kFree) {
            return true;
        }
    }
    return false;
}

uint8_t kbrt_queue_state(uint32_t queue, View tensor) {
    const Entry& e = entry_of(queue, "GetState");
    return queues().buffer[e.first + buffer_index(e, tensor, "GetState")].state;
}

View kbrt_buffer_get(uint32_t buffer, uint32_t offset, uint64_t bytes) {
    const Entry& e = entry_of(buffer, "TBuf::Get");
    if (offset % kAlign != 0) {
        warning("E2", "GetWithOffset", "bufOffset: expected a multiple of %u bytes, got %u", kAlign, offset);
    }
    const uint64_t wanted = bytes == 0 ? e.len : bytes;
    if (bytes != 0 && offset + bytes > e.len) {
        warning("E9", "TBuf::Get", "expected at most %u bytes (the buffer's length), got %llu", e.len,
                static_cast<unsigned long long>(offset + bytes));
    }
    return view_of(e.address + offset, static_cast<uint32_t>(wanted), local_position(e.source, e.destination));
}

View kbrt_local_at(uint8_t position, uint32_t address, uint64_t bytes) {
    check_position(position);
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    if (!queues().fixed && queues().used_bytes == 0) {
        poison_local(ub.base, ub.bytes);
    }
    queues().fixed = true;
    if (address + bytes > ub.bytes) {
        warning("E14", "LocalTensor", "UB is overrun: expected an end of at most %u, got %llu", ub.bytes,
                static_cast<unsigned long long>(address + bytes));
    }
    return view_of(address, static_cast<uint32_t>(bytes), position);
}

View kbrt_pipe_rest(uint8_t position) {
    check_position(position);
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    const uint32_t used = queues().used_bytes;
    if (used >= ub.bytes) {
        error("E14", "PopStackBuffer", "InitBuffer has taken all %u bytes of UB", ub.bytes);
    }
    return view_of(used, ub.bytes - used, position);
}

void kbrt_require_tmp(const char* api, View buffer, uint32_t bytes) {
    check_aligned(buffer, kAlign, api, "sharedTmpBuffer");
    if (buffer.bytes < bytes) {
        error("E9", api, "sharedTmpBuffer: expected at least %u bytes, got %u", bytes, buffer.bytes);
    }
}

void kbrt_pipe_barrier(int32_t pipe) {
    constexpr int32_t kAll = 6;
    if (pipe == kAll) {
        see_all_writes();
    }
    const int p = pipe_of(pipe);
    kb::event(p < 0 ? Pipe::S : static_cast<Pipe>(p), kOpBarrier, 1, 0);
}

}  // extern "C"
