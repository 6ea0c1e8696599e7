#pragma once

#include "adv_api/math/log.h"
