// The AIE API's main header.
#pragma once

#include "accum.hpp"
#include "mask.hpp"
#include "vector.hpp"

KB_INLINE void event0() { kbaie::event<void>(kbaie::kinds(kbaie::Kind::none), 0); }
KB_INLINE void event1() { kbaie::event<void>(kbaie::kinds(kbaie::Kind::none), 1); }

namespace aie {

KB_INLINE void set_rounding(rounding_mode m) {
    kbaie::set_rounding<void>(kbaie::kinds(kbaie::Kind::none, kbaie::Kind::u32), unsigned(m));
}
KB_INLINE rounding_mode get_rounding() {
    return rounding_mode(kbaie::get_rounding<unsigned>(kbaie::kinds(kbaie::Kind::u32)));
}
KB_INLINE void set_saturation(saturation_mode m) {
    kbaie::set_saturation<void>(kbaie::kinds(kbaie::Kind::none, kbaie::Kind::u32), unsigned(m));
}
KB_INLINE saturation_mode get_saturation() {
    return saturation_mode(kbaie::get_saturation<unsigned>(kbaie::kinds(kbaie::Kind::u32)));
}

}  // namespace aie
