// The compiler's intrinsics that public kernels use, on its register types: each is what the API does under another
// name.
//
// They are plain functions, one for each type, so that an argument of the API's classes converts, and so that a call
// with such arguments prefers the API's own function of the same name, as on the device.
#ifndef KB_AIE_INTRINSICS_H
#define KB_AIE_INTRINSICS_H

#include "../aie_api/block_vector.hpp"
#include "../aie_api/detail/mmul.hpp"
#include "arithmetic.h"
#include "bits.h"
#include "compare.h"
#include "convert.h"
#include "registers.h"
#include "state.h"
#include "reshape.h"
#include "shuffle_modes.h"

namespace kbaie {

template <class T, unsigned N>
KB_INLINE aie::vector<T, N> held(const native<T, N> &v) {
    return v;
}
template <class Tag, unsigned N>
KB_INLINE aie::accum<Tag, N> held(const native_acc<Tag, N> &a) {
    return a;
}

// Two registers as one row of bytes, from byte `n` on.
template <class T, unsigned N>
KB_INLINE aie::vector<T, N> shifted(const native<T, N> &a, const native<T, N> &b, unsigned n) {
    return aie::shuffle_down_fill(held(a).template cast_to<uint8>(), held(b).template cast_to<uint8>(), n)
        .template cast_to<T>();
}

template <class T, unsigned N>
KB_INLINE aie::vector<T, N> shuffled(const native<T, N> &a, const native<T, N> &b, unsigned mode) {
    using R = aie::vector<T, N>;
    return KB_CALL(R, shuffle, (kinds_of<R, R, R>()), held(a).lanes(), held(b).lanes(), int(mode));
}

}  // namespace kbaie

// --- control state ---

KB_INLINE void set_rnd(unsigned mode) { aie::set_rounding(aie::rounding_mode(mode)); }
KB_INLINE unsigned get_rnd() { return unsigned(aie::get_rounding()); }
KB_INLINE void set_satmode(unsigned mode) { aie::set_saturation(aie::saturation_mode(mode)); }
KB_INLINE unsigned get_satmode() { return unsigned(aie::get_saturation()); }
KB_INLINE unsigned get_sat() { return get_satmode(); }
KB_INLINE unsigned get_symsat() { return get_satmode(); }
KB_INLINE void set_sat() { set_satmode(1); }
KB_INLINE void set_symsat() { set_satmode(3); }
KB_INLINE void clr_sat() { set_satmode(0); }

// --- registers of 512 bits ---

#define KB_EACH_INTEGER(X) X(int8, 64) X(uint8, 64) X(int16, 32) X(uint16, 32) X(int32, 16) X(uint32, 16)
#define KB_EACH(X) KB_EACH_INTEGER(X) X(bfloat16, 32)

#define KB_FOR_ALL(T, N)                                                                                       \
    KB_INLINE v##N##T undef_v##N##T() { return aie::vector<T, N>(); }                                          \
    KB_INLINE v##N##T broadcast_to_v##N##T(T x) { return aie::broadcast<T, N>(x); }                            \
    KB_INLINE v##N##T broadcast_zero_to_v##N##T() { return aie::zeros<T, N>(); }                               \
    KB_INLINE v##N##T broadcast_one_to_v##N##T() { return aie::broadcast<T, N>(T(1)); }                        \
    KB_INLINE v##N##T broadcast_elem(v##N##T v, int i) { return aie::broadcast<T, N>(kbaie::held(v).get(i)); } \
    KB_INLINE T ext_elem(v##N##T v, int i) { return kbaie::held(v).get(i); }                                   \
    KB_INLINE T extract_elem(v##N##T v, int i) { return kbaie::held(v).get(i); }                               \
    KB_INLINE v##N##T upd_elem(v##N##T v, int i, T x) {                                                        \
        aie::vector<T, N> r = v;                                                                               \
        r.set(x, i);                                                                                           \
        return r;                                                                                              \
    }                                                                                                          \
    KB_INLINE v##N##T insert(v##N##T v, int i, T x) { return upd_elem(v, i, x); }                              \
    KB_INLINE v##N##T max(v##N##T a, v##N##T b) { return aie::max(kbaie::held(a), kbaie::held(b)); }           \
    KB_INLINE v##N##T min(v##N##T a, v##N##T b) { return aie::min(kbaie::held(a), kbaie::held(b)); }           \
    KB_INLINE v##N##T shift_bytes(v##N##T a, v##N##T b, int n) { return kbaie::shifted(a, b, n); }             \
    KB_INLINE v##N##T shift(v##N##T a, v##N##T b, int n) { return kbaie::shifted(a, b, n * int(sizeof(T))); }  \
    KB_INLINE v##N##T shuffle(v##N##T a, v##N##T b, unsigned mode) { return kbaie::shuffled(a, b, mode); }     \
    KB_INLINE v##N##T shuffle(v##N##T a, unsigned mode) { return kbaie::shuffled(a, a, mode); }                \
    KB_INLINE void put_mcd(v##N##T v, int = 1) {                                                               \
        kbaie::put_mcd<void>(kbaie::kinds(kbaie::Kind::none, kbaie::kind_of<T>), v.lanes);                     \
    }                                                                                                          \
    KB_INLINE v##N##T get_scd_v##N##T(int = 1) {                                                               \
        using R = aie::vector<T, N>;                                                                           \
        return R::from_lanes(kbaie::get_scd<typename R::lanes_type>(kbaie::kinds(kbaie::kind_of<T>)));         \
    }
