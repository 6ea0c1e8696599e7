// OP_ADD: makes a definition known.
#pragma once

#include "register/op_def.h"

namespace kbhost {
// Remembers how to make the definition; it is made once the program runs, when all constants exist.
class OpRegistration {
public:
    OpRegistration(const char* type, ops::OpDef* (*make)(const char*));
};
}  // namespace kbhost

#define OP_ADD(op_type, ...)                                                                \
    static const kbhost::OpRegistration kbhost_op_##op_type(                                \
        #op_type, [](const char* name) -> ::ops::OpDef* { return new op_type(name); })
