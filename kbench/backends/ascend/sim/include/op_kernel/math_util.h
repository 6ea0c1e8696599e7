#pragma once

#include "op_common/op_kernel/math_util.h"
