#pragma once

#include "adv_api/math/power.h"
