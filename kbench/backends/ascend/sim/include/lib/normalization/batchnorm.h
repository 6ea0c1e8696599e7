// The name of this header before adv_api.
#pragma once

#include "adv_api/normalization/batchnorm.h"
