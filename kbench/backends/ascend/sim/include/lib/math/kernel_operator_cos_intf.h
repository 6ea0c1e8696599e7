#pragma once

#include "adv_api/math/cos.h"
