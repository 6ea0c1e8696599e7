// The basic API as a whole.
#pragma once

#include "kernel_operator.h"
