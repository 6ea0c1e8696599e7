#pragma once

#include "adv_api/math/ceil.h"
