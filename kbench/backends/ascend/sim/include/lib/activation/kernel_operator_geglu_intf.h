#pragma once

#include "adv_api/activation/geglu.h"
