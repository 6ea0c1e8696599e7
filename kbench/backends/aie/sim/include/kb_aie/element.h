// Element and accumulator types: what they are in C++, how their lanes lie in a vector, and their kind.
#ifndef KB_AIE_ELEMENT_H
#define KB_AIE_ELEMENT_H

#include <stdint.h>

#include <type_traits>

#include "kinds.h"

#define KB_INLINE [[gnu::always_inline, gnu::nodebug]] inline
#define KB_MEMBER [[gnu::always_inline, gnu::nodebug]]
#define KB_LAMBDA __attribute__((always_inline, nodebug))

// --- scalar types, in the global namespace as on the device ----------------------------------------------------------

using int8 = int8_t;
using int16 = int16_t;
using int32 = int32_t;
using int64 = int64_t;
using uint8 = uint8_t;
using uint16 = uint16_t;
using uint32 = uint32_t;
using uint64 = uint64_t;
typedef __bf16 bfloat16;

namespace kbaie {

// A 4-bit number. A pointer to it steps by a byte, of which a vector in memory holds two elements.
template <bool Signed>
struct nibble {
    using wide = std::conditional_t<Signed, signed char, unsigned char>;
    wide value;

    nibble() = default;
    KB_MEMBER constexpr nibble(int x)
        : value(Signed ? wide((((x & 15) ^ 8)) - 8) : wide(x & 15)) {}
    KB_MEMBER constexpr operator int() const { return value; }
};

template <class C>
struct complex {
    C real, imag;

    complex() = default;
    KB_MEMBER constexpr complex(C re, C im = C(0)) : real(re), imag(im) {}
    KB_MEMBER friend constexpr complex operator+(complex a, complex b) {
        return {C(a.real + b.real), C(a.imag + b.imag)};
    }
    KB_MEMBER friend constexpr complex operator-(complex a, complex b) {
        return {C(a.real - b.real), C(a.imag - b.imag)};
    }
    KB_MEMBER friend constexpr complex operator-(complex a) { return {C(-a.real), C(-a.imag)}; }
    KB_MEMBER friend constexpr complex operator*(complex a, complex b) {
        return {C(a.real * b.real - a.imag * b.imag), C(a.real * b.imag + a.imag * b.real)};
    }
    KB_MEMBER friend constexpr bool operator==(complex a, complex b) { return a.real == b.real && a.imag == b.imag; }
    KB_MEMBER friend constexpr bool operator!=(complex a, complex b) { return !(a == b); }
};

}  // namespace kbaie

using int4_t = kbaie::nibble<true>;
using uint4_t = kbaie::nibble<false>;
using int4 = int4_t;
using uint4 = uint4_t;
using cint16 = kbaie::complex<int16_t>;
using cint32 = kbaie::complex<int32_t>;
using cint16_t = cint16;
using cint32_t = cint32;
#if __AIE_ARCH__ == 20
using cbfloat16 = kbaie::complex<bfloat16>;
#endif
using cfloat = kbaie::complex<float>;
using cfloat_t = cfloat;

struct accauto {};
struct acc16 {};
struct acc24 {};
struct acc32 {};
struct acc40 {};
struct acc48 {};
struct acc56 {};
struct acc64 {};
struct cacc16 {};
struct cacc24 {};
struct cacc32 {};
struct cacc40 {};
struct cacc48 {};
struct cacc56 {};
struct cacc64 {};
struct accfloat {};
#if __AIE_ARCH__ == 20
struct caccfloat {};
#endif

