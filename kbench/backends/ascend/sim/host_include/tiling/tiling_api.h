// Host side of the high-level library. Most of its size functions and the matrix tiling are not modelled yet: their names
// are in the list of `host.unmodelled_host_apis`, so a host that uses them is reported as unsupported.
#pragma once

#include "adv_api/pad/broadcast_tiling.h"
#include "adv_api/reduce/mean_tiling.h"
#include "adv_api/reduce/sum_tiling.h"
#include "adv_api/select/selectwithbytesmask_tiling.h"
#include "graph/tensor.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

// Temporary unified buffer of an operation on `shape`, in bytes: below `min` it cannot work, above `max` more is no use.
void GetSigmoidMaxMinTmpSize(const ge::Shape& shape, uint32_t type_bytes, bool reuse_source, uint32_t& max, uint32_t& min);

}  // namespace AscendC
