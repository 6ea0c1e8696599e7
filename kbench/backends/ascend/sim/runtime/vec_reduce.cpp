// Reductions. Order of addition, as documented (ReduceSum.md of the API reference): inside a repeat a binary tree over
// neighbours, (0+1) + (2+3) and so on, where lanes that the mask leaves out count as +0; over repeats in sequence for the
// count form of ReduceSum and for the accumulated sum, as a tree again for its high-dimensional form. Every addition
// of halves rounds to half. An extreme value's index is that of its first occurrence; a NaN is more extreme than any number.
#include <string.h>

#include "vec_math.h"
#include "vec_plan.h"

#define KB_LOOP _Pragma("clang loop vectorize(assume_safety)")

namespace kb::vec {
namespace {

// The numbers of AscendC::ReduceOrder.
enum class Order : uint8_t { value_index = 0, index_value, only_value, only_index };

KB_LANE float value_of(F16 x) { return widen(x); }
KB_LANE float value_of(float x) { return x; }
KB_LANE void put(F16& d, float x) { d = narrow(x); }
KB_LANE void put(float& d, float x) { d = canonical(x); }

// Sums neighbours: n values become n / 2, in place (the buffer's order makes that safe).
template <class T>
void halve(T* values, uint32_t n) {
    T sums[64];
    KB_LOOP for (uint32_t i = 0; i < n / 2; ++i) { put(sums[i], value_of(values[2 * i]) + value_of(values[2 * i + 1])); }
    memcpy(static_cast<void*>(values), sums, n / 2 * sizeof(T));
}

// `n` is a power of two.
template <class T>
T tree_sum(T* values, uint32_t n) {
    for (; n > 1; n /= 2) {
        halve(values, n);
    }
    return values[0];
}

// A repeat's lanes in order, those without a mask bit as +0.
template <class T>
struct Repeat {
    static constexpr uint32_t kLanes = kRepeatBytes / sizeof(T);
    alignas(32) T value[kLanes];

    void read(const Operand& src, const Plan& plan, uint32_t repeat) {
        const uint8_t* from = src.view.ptr + static_cast<uint64_t>(repeat) * src.repeat_bytes;
        const uint32_t lanes = lanes_of(plan, repeat);
        for (uint32_t done = 0; done < lanes; done += kBlockBytes / sizeof(T)) {
            const uint32_t part = lanes - done < kBlockBytes / sizeof(T) ? lanes - done : kBlockBytes / sizeof(T);
            memcpy(static_cast<void*>(value + done), from, part * sizeof(T));
            from += src.block_bytes;
        }
        memset(static_cast<void*>(value + lanes), 0, (kLanes - lanes) * sizeof(T));
        for (uint32_t i = 0; !plan.prefix && i < lanes; ++i) {
            if (!plan.on(i)) {
                memset(static_cast<void*>(value + i), 0, sizeof(T));
            }
        }
    }
    static uint32_t lanes_of(const Plan& plan, uint32_t repeat) {
        return repeat + 1 == plan.repeats ? plan.tail : plan.used;
    }
};

struct Best {
    float value;
    uint32_t index;
    bool any;
};

template <bool largest>
KB_LANE bool beats(float challenger, float holder) {
    return (challenger != challenger && holder == holder) || (largest ? challenger > holder : challenger < holder);
}

template <bool largest>
void meet(Best& best, float value, uint32_t index) {
    if (!best.any || beats<largest>(value, best.value)) {
        best = {value, index, true};
    }
}

template <bool largest, class T>
Best best_of(const T* value, const Plan& plan, uint32_t first, uint32_t last, uint32_t lanes) {
    Best best{0, 0, false};
    for (uint32_t i = first; i < last && i < lanes; ++i) {
        if (plan.prefix || plan.on(i)) {
            meet<largest>(best, value_of(value[i]), i);
        }
    }
    return best;
}

template <class T>
T as_element(float value) {
    T element;
    put(element, value);
    return element;
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
    Repeat<T> repeat;
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        const T sum = tree_sum(repeat.value, Repeat<T>::kLanes);
        if (dst.view.ptr != nullptr) {
            memcpy(dst.view.ptr + static_cast<uint64_t>(r) * unit, &sum, sizeof(T));
        }
        accumulated = r == 0 ? value_of(sum) : value_of(as_element<T>(accumulated + value_of(sum)));
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
    Repeat<T> repeat;
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        const Best best = best_of<largest>(repeat.value, plan, 0, Repeat<T>::kLanes, Repeat<T>::lanes_of(plan, r));
        if (!best.any) {
            continue;
        }
        if (dst.view.ptr != nullptr) {
            put_best<T>(dst.view.ptr + static_cast<uint64_t>(r) * unit, best, order);
        }
        meet<largest>(overall, best.value, r * Repeat<T>::kLanes + best.index);
    }
    remember<T>(overall);
}

// ---- one result a block, a pair -------------------------------------------------------------------------------------

bool any_on(const Plan& plan, uint32_t first, uint32_t count, uint32_t lanes) {
    for (uint32_t i = first; i < first + count && i < lanes; ++i) {
        if (plan.on(i)) {
            return true;
        }
    }
    return false;
}

// Groups of `width` neighbours each give one result at the group's place; a group without a lane leaves its place alone.
template <class T>
void grouped(VecOp op, const Operand& dst, const Operand& src, const Plan& plan, uint32_t unit, uint32_t width) {
    Repeat<T> repeat;
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        const uint32_t lanes = Repeat<T>::lanes_of(plan, r);
        uint8_t* to = dst.view.ptr + static_cast<uint64_t>(r) * unit;
        for (uint32_t g = 0; g * width < lanes; ++g) {
            if (!any_on(plan, g * width, width, lanes)) {
                continue;
            }
            T result;
            if (op == VecOp::BlockReduceMax) {
                put(result, best_of<true>(repeat.value, plan, g * width, (g + 1) * width, lanes).value);
            } else if (op == VecOp::BlockReduceMin) {
                put(result, best_of<false>(repeat.value, plan, g * width, (g + 1) * width, lanes).value);
            } else {
                result = tree_sum(repeat.value + g * width, width);
            }
            memcpy(to + g * sizeof(T), &result, sizeof(T));
        }
    }
}

