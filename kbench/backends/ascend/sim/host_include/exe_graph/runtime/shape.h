// The shape of a tensor at run time: at most 25 dims.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gert {
class Shape {
public:
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

    Shape() = default;
    Shape(std::initializer_list<int64_t> dims);

    bool operator==(const Shape& other) const;
    bool operator!=(const Shape& other) const { return !(*this == other); }

    // Elements: 1 for a scalar, -1 where a dim is unknown or the product does not fit.
    int64_t GetShapeSize() const;
    bool IsScalar() const { return dim_num_ == 0; }
    void SetScalar() { dim_num_ = 0; }
    size_t GetDimNum() const { return dim_num_; }
    void SetDimNum(size_t count) { dim_num_ = count; }
    // Dims beyond GetDimNum() hold what was last set there (0 at first); beyond kMaxDimNum, kInvalidDimValue.
    int64_t GetDim(size_t index) const { return index < kMaxDimNum ? dims_[index] : kInvalidDimValue; }
    const int64_t& operator[](size_t index) const { return dims_[index]; }
    int64_t& operator[](size_t index) { return dims_[index]; }
    void SetDim(size_t index, int64_t value) {
        if (index < kMaxDimNum) dims_[index] = value;
    }
    Shape& AppendDim(int64_t value);

private:
    size_t dim_num_ = 0;
    int64_t dims_[kMaxDimNum] = {};
};
}  // namespace gert
