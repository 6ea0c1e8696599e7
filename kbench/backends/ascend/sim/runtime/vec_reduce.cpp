// Reductions. Order of addition, as documented (ReduceSum.md of the API reference): inside a repeat a binary tree over
// neighbours, (0+1) + (2+3) and so on, where lanes that the mask leaves out count as +0; over repeats in sequence for the
// count form of ReduceSum and for the accumulated sum, as a tree again for its high-dimensional form. Every addition
// of halves rounds to half, and in saturation mode stays finite, as every result does. An extreme value's index is that of its first occurrence; a NaN is more extreme than any number.
#include <string.h>

#include "machine.h"
#include "vec_plan.h"
#include "vec_tree.h"

namespace kb::vec {
namespace {

// The numbers of AscendC::ReduceOrder.
enum class Order : uint8_t { value_index = 0, index_value, only_value, only_index };

// A repeat's lanes as floats; those that the mask leaves out are +0.
template <class T>
struct Repeat {
    float value[kLanes<T>];
    uint8_t on[kMaxLanes];
    uint32_t lanes = 0;

    explicit Repeat(const Plan& plan) { enabled(plan, plan.used, on); }

    void read(const Operand& src, const Plan& plan, uint32_t repeat) {
        lanes = repeat + 1 == plan.repeats ? plan.tail : plan.used;
        if (lanes != plan.used) {
            enabled(plan, lanes, on);
        }
        alignas(32) T raw[kLanes<T>];
        const uint8_t* from = src.view.ptr + static_cast<uint64_t>(repeat) * src.repeat_bytes;
        constexpr uint32_t kPerBlock = kBlockBytes / sizeof(T);
        for (uint32_t first = 0; first < lanes; first += kPerBlock) {
            memcpy(static_cast<void*>(raw + first), from, kBlockBytes);
            from += src.block_bytes;
        }
        const uint32_t full = (lanes + kPerBlock - 1) / kPerBlock * kPerBlock;
        KB_LOOP for (uint32_t i = 0; i < full; ++i) { value[i] = on[i] ? value_of(raw[i]) : 0.0f; }
        for (uint32_t i = full; i < kLanes<T>; ++i) {
            value[i] = 0.0f;
        }
    }
};

struct Best {
    float value;
    uint32_t index;
    bool any;
};

// Floats as integers that compare alike, NaN above all; both zeros are the same. `worst` stands for a lane that is off.
template <bool largest>
KB_LANE int32_t rank(float x) {
    const int32_t u = bits_as<int32_t>(x + 0.0f);
    const int32_t ordered = u ^ ((u >> 31) & 0x7fffffff);
    return x == x ? (largest ? ordered : -ordered) : 0x7fffffff;
}

// The best of the enabled lanes from `first` to `last`: its rank first, then the first lane of that rank.
template <bool largest, class T>
Best best_of(const Repeat<T>& repeat, uint32_t first, uint32_t last) {
    constexpr int32_t kOff = -0x7fffffff - 1;
    int32_t top = kOff;
    for (uint32_t i = first; i < last; ++i) {
        const int32_t mine = repeat.on[i] ? rank<largest>(repeat.value[i]) : kOff;
        top = mine > top ? mine : top;
    }
    uint32_t index = last;
    for (uint32_t i = first; i < last; ++i) {
        const uint32_t candidate = repeat.on[i] && rank<largest>(repeat.value[i]) == top ? i : last;
        index = candidate < index ? candidate : index;
    }
    return index < last ? Best{repeat.value[index], index, true} : Best{0, 0, false};
}

template <bool largest>
void meet(Best& best, float value, uint32_t index) {
    if (!best.any || rank<largest>(value) > rank<largest>(best.value)) {
        best = {value, index, true};
    }
}

// ---- one result a repeat --------------------------------------------------------------------------------------------

template <class T>
uint64_t raw(T value) {
    if constexpr (sizeof(T) == 2) {
        return bits_as<uint16_t>(value);
    } else {
        return bits_as<uint32_t>(value);
    }
}

template <class T>
void whole_sum(const Operand& dst, const Operand& src, const Plan& plan, uint32_t unit) {
    float accumulated = 0;
    Repeat<T> repeat(plan);
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        const float sum = tree_sum<T>(repeat.value);
        if (dst.view.ptr != nullptr) {
            const T element = as_element<T>(sum);
            memcpy(dst.view.ptr + static_cast<uint64_t>(r) * unit, &element, sizeof(T));
        }
        accumulated = r == 0 ? sum : kept<T>(accumulated + sum);
    }
    self().vec.sum = raw(as_element<T>(accumulated));
}

// Value and index as the order asks for: an index takes the bits of an element, 4 bytes where it stands alone.
template <class T>
void put_best(uint8_t* to, const Best& best, Order order) {
    const T value = as_element<T>(best.value);
    const uint32_t wide = best.index;
    const uint16_t narrow_index = static_cast<uint16_t>(best.index);
    const void* index = sizeof(T) == 2 ? static_cast<const void*>(&narrow_index) : &wide;
    switch (order) {
        case Order::value_index:
            memcpy(to, &value, sizeof(T));
            memcpy(to + sizeof(T), index, sizeof(T));
            break;
        case Order::index_value:
            memcpy(to, index, sizeof(T));
            memcpy(to + sizeof(T), &value, sizeof(T));
            break;
        case Order::only_value: memcpy(to, &value, sizeof(T)); break;
        case Order::only_index: memcpy(to, &wide, 4); break;
    }
}

template <class T>
void remember(const Best& best) {
    VecState& state = self().vec;
    state.best = raw(as_element<T>(best.value));
    state.best_index = sizeof(T) == 2 ? static_cast<uint16_t>(best.index) : best.index;
}

template <bool largest, class T>
void whole_best(const Operand& dst, const Operand& src, const Plan& plan, uint32_t unit, Order order) {
    Best overall{0, 0, false};
    Repeat<T> repeat(plan);
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        const Best best = best_of<largest>(repeat, 0, kLanes<T>);
        if (dst.view.ptr != nullptr) {
            put_best<T>(dst.view.ptr + static_cast<uint64_t>(r) * unit, best, order);
        }
        meet<largest>(overall, kept<T>(best.value), r * kLanes<T> + best.index);
    }
    remember<T>(overall);
}

