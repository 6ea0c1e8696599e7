#pragma once

#include "adv_api/activation/swiglu.h"
