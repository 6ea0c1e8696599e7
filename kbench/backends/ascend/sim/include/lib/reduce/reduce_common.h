// The path of earlier versions.
#pragma once

#include "adv_api/reduce/reduce_common.h"
