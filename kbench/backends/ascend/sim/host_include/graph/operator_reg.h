// The prototype of an operator for a graph: REG_OP(Name).INPUT(x, types)….OP_END_FACTORY_REG(Name). Nothing here builds
// graphs, so a prototype is read and declares nothing.
#pragma once

#include "graph/operator.h"

namespace kbhost {

struct Prototype {
    constexpr Prototype declared() const { return {}; }
};

}  // namespace kbhost

#define REG_OP(name) [[maybe_unused]] constexpr auto kbhost_prototype_##name = ::kbhost::Prototype()
#define INPUT(...) declared()
#define OPTIONAL_INPUT(...) declared()
#define DYNAMIC_INPUT(...) declared()
#define OUTPUT(...) declared()
#define DYNAMIC_OUTPUT(...) declared()
#define ATTR(...) declared()
#define REQUIRED_ATTR(...) declared()
#define GRAPH(...) declared()
#define DYNAMIC_GRAPH(...) declared()
#define DATATYPE(...) declared()
#define OP_END_FACTORY_REG(name) declared();
