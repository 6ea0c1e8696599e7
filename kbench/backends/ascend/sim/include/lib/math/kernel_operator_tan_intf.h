#pragma once

#include "adv_api/math/tan.h"
