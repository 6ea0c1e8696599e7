#pragma once

#include "adv_api/math/asin.h"
