// Tiling data and tiling keys. What the host side registered comes from the generated header kb_tiling.h, which names the
// default structure `kb_tiling_default` in a namespace that it opens with a using-directive.
#pragma once

#include "kernel_utils.h"

extern "C" {
uint64_t kbrt_tiling_key() __attribute__((pure));
bool kbrt_tiling_key_is(uint64_t key);
void kbrt_tiling_read(void* into, const void* tiling, uint32_t offset, uint32_t bytes);
}

#define GET_TILING_DATA_WITH_STRUCT(type, name, tiling) \
    type name;                                          \
    kbrt_tiling_read(&name, tiling, 0, sizeof(type))
#define GET_TILING_DATA(name, tiling) GET_TILING_DATA_WITH_STRUCT(kb_tiling_default, name, tiling)
#define GET_TILING_DATA_MEMBER(type, member, name, tiling) \
    decltype(type::member) name;                           \
    kbrt_tiling_read(&name, tiling, __builtin_offsetof(type, member), sizeof(name))
#define COPY_TILING_WITH_STRUCT(type, tiling, name) kbrt_tiling_read(name, tiling, 0, sizeof(type))

#define REGISTER_TILING_DEFAULT(type) using kb_tiling_default = type
#define REGISTER_TILING_FOR_TILINGKEY(condition, type) \
    static_assert(sizeof(condition) > 1 && sizeof(type) > 0, "an empty condition or structure")

#define TILING_KEY_IS(key) kbrt_tiling_key_is(static_cast<uint64_t>(key))
#define TILING_KEY_VAR kbrt_tiling_key()
