#pragma once

#include "adv_api/activation/sigmoid.h"
