#pragma once

#include "adv_api/math/clamp.h"
