#pragma once

#include "adv_api/math/exp.h"
