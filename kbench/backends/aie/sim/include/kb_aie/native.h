// The compiler's own register types (v16int32, v16acc64, …) as far as the API's classes convert to them and from them.
#ifndef KB_AIE_NATIVE_H
#define KB_AIE_NATIVE_H

#include "element.h"

namespace kbaie {

template <class T, unsigned N>
struct native {
    typename vec<T, N>::held lanes;
};

// By class and register width: acc48 and acc64 are one type.
template <class Tag>
using register_tag = typename tag_named<tag<Tag>::is_float, tag<Tag>::is_complex,
                                        tag<Tag>::is_float ? 32 : tag<Tag>::bits>::type;

template <class Tag, unsigned N>
struct native_acc {
    typename acc<Tag, N>::held lanes;
};

}  // namespace kbaie

#endif
