#pragma once

#include "adv_api/math/asinh.h"
