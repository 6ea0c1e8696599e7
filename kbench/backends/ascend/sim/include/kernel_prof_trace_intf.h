// Marks for the profiler, which does not run here.
#pragma once

#include "kernel_utils.h"

namespace AscendC {

KB_API void MetricsProfStart() {}

KB_API void MetricsProfStop() {}

}  // namespace AscendC
