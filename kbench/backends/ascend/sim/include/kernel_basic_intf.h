#pragma once

#include "basic_api/kernel_basic_intf.h"
