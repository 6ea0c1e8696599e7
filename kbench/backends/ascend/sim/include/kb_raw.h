// Operands of the compiler's intrinsics: addresses in UB instead of tensors. What lies behind an address is checked against
// UB's end only, for nobody knows how long it is.
#pragma once

#include "kb_vec.h"
#include "kernel_utils.h"

namespace kb {

template <class T>
KB_API View raw_view(const T* address) {
    uint8_t* p = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(address));
    return {p, UINT32_MAX, static_cast<uint8_t>(AscendC::TPosition::VECCALC), dtype_of<T>(), 0};
}

// An address whose type the intrinsic's name gives.
KB_API View raw_view(const void* address, Dtype dtype) {
    View view = raw_view(static_cast<const uint8_t*>(address));
    view.dtype = dtype;
    return view;
}

// The mask register decides about lanes. Strides are in blocks: dst, src0, src1.
KB_API constexpr VecForm raw_form(VecOp op, uint8_t repeat, const int32_t (&block)[3], const int32_t (&rep)[3]) {
    return {op, VecMask::keep, 0, repeat, {0, 0}, 0, {block[0], block[1], block[2]}, {rep[0], rep[1], rep[2]}};
}

// The scalar's own type, so that a literal converts to the pointers' element type as it does for an intrinsic.
template <class T>
struct RawScalar {
    using type = T;
};

template <class T>
using raw_scalar = typename RawScalar<T>::type;

}  // namespace kb

#define KB_RAW_TYPES(Name, list, ...) \
    static_assert(AscendC::SupportType<T, __VA_ARGS__>(), #Name ": expected pointers to " list)
