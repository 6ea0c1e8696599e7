#pragma once

#include "adv_api/math/erfc.h"
