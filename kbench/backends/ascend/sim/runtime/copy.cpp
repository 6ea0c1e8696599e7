// Copies between global memory and UB, and inside UB.
#include "../sizes/pad_sizes.h"
#include "kernel_operator_data_copy_intf.h"
#include "machine.h"

namespace kb {

namespace {

constexpr uint64_t kBlock = 32;
constexpr uint32_t kMaxBlocks = 4095;
constexpr uint32_t kMaxPadBlock = 2097151;

const char* const kCopy = "DataCopy";
const char* const kPad = "DataCopyPad";

// E1: the device drops the tail.
uint64_t whole_blocks(uint64_t bytes) {
    if (bytes % kBlock != 0) {
        warning("E1", kCopy, "expected a multiple of 32 bytes, got %llu; the last %llu are not copied",
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(bytes % kBlock));
    }
    return bytes / kBlock * kBlock;
}

void check_burst(const Burst& b, const char* api) {
    if (b.count > kMaxBlocks) {
        error("E38", api, "blockCount: expected at most %u, got %u", kMaxBlocks, b.count);
    }
}

bool is_ub(const View& v) {
    return self().local[static_cast<int>(Space::ub)].holds(v.ptr, 0, 0);
}

template <class Wide>
Wide combined(uint8_t op, Wide a, Wide b) {
    return op == 1 ? static_cast<Wide>(a + b) : op == 2 ? (a < b ? b : a) : (b < a ? b : a);
}

// A NaN stays, as the one quiet NaN; of two zeros the greater is +0.
float combined(uint8_t op, float a, float b) {
    const float sum = a + b;
    if (sum != sum && (op == 1 || a != a || b != b)) {
        return __builtin_nanf("");
    }
    if (op == 1) {
        return sum;
    }
    const bool later = a == b ? (op == 2) == (__builtin_signbit(a) != 0) : (op == 2) == (a < b);
    return later ? b : a;
}

template <class T, class Wide>
void combine(uint8_t op, T* into, const T* from, uint64_t n) {
    for (uint64_t i = 0; i < n; ++i) {
        into[i] = static_cast<T>(combined(op, static_cast<Wide>(into[i]), static_cast<Wide>(from[i])));
    }
}

template <class T, class Wide = T>
void combine_bytes(uint8_t op, void* into, const void* from, uint64_t bytes) {
    combine<T, Wide>(op, static_cast<T*>(into), static_cast<const T*>(from), bytes / sizeof(T));
}

// A store to global memory in the block's atomic mode. Integers wrap, as vector additions do.
void store(uint8_t* into, const uint8_t* from, uint64_t bytes) {
    const Block& b = self();
    if (__builtin_expect(b.atomic_op == 0, 1)) {
        __builtin_memcpy(into, from, bytes);
        return;
    }
    switch (b.atomic_dtype) {
        case Dtype::f32: return combine_bytes<float>(b.atomic_op, into, from, bytes);
        case Dtype::f16: return combine_bytes<_Float16, float>(b.atomic_op, into, from, bytes);
        case Dtype::bf16: return combine_bytes<bfloat16_t, float>(b.atomic_op, into, from, bytes);
        case Dtype::i32: return combine_bytes<int32_t, int64_t>(b.atomic_op, into, from, bytes);
        case Dtype::i16: return combine_bytes<int16_t, int32_t>(b.atomic_op, into, from, bytes);
        case Dtype::i8: return combine_bytes<int8_t, int32_t>(b.atomic_op, into, from, bytes);
        default: error("E5", "SetAtomicType", "expected int8, int16, int32, half, bfloat16 or float");
    }
}

// Extent of `count` blocks of `len` bytes with `gap` bytes between them.
uint64_t extent(uint64_t count, uint64_t len, uint64_t gap) {
    return count == 0 ? 0 : count * len + (count - 1) * gap;
}

Pieces pieces(uint64_t count, uint64_t len, uint64_t gap) {
    return {len, static_cast<uint32_t>(count), len + gap, 1, 0};
}

// UB that MTE2 fills, and UB that MTE3 drains.
void check_filled(const View& destination, uint64_t bytes, const char* api, bool whole = true) {
    check_range(destination, 0, bytes, api, "dst", true, whole);
    check_aligned(destination, kBlock, api, "dst");
    mark_unseen(destination, 0, bytes, kByMte2, api, "dst");
}

void check_drained(const View& source, uint64_t bytes, const char* api) {
    check_range(source, 0, bytes, api, "src", false);
    check_aligned(source, kBlock, api, "src");
    check_seen(source, 0, bytes, kByMte2, Pipe::MTE3, api, "src");
    check_seen(source, 0, bytes, kByV, Pipe::MTE3, api, "src");
}

// Fills `bytes` bytes with elements of `element` bytes of `value`.
void fill(uint8_t* p, uint64_t bytes, uint64_t value, uint32_t element) {
    for (uint64_t i = 0; i < bytes; i += element) {
        __builtin_memcpy(p + i, &value, bytes - i < element ? bytes - i : element);
    }
}

void check_padding(const Burst& b, const Padding& p) {
    if (static_cast<uint32_t>(p.left) * p.element > kBlock || static_cast<uint32_t>(p.right) * p.element > kBlock) {
        error("E38", kPad, "leftPadding and rightPadding: expected at most 32 bytes each, got %u and %u elements of %u bytes",
              p.left, p.right, p.element);
    }
    if (p.set && p.element == 8 && p.value != 0) {
        error("E38", kPad, "paddingValue: expected 0 for 8-byte elements, got 0x%llx", static_cast<unsigned long long>(p.value));
    }
    if (b.len > kMaxPadBlock) {
        error("E38", kPad, "blockLen: expected at most %u bytes, got %u", kMaxPadBlock, b.len);
    }
}

// One block of DataCopyPad: left padding, data, right padding, and what fills the last 32 bytes. As documented: where
// padding is asked for, the filling is like it, its value or, without one, anything; elsewhere it is the block's first
// element, whatever value is set.
void pad_block(uint8_t* into, const uint8_t* from, const Burst& b, const Padding& p) {
    const uint64_t left = static_cast<uint64_t>(p.left) * p.element;
    const uint64_t right = static_cast<uint64_t>(p.right) * p.element;
    const uint64_t end = sizes::round_up(left + b.len + right, kBlock);
    const bool padded = left + right > 0;
    uint64_t value = p.value;
    if (!padded) {
        __builtin_memcpy(&value, from, p.element <= 8 ? p.element : 8);
    } else if (!p.set) {
        poison_local(into, end);
    }
    __builtin_memcpy(into + left, from, b.len);
    if (!padded || p.set) {
        fill(into, left, value, p.element);
        fill(into + left + b.len, end - left - b.len, value, p.element);
    }
}

// What SetPadValue has set counts where the call has no value of its own.
void take_pad_value(Padding& p) {
    const Block& block = self();
    if (!p.set && block.pad_set) {
        p.set = true;
        p.value = block.pad_value;
    }
}

}  // namespace

}  // namespace kb

