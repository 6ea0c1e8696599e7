#pragma once

#include "adv_api/math/acosh.h"