// ---- one result a block, a pair -------------------------------------------------------------------------------------

// Results of groups of `width` neighbours, each at the group's place.
template <class T, uint32_t width>
void group_results(VecOp op, const Repeat<T>& repeat, float* results) {
    if (op == VecOp::BlockReduceSum || op == VecOp::PairReduceSum) {
        tree<T, kLanes<T>, width>(repeat.value, results);
        return;
    }
    for (uint32_t g = 0; g < kLanes<T> / width; ++g) {
        const Best best = op == VecOp::BlockReduceMax ? best_of<true>(repeat, g * width, (g + 1) * width)
                                                      : best_of<false>(repeat, g * width, (g + 1) * width);
        results[g] = best.value;
    }
}

// A group without an enabled lane leaves its place alone.
template <class T, uint32_t width>
void grouped(VecOp op, const Operand& dst, const Operand& src, const Plan& plan, uint32_t unit) {
    constexpr uint32_t kGroups = kLanes<T> / width;
    Repeat<T> repeat(plan);
    float results[kGroups];
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        group_results<T, width>(op, repeat, results);
        uint8_t* to = dst.view.ptr + static_cast<uint64_t>(r) * unit;
        for (uint32_t g = 0; g < kGroups; ++g) {
            bool any = false;
            for (uint32_t i = 0; i < width; ++i) {
                any |= repeat.on[g * width + i] != 0;
            }
            const T element = as_element<T>(results[g]);
            if (any) {
                memcpy(to + g * sizeof(T), &element, sizeof(T));
            }
        }
    }
}

// ---- all of a tensor ------------------------------------------------------------------------------------------------

// Count form: the repeats' sums in sequence.
template <class T>
float sum_in_sequence(const Operand& src, const Plan& plan) {
    Repeat<T> repeat(plan);
    float total = 0;
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        const float sum = tree_sum<T>(repeat.value);
        total = r == 0 ? sum : kept<T>(total + sum);
    }
    return total;
}

// High-dimensional form: the repeats' sums go to the work tensor, which is then summed as a tree, repeat by repeat.
template <class T>
float sum_as_tree(const Operand& src, const Operand& work, const Plan& plan) {
    T* sums = reinterpret_cast<T*>(work.view.ptr);
    Repeat<T> repeat(plan);
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        sums[r] = as_element<T>(tree_sum<T>(repeat.value));
    }
    uint32_t n = plan.repeats;
    do {
        const uint32_t groups = (n + kLanes<T> - 1) / kLanes<T>;
        for (uint32_t g = 0; g < groups; ++g) {
            for (uint32_t i = 0; i < kLanes<T>; ++i) {
                repeat.value[i] = g * kLanes<T> + i < n ? value_of(sums[g * kLanes<T> + i]) : 0.0f;
            }
            sums[g] = as_element<T>(tree_sum<T>(repeat.value));
        }
        n = groups;
    } while (n > 1);
    return value_of(sums[0]);
}

