// A list attribute's value: size and elements in one block of memory.
#pragma once

#include <cstddef>

namespace gert {
class ContinuousVector {
public:
    ContinuousVector(const void* data, size_t size) : data_(data), size_(size) {}

    size_t GetSize() const { return size_; }
    size_t GetCapacity() const { return size_; }
    const void* GetData() const { return data_; }

private:
    const void* data_;
    size_t size_;
};

template <typename T>
class TypedContinuousVector : public ContinuousVector {
public:
    using ContinuousVector::ContinuousVector;
    const T* GetData() const { return static_cast<const T*>(ContinuousVector::GetData()); }
};
}  // namespace gert
