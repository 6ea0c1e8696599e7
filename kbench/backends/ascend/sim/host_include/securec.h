// Copies that know how much the destination takes. Where the sizes do not fit, nothing is copied, the destination is
// zeroed and the error is returned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

typedef int errno_t;

#ifndef EOK
#define EOK 0
#endif
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162
#define EOVERLAP_AND_RESET 182
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL

namespace kbhost {

inline errno_t bounded_copy(void* dest, size_t most, const void* src, size_t count, bool may_overlap) {
    constexpr errno_t invalid = 22;
    constexpr errno_t range = 34;
    if (most == 0 || most > SECUREC_MEM_MAX_LEN) {
        return range;
    }
    if (dest == nullptr) {
        return invalid;
    }
    const auto to = reinterpret_cast<uintptr_t>(dest);
    const auto from = reinterpret_cast<uintptr_t>(src);
    const bool apart = to == from || to + count <= from || from + count <= to;
    const errno_t error = src == nullptr ? EINVAL_AND_RESET
                          : count > most ? ERANGE_AND_RESET
                          : apart || may_overlap ? EOK
                                                 : EOVERLAP_AND_RESET;
    if (error != EOK) {
        memset(dest, 0, most);
    } else if (count != 0) {
        memmove(dest, src, count);
    }
    return error;
}

}  // namespace kbhost

inline errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
    return kbhost::bounded_copy(dest, destMax, src, count, false);
}

inline errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
    return kbhost::bounded_copy(dest, destMax, src, count, true);
}

inline errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
    if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) {
        return 34;
    }
    if (dest == nullptr) {
        return 22;
    }
    memset(dest, c, count < destMax ? count : destMax);
    return count > destMax ? ERANGE_AND_RESET : EOK;
}