KB_EACH(KB_FOR_ALL)
#undef KB_FOR_ALL

#define KB_FOR_INTEGERS(T, N)                                                                             \
    KB_INLINE v##N##T add(v##N##T a, v##N##T b) { return aie::add(kbaie::held(a), kbaie::held(b)); }      \
    KB_INLINE v##N##T sub(v##N##T a, v##N##T b) { return aie::sub(kbaie::held(a), kbaie::held(b)); }      \
    KB_INLINE v##N##T band(v##N##T a, v##N##T b) { return aie::bit_and(kbaie::held(a), kbaie::held(b)); } \
    KB_INLINE v##N##T bor(v##N##T a, v##N##T b) { return aie::bit_or(kbaie::held(a), kbaie::held(b)); }   \
    KB_INLINE v##N##T bxor(v##N##T a, v##N##T b) { return aie::bit_xor(kbaie::held(a), kbaie::held(b)); } \
    KB_INLINE v##N##T bneg(v##N##T a) { return aie::bit_not(kbaie::held(a)); }
KB_EACH_INTEGER(KB_FOR_INTEGERS)
#undef KB_FOR_INTEGERS
#undef KB_EACH
#undef KB_EACH_INTEGER

// --- parts of registers ---

#define KB_PARTS(T, H, N)                                                                                             \
    KB_INLINE v##N##T concat(v##H##T a, v##H##T b) { return aie::concat(kbaie::held(a), kbaie::held(b)); }            \
    KB_INLINE v##H##T extract_v##H##T(v##N##T v, int i) { return kbaie::held(v).template extract<H>(unsigned(i)); }   \
    KB_INLINE v##N##T insert(v##N##T v, int i, v##H##T x) {                                                           \
        aie::vector<T, N> r = v;                                                                                      \
        r.insert(unsigned(i), kbaie::held(x));                                                                        \
        return r;                                                                                                     \
    }                                                                                                                 \
    KB_INLINE v##N##T set_v##N##T(int i, v##H##T x) { return insert(aie::vector<T, N>(), i, x); }
KB_PARTS(int8, 32, 64)
KB_PARTS(int8, 64, 128)
KB_PARTS(uint8, 32, 64)
KB_PARTS(uint8, 64, 128)
KB_PARTS(int16, 16, 32)
KB_PARTS(int16, 32, 64)
KB_PARTS(uint16, 16, 32)
KB_PARTS(uint16, 32, 64)
KB_PARTS(bfloat16, 16, 32)
KB_PARTS(bfloat16, 32, 64)
KB_PARTS(int32, 8, 16)
KB_PARTS(int32, 16, 32)
KB_PARTS(uint32, 8, 16)
KB_PARTS(uint32, 16, 32)
KB_PARTS(float, 8, 16)
KB_PARTS(float, 16, 32)
#undef KB_PARTS

// Where a mask's bit is set, the second register's lane.
#define KB_SEL(T, N, M, Bits)                                                                     \
    KB_INLINE v##N##T sel(v##N##T a, v##N##T b, Bits mask) {                                      \
        return aie::select(kbaie::held(a), kbaie::held(b), aie::mask<N>::from_uint##M(mask));     \
    }
KB_SEL(int8, 64, 64, unsigned long long)
KB_SEL(uint8, 64, 64, unsigned long long)
KB_SEL(int16, 32, 32, unsigned)
KB_SEL(uint16, 32, 32, unsigned)
KB_SEL(bfloat16, 32, 32, unsigned)
KB_SEL(int32, 16, 32, unsigned)
KB_SEL(uint32, 16, 32, unsigned)
#undef KB_SEL

