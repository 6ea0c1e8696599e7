// What the core itself offers to a kernel: the events between which its cycles are counted.
#ifndef KB_AIE_CORE_H
#define KB_AIE_CORE_H

#include "element.h"
#include "ops.h"

KB_INLINE void event0() { kbaie::event<void>(0, 0); }
KB_INLINE void event1() { kbaie::event<void>(0, 1); }

#endif
