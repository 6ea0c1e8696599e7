#pragma once

#include "adv_api/math/cosh.h"
