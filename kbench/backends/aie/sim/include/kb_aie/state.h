// The core's rounding and saturation modes. They persist; at reset they are floor and none.
#ifndef KB_AIE_STATE_H
#define KB_AIE_STATE_H

#include "../aie_api/aie_types.hpp"

namespace aie {

KB_INLINE rounding_mode swap_rounding(rounding_mode m) {
    return rounding_mode(kbaie::set_rounding<int>(0, int(m)));
}
KB_INLINE void set_rounding(rounding_mode m) { swap_rounding(m); }
KB_INLINE rounding_mode get_rounding() { return rounding_mode(kbaie::get_rounding<int>(0)); }
KB_INLINE saturation_mode swap_saturation(saturation_mode m) {
    return saturation_mode(kbaie::set_saturation<int>(0, int(m)));
}
KB_INLINE void set_saturation(saturation_mode m) { swap_saturation(m); }
KB_INLINE saturation_mode get_saturation() { return saturation_mode(kbaie::get_saturation<int>(0)); }

}  // namespace aie

#endif