// ---- all of a tensor ------------------------------------------------------------------------------------------------

template <class T>
T sum_of_repeat(Repeat<T>& repeat, const Operand& src, const Plan& plan, uint32_t r) {
    repeat.read(src, plan, r);
    return tree_sum(repeat.value, Repeat<T>::kLanes);
}

// Count form: the repeats' sums in sequence.
template <class T>
T sum_in_sequence(const Operand& src, const Plan& plan) {
    Repeat<T> repeat;
    T total = sum_of_repeat(repeat, src, plan, 0);
    for (uint32_t r = 1; r < plan.repeats; ++r) {
        put(total, value_of(total) + value_of(sum_of_repeat(repeat, src, plan, r)));
    }
    return total;
}

// High-dimensional form: the repeats' sums go to the work tensor, which is then summed as a tree, repeat by repeat.
template <class T>
T sum_as_tree(const Operand& src, const Operand& work, const Plan& plan) {
    constexpr uint32_t lanes = Repeat<T>::kLanes;
    T* sums = reinterpret_cast<T*>(work.view.ptr);
    Repeat<T> repeat;
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        sums[r] = sum_of_repeat(repeat, src, plan, r);
    }
    uint32_t n = plan.repeats;
    do {
        const uint32_t groups = (n + lanes - 1) / lanes;
        for (uint32_t g = 0; g < groups; ++g) {
            const uint32_t part = n - g * lanes < lanes ? n - g * lanes : lanes;
            memset(static_cast<void*>(repeat.value), 0, sizeof repeat.value);
            memcpy(static_cast<void*>(repeat.value), sums + g * lanes, part * sizeof(T));
            sums[g] = tree_sum(repeat.value, lanes);
        }
        n = groups;
    } while (n > 1);
    return sums[0];
}

template <bool largest, class T>
Best best_of_all(const Operand& src, const Operand& work, const Plan& plan) {
    Best overall{0, 0, false};
    Repeat<T> repeat;
    for (uint32_t r = 0; r < plan.repeats; ++r) {
        repeat.read(src, plan, r);
        const Best best = best_of<largest>(repeat.value, plan, 0, Repeat<T>::kLanes, Repeat<T>::lanes_of(plan, r));
        put_best<T>(work.view.ptr + static_cast<uint64_t>(r) * 2 * sizeof(T), best, Order::value_index);
        meet<largest>(overall, best.value, r * Repeat<T>::kLanes + best.index);
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
        const T sum = all.counted ? sum_in_sequence<T>(all.src, all.plan) : sum_as_tree<T>(all.src, all.work, all.plan);
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

void check_strides(const VecForm& form, const char* api) {
    if (form.count > 255) {
        error("E7", api, "repeatTime %d exceeds 255", form.count);
    }
    const int32_t strides[3] = {form.repeat[0], form.block[1], form.repeat[1]};
    static constexpr const char* kNames[3] = {"dstRepStride", "srcBlkStride", "srcRepStride"};
    for (int i = 0; i < 3; ++i) {
        if (strides[i] < 0 || strides[i] > 65535) {
            error("E10", api, "%s %d is not in 0 to 65535", kNames[i], strides[i]);
        }
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
    const bool half = src.dtype == kb::Dtype::f16;
    switch (form.op) {
        case kb::VecOp::WholeReduceSum:
            half ? whole_sum<F16>(to, from, plan, unit) : whole_sum<float>(to, from, plan, unit);
            break;
        case kb::VecOp::WholeReduceMax:
            half ? whole_best<true, F16>(to, from, plan, unit, order) : whole_best<true, float>(to, from, plan, unit, order);
            break;
        case kb::VecOp::WholeReduceMin:
            half ? whole_best<false, F16>(to, from, plan, unit, order) : whole_best<false, float>(to, from, plan, unit, order);
            break;
        default: {
            const uint32_t width = form.op == kb::VecOp::PairReduceSum ? 2 : kBlockBytes / size;
            half ? grouped<F16>(form.op, to, from, plan, unit, width) : grouped<float>(form.op, to, from, plan, unit, width);
        }
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
        const uint64_t n = begin_count(form, api);
        all.plan = {{~0ull, ~0ull}, lanes, static_cast<uint32_t>((n + lanes - 1) / lanes), lanes, 0, true};
        all.plan.tail = n == 0 ? 0 : static_cast<uint32_t>(n - (all.plan.repeats - 1ull) * lanes);
        all.plan.used = all.plan.repeats <= 1 ? all.plan.tail : lanes;
    } else {
        if (form.repeat[1] < 0 || form.repeat[1] > 65535) {
            kb::error("E10", api, "srcRepStride %d is not in 0 to 65535", form.repeat[1]);
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
        check_range(all.work, 0, static_cast<uint64_t>(all.plan.repeats) * (sum ? size : 2 * size), api, true);
    }
    src.dtype == kb::Dtype::f16 ? reduce_all<F16>(form.op, all) : reduce_all<float>(form.op, all);
    note(form.op, all.plan.repeats, static_cast<uint64_t>(all.plan.repeats) * kRepeatBytes);
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
