#pragma once

#include "adv_api/math/trunc.h"
