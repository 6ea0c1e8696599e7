#pragma once

#include "adv_api/activation/gelu.h"
