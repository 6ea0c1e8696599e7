// Everything that `#include "kernel_operator.h"` brings on the device. Includes only.
#pragma once

#include "kernel_macros.h"
#include "kernel_types.h"
#include "kernel_utils.h"
#include "kernel_event.h"
#include "kernel_tensor.h"
