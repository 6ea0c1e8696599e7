#pragma once

#include "adv_api/math/fmod.h"
