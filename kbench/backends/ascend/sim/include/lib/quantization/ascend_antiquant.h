// The path of earlier versions.
#pragma once

#include "adv_api/quantization/ascend_antiquant.h"
