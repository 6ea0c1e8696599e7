#pragma once

#include "adv_api/math/round.h"
