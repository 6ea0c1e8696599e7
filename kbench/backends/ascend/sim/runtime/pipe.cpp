// TPipe: which bytes of UB belong to which queue, buffer and pool.
#include "../sizes/pad_sizes.h"
#include "queues.h"

namespace kb {

const char* const kPositionName[kPositions] = {"GM",   "A1",    "A2",     "B1",      "B2",  "C1",   "C2",        "CO1",          "CO2",
                                               "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL", "MAX"};

namespace {

// Handles carry the generation: one from before Reset names nothing any more.
uint32_t handle_of(uint32_t index) {
    return queues().generation << 8 | (index + 1);
}

void check_position(uint8_t position) {
    if (position == kVECIN || position == kVECOUT || position == kVECCALC) {
        return;
    }
    if (position == kGM) {
        error("E4", "LocalTensor", "expected a position in on-chip memory, got GM");
    }
    static char name[32] = "TPosition::";
    __builtin_strcpy(name + 11, kPositionName[position < kPositions ? position : kPositions - 1]);
    unsupported(name);
}

// Bytes of UB, from the pipe or from one of its pools. Beyond the end: only a warning, as long as nobody goes there.
uint32_t take_bytes(uint32_t pool, uint64_t bytes, const char* api) {
    Queues& q = queues();
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    uint32_t address = 0;
    if (pool == 0) {
        address = static_cast<uint32_t>(q.used_bytes < kSlotSpan ? q.used_bytes : kSlotSpan);
        q.used_bytes += bytes;
        if (q.used_bytes > ub.bytes) {
            warning("E14", api, "UB is overrun: expected at most %u bytes in all, got %llu", ub.bytes,
                    static_cast<unsigned long long>(q.used_bytes));
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

void clear_pipe(Queues& q) {
    self().enqueued = 0;
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

Entry& entry_of(uint32_t handle, const char* api) {
    Queues& q = queues();
    const uint32_t index = (handle & 0xff) - 1;
    if (handle == 0 || handle >> 8 != q.generation || index >= q.entries) {
        error("E34", api, "expected a queue or buffer that InitBuffer has initialised%s",
              handle == 0 ? "" : " since the pipe was reset or destroyed");
    }
    return q.entry[index];
}

void tell_left_over(const Queues& q) {
    for (uint32_t i = 0; i < q.entries; ++i) {
        const Entry& e = q.entry[i];
        for (uint32_t n = 0; n < e.queued && e.full_event != kNoEvent; ++n) {
            const Buffer& b = q.buffer[e.first + e.ring[(e.head + n) % kMaxBuffers]];
            warn_of("E25", "EnQue", "EnQue: nothing waited for this tensor: expected a DeQue before the kernel ends, got a flag "
                    "that is still set", {{b.enqueued_pc}, 1});
        }
    }
    for (uint32_t i = 0; i < q.buffers; ++i) {
        if (q.buffer[i].state != kFree) {
            warn_of("E17", "AllocTensor", "AllocTensor: the tensor is not freed when the kernel ends: expected a FreeTensor",
                    {{q.buffer[i].pc}, 1});
        }
    }
}

View view_of(uint32_t address, uint32_t bytes, uint8_t position) {
    return {self().local[static_cast<int>(Space::ub)].base + address, bytes, position, Dtype::none, 0};
}

uint64_t queues_bytes() {
    return sizeof(Queues);
}

void reset_queues(Block& block) {
    see_all_writes();
    Queues& q = *block.queues;
    clear_pipe(q);
    q.pipe = nullptr;
    q.fixed = false;
    for (int e = 0; e < kEvents; ++e) {
        __builtin_memset(q.set[e], 0, kEventIds);
    }
}

}  // namespace kb

using namespace kb;

extern "C" {

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
    tell_left_over(q);
    if (barrier) {
        kb::event(Pipe::S, kOpBarrier, 1, 0, 1);
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
    check_position(destination == kGM ? source : destination);
    Queues& q = queues();
    Entry& e = new_entry("InitBuffer");
    if (len == 0 || num == 0) {
        warning("E14", "InitBuffer", "expected at least one buffer of at least 1 byte, got %u of %u bytes", num, len);
    }
    if (q.buffers + num > kMaxBuffers) {
        error("E15", "InitBuffer", "expected at most %u buffers in a kernel, got %u", kMaxBuffers, q.buffers + num);
    }
    const uint32_t rounded = sizes::round_up(len, kAlign);
    e.kind = depth < 0 ? kTBuf : kQueue;
    e.source = source;
    e.destination = destination;
    e.full_event = event_when_full(source, destination);
    e.free_event = event_when_free(source, destination);
    e.num = num;
    e.len = rounded;
    e.depth = depth > 0 ? static_cast<uint32_t>(depth) : num;
    e.first = q.buffers;
    q.buffers += num;
    for (uint32_t i = 0; i < num; ++i) {
        q.buffer[e.first + i] = {kFree, -1, 0};
    }
    e.address = take_bytes(pool, static_cast<uint64_t>(rounded) * num, "InitBuffer");
    return handle_of(static_cast<uint32_t>(&e - q.entry));
}

void kbrt_local_grows(View tensor, uint32_t bytes) {
    const Queues& q = queues();
    const uint32_t at = ub_address(tensor);
    for (uint32_t i = 0; i < q.entries; ++i) {
        const Entry& e = q.entry[i];
        if (e.kind == kPool || at < e.address || at - e.address >= e.len * e.num) {
            continue;
        }
        const uint32_t rest = e.len - (at - e.address) % e.len;
        if (bytes > rest) {
            warning("E9", "SetSize", "expected at most %u bytes (to the end of the buffer), got %u; what lies behind it is not the tensor's",
                    rest, bytes);
        }
        return;
    }
}

uint32_t kbrt_pipe_pool(uint32_t pool, uint8_t position, uint32_t len, uint32_t shared) {
    check_position(position);
    Queues& q = queues();
    Entry& e = new_entry("InitBufPool");
    e.kind = kPool;
    e.source = e.destination = position;
    e.num = 1;
    e.len = sizes::round_up(len, kAlign);
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

View kbrt_buffer_get(uint32_t buffer, uint32_t offset, uint64_t bytes) {
    if (buffer == 0) {  // published kernels ask for a buffer that only their other types have, and never use it
        warning("E34", "TBuf::Get", "expected a buffer that InitBuffer has initialised; the tensor is empty");
        return {};
    }
    const Entry& e = entry_of(buffer, "TBuf::Get");
    if (offset % kAlign != 0) {
        warning("E2", "GetWithOffset", "bufOffset: expected a multiple of %u bytes, got %u", kAlign, offset);
    }
    const uint64_t wanted = bytes == 0 ? e.len : bytes;
    if (bytes != 0 && offset + bytes > e.len) {
        warning("E9", "TBuf::Get", "expected at most %u bytes (the buffer's length), got %llu", e.len,
                static_cast<unsigned long long>(offset + bytes));
    }
    return view_of(e.address + offset, static_cast<uint32_t>(wanted), local_position(e));
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
    const auto used = static_cast<uint32_t>(queues().used_bytes < ub.bytes ? queues().used_bytes : ub.bytes);
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

}  // extern "C"
