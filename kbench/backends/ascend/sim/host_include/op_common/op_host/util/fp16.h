// A half on the host: made from numbers by rounding to nearest even, worked with as a float.
#pragma once

#include <cstdint>
#include <cstring>

namespace Ops::Base {

struct tagFp16 {
    uint16_t val;

    tagFp16() : val(0) {}
    tagFp16(const uint16_t& bits) : val(bits) {}
    tagFp16(const tagFp16& other) = default;
    template <typename T>
    tagFp16(const T& value) : val(bits_of(static_cast<float>(value))) {}

    tagFp16& operator=(const tagFp16& other) = default;
    template <typename T>
    tagFp16& operator=(const T& value) {
        val = bits_of(static_cast<float>(value));
        return *this;
    }

    operator float() const { return toFloat(); }
    float toFloat() const {
        _Float16 half;
        memcpy(&half, &val, sizeof(half));
        return static_cast<float>(half);
    }
    double toDouble() const { return static_cast<double>(toFloat()); }

    tagFp16 operator+(const tagFp16 other) const { return toFloat() + other.toFloat(); }
    tagFp16 operator-(const tagFp16 other) const { return toFloat() - other.toFloat(); }
    tagFp16 operator*(const tagFp16 other) const { return toFloat() * other.toFloat(); }
    tagFp16 operator/(const tagFp16 other) const { return toFloat() / other.toFloat(); }
    tagFp16 operator+=(const tagFp16 other) { return *this = *this + other; }
    tagFp16 operator-=(const tagFp16 other) { return *this = *this - other; }
    tagFp16 operator*=(const tagFp16 other) { return *this = *this * other; }
    tagFp16 operator/=(const tagFp16 other) { return *this = *this / other; }

    bool operator==(const tagFp16& other) const { return toFloat() == other.toFloat(); }
    bool operator!=(const tagFp16& other) const { return toFloat() != other.toFloat(); }
    bool operator<(const tagFp16& other) const { return toFloat() < other.toFloat(); }
    bool operator<=(const tagFp16& other) const { return toFloat() <= other.toFloat(); }
    bool operator>(const tagFp16& other) const { return toFloat() > other.toFloat(); }
    bool operator>=(const tagFp16& other) const { return toFloat() >= other.toFloat(); }

private:
    static uint16_t bits_of(float value) {
        const auto half = static_cast<_Float16>(value);
        uint16_t bits;
        memcpy(&bits, &half, sizeof(bits));
        return bits;
    }
};

using fp16_t = tagFp16;

}  // namespace Ops::Base
