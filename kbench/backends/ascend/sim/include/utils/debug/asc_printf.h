// printf of kernels.
#pragma once

#include "kernel_operator_dump_tensor_intf.h"
