// The same header by its path in the library.
#pragma once

#include "kernel_operator_sys_var_intf.h"
