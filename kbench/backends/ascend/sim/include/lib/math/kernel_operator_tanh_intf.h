#pragma once

#include "adv_api/math/tanh.h"
