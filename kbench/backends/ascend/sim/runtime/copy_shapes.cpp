// Copies of slices and of fractal layouts. The device has no instruction for them: the vendor's library makes them of copies
// with gaps, and so does this file; each of those is checked and reported as what it is.
#include "kernel_operator_data_copy_intf.h"
#include "machine.h"

namespace kb {

namespace {

using AscendC::Nd2NzParams;
using AscendC::Nz2NdParamsFull;
using AscendC::SliceInfo;

constexpr uint32_t kBlock = 32;
constexpr uint32_t kMaxDimensions = 8;
const char* const kApi = "DataCopy";

// One operand's slices: `count` bursts of `burst` bytes, `gap` bytes between them, repeated at every row of the outer
// dimensions.
struct Slices {
    const SliceInfo* info;
    uint32_t dimensions;
    uint32_t element;
    const char* name;

    uint64_t burst() const { return static_cast<uint64_t>(info[0].burstLen) * kBlock; }
    uint64_t gap() const { return static_cast<uint64_t>(info[0].stride) * element; }
    uint64_t count(uint32_t d) const {
        const uint64_t span = static_cast<uint64_t>(info[d].endIndex) - info[d].startIndex + 1 + info[d].stride;
        const uint64_t step = d == 0 ? burst() / element + info[0].stride : 1 + static_cast<uint64_t>(info[d].stride);
        return span / step;
    }
    uint64_t rows() const {
        uint64_t n = 1;
        for (uint32_t d = 1; d < dimensions; ++d) {
            n *= count(d);
        }
        return n;
    }
    // Bytes from the tensor's start to the first burst of a row, rows numbered from the innermost dimension outwards.
    uint64_t row_at(uint64_t row) const {
        uint64_t at = info[0].startIndex, size = 1;
        for (uint32_t d = 1; d < dimensions; ++d) {
            size *= info[d - 1].shapeValue;
            at += size * (info[d].startIndex + row % count(d) * (1 + static_cast<uint64_t>(info[d].stride)));
            row /= count(d);
        }
        return at * element;
    }
};

void check_slice(const Slices& s, uint32_t d) {
    const SliceInfo& i = s.info[d];
    if (i.startIndex > i.endIndex || i.endIndex > i.shapeValue) {
        error("E10", kApi, "%sSliceInfo[%u]: expected startIndex <= endIndex <= shapeValue, got %u, %u and %u", s.name, d,
              i.startIndex, i.endIndex, i.shapeValue);
    }
    if (d > 0 && i.burstLen != 1) {
        error("E10", kApi, "%sSliceInfo[%u].burstLen: expected 1 beyond the first dimension, got %u", s.name, d, i.burstLen);
    }
    const uint64_t step = d == 0 ? s.burst() / s.element + i.stride : 1 + static_cast<uint64_t>(i.stride);
    const uint64_t span = static_cast<uint64_t>(i.endIndex) - i.startIndex + 1 + i.stride;
    if (step == 0 || span % step != 0) {
        error("E10", kApi, "%sSliceInfo[%u]: expected endIndex - startIndex + 1 = (N - 1) * stride + N * %s, got %llu and "
              "stride %u", s.name, d, d == 0 ? "burstLen * 32 bytes" : "1",
              static_cast<unsigned long long>(span - i.stride), i.stride);
    }
}

void check_slices(const Slices& to, const Slices& from, const Slices& in_ub) {
    if (to.dimensions == 0 || to.dimensions > kMaxDimensions) {
        error("E10", kApi, "dimValue: expected 1 to %u, got %u", kMaxDimensions, to.dimensions);
    }
    for (uint32_t d = 0; d < to.dimensions; ++d) {
        check_slice(to, d);
        check_slice(from, d);
        if (to.info[d].burstLen != from.info[d].burstLen || to.count(d) != from.count(d)) {
            error("E10", kApi, "srcSliceInfo[%u] and dstSliceInfo[%u]: expected the same burstLen and number of slices, got %u "
                  "and %u, %llu and %llu", d, d, from.info[d].burstLen, to.info[d].burstLen,
                  static_cast<unsigned long long>(from.count(d)), static_cast<unsigned long long>(to.count(d)));
        }
    }
    if (in_ub.gap() % kBlock != 0) {
        error("E2", kApi, "%sSliceInfo[0].stride: expected a multiple of 32 bytes in UB, got %llu", in_ub.name,
              static_cast<unsigned long long>(in_ub.gap()));
    }
}

Burst burst_of(const Slices& s, uint64_t from_gap, uint64_t to_gap) {
    return {static_cast<uint32_t>(s.count(0)), static_cast<uint32_t>(s.burst()), static_cast<uint32_t>(from_gap),
            static_cast<uint32_t>(to_gap)};
}

View tail(View v, uint64_t at) {
    v.ptr += at;
    v.bytes -= static_cast<uint32_t>(at < v.bytes ? at : v.bytes);
    return v;
}

void check_value(const char* name, uint32_t value, uint32_t low, uint32_t high) {
    if (value < low || value > high) {
        error("E10", kApi, "%s: expected %u to %u, got %u", name, low, high, value);
    }
}

}  // namespace

}  // namespace kb

