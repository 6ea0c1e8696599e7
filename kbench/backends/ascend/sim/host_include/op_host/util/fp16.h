#pragma once

#include "op_common/op_host/util/fp16.h"
