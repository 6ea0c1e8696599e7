#pragma once

#include "adv_api/math/atan.h"
