// Questions that tiling functions of the operator library ask.
#pragma once

#include "platform/soc_spec.h"
#include "register/op_impl_registry.h"

namespace Ops::Base {

// Chips whose vector unit works on registers; none of Atlas A2 and A3.
bool IsRegbaseSocVersion(const gert::TilingParseContext* context);
bool IsRegbaseSocVersion(const gert::TilingContext* context);

// A scalar counts as a tensor of one element.
const gert::Shape& EnsureNotScalar(const gert::Shape& shape);

}  // namespace Ops::Base
