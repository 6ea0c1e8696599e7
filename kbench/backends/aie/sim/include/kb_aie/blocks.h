// Block floating point's types: 8 or 16 elements of 8 bits share an exponent. Only AIE2P has them.
#ifndef KB_AIE_BLOCKS_H
#define KB_AIE_BLOCKS_H

#include "element.h"

struct bfp16ebs8 {};
struct bfp16ebs16 {};

namespace kbaie {

template <class T>
inline constexpr unsigned block_size = 0;
#if __AIE_ARCH__ == 21
template <>
inline constexpr unsigned block_size<bfp16ebs8> = 8;
template <>
inline constexpr unsigned block_size<bfp16ebs16> = 16;
#endif

// Lanes of N elements: N mantissas, then the exponents, padded to 2 N bytes.
template <unsigned N>
using block_lanes = typename lanes<unsigned char, 2 * N>::type;

template <class T, unsigned N>
struct native_block {
    block_lanes<N> lanes;
};

}  // namespace kbaie

namespace aie {

template <class T>
concept BlockType = kbaie::block_size<T> != 0;
template <class T, unsigned Elems>
class block_vector;

}  // namespace aie

#endif
