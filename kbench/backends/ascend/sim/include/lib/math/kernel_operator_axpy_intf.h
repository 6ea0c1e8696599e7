#pragma once

#include "adv_api/math/axpy.h"
