#pragma once

#include "adv_api/math/sign.h"
