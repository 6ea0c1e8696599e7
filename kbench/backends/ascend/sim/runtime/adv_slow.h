// The functions of adv_math.h to about 2^-95, for the lanes whose rounding double precision does not decide: a float in
// some 100,000. Scalar, and not fast.
#pragma once

#include "kb_adv_sizes.h"

namespace kb::vec {

// high + low, |low| at most half a last place of high.
struct Wide {
    double high;
    double low;
};

// The value of `op` at finite operands that are no special case of its. Power has two; Swish, SwiGLU have a factor.
Wide slow_value(AdvOp op, double x, double y, double scalar);

}  // namespace kb::vec
