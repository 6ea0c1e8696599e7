// BilinearInterpolation. Result v, lane i, is the sum over h of weight × element, each product and each sum rounded to half,
// sums from h = 0 on; the blocks are those that the offsets name, eight for each (v, h).
#include <string.h>

#include "kernel_operator_vec_bilinearinterpolation_intf.h"
#include "machine.h"
#include "vec_math.h"
#include "vec_plan.h"

namespace kb::vec {
namespace {

constexpr const char* kApi = "BilinearInterpolation";
constexpr uint32_t kLanes = 128;
constexpr uint32_t kPerBlock = 16;

struct Operands {
    Operand dst, src0, offsets, src1, tmp;
};

void check_limits(const Interpolation& how) {
    if (how.horizontal == 0 || how.vertical == 0) {
        error("E7", kApi, "hRepeat and vRepeat: expected 1 to 255, got %u and %u", how.horizontal, how.vertical);
    }
    if (how.horizontal * how.vertical > 255) {
        error("E7", kApi, "hRepeat * vRepeat: expected at most 255 repeats, got %u", how.horizontal * how.vertical);
    }
    if (how.dst_result < kLanes || how.dst_result % kPerBlock != 0) {
        error("E10", kApi, "vROffset: expected 128 or more elements and a multiple of 32 bytes, got %u", how.dst_result);
    }
}

void check_operands(const Operands& o, const Interpolation& how, const Plan& plan) {
    const uint32_t steps = how.horizontal * how.vertical;
    const uint64_t needed = 32ull * (o.src0.view.bytes / 2 + o.src1.view.bytes / 2);
    if (o.tmp.view.bytes < needed) {
        error("E9", kApi, "sharedTmpBuffer: expected at least %lu bytes, got %u", static_cast<unsigned long>(needed),
              o.tmp.view.bytes);
    }
    const Operand* const all[] = {&o.dst, &o.src0, &o.offsets, &o.src1, &o.tmp};
    for (const Operand* operand : all) {
        check_place(*operand, kBlockBytes, kApi);
    }
    check_range(o.offsets, 0, 32ull * steps, kApi, false);
    check_range(o.src1, 0, how.weight_per_block ? 16ull * steps : 2ull * steps, kApi, false);
    check_extent(o.dst, plan, kApi, true);
    check_range(o.tmp, 0, 512ull * steps, kApi, true);
}

const uint8_t* block_of(const Operands& o, uint32_t step, uint32_t block) {
    uint32_t offset;
    memcpy(&offset, o.offsets.view.ptr + 32ull * step + 4ull * block, 4);
    if (offset % kBlockBytes != 0) {
        error("E52", kApi, "src0Offset: expected a multiple of 32 bytes, got %u", offset);
    }
    check_range(o.src0, offset, kBlockBytes, kApi, false);
    return o.src0.view.ptr + offset;
}

// Adds one step's products to the sums; the first sets them.
void add_step(const Operands& o, const Interpolation& how, uint32_t step, bool first, F16 (&sums)[kLanes]) {
    for (uint32_t block = 0; block < kLanes / kPerBlock; ++block) {
        F16 elements[kPerBlock], weight;
        memcpy(elements, block_of(o, step, block), kBlockBytes);
        memcpy(&weight, o.src1.view.ptr + 2ull * (how.weight_per_block ? 8 * step + block : step), 2);
        for (uint32_t i = 0; i < kPerBlock; ++i) {
            const F16 product = narrow(widen(weight) * widen(elements[i]));
            F16& sum = sums[block * kPerBlock + i];
            sum = first ? product : narrow(widen(sum) + widen(product));
        }
    }
}

}  // namespace
}  // namespace kb::vec

extern "C" void kbrt_vec_interpolate(const kb::View (&views)[5], const kb::Interpolation& how, const kb::VecForm& mask) {
    using namespace kb::vec;
    check_limits(how);
    const Operands o{{views[0], "dst", 16, how.dst_block * kBlockBytes, how.dst_result * 2},
                     {views[1], "src0", 16, kBlockBytes, 0},
                     {views[2], "src0Offset", 32, kBlockBytes, 0},
                     {views[3], "src1", 16, kBlockBytes, 0},
                     {views[4], "sharedTmpBuffer", 8, kBlockBytes, 0}};
    const Plan plan = plan_of(mask, kLanes, kApi);
    if (plan.repeats == 0) {
        return note(mask.op, 0, 0);
    }
    check_operands(o, how, plan);
    for (uint32_t v = 0; v < how.vertical; ++v) {
        F16 sums[kLanes];
        for (uint32_t h = 0; h < how.horizontal; ++h) {
            add_step(o, how, v * how.horizontal + h, h == 0, sums);
        }
        for (uint32_t i = 0; i < plan.used; ++i) {
            if (plan.on(i)) {
                const F16 sum = narrow(widen(sums[i]) + 0.0f);  // it leaves by way of Adds(…, 0)
                memcpy(o.dst.view.ptr + 1ull * v * o.dst.repeat_bytes + i / kPerBlock * o.dst.block_bytes + i % kPerBlock * 2,
                       &sum, 2);
            }
        }
    }
    kb::poison_local(o.tmp.view.ptr, 512ull * how.horizontal * how.vertical);
    note(mask.op, how.horizontal * how.vertical, 256ull * how.horizontal * how.vertical);
}
