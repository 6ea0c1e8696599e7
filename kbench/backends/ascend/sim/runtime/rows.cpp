// Operands and rows of the row-wise operations.
#include "rows.h"

#include <string.h>

#include "machine.h"
#include "vec_bound.h"

namespace kb::rows {
namespace {

alignas(64) float scratch_rows[kScratch][kMostLanes];

}  // namespace

float* scratch(int number) {
    return scratch_rows[number];
}

// ---- operands -------------------------------------------------------------------------------------------------------

void Operands::read(const View& view, uint64_t bytes, const char* name) {
    adv::reads(view, name, bytes, api_);
    one_[count_++] = {view.ptr, bytes, name};
}

void Operands::write(const View& view, uint64_t bytes, const char* name) {
    adv::writes(view, name, bytes, api_);
    one_[count_++] = {view.ptr, bytes, name};
}

void Operands::temporary(const View& view, uint64_t needed, uint64_t used) {
    tmp_ = adv::temporary(view, needed, api_);
    used_ = used > needed ? used : needed;
    adv::check_apart(tmp_, needed, api_, one_, count_);
}

void Operands::finish() const {
    adv::spoil(tmp_, used_, api_);
    adv::reset_mask();
}

const adv::Bytes* Operands::find(const char* name) const {
    for (int i = 0; i < count_; ++i) {
        if (__builtin_strcmp(one_[i].name, name) == 0) {
            return &one_[i];
        }
    }
    return nullptr;
}

void Operands::same_or_apart(const char* a, const char* b) const {
    const adv::Bytes* x = find(a);
    const adv::Bytes* y = find(b);
    if (x != nullptr && y != nullptr && x->ptr != y->ptr && x->meets(*y)) {
        error("E11", api_, "%s overlaps %s in part: expected the same address or no overlap", a, b);
    }
}

void Operands::apart(const char* a, const char* b) const {
    const adv::Bytes* x = find(a);
    const adv::Bytes* y = find(b);
    if (x != nullptr && y != nullptr && x->meets(*y)) {
        error("E11", api_, "%s overlaps %s: expected no overlap", a, b);
    }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

void load(float* to, const uint8_t* from, Dtype type, uint32_t n) {
    if (type == Dtype::f32) {
        memcpy(to, from, static_cast<size_t>(n) * 4);
        return;
    }
    const vec::F16* h = reinterpret_cast<const vec::F16*>(from);
    KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { to[i] = vec::widen(h[i]); }
}

void store(uint8_t* to, Dtype type, const float* from, uint32_t n, vec::Round round) {
    if (type == Dtype::f32) {
        float* f = reinterpret_cast<float*>(to);
        KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { f[i] = vec::canonical(from[i]); }
        return;
    }
    vec::F16* h = reinterpret_cast<vec::F16*>(to);
    if (round == vec::Round::round) {
        KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { h[i] = vec::to_half<vec::Round::round>(from[i]); }
    } else {
        KB_ROW_LOOP for (uint32_t i = 0; i < n; ++i) { h[i] = vec::to_half<vec::Round::rint>(from[i]); }
    }
}

float load_one(const View& view, uint32_t index) {
    float value;
    load(&value, view.ptr + static_cast<uint64_t>(index) * size_of(view.dtype), view.dtype, 1);
    return value;
}

void store_one(const View& view, uint32_t index, float value, vec::Round round) {
    store(view.ptr + static_cast<uint64_t>(index) * size_of(view.dtype), view.dtype, &value, 1, round);
}

// Eight partial sums in double: the same on every processor, and exact but for a last rounding.
float sum(const float* x, uint32_t n) {
    double part[8] = {};
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (uint32_t lane = 0; lane < 8; ++lane) {
            part[lane] += static_cast<double>(x[i + lane]);
        }
    }
    for (; i < n; ++i) {
        part[i % 8] += static_cast<double>(x[i]);
    }
    const double low = (part[0] + part[1]) + (part[2] + part[3]);
    const double high = (part[4] + part[5]) + (part[6] + part[7]);
    return static_cast<float>(low + high);
}

float largest(const float* x, uint32_t n) {
    float part[8];
    for (uint32_t lane = 0; lane < 8; ++lane) {
        part[lane] = x[lane < n ? lane : 0];
    }
    uint32_t i = 8;
    for (; i + 8 <= n; i += 8) {
        for (uint32_t lane = 0; lane < 8; ++lane) {
            part[lane] = vec::max_of(part[lane], x[i + lane]);
        }
    }
    for (; i < n; ++i) {
        part[0] = vec::max_of(part[0], x[i]);
    }
    float most = part[0];
    for (uint32_t lane = 1; lane < 8; ++lane) {
        most = vec::max_of(most, part[lane]);
    }
    return most;
}

void exponential(float* to, const float* x, uint32_t n) {
    vec::unary_loop(VecOp::Exp, Dtype::f32)(reinterpret_cast<uint8_t*>(to), reinterpret_cast<const uint8_t*>(x), nullptr,
                                                0, n);
}

void logarithm(float* to, const float* x, uint32_t n) {
    vec::unary_loop(VecOp::Ln, Dtype::f32)(reinterpret_cast<uint8_t*>(to), reinterpret_cast<const uint8_t*>(x), nullptr,
                                                0, n);
}

float exponential(float x) {
    float value;
    exponential(&value, &x, 1);
    return value;
}

float logarithm(float x) {
    float value;
    logarithm(&value, &x, 1);
    return value;
}

void approximate(float* x, uint32_t n) {
    if (worst_numerics()) {
        vec::all_at_bound(x, n, vec::kBasicBound);
    }
}

float reciprocal_root(float x) {
    float value = vec::root_of(x);
    approximate(&value, 1);
    value = 1.0f / value;
    approximate(&value, 1);
    return value;
}

}  // namespace kb::rows
