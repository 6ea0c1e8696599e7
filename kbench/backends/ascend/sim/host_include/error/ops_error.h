// Checks and messages of operator code; messages go to standard output.
#pragma once

#include <cstdio>

#include "log/ops_log.h"

#define OPS_REPORT_VECTOR_INNER_ERR(node, ...) OPS_LOG_E(node, __VA_ARGS__)
#define OPS_REPORT_CUBE_INNER_ERR(node, ...) OPS_LOG_E(node, __VA_ARGS__)
#define OPS_CHECK(condition, report, on_failure) \
    do {                                         \
        if (condition) {                         \
            report;                              \
            on_failure;                          \
        }                                        \
    } while (0)
#define OPS_LOG_E_IF_NULL(context, pointer, on_failure)              \
    do {                                                             \
        if ((pointer) == nullptr) {                                  \
            OPS_LOG_E(context, "%s is null", #pointer);              \
            on_failure;                                              \
        }                                                            \
    } while (0)
#define OPS_LOG_E_IF(condition, context, on_failure, ...) \
    do {                                                  \
        if (condition) {                                  \
            OPS_LOG_E(context, __VA_ARGS__);              \
            on_failure;                                   \
        }                                                 \
    } while (0)
