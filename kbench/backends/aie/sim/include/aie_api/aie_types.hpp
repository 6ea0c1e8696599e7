// Names that the other headers need before their classes are complete, and the modes of the core.
#pragma once

#include "../kb_aie/element.h"
#include "../kb_aie/native.h"
#include "../kb_aie/ops.h"

#if __AIE_ARCH__ != 20 && __AIE_ARCH__ != 21
#error "__AIE_ARCH__ is 20 for npu1 and 21 for npu2"
#endif
#if __AIE_ARCH__ == 20
#define AIE_API_ML_VERSION 200
#else
#define AIE_API_ML_VERSION 210
#endif
#define __AIE_API_VERSION__ 202

namespace aie {

namespace arch {
enum ArchVersion : unsigned { AIE = 10, AIE_ML = 20, XDNA_2 = 21 };
enum Generation : unsigned { Gen1 = 1, Gen2 = 2 };
inline constexpr ArchVersion version = ArchVersion(__AIE_ARCH__);
template <class... V>
constexpr bool is(V... versions) {
    auto one = [](auto v) {
        if constexpr (std::is_same_v<decltype(v), Generation>)
            return v == Gen2;
        else
            return v == version;
    };
    return (one(versions) || ...);
}
}  // namespace arch

// --- modes -----------------------------------------------------------------------------------------------------------

enum class saturation_mode : unsigned { none = 0, truncate = 1, saturate = 1, symmetric = 3 };

enum class rounding_mode : unsigned {
    floor = 0,
    ceil = 1,
    symmetric_floor = 2,
    symmetric_ceil = 3,
    negative_inf = 8,
    positive_inf = 9,
    symmetric_zero = 10,
    symmetric_inf = 11,
    conv_even = 12,
    conv_odd = 13,
};

// Where data lies in the tile: a hint about banks, without a meaning here.
enum class aie_dm_resource { none, a, b, c, d, ab, ac, ad, bc, bd, cd, stack };
template <class T>
using aie_dm_resource_remove_t = std::remove_cvref_t<T>;

// --- classes ---------------------------------------------------------------------------------------------------------

namespace detail {
// Elements of a 512-bit register; of an accumulator tag, lanes of the native block.
template <class T>
constexpr unsigned native_length() {
    if constexpr (kbaie::is_tag<T>)
        return (__AIE_ARCH__ == 20 ? 1024 : 2048) / (kbaie::tag<T>::bits * (kbaie::tag<T>::is_complex ? 2 : 1));
    else
        return 512 / kbaie::bits_of<T>;
}
}  // namespace detail

template <class T>
inline constexpr unsigned native_vector_length_v = detail::native_length<T>();

template <class T, unsigned Elems = native_vector_length_v<T>>
class vector;
template <class Tag, unsigned Elems = native_vector_length_v<Tag>>
class accum;
template <unsigned Elems>
class mask;
template <class T, unsigned Elems>
class vector_elem_ref;
template <class T, unsigned Elems>
class vector_elem_const_ref;
template <class T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
class vector_ref;
template <class T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>
class unaligned_vector_ref;

inline constexpr unsigned vector_decl_align = kbaie::decl_align;
template <class T, unsigned Elems>
inline constexpr unsigned vector_ldst_align_v = kbaie::align_of_bytes(Elems * kbaie::bits_of<T> / 8);

}  // namespace aie
