#pragma once

#include "adv_api/math/atanh.h"
