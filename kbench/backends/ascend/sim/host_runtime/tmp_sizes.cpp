// Temporary buffers of the high-level library, as its documentation and its host side give them.
#include <algorithm>

#include "tiling/tiling_api.h"

namespace AscendC {

void GetSigmoidMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool, uint32_t& max, uint32_t& min) {
    constexpr uint32_t kRepeatBytes = 256;
    min = kRepeatBytes;
    max = std::max(static_cast<uint32_t>(shape.GetShapeSize()) * type_bytes, kRepeatBytes);
}

}  // namespace AscendC
