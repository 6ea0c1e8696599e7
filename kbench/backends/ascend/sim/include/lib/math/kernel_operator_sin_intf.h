#pragma once

#include "adv_api/math/sin.h"
