// Shapes that are not known yet, and axes.
#pragma once

#include "exe_graph/runtime/shape.h"

namespace Ops::Base {

// -rank to rank - 1; a scalar has axis 0.
template <typename Rank, typename Axis>
bool CheckAxisBounds(const Rank rank, const Axis axis) {
    const int64_t dims = static_cast<int64_t>(rank);
    const int64_t at = static_cast<int64_t>(axis);
    return dims == 0 ? at == 0 : at >= -dims && at < dims;
}

void SetUnknownRank(gert::Shape& shape);
bool IsUnknownRank(const gert::Shape& shape);
void SetUnknownShape(int64_t rank, gert::Shape& shape);
bool IsUnknownShape(const gert::Shape& shape);

}  // namespace Ops::Base
