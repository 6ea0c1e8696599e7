#pragma once

#include "op_common/log/error_code.h"
