// The path of earlier versions.
#pragma once

#include "adv_api/pad/pad.h"
