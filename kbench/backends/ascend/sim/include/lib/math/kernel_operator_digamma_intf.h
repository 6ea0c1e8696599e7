#pragma once

#include "adv_api/math/digamma.h"