using namespace kb;

extern "C" {

void kbrt_copy_in_slice(View destination, const void* source, const SliceInfo* to, const SliceInfo* from,
                        uint32_t dimensions, uint32_t element) {
    const Slices into{to, dimensions, element, "dst"}, out_of{from, dimensions, element, "src"};
    check_slices(into, out_of, into);
    const auto* first = static_cast<const uint8_t*>(source);
    for (uint64_t row = 0; row < into.rows(); ++row) {
        const View place = tail(destination, into.row_at(row));
        kbrt_copy_in_pad(place, first + out_of.row_at(row), burst_of(into, out_of.gap(), into.gap() / kBlock),
                         {0, 0, 0, false, static_cast<uint8_t>(element)});
    }
}

void kbrt_copy_out_slice(void* destination, View source, const SliceInfo* to, const SliceInfo* from, uint32_t dimensions,
                         uint32_t element) {
    const Slices into{to, dimensions, element, "dst"}, out_of{from, dimensions, element, "src"};
    check_slices(into, out_of, out_of);
    auto* first = static_cast<uint8_t*>(destination);
    for (uint64_t row = 0; row < into.rows(); ++row) {
        const View place = tail(source, out_of.row_at(row));
        kbrt_copy_out_pad(first + into.row_at(row), place, burst_of(into, out_of.gap() / kBlock, into.gap()), element);
    }
}

// One matrix of nValue rows, dValue elements each: column group c of 32 bytes goes to block c * dstNzC0Stride, row after row.
// Of the rest of what the page describes, the published implementation does something else, so nobody can rely on it.
void kbrt_copy_in_nz(View destination, const void* source, const Nd2NzParams& p, uint32_t element) {
    const uint32_t group = kBlock / element;
    check_value("ndNum", p.ndNum, 0, 4095);
    check_value("nValue", p.nValue, 0, 16384);
    check_value("dstNzC0Stride", p.dstNzC0Stride, 1, 16384);
    if (p.ndNum == 0 || p.nValue == 0 || p.dValue == 0) {
        return;
    }
    if (p.ndNum != 1 || p.dstNzMatrixStride != 0 || p.srcNdMatrixStride != 0 || p.dstNzNStride != 1 || element > 2 ||
        p.dValue % group != 0 || p.srcDValue < group || p.nValue > 255) {
        unsupported("DataCopy from GM to UB with Nd2NzParams, but for one matrix of whole blocks without further strides");
    }
    const auto* from = static_cast<const uint8_t*>(source);
    for (uint32_t c = 0; c < p.dValue / group; ++c) {
        const View place = tail(destination, static_cast<uint64_t>(c) * p.dstNzC0Stride * kBlock);
        kbrt_copy_in_pad(place, from + static_cast<uint64_t>(c) * kBlock,
                         {p.nValue, kBlock, p.srcDValue * element - kBlock, 0},
                         {0, 0, 0, false, static_cast<uint8_t>(element)});
    }
}

// ndNum matrices in groups of 16 columns: group c of a matrix lies srcNStride * 16 elements after group c - 1, its rows of 16
// elements one after the other.
void kbrt_copy_out_nd(void* destination, View source, const Nz2NdParamsFull& p, uint32_t element) {
    constexpr uint32_t kCube = 16;
    check_value("ndNum", p.ndNum, 0, 4095);
    check_value("nValue", p.nValue, 1, 8192);
    check_value("dValue", p.dValue, 1, 8192);
    check_value("srcNdMatrixStride", p.srcNdMatrixStride, 1, 512);
    check_value("srcNStride", p.srcNStride, 0, 4096);
    if (p.dValue % kCube != 0) {
        error("E10", kApi, "dValue: expected a multiple of 16, got %u", p.dValue);
    }
    check_value("dstDStride", p.dstDStride, kCube, 65535);
    auto* to = static_cast<uint8_t*>(destination);
    constexpr uint32_t kMostRows = 4095;
    for (uint32_t m = 0; m < p.ndNum; ++m) {
        for (uint32_t c = 0; c < p.dValue / kCube; ++c) {
            for (uint32_t row = 0; row < p.nValue; row += kMostRows) {
                const uint64_t from = (static_cast<uint64_t>(m) * p.srcNdMatrixStride * kCube +
                                       static_cast<uint64_t>(c) * p.srcNStride + row) * kCube * element;
                const uint64_t at = (static_cast<uint64_t>(m) * p.dstNdMatrixStride + c * kCube +
                                     static_cast<uint64_t>(row) * p.dstDStride) * element;
                const uint32_t rows = p.nValue - row < kMostRows ? p.nValue - row : kMostRows;
                kbrt_copy_out_pad(to + at, tail(source, from),
                                  {rows, kCube * element, 0, (p.dstDStride - kCube) * element}, element);
            }
        }
    }
}

}  // extern "C"
