// Host side of the high-level library. Its size functions and the matrix tiling are not modelled yet: their names are in
// the list of `host.unmodelled_host_apis`, so a host that uses them is reported as unsupported.
#pragma once

#include "graph/tensor.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {}