KB_INLINE v32acc32 mul_elem_32(v32int16 a, v32int16 b) { return aie::mul<acc32>(kbaie::held(a), kbaie::held(b)); }
KB_INLINE v32acc32 mac_elem_32(v32int16 a, v32int16 b, v32acc32 acc) {
    return aie::mac(kbaie::held(acc), kbaie::held(a), kbaie::held(b));
}

KB_INLINE v32bfloat16 broadcast_zero_bfloat16() { return aie::zeros<bfloat16, 32>(); }
KB_INLINE v32bfloat16 broadcast_one_bfloat16() { return aie::broadcast<bfloat16, 32>(bfloat16(1)); }
KB_INLINE v16float broadcast_to_v16float(float x) { return aie::broadcast<float, 16>(x); }
KB_INLINE v16float undef_v16float() { return aie::vector<float, 16>(); }
KB_INLINE v16bfloat16 undef_v16bfloat16() { return aie::vector<bfloat16, 16>(); }

// --- accumulators ---

#define KB_CASCADE(Tag, N)                                                                                 \
    KB_INLINE v##N##Tag undef_v##N##Tag() { return aie::accum<Tag, N>(); }                                 \
    KB_INLINE void put_mcd(v##N##Tag a, int = 1) {                                                         \
        kbaie::put_mcd<void>(kbaie::kinds(kbaie::Kind::none, kbaie::tag<Tag>::kind), a.lanes);             \
    }                                                                                                      \
    KB_INLINE v##N##Tag get_scd_v##N##Tag(int = 1) {                                                       \
        using R = aie::accum<Tag, N>;                                                                      \
        return R::from_lanes(kbaie::get_scd<typename R::lanes_type>(kbaie::kinds(kbaie::tag<Tag>::kind))); \
    }
KB_CASCADE(acc32, 16)
KB_CASCADE(acc32, 32)
KB_CASCADE(acc64, 8)
KB_CASCADE(acc64, 16)
KB_CASCADE(accfloat, 16)
KB_CASCADE(accfloat, 32)
#undef KB_CASCADE

// Widening by `shift` bits to the left, narrowing by as many to the right: l to the next wider, s to four times the
// width and back.
#define KB_UPS(name, V, A, T, Tag, N) \
    KB_INLINE A name(V v, int shift) { return aie::accum<Tag, N>(kbaie::held(v), shift); }
#define KB_SRS(name, A, V, T)                                                       \
    KB_INLINE V name(A a, int shift) { return kbaie::held(a).to_vector<T>(shift); } \
    KB_INLINE V name(A a, int shift, int sign) { return kbaie::held(a).to_vector_sign<T>(sign, shift); }
KB_UPS(lups, v16int32, v16acc64, int32, acc64, 16)
KB_UPS(lups, v16int16, v16acc32, int16, acc32, 16)
KB_UPS(ups, v16int32, v16acc64, int32, acc64, 16)
KB_UPS(ups, v16int16, v16acc64, int16, acc64, 16)
KB_UPS(ups_to_v16acc64, v16int32, v16acc64, int32, acc64, 16)
KB_UPS(ups_to_v16acc32, v16int16, v16acc32, int16, acc32, 16)
KB_UPS(ups_to_v32acc32, v32int16, v32acc32, int16, acc32, 32)
KB_UPS(ups_to_v32acc32, v32int8, v32acc32, int8, acc32, 32)
KB_SRS(lsrs, v16acc64, v16int32, int32)
KB_SRS(lsrs, v16acc32, v16int16, int16)
KB_SRS(ulsrs, v16acc64, v16uint32, uint32)
KB_SRS(ulsrs, v16acc32, v16uint16, uint16)
KB_SRS(ssrs, v16acc64, v16int16, int16)
KB_SRS(ssrs, v32acc32, v32int8, int8)
KB_SRS(ussrs, v16acc64, v16uint16, uint16)
KB_SRS(ussrs, v32acc32, v32uint8, uint8)
KB_SRS(srs, v16acc64, v16int32, int32)
KB_SRS(srs_to_v16int32, v16acc64, v16int32, int32)
KB_SRS(srs_to_v16int16, v16acc32, v16int16, int16)
KB_SRS(srs_to_v32int16, v32acc32, v32int16, int16)
KB_SRS(srs_to_v32int8, v32acc32, v32int8, int8)
#undef KB_SRS
#undef KB_UPS

// --- floats ---

