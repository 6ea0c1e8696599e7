// The path of earlier versions.
#pragma once

#include "adv_api/index/arithprogression.h"
