// What the size and tiling functions of the row-wise library share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <type_traits>

#include "../include/kb_rows.h"
#include "graph/tensor.h"

namespace kbhost {

// Rows and last axis of a shape. The library logs a shape or type that it cannot take, and answers 0 or nothing.
struct Rows {
    uint32_t m = 0;
    uint32_t k = 0;
    explicit operator bool() const { return m != 0 && k != 0; }
};

inline uint32_t dim(const ge::Shape& shape, size_t index) {
    return static_cast<uint32_t>(shape.GetDim(index));
}

inline bool complain(bool holds, const char* api, const char* what) {
    if (!holds) std::fprintf(stderr, "[ERROR] %s: %s\n", api, what);
    return holds;
}

inline bool known_type(uint32_t size, const char* api) {
    return complain(size == 2 || size == 4, api, "the size of the data type: expected 2 or 4");
}

inline Rows rows_of(const ge::Shape& shape, uint32_t type_size, const char* api) {
    if (!complain(shape.GetShapeSize() > 0, api, "expected a shape of at least one element")) return {};
    Rows rows;
    rows.k = dim(shape, shape.GetDimNum() - 1);
    rows.m = static_cast<uint32_t>(shape.GetShapeSize()) / rows.k;
    complain(static_cast<uint64_t>(rows.k) * type_size % 32 == 0, api, "expected a last axis of a multiple of 32 bytes");
    return rows;
}

// Tiling data of either form is filled in as the form with setters; this is the plain one's turn.
template <class Setters, class Plain, class Fill>
auto fill_plain(Plain& plain, Fill fill) {
    Setters tiling;
    if constexpr (std::is_void_v<decltype(fill(tiling))>) {
        fill(tiling);
        tiling.SaveToBuffer(&plain, tiling.GetDataSize());
    } else {
        const auto done = fill(tiling);
        tiling.SaveToBuffer(&plain, tiling.GetDataSize());
        return done;
    }
}

}  // namespace kbhost
