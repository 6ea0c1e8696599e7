// The AIE API: everything that a kernel gets with one include.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <type_traits>
#include <utility>

#include "aie_types.hpp"
#include "concepts.hpp"
#include "vector_elem_ref.hpp"
#include "vector.hpp"
#include "mask.hpp"
#include "accum.hpp"
#include "expr.hpp"
#include "tile.hpp"
#include "../kb_aie/memory.h"
#include "../kb_aie/create.h"
#include "../kb_aie/arithmetic.h"
#include "../kb_aie/multiply.h"
#include "../kb_aie/compare.h"
#include "../kb_aie/bits.h"
#include "../kb_aie/reduce.h"
#include "../kb_aie/reshape.h"
#include "../kb_aie/convert.h"
#include "../kb_aie/elementary.h"
#include "../kb_aie/operators.h"
#include "utils.hpp"
#include "../kb_aie/core.h"
