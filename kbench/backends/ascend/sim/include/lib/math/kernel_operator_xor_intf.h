#pragma once

#include "adv_api/math/xor.h"
