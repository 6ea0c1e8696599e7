#pragma once

#include "adv_api/math/erf.h"
