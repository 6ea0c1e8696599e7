#pragma once

#include "adv_api/math/floor.h"
