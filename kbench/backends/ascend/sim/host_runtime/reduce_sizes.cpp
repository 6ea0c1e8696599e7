// Temporary buffers of the reductions.
#include "../sizes/reduce_sizes.h"

#include "adv_api/reduce/mean_tiling.h"
#include "adv_api/reduce/sum_tiling.h"

namespace AscendC {

namespace sizes = kb::sizes;

void GetSumMaxMinTmpSize(uint32_t n, uint32_t type_bytes, bool, uint32_t& max, uint32_t& min) {
    if (n > 0 && type_bytes > 0 && type_bytes <= sizes::kBlock) {
        max = min = sizes::sum(n, type_bytes);
    }
}

void GetMeanMaxMinTmpSize(uint32_t n, uint32_t type_bytes, uint32_t work_bytes, bool, uint32_t& max, uint32_t& min) {
    const bool known = (type_bytes == 2 && work_bytes == 2) || ((type_bytes == 2 || type_bytes == 4) && work_bytes == 4);
    if (n > 0 && known) {
        max = min = sizes::mean(n, type_bytes, work_bytes);
    }
}

void GetMeanTmpBufferFactorSize(uint32_t, uint32_t& live_nodes, uint32_t& extra) {
    live_nodes = 1;
    extra = 0;
}

}  // namespace AscendC
