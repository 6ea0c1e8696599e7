#pragma once

#include "adv_api/math/frac.h"