KB_INLINE v16bfloat16 to_v16bfloat16(v16accfloat a) { return kbaie::held(a).to_vector<bfloat16>(); }
KB_INLINE v32bfloat16 to_v32bfloat16(v32accfloat a) { return kbaie::held(a).to_vector<bfloat16>(); }
KB_INLINE v16accfloat ups_to_v16accfloat(v16bfloat16 v) { return aie::accum<accfloat, 16>(kbaie::held(v)); }
KB_INLINE v32accfloat ups_to_v32accfloat(v32bfloat16 v) { return aie::accum<accfloat, 32>(kbaie::held(v)); }
KB_INLINE v16int32 bfloat16_to_int(v16bfloat16 v, int shift) { return aie::to_fixed<int32>(kbaie::held(v), shift); }
KB_INLINE v16accfloat add(v16accfloat a, v16accfloat b) { return aie::add(kbaie::held(a), kbaie::held(b)); }
KB_INLINE v16accfloat sub(v16accfloat a, v16accfloat b) { return aie::sub(kbaie::held(a), kbaie::held(b)); }

#if __AIE_ARCH__ == 20
// Each lane is a product of the lower half and one of the upper.
KB_INLINE v16accfloat mul_elem_16_2(v32bfloat16 a, v32bfloat16 b) {
    const auto x = kbaie::held(a), y = kbaie::held(b);
    return aie::mac(aie::mul(x.extract<16>(0), y.extract<16>(0)), x.extract<16>(1), y.extract<16>(1));
}
KB_INLINE v16accfloat mac_elem_16_2(v32bfloat16 a, v32bfloat16 b, v16accfloat acc) {
    const auto x = kbaie::held(a), y = kbaie::held(b);
    return aie::mac(aie::mac(kbaie::held(acc), x.extract<16>(0), y.extract<16>(0)), x.extract<16>(1), y.extract<16>(1));
}
#define KB_MATRIX(name, A, B, Acc, M, K, N, TA, TB)     \
    KB_INLINE Acc mul_##name(A a, B b) {                \
        aie::mmul<M, K, N, TA, TB> m;                   \
        m.mul(kbaie::held(a), kbaie::held(b));          \
        return m.to_accum();                            \
    }                                                   \
    KB_INLINE Acc mac_##name(A a, B b, Acc acc) {       \
        aie::mmul<M, K, N, TA, TB> m(kbaie::held(acc)); \
        m.mac(kbaie::held(a), kbaie::held(b));          \
        return m.to_accum();                            \
    }
KB_MATRIX(4x8_8x4, v32bfloat16, v32bfloat16, v16accfloat, 4, 8, 4, bfloat16, bfloat16)
KB_MATRIX(4x8_8x8, v32int8, v64int8, v32acc32, 4, 8, 8, int8, int8)
#undef KB_MATRIX
#else
KB_INLINE v32accfloat mul_elem_32(v32bfloat16 a, v32bfloat16 b) { return aie::mul(kbaie::held(a), kbaie::held(b)); }
KB_INLINE v32accfloat mac_elem_32(v32bfloat16 a, v32bfloat16 b, v32accfloat acc) {
    return aie::mac(kbaie::held(acc), kbaie::held(a), kbaie::held(b));
}
KB_INLINE v64accfloat mul_elem_64(v64bfloat16 a, v64bfloat16 b) { return aie::mul(kbaie::held(a), kbaie::held(b)); }
KB_INLINE v64accfloat mac_elem_64(v64bfloat16 a, v64bfloat16 b, v64accfloat acc) {
    return aie::mac(kbaie::held(acc), kbaie::held(a), kbaie::held(b));
}

using v64bfp16ebs8 = kbaie::native_block<bfp16ebs8, 64>;
using v128bfp16ebs8 = kbaie::native_block<bfp16ebs8, 128>;
using v64bfp16ebs16 = kbaie::native_block<bfp16ebs16, 64>;
using v128bfp16ebs16 = kbaie::native_block<bfp16ebs16, 128>;

KB_INLINE v64bfp16ebs8 to_v64bfp16ebs8(v64accfloat a) {
    return aie::block_vector<bfp16ebs8, 64>::kb_from_floats(kbaie::held(a));
}
// Rows of `a` by rows of `b`: b is the transposed matrix.
KB_INLINE v64accfloat mul_8x8_8x8T(v64bfp16ebs8 a, v64bfp16ebs8 b) {
    return kbaie::multiply(aie::block_vector<bfp16ebs8, 64>(a), aie::block_vector<bfp16ebs8, 64>(b));
}
KB_INLINE v64accfloat mac_8x8_8x8T(v64bfp16ebs8 a, v64bfp16ebs8 b, v64accfloat acc) {
    return kbaie::multiply(kbaie::held(acc), aie::block_vector<bfp16ebs8, 64>(a), aie::block_vector<bfp16ebs8, 64>(b));
}
#endif

#endif
