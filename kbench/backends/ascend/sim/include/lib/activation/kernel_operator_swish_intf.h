#pragma once

#include "adv_api/activation/swish.h"
