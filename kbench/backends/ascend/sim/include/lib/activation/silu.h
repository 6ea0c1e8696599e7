#pragma once

#include "adv_api/activation/silu.h"
