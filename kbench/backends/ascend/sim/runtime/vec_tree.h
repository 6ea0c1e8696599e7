// Sums as the device adds them: inside a repeat a binary tree over neighbours, (0+1) + (2+3) and so on, each addition
// rounded to the element's type. Lanes that a mask leaves out count as +0.
#pragma once

#include "vec_math.h"
#include "vec_plan.h"

#define KB_LOOP _Pragma("clang loop vectorize(assume_safety)")

namespace kb::vec {

template <class T>
inline constexpr uint32_t kLanes = kRepeatBytes / sizeof(T);

KB_LANE float value_of(F16 x) { return widen(x); }
KB_LANE float value_of(Finite x) { return widen(x.half); }
KB_LANE float value_of(float x) { return x; }

template <class T>
KB_LANE T as_element(float x) {
    if constexpr (__is_same(T, Finite)) {
        return {finite(narrow(x))};
    } else if constexpr (sizeof(T) == 2) {
        return narrow(x);
    } else {
        return canonical(x);
    }
}

// The value that an element of T holds after storing x.
template <class T>
KB_LANE float kept(float x) {
    return value_of(as_element<T>(x));
}

// Sums of `width` neighbours, for each group of a repeat's values: sums[g]. Every level adds pairs.
template <class T, uint32_t n, uint32_t width>
KB_LANE void tree(const float* values, float* sums) {
    if constexpr (width == 1) {
        for (uint32_t i = 0; i < n; ++i) {
            sums[i] = values[i];
        }
    } else {
        float pairs[n / 2];
        KB_LOOP for (uint32_t i = 0; i < n / 2; ++i) { pairs[i] = kept<T>(values[2 * i] + values[2 * i + 1]); }
        tree<T, n / 2, width / 2>(pairs, sums);
    }
}

template <class T>
float tree_sum(const float* values) {
    float sum;
    tree<T, kLanes<T>, kLanes<T>>(values, &sum);
    return sum;
}

}  // namespace kb::vec
