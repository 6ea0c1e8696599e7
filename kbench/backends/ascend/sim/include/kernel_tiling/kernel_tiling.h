// Tiling data of the kernel side. The structures themselves are those that the host side registered.
#pragma once

#include "kernel_tiling_macros.h"
