#pragma once

#include "adv_api/activation/reglu.h"
