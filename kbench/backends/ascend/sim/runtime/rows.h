// What the row-wise operations of the library share: their operands with every rule about them, and rows of floats.
//
// Halves are widened, computed in float, and rounded at the end. Each step of an operation rounds to float as the device's
// vector instruction for it would; a sum is the exact one, rounded once (the device adds in an order of its own).
#pragma once

#include "adv.h"
#include "kb.h"
#include "kb_rows.h"
#include "vec_round.h"

#define KB_ROW_LOOP _Pragma("clang loop vectorize(assume_safety)")

namespace kb::rows {

inline constexpr uint32_t kMostLanes = 192 * 1024 / 2;  // of the longest row that fits UB
inline constexpr uint32_t kBlockBytes = 32;

// Scratch rows of one operation; no operation waits for another block while it holds them.
float* scratch(int number);
inline constexpr int kScratch = 4;

// ---- operands -------------------------------------------------------------------------------------------------------

// The operands of one call: each is checked when it is added (UB, alignment, extent). `temporary` comes last, for it may
// meet none of the others.
class Operands {
public:
    explicit Operands(const char* api) : api_(api) {}

    void read(const View& view, uint64_t bytes, const char* name);
    void write(const View& view, uint64_t bytes, const char* name);
    // At least `needed` bytes; the operation works in `used` of them.
    void temporary(const View& view, uint64_t needed, uint64_t used);
    // The operation is done: nobody may rely on the temporary space, and the masks are what the device leaves.
    void finish() const;

    // Operand `a` starts where `b` does, or they do not meet.
    void same_or_apart(const char* a, const char* b) const;
    void apart(const char* a, const char* b) const;

private:
    const adv::Bytes* find(const char* name) const;

    const char* api_;
    adv::Bytes one_[14];
    int count_ = 0;
    adv::Tmp tmp_{};
    uint64_t used_ = 0;
};

// A value of the call's parameters against its documented limit.
inline void require(bool holds, const char* rule, const char* api, const char* what, const char* expected, uint32_t got) {
    if (__builtin_expect(!holds, 0)) {
        error(rule, api, "%s: expected %s, got %u", what, expected, got);
    }
}

inline uint32_t size_of(Dtype type) {
    return vec::element_bits(type) / 8;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

void load(float* to, const uint8_t* from, Dtype type, uint32_t n);
// Canonical NaN. `round`: how a float becomes a half.
void store(uint8_t* to, Dtype type, const float* from, uint32_t n, vec::Round round);
float load_one(const View& view, uint32_t index);
void store_one(const View& view, uint32_t index, float value, vec::Round round);

float sum(const float* x, uint32_t n);
float largest(const float* x, uint32_t n);
void exponential(float* to, const float* x, uint32_t n);
void logarithm(float* to, const float* x, uint32_t n);
float exponential(float x);
float logarithm(float x);
// Quotients and roots that are correctly rounded: left so, or moved to their bound (--numerics worst), like exponentials.
void approximate(float* x, uint32_t n);
float reciprocal_root(float x);

}  // namespace kb::rows
