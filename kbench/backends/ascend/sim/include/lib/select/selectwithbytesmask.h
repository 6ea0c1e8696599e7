// The path of earlier versions.
#pragma once

#include "adv_api/select/selectwithbytesmask.h"
