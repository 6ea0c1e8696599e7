#pragma once

#include "adv_api/math/acos.h"
