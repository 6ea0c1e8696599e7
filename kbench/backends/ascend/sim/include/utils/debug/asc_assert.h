// Assertions that stay in a kernel: a condition that does not hold ends it with its text and what is printed after it.
#pragma once

#include "kernel_operator_dump_tensor_intf.h"

#ifndef ascendc_assert
#define ascendc_assert(condition, ...) \
    ((condition) ? (void)0 : AscendC::KbAssertFailed(#condition, ##__VA_ARGS__))
#endif
