// Per-block state of the vector operations.
#pragma once

namespace kb {

struct VecState {};

}  // namespace kb
