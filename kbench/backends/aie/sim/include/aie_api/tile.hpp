// The tile that runs the kernel.
#pragma once

#include "../kb_aie/state.h"

namespace aie {

struct tile_id {
    uint16_t row, col;
};

class tile {
    tile() = default;

public:
    KB_MEMBER static tile current() { return tile(); }
    KB_MEMBER uint64_t cycles() const { return uint64_t(kbaie::cycles<long long>(0)); }
    KB_MEMBER tile_id id() const { return {2, 0}; }
    KB_MEMBER tile_id global_id() const { return id(); }
    KB_MEMBER void set_saturation(saturation_mode m) { aie::set_saturation(m); }
    KB_MEMBER saturation_mode get_saturation() const { return aie::get_saturation(); }
    KB_MEMBER void set_rounding(rounding_mode m) { aie::set_rounding(m); }
    KB_MEMBER rounding_mode get_rounding() const { return aie::get_rounding(); }
};

}  // namespace aie
