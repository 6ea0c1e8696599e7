#pragma once

#include "adv_api/math/lgamma.h"