template <bool largest, class T>
Best best_of_all(const Operand& src, const Operand& work, const Plan& plan) {
    Best overall{0, 0, false};
    Repeat<T> repeat(plan);
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        const Best best = best_of<largest>(repeat, 0, kLanes<T>);
        put_best<T>(work.view.ptr + static_cast<uint64_t>(r) * 2 * sizeof(T), best, Order::value_index);
        meet<largest>(overall, kept<T>(best.value), r * kLanes<T> + best.index);
    }
    return overall;
}

struct All {
    Operand dst, src, work;
    Plan plan;
    bool counted, index;
};

template <class T>
void reduce_all(VecOp op, const All& all) {
    if (op == VecOp::ReduceSum) {
        const T sum = as_element<T>(all.counted ? sum_in_sequence<T>(all.src, all.plan)
                                                : sum_as_tree<T>(all.src, all.work, all.plan));
        self().vec.sum = raw(sum);
        memcpy(all.dst.view.ptr, &sum, sizeof(T));
        return;
    }
    const Best best = op == VecOp::ReduceMax ? best_of_all<true, T>(all.src, all.work, all.plan)
                                             : best_of_all<false, T>(all.src, all.work, all.plan);
    put_best<T>(all.dst.view.ptr, best, all.index ? Order::value_index : Order::only_value);
    remember<T>(best);
}

// ---- rules ----------------------------------------------------------------------------------------------------------

// Bytes of one result, which are also the unit of dstRepStride (a block's worth for the grouped ones), and its alignment.
struct Result {
    uint32_t unit;
    uint32_t bytes;
    uint32_t align;
};

Result result_of(VecOp op, uint32_t size, Order order) {
    switch (op) {
        case VecOp::WholeReduceSum: return {size, size, size};
        case VecOp::BlockReduceSum:
        case VecOp::BlockReduceMax:
        case VecOp::BlockReduceMin: return {8 * size, 8 * size, 8 * size};
        case VecOp::PairReduceSum: return {128, 128, kBlockBytes};
        default: break;
    }
    switch (order) {
        case Order::only_value: return {size, size, size};
        case Order::only_index: return {4, 4, 4};
        default: return {2 * size, 2 * size, 2 * size};
    }
}

// What a reduction keeps in sharedTmpBuffer, by its page: a result of each repeat, and with an index also those of the
// rounds over these, each in blocks of its own.
uint64_t work_elements(const All& all, bool sum) {
    const uint64_t lanes = all.plan.lanes, block = lanes / 8;
    const auto whole = [&](uint64_t n) { return (n + block - 1) / block * block; };
    uint64_t made = all.plan.repeats * (sum ? 1ull : 2ull);
    if (!all.index || sum) {
        return made;
    }
    uint64_t needed = whole(made);
    for (int round = 0; round < 2 && (round == 0 || made > 2); ++round) {
        made = (made + lanes - 1) / lanes * 2;
        needed += whole(made);
    }
    return needed;
}

void check_strides(const VecForm& form, const char* api) {
    if (form.count > 255) {
        error("E7", api, "repeatTime: expected at most 255, got %d", form.count);
    }
    const int32_t strides[3] = {form.repeat[0], form.block[1], form.repeat[1]};
    static constexpr const char* kNames[3] = {"dstRepStride", "srcBlkStride", "srcRepStride"};
    for (int i = 0; i < 3; ++i) {
        if (strides[i] < 0 || strides[i] > 65535) {
            error("E10", api, "%s: expected 0 to 65535, got %d", kNames[i], strides[i]);
        }
    }
}

template <class T>
void reduce_repeats(const VecForm& form, const Operand& to, const Operand& from, const Plan& plan, uint32_t unit) {
    const Order order = static_cast<Order>(form.mode);
    switch (form.op) {
        case VecOp::WholeReduceSum: return whole_sum<T>(to, from, plan, unit);
        case VecOp::WholeReduceMax: return whole_best<true, T>(to, from, plan, unit, order);
        case VecOp::WholeReduceMin: return whole_best<false, T>(to, from, plan, unit, order);
        case VecOp::PairReduceSum: return grouped<T, 2>(form.op, to, from, plan, unit);
        default: return grouped<T, kBlockBytes / sizeof(T)>(form.op, to, from, plan, unit);
    }
}

}  // namespace
}  // namespace kb::vec