namespace kbaie {

// --- element types of vectors ----------------------------------------------------------------------------------------

enum class Family { integer, real, complex_integer, complex_real };

// `lane`: what the IR's vector holds, `per` of them an element; `part`: the real type; `next`, `prev`: unpack and pack.
struct not_element {
    static constexpr bool valid = false, is_complex = false, is_float = false;
    static constexpr unsigned bits = 0;
    using part = void;
};
template <class Lane, class Part, Kind K, unsigned Bits, Family F, bool Signed, class Next, class Prev>
struct element_of {
    static constexpr bool valid = true;
    using lane = Lane;
    using part = Part;
    using next = Next;
    using prev = Prev;
    static constexpr Kind kind = K;
    static constexpr unsigned bits = Bits;
    static constexpr Family family = F;
    static constexpr bool is_signed = Signed;
    static constexpr bool is_complex = F == Family::complex_integer || F == Family::complex_real;
    static constexpr bool is_float = F == Family::real || F == Family::complex_real;
};

template <class T>
struct element : not_element {};
#define KB_ELEMENT(T, lane, part, kind, bits, family, sign, next, prev) \
    template <>                                                        \
    struct element<T> : element_of<lane, part, Kind::kind, bits, Family::family, sign, next, prev> {};
KB_ELEMENT(int4_t, unsigned char, int4_t, i4, 4, integer, true, int8_t, void)
KB_ELEMENT(uint4_t, unsigned char, uint4_t, u4, 4, integer, false, uint8_t, void)
KB_ELEMENT(int8_t, signed char, int8_t, i8, 8, integer, true, int16_t, int4_t)
KB_ELEMENT(uint8_t, unsigned char, uint8_t, u8, 8, integer, false, uint16_t, uint4_t)
KB_ELEMENT(int16_t, short, int16_t, i16, 16, integer, true, int32_t, int8_t)
KB_ELEMENT(uint16_t, unsigned short, uint16_t, u16, 16, integer, false, uint32_t, uint8_t)
KB_ELEMENT(int32_t, int, int32_t, i32, 32, integer, true, void, int16_t)
KB_ELEMENT(uint32_t, unsigned, uint32_t, u32, 32, integer, false, void, uint16_t)
KB_ELEMENT(bfloat16, unsigned short, bfloat16, bf16, 16, real, true, void, void)
KB_ELEMENT(float, float, float, f32, 32, real, true, void, void)
KB_ELEMENT(cint16, short, int16_t, ci16, 32, complex_integer, true, cint32, void)
KB_ELEMENT(cint32, int, int32_t, ci32, 64, complex_integer, true, void, cint16)
#if __AIE_ARCH__ == 20
KB_ELEMENT(cbfloat16, unsigned short, bfloat16, cbf16, 32, complex_real, true, void, void)
KB_ELEMENT(cfloat, float, float, cf32, 64, complex_real, true, void, void)
#endif
#undef KB_ELEMENT

// The same width with the other sign; types without one stay.
template <class T>
struct signed_of {
    using type = T;
};
template <class T>
struct unsigned_of {
    using type = T;
};
#define KB_SIGNS(S, U)                   \
    template <>                          \
    struct signed_of<U> { using type = S; }; \
    template <>                          \
    struct unsigned_of<S> { using type = U; };
KB_SIGNS(int4_t, uint4_t)
KB_SIGNS(int8_t, uint8_t)
KB_SIGNS(int16_t, uint16_t)
KB_SIGNS(int32_t, uint32_t)
#undef KB_SIGNS

template <class T>
inline constexpr bool is_element = element<std::remove_cv_t<T>>::valid;
template <class T>
inline constexpr Kind kind_of = element<T>::kind;
template <class T>
inline constexpr unsigned bits_of = element<T>::bits;

// --- accumulator tags ------------------------------------------------------------------------------------------------

// A tag promises at least its bits; the register has 32 or 64 (complex integers always 64).
struct not_tag {
    static constexpr bool valid = false;
};
template <class Lane, Kind K, unsigned MinBits, Family F>
struct tag_of {
    static constexpr bool valid = true;
    using lane = Lane;
    static constexpr Kind kind = K;
    static constexpr unsigned min_bits = MinBits, bits = 8 * sizeof(Lane);
    static constexpr Family family = F;
    static constexpr bool is_complex = F == Family::complex_integer || F == Family::complex_real;
    static constexpr bool is_float = F == Family::real || F == Family::complex_real;
};

template <class T>
struct tag : not_tag {};
#define KB_TAG(T, lane, kind, bits, family) \
    template <>                            \
    struct tag<T> : tag_of<lane, Kind::kind, bits, Family::family> {};
KB_TAG(acc16, int, acc32, 16, integer)
KB_TAG(acc24, int, acc32, 24, integer)
KB_TAG(acc32, int, acc32, 32, integer)
KB_TAG(acc40, long long, acc64, 40, integer)
KB_TAG(acc48, long long, acc64, 48, integer)
KB_TAG(acc56, long long, acc64, 56, integer)
KB_TAG(acc64, long long, acc64, 64, integer)
KB_TAG(cacc16, long long, cacc64, 16, complex_integer)
KB_TAG(cacc24, long long, cacc64, 24, complex_integer)
KB_TAG(cacc32, long long, cacc64, 32, complex_integer)
KB_TAG(cacc40, long long, cacc64, 40, complex_integer)
KB_TAG(cacc48, long long, cacc64, 48, complex_integer)
KB_TAG(cacc56, long long, cacc64, 56, complex_integer)
KB_TAG(cacc64, long long, cacc64, 64, complex_integer)
KB_TAG(accfloat, float, accf32, 32, real)
#if __AIE_ARCH__ == 20
KB_TAG(caccfloat, float, caccf32, 32, complex_real)
#endif
#undef KB_TAG

template <class T>
inline constexpr bool is_tag = tag<T>::valid;

// The tag that a product of two element types has by default.
template <class A, class B>
constexpr unsigned product_bits() {
    constexpr unsigned a = bits_of<typename element<A>::part>, b = bits_of<typename element<B>::part>;
    if constexpr (element<A>::is_float || element<B>::is_float)
        return 32;
    else if constexpr (element<A>::is_complex || element<B>::is_complex)
        return a == 32 && b == 32 ? 64 : 48;
    else
        return a + b <= 32 ? 32 : a == 32 && b == 32 ? 64 : 48;
}

template <bool Float, bool Complex, unsigned Bits>
struct tag_named;
template <>
struct tag_named<false, false, 32> { using type = acc32; };
template <>
struct tag_named<false, false, 48> { using type = acc48; };
template <>
struct tag_named<false, false, 64> { using type = acc64; };
template <>
struct tag_named<false, true, 48> { using type = cacc48; };
template <>
struct tag_named<false, true, 64> { using type = cacc64; };
template <>
struct tag_named<true, false, 32> { using type = accfloat; };
#if __AIE_ARCH__ == 20
template <>
struct tag_named<true, true, 32> { using type = caccfloat; };
#endif

template <class A, class B>
using product_tag = typename tag_named<element<A>::is_float || element<B>::is_float,
                                       element<A>::is_complex || element<B>::is_complex, product_bits<A, B>()>::type;

// False, but only once the template that says so is used.
template <class...>
inline constexpr bool never = false;

// --- lanes -----------------------------------------------------------------------------------------------------------

// Vectors of 128 bits are aligned to 16 bytes, those of 256 to 32, wider ones as the device's load unit asks.
#if __AIE_ARCH__ == 20
inline constexpr unsigned decl_align = 32;
#else
inline constexpr unsigned decl_align = 64;
#endif
constexpr unsigned align_of_bytes(unsigned bytes) { return bytes < decl_align ? bytes : decl_align; }

// `type` is a value; `held` is one in memory, aligned as the device aligns it.
template <class Lane, unsigned N>
struct lanes {
    typedef Lane type __attribute__((vector_size(sizeof(Lane) * N)));
    typedef Lane held __attribute__((vector_size(sizeof(Lane) * N), aligned(align_of_bytes(sizeof(Lane) * N)), may_alias));
};

template <class T, unsigned N>
struct vec : lanes<typename element<T>::lane, N * bits_of<T> / 8 / sizeof(typename element<T>::lane)> {};
template <class Tag, unsigned N>
struct acc : lanes<typename tag<Tag>::lane, tag<Tag>::is_complex ? 2 * N : N> {};

// What an operation takes and gives for N elements of T.
template <class T, unsigned N>
using vec_lanes = typename vec<T, N>::type;
template <class Tag, unsigned N>
using acc_lanes = typename acc<Tag, N>::type;

// --- scalars ---------------------------------------------------------------------------------------------------------

// Operations take a scalar as a 32-bit or 64-bit integer that holds its bits, or as a float.
template <class T>
using scalar = std::conditional_t<std::is_same_v<T, float>, float,
                                  std::conditional_t<(element<T>::bits > 32), long long, int>>;

template <class T>
KB_INLINE scalar<T> to_scalar(T x) {
    if constexpr (std::is_same_v<T, float>)
        return x;
    else if constexpr (element<T>::is_complex)
        return __builtin_bit_cast(scalar<T>, x);
    else if constexpr (std::is_same_v<T, bfloat16>)
        return __builtin_bit_cast(unsigned short, x);
    else
        return int(x);
}

template <class T>
KB_INLINE T from_scalar(scalar<T> x) {
    if constexpr (std::is_same_v<T, float>)
        return x;
    else if constexpr (element<T>::is_complex)
        return __builtin_bit_cast(T, x);
    else if constexpr (std::is_same_v<T, bfloat16>)
        return __builtin_bit_cast(bfloat16, (unsigned short)x);
    else
        return T(x);
}

}  // namespace kbaie

#endif
