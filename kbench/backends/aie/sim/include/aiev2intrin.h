// What AMD's compiler for AIE2 puts before every source: scalar types, native types, and what the core offers.
#pragma once

#define restrict __restrict

#include "kb_aie/chess.h"
#include "kb_aie/core.h"
#include "kb_aie/registers.h"