extern "C" void kbrt_vec_reduce(kb::View dst, kb::View src, const kb::VecForm& form) {
    using namespace kb::vec;
    const char* api = name_of(form.op);
    check_strides(form, api);
    const Operand from = operand_of(src, "src", form, 1);
    const Operand to{dst, "dst", from.bits, kBlockBytes, 0};
    const uint32_t size = from.bits / 8;
    const Plan plan = plan_of(form, kRepeatBytes / size, api);
    if (plan.repeats == 0) {
        return note(form.op, 0, 0);
    }
    const Order order = static_cast<Order>(form.mode);
    const Result result = result_of(form.op, size, order);
    const uint32_t unit = result.unit * static_cast<uint32_t>(form.repeat[0]);
    if (dst.ptr != nullptr) {
        const uint32_t lanes_per_result = form.op == kb::VecOp::PairReduceSum ? 2 : kBlockBytes / size;
        const uint32_t last = result.bytes > 8 ? (plan.tail + lanes_per_result - 1) / lanes_per_result * size : result.bytes;
        check_place(to, result.align, api);
        check_range(to, 0, (plan.repeats - 1ull) * unit + last, api, true);
    }
    check_place(from, kBlockBytes, api);
    check_extent(from, plan, api, false);
    if (src.dtype != kb::Dtype::f16) {
        reduce_repeats<float>(form, to, from, plan, unit);
    } else if (kb::self().vec.saturate) {
        reduce_repeats<Finite>(form, to, from, plan, unit);
    } else {
        reduce_repeats<F16>(form, to, from, plan, unit);
    }
    note(form.op, plan.repeats, static_cast<uint64_t>(plan.repeats) * kRepeatBytes);
}

extern "C" void kbrt_vec_reduce_all(kb::View dst, kb::View src, kb::View work, const kb::VecForm& form, bool index) {
    using namespace kb::vec;
    const char* api = name_of(form.op);
    All all{{dst, "dst", element_bits(src.dtype), kBlockBytes, 0}, operand_of(src, "src", form, 1),
            {work, "sharedTmpBuffer", element_bits(src.dtype), kBlockBytes, 0}, {}, form.kind == kb::VecMask::count, index};
    const uint32_t size = all.src.bits / 8;
    const uint32_t lanes = kRepeatBytes / size;
    if (all.counted) {
        all.plan = count_plan(begin_count(form, api), lanes);
    } else {
        if (form.repeat[1] < 0 || form.repeat[1] > 65535) {
            kb::error("E10", api, "srcRepStride: expected 0 to 65535, got %d", form.repeat[1]);
        }
        all.plan = plan_of(form, lanes, api);
    }
    if (all.plan.repeats == 0) {
        return note(form.op, 0, 0);
    }
    check_place(all.dst, index ? 2 * size : size, api);
    check_range(all.dst, 0, index ? 2 * size : size, api, true);
    check_place(all.src, kBlockBytes, api);
    if (all.counted) {
        check_count(all.src, (all.plan.repeats - 1ull) * lanes + all.plan.tail, api, false);
    } else {
        check_extent(all.src, all.plan, api, false);
    }
    const bool sum = form.op == kb::VecOp::ReduceSum;
    if (!sum || !all.counted) {  // the count form of ReduceSum leaves its work tensor alone
        check_place(all.work, kBlockBytes, api);
        check_range(all.work, 0, work_elements(all, sum) * size, api, true);
    }
    if (src.dtype != kb::Dtype::f16) {
        reduce_all<float>(form.op, all);
    } else if (kb::self().vec.saturate) {
        reduce_all<Finite>(form.op, all);
    } else {
        reduce_all<F16>(form.op, all);
    }
    note(form.op, all.plan.repeats, static_cast<uint64_t>(all.plan.repeats) * kRepeatBytes);
    kb::signal(kb::Pipe::S, kb::kOpAwaited, static_cast<uint32_t>(kb::Pipe::V), 0);
}

extern "C" uint64_t kbrt_vec_sum() {
    return kb::self().vec.sum;
}
extern "C" uint64_t kbrt_vec_best() {
    return kb::self().vec.best;
}
extern "C" uint64_t kbrt_vec_best_index() {
    return kb::self().vec.best_index;
}
