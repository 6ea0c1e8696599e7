// The path of earlier versions.
#pragma once

#include "adv_api/filter/dropout.h"
