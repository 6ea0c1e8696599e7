// The bytes that the host hands to the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "graph/types.h"

namespace gert {
class TilingData {
public:
    TilingData(void* data, size_t capacity) : data_(data), capacity_(capacity) {}

    size_t GetCapacity() const { return capacity_; }
    size_t GetDataSize() const { return bytes_; }
    void SetDataSize(size_t bytes) { bytes_ = bytes; }
    void* GetData() { return data_; }
    const void* GetData() const { return data_; }
    ge::graphStatus Append(const void* data, size_t bytes);
    template <typename T>
    ge::graphStatus Append(const T& value) {
        return Append(static_cast<const void*>(&value), sizeof(T));
    }

private:
    void* data_;
    size_t capacity_;
    size_t bytes_ = 0;
};
}  // namespace gert
