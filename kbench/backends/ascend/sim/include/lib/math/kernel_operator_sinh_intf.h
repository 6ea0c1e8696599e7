#pragma once

#include "adv_api/math/sinh.h"
