// Numbers of data types and formats.
#pragma once

#include "kernel_macros.h"
