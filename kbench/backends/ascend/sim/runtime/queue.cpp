// The discipline of queues: free → AllocTensor → EnQue → DeQue → FreeTensor, in that order and with buffers of their own.
#include "queues.h"

namespace kb {

namespace {

const char* const kStateName[] = {"free", "allocated", "enqueued", "dequeued"};

View buffer_view(const Entry& e, uint32_t i) {
    View v = view_of(e.address + i * e.len, e.len, local_position(e));
    v.buffer = static_cast<uint16_t>(e.first + i + 1);
    return v;
}

void forget_writes(uint32_t buffer) {
    self().unseen[kByMte2][buffer].epoch = 0;
    self().unseen[kByV][buffer].epoch = 0;
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

}  // namespace

}  // namespace kb

using namespace kb;

extern "C" {

View kbrt_queue_alloc(uint32_t queue) {
    Entry& e = entry_of(queue, "AllocTensor");
    for (uint32_t tried = 0; tried < e.num; ++tried) {
        const uint32_t i = e.next;
        e.next = i + 1 == e.num ? 0 : i + 1;
        Buffer& b = queues().buffer[e.first + i];
        if (b.state == kFree) {
            b.state = kOccupied;
            b.pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
            forget_writes(e.first + i + 1);
            queue_event_wait(e.free_event, b.free_id);
            b.free_id = -1;
            kb::signal(Pipe::S, kOpAllocTensor, e.first + i + 1, queue & 0xff);
            return buffer_view(e, i);
        }
    }
    error("E17", "AllocTensor", "no buffer of the %s queue is free: expected at most %u tensors between AllocTensor and FreeTensor",
          kPositionName[local_position(e)], e.num);
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
    b.enqueued_pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    if (e.full_event != kNoEvent) {
        self().enqueued |= 1ull << (e.first + i);
    }
    kb::signal(Pipe::S, kOpEnQue, e.first + i + 1, queue & 0xff);
    return true;
}

View kbrt_queue_deque(uint32_t queue) {
    Entry& e = entry_of(queue, "DeQue");
    if (e.queued == 0) {
        error("E18", "DeQue", "the %s queue is empty: expected an EnQue before it",
              kPositionName[local_position(e)]);
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
    self().enqueued &= ~(1ull << (e.first + i));
    forget_writes(e.first + i + 1);
    kb::signal(Pipe::S, kOpDeQue, e.first + i + 1, queue & 0xff);
    return buffer_view(e, i);
}

void kbrt_queue_free(uint32_t queue, View tensor) {
    Entry& e = entry_of(queue, "FreeTensor");
    if (tensor.buffer != 0 && tensor.buffer - 1u - e.first >= e.num) {
        warning("E19", "FreeTensor", "the tensor belongs to another queue: it is free there");
    } else {
        buffer_index(e, tensor, "FreeTensor");
    }
    Buffer& b = queues().buffer[(tensor.buffer - 1u) % kMaxBuffers];
    if (b.state == kFree) {
        error("E19", "FreeTensor", "the tensor is already free: expected one FreeTensor for each AllocTensor");
    }
    b.state = kFree;
    self().enqueued &= ~(1ull << ((tensor.buffer - 1u) % kMaxBuffers));
    b.free_id = queue_event_set(e.free_event, "FreeTensor");
    kb::signal(Pipe::S, kOpFreeTensor, tensor.buffer, queue & 0xff);
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

}  // extern "C"
