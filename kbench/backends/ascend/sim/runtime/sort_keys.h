// Scores and indices in structures of 8 bytes, and how they compare. Equal scores keep their order, and so do both zeros. The
// documentation says nothing of NaN: here it is larger than any number.
#pragma once

#include <string.h>

#include "vec_math.h"

namespace kb::sort {

struct Pair {
    uint8_t bytes[8];
};

inline int32_t rank_of(float x) {
    const int32_t u = vec::bits_as<int32_t>(x + 0.0f);
    return x == x ? u ^ ((u >> 31) & 0x7fffffff) : 0x7fffffff;
}

inline float score_at(const uint8_t* p, bool half) {
    if (half) {
        vec::F16 h;
        memcpy(&h, p, 2);
        return vec::widen(h);
    }
    float f;
    memcpy(&f, p, 4);
    return f;
}

inline int32_t rank_at(const uint8_t* p, bool half) {
    return rank_of(score_at(p, half));
}

// The bytes between a half and its index are reserved: nobody's to rely on.
inline Pair pair_of(const uint8_t* score, const uint8_t* index, bool half) {
    Pair pair;
    memset(pair.bytes, 0xa5, sizeof pair.bytes);
    memcpy(pair.bytes, score, half ? 2 : 4);
    memcpy(pair.bytes + 4, index, 4);
    return pair;
}

// Descending and stable, by insertion: n is 32, or the input nearly sorted.
void insert_all(Pair* pairs, uint32_t n, bool half);

// Stable merge sort of n pairs in descending order; `spare` has room for n.
void sort_all(Pair* pairs, Pair* spare, uint32_t n, bool half);

}  // namespace kb::sort
