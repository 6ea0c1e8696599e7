// The same header by its path in the library.
#pragma once

#include "kernel_operator_block_sync_intf.h"