using namespace kb;

extern "C" {

void kbrt_copy_in(View destination, const void* source, uint64_t bytes) {
    bytes = whole_blocks(bytes);
    if (bytes == 0) {
        return;
    }
    check_filled(destination, bytes, kCopy);
    check_gm(source, bytes, false, kCopy, "src");
    poll(source, bytes);
    __builtin_memcpy(destination.ptr, source, bytes);
    kb::event(Pipe::MTE2, kOpCopyIn, 1, bytes);
}

void kbrt_copy_out(void* destination, View source, uint64_t bytes) {
    bytes = whole_blocks(bytes);
    if (bytes == 0) {
        return;
    }
    check_drained(source, bytes, kCopy);
    check_gm(destination, bytes, true, kCopy, "dst");
    store(static_cast<uint8_t*>(destination), source.ptr, bytes);
    kb::event(Pipe::MTE3, kOpCopyOut, 1, bytes, self().atomic_op);
}

void kbrt_copy_local(View destination, View source, uint64_t bytes) {
    bytes = whole_blocks(bytes);
    if (bytes == 0) {
        return;
    }
    check_write(destination, 0, bytes, kCopy, "dst");
    check_read(source, 0, bytes, kCopy, "src");
    check_aligned(destination, kBlock, kCopy, "dst");
    check_aligned(source, kBlock, kCopy, "src");
    __builtin_memmove(destination.ptr, source.ptr, bytes);
    kb::event(Pipe::V, kOpCopyLocal, 1, bytes);
}

void kbrt_copy_in_blocks(View destination, const void* source, Burst b) {
    check_burst(b, kCopy);
    const uint64_t len = b.len * kBlock, to_gap = b.destination_gap * kBlock, from_gap = b.source_gap * kBlock;
    if (b.count == 0 || len == 0) {
        return;
    }
    check_filled(destination, extent(b.count, len, to_gap), kCopy, to_gap == 0);
    access_in_pieces(pieces(b.count, len, to_gap));
    check_gm(source, extent(b.count, len, from_gap), false, kCopy, "src");
    access_in_pieces(pieces(b.count, len, from_gap));
    poll(source, len);
    const auto* from = static_cast<const uint8_t*>(source);
    for (uint64_t i = 0; i < b.count; ++i) {
        __builtin_memcpy(destination.ptr + i * (len + to_gap), from + i * (len + from_gap), len);
    }
    kb::event(Pipe::MTE2, kOpCopyIn, b.count, b.count * len);
}

void kbrt_copy_out_blocks(void* destination, View source, Burst b) {
    check_burst(b, kCopy);
    const uint64_t len = b.len * kBlock, to_gap = b.destination_gap * kBlock, from_gap = b.source_gap * kBlock;
    if (b.count == 0 || len == 0) {
        return;
    }
    check_drained(source, extent(b.count, len, from_gap), kCopy);
    access_in_pieces(pieces(b.count, len, from_gap));
    check_gm(destination, extent(b.count, len, to_gap), true, kCopy, "dst");
    access_in_pieces(pieces(b.count, len, to_gap));
    auto* to = static_cast<uint8_t*>(destination);
    for (uint64_t i = 0; i < b.count; ++i) {
        store(to + i * (len + to_gap), source.ptr + i * (len + from_gap), len);
    }
    kb::event(Pipe::MTE3, kOpCopyOut, b.count, b.count * len, self().atomic_op);
}

void kbrt_copy_local_blocks(View destination, View source, Burst b) {
    check_burst(b, kCopy);
    if (!is_ub(destination) || !is_ub(source)) {
        unsupported("DataCopy between UB and other on-chip memory");
    }
    const uint64_t len = b.len * kBlock, to_gap = b.destination_gap * kBlock, from_gap = b.source_gap * kBlock;
    if (b.count == 0 || len == 0) {
        return;
    }
    check_write(destination, 0, extent(b.count, len, to_gap), kCopy, "dst", to_gap == 0);
    access_in_pieces(pieces(b.count, len, to_gap));
    check_read(source, 0, extent(b.count, len, from_gap), kCopy, "src");
    access_in_pieces(pieces(b.count, len, from_gap));
    check_aligned(destination, kBlock, kCopy, "dst");
    check_aligned(source, kBlock, kCopy, "src");
    for (uint64_t i = 0; i < b.count; ++i) {
        __builtin_memmove(destination.ptr + i * (len + to_gap), source.ptr + i * (len + from_gap), len);
    }
    kb::event(Pipe::V, kOpCopyLocal, b.count, b.count * len);
}

void kbrt_copy_in_pad(View destination, const void* source, Burst b, Padding p) {
    check_burst(b, kPad);
    take_pad_value(p);
    check_padding(b, p);
    if (b.count == 0 || b.len == 0) {
        return;
    }
    const uint64_t padded = sizes::round_up(b.len + static_cast<uint64_t>(p.left + p.right) * p.element, kBlock);
    const uint64_t to_gap = b.destination_gap * kBlock;
    check_filled(destination, extent(b.count, padded, to_gap), kPad, to_gap == 0);
    access_in_pieces(pieces(b.count, padded, to_gap));
    check_gm(source, extent(b.count, b.len, b.source_gap), false, kPad, "src");
    access_in_pieces(pieces(b.count, b.len, b.source_gap));
    poll(source, b.len);
    const auto* from = static_cast<const uint8_t*>(source);
    for (uint64_t i = 0; i < b.count; ++i) {
        const uint8_t* block = from + i * (static_cast<uint64_t>(b.len) + b.source_gap);
        pad_block(destination.ptr + i * (padded + to_gap), block, b, p);
    }
    kb::event(Pipe::MTE2, kOpCopyInPad, b.count, static_cast<uint64_t>(b.count) * b.len);
}

void kbrt_copy_out_pad(void* destination, View source, Burst b, uint32_t element) {
    check_burst(b, kPad);
    check_padding(b, {0, 0, 0, false, static_cast<uint8_t>(element)});
    if (b.count == 0 || b.len == 0) {
        return;
    }
    const uint64_t padded = sizes::round_up(static_cast<uint64_t>(b.len), kBlock);
    const uint64_t from_gap = b.source_gap * kBlock;
    check_drained(source, extent(b.count, padded, from_gap) - (padded - b.len), kPad);
    access_in_pieces(pieces(b.count, b.len, padded - b.len + from_gap));
    check_gm(destination, extent(b.count, b.len, b.destination_gap), true, kPad, "dst");
    access_in_pieces(pieces(b.count, b.len, b.destination_gap));
    auto* to = static_cast<uint8_t*>(destination);
    for (uint64_t i = 0; i < b.count; ++i) {
        store(to + i * (static_cast<uint64_t>(b.len) + b.destination_gap), source.ptr + i * (padded + from_gap), b.len);
    }
    kb::event(Pipe::MTE3, kOpCopyOutPad, b.count, static_cast<uint64_t>(b.count) * b.len, self().atomic_op);
}

void kbrt_set_pad_value(uint64_t bits) {
    self().pad_set = true;
    self().pad_value = bits;
    kb::event(Pipe::S, kOpScalar, 1, 0);
}

void kbrt_fill_gm(void* destination, uint64_t elements, uint64_t bits, uint32_t element) {
    const uint64_t bytes = elements * element;
    if (bytes == 0) {
        return;
    }
    check_gm(destination, bytes, true, "Fill", "gmWorkspaceAddr");
    fill(static_cast<uint8_t*>(destination), bytes, bits, element);
    kb::event(Pipe::MTE3, kOpFillGm, 1, bytes);
}

void kbrt_set_atomic(uint8_t op, Dtype dtype) {
    Block& b = self();
    if (op != 4) {
        b.atomic_op = op;
        b.atomic_pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    }
    b.atomic_dtype = dtype;
    kb::event(Pipe::S, kOpScalar, 1, 0);
}

}  // extern "C"
