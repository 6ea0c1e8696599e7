// Messages of operator code: errors and warnings are printed, the rest is dropped.
#pragma once

#include <cstdio>

#define KBHOST_SAY(level, node, ...)   \
    do {                               \
        (void)(node);                  \
        std::printf("[" level "] ");   \
        __VA_OPT__(std::printf(__VA_ARGS__);) \
        std::printf("\n");             \
    } while (0)
#define KBHOST_DROP(node, ...)         \
    do {                               \
        (void)(node);                  \
        __VA_OPT__(if (false) std::printf(__VA_ARGS__);) \
    } while (0)

#define OPS_LOG_D(node, ...) KBHOST_DROP(node, __VA_ARGS__)
#define OPS_LOG_I(node, ...) KBHOST_DROP(node, __VA_ARGS__)
#define OPS_LOG_W(node, ...) KBHOST_SAY("WARN", node, __VA_ARGS__)
#define OPS_LOG_E(node, ...) KBHOST_SAY("ERROR", node, __VA_ARGS__)
