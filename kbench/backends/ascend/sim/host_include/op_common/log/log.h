// Messages and checks of the operator library's host code: errors and warnings go to standard output, the rest is dropped.
#pragma once

#include <cinttypes>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "exe_graph/runtime/shape.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"
#include "log/ops_log.h"

#ifndef likely
#define likely(x) __builtin_expect((x), 1)
#endif
#ifndef unlikely
#define unlikely(x) __builtin_expect((x), 0)
#endif

namespace Ops::Base {
std::string ToString(ge::DataType type);
std::string ToString(ge::Format format);
std::string ToString(const gert::Shape& shape);
std::string ToString(const std::vector<const gert::Shape*>& shapes);
}  // namespace Ops::Base

namespace kbhost {
// A fact about an argument: text or a number.
struct Fact {
    Fact(const char* value) : text(value) {}
    Fact(const std::string& value) : text(value) {}
    template <class T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
    Fact(T value) : text(std::to_string(value)) {}
    std::string text;
};
// What is wrong with an operator's argument: "[ERROR] <what>: <facts, separated by commas>".
void say_invalid(const char* what, std::initializer_list<Fact> facts);
}  // namespace kbhost

#define OP_LOGD(name, ...) KBHOST_DROP(name, __VA_ARGS__)
#define OP_LOGI(name, ...) KBHOST_DROP(name, __VA_ARGS__)
#define OP_LOGW(name, ...) KBHOST_SAY("WARN", name, __VA_ARGS__)
#define OP_LOGE(name, ...) KBHOST_SAY("ERROR", name, __VA_ARGS__)
#define OP_LOGE_WITHOUT_REPORT(name, ...) OP_LOGE(name, __VA_ARGS__)

#define OP_CHECK_IF(condition, log, return_expr) \
    do {                                         \
        if (unlikely(condition)) {               \
            log;                                 \
            return_expr;                         \
        }                                        \
    } while (0)
#define OP_CHECK_NULL_WITH_CONTEXT(context, ptr) \
    OP_CHECK_IF((ptr) == nullptr, OP_LOGE(context, "%s is null", #ptr), return ge::GRAPH_FAILED)

#define KBHOST_INVALID(what, ...) ::kbhost::say_invalid(what, {__VA_ARGS__})
#define OP_LOGE_WITH_INVALID_INPUT(name, param) KBHOST_INVALID("required but empty", name, param)
#define OP_LOGE_WITH_INVALID_INPUT_SHAPE(name, index, got, expected) \
    KBHOST_INVALID("input of wrong shape", name, index, got, expected)
#define OP_LOGE_WITH_INVALID_INPUT_SHAPESIZE(name, index, got, expected) \
    KBHOST_INVALID("input of wrong size", name, index, got, expected)
#define OP_LOGE_WITH_INVALID_INPUT_FORMAT(name, param, got, expected) KBHOST_INVALID("wrong format", name, param, got, expected)
#define OP_LOGE_WITH_INVALID_INPUT_DTYPE(name, param, got, expected) KBHOST_INVALID("wrong dtype", name, param, got, expected)
#define OP_LOGE_WITH_INVALID_ATTR(name, attr, got, expected) KBHOST_INVALID("wrong attribute", name, attr, got, expected)
#define OP_LOGE_WITH_INVALID_ATTR_SIZE(name, attr, got, expected) \
    KBHOST_INVALID("attribute of wrong size", name, attr, got, expected)
#define OP_LOGE_FOR_INVALID_SHAPE(name, param, got, expected) KBHOST_INVALID("wrong shape", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_SHAPE_WITH_REASON(name, param, got, reason) KBHOST_INVALID("wrong shape", name, param, got, reason)
#define OP_LOGE_FOR_INVALID_SHAPES_WITH_REASON(name, params, got, reason) \
    KBHOST_INVALID("wrong shapes", name, params, got, reason)
#define OP_LOGE_FOR_INVALID_SHAPEDIM(name, param, got, expected) KBHOST_INVALID("wrong rank", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_SHAPEDIM_WITH_REASON(name, param, got, reason) KBHOST_INVALID("wrong rank", name, param, got, reason)
#define OP_LOGE_FOR_INVALID_SHAPEDIMS_WITH_REASON(name, params, got, reason) \
    KBHOST_INVALID("wrong ranks", name, params, got, reason)
#define OP_LOGE_FOR_INVALID_SHAPESIZE(name, param, got, expected) KBHOST_INVALID("wrong size", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_SHAPESIZE_WITH_REASON(name, param, got, reason) \
    KBHOST_INVALID("wrong size", name, param, got, reason)
#define OP_LOGE_FOR_INVALID_SHAPESIZES_WITH_REASON(name, params, got, reason) \
    KBHOST_INVALID("wrong sizes", name, params, got, reason)
#define OP_LOGE_FOR_INVALID_DTYPE(name, param, got, expected) KBHOST_INVALID("wrong dtype", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON(name, param, got, reason) KBHOST_INVALID("wrong dtype", name, param, got, reason)
#define OP_LOGE_FOR_INVALID_DTYPES_WITH_REASON(name, params, got, reason) \
    KBHOST_INVALID("wrong dtypes", name, params, got, reason)
#define OP_LOGE_FOR_INVALID_FORMAT(name, param, got, expected) KBHOST_INVALID("wrong format", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_FORMAT_WITH_REASON(name, param, got, reason) KBHOST_INVALID("wrong format", name, param, got, reason)
#define OP_LOGE_FOR_INVALID_FORMATS_WITH_REASON(name, params, got, reason) \
    KBHOST_INVALID("wrong formats", name, params, got, reason)
#define OP_LOGE_FOR_INVALID_VALUE(name, param, got, expected) KBHOST_INVALID("wrong value", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_VALUE_WITH_REASON(name, param, got, reason) KBHOST_INVALID("wrong value", name, param, got, reason)
#define OP_LOGE_FOR_INVALID_VALUES_WITH_REASON(name, params, got, reason) \
    KBHOST_INVALID("wrong values", name, params, got, reason)
#define OP_LOGE_FOR_INVALID_STRIDE(name, param, got, expected) KBHOST_INVALID("wrong stride", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_TENSORNUM(name, param, got, expected) \
    KBHOST_INVALID("wrong number of tensors", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_TENSORNUMS_WITH_REASON(name, params, got, reason) \
    KBHOST_INVALID("wrong numbers of tensors", name, params, got, reason)
#define OP_LOGE_FOR_INVALID_LISTSIZE(name, param, got, expected) KBHOST_INVALID("wrong list size", name, param, got, expected)
#define OP_LOGE_FOR_INVALID_LISTSIZE_WITH_REASON(name, param, got, reason) \
    KBHOST_INVALID("wrong list size", name, param, got, reason)
#define OP_LOGE_FOR_INVALID_ARGUMENT_WITH_REASON(name, param, reason) KBHOST_INVALID("wrong argument", name, param, reason)

namespace Ops::Base {

// What a message calls an operator: a name, or that of a context's node.
inline const std::string& GetOpInfo(const std::string& name) {
    return name;
}
inline const char* GetOpInfo(const char* name) {
    return name == nullptr ? "nil" : name;
}
template <typename Context>
std::string GetOpInfo(Context* context) {
    return context == nullptr ? "nil" : context->GetNodeName();
}

// Names as printf takes them.
inline const char* GetSafeStr(const char* name) {
    return name;
}
inline const char* GetSafeStr(const std::string& name) {
    return name.c_str();
}

}  // namespace Ops::Base
