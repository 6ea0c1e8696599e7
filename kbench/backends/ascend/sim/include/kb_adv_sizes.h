// The advanced library's elementwise operations, and how much temporary memory each needs. The same table serves the
// kernel's checks and the host's Get…TmpSize functions.
//
// Sizes are those of the documentation's host functions for NPU architecture 2201, in bytes.
#pragma once

#include <stdint.h>

namespace kb {

// Numbers are what kb::event() reports: 1024 and up.
enum class AdvOp : uint16_t {
    Acos = 1024, Acosh, Asin, Asinh, Atan, Atanh, Cos, Cosh, Digamma, Erf, Erfc, Exp, Lgamma, Log, Log2, Log10, Sin, Sinh,
    Tan, Tanh,
    Ceil, Floor, Round, Trunc, Frac, Sign, ClampMax, ClampMin, Xor, Fmod, Axpy, Power, PowerScalar,
    Sigmoid, Silu, Swish, Gelu, FasterGelu, FasterGeluV2, SwiGLU, GeGLU, ReGlu,
    end,
};

struct AdvTmp {
    uint32_t min;  // below it the device's result is undefined
    uint32_t max;  // the device uses no more
};

// Buffers of the operand's size that an operation works in: for 16-bit types, for 32-bit ones, and for those where the
// source may be destroyed (isReuseSource).
struct AdvFactor {
    uint8_t half;
    uint8_t single;
    uint8_t reusing;
};

constexpr AdvFactor adv_factor(AdvOp op) {
    switch (op) {
        case AdvOp::Acos: case AdvOp::Asin: case AdvOp::Cosh: return {6, 2, 2};
        case AdvOp::Acosh: case AdvOp::Ceil: case AdvOp::Trunc: return {2, 1, 1};
        case AdvOp::Asinh: case AdvOp::Sign: return {3, 3, 3};
        case AdvOp::Atan: return {12, 5, 5};
        case AdvOp::Atanh: case AdvOp::Sinh: case AdvOp::Tanh: return {4, 1, 1};
        case AdvOp::Cos: case AdvOp::Sin: return {8, 3, 2};
        case AdvOp::Digamma: return {16, 7, 6};
        case AdvOp::Erf: return {8, 3, 3};
        case AdvOp::Erfc: return {16, 7, 7};
        case AdvOp::Lgamma: return {26, 8, 7};
        case AdvOp::Tan: return {10, 4, 4};
        case AdvOp::Floor: return {2, 0, 0};
        case AdvOp::Round: return {1, 0, 0};
        case AdvOp::Frac: case AdvOp::Axpy: case AdvOp::GeGLU: return {4, 0, 0};
        case AdvOp::Fmod: return {8, 1, 1};
        case AdvOp::Xor: case AdvOp::Sigmoid: return {1, 1, 1};
        case AdvOp::SwiGLU: return {6, 0, 0};
        default: return {0, 0, 0};
    }
}

constexpr uint32_t adv_max(uint64_t a, uint64_t b) {
    return static_cast<uint32_t>(a > b ? a : b);
}

// Power: `scalar` where base or exponent is a scalar.
constexpr AdvTmp power_tmp(bool scalar, bool is_int, uint64_t count, uint32_t type_bytes) {
    if (is_int) {
        const uint32_t k = scalar ? 7 : 6;
        return {k * 256, k * adv_max(count * type_bytes, 256)};
    }
    if (type_bytes == 4) {
        const uint32_t k = scalar ? 5 : 4;
        return {k * 256 + 256, k * adv_max(count * 4, 256) + 256};
    }
    return {7 * 256 + 256, 14 * adv_max(count * 2, 128) + 256};
}

// `count` elements of `type_bytes` bytes; Power is power_tmp's.
constexpr AdvTmp adv_tmp(AdvOp op, uint64_t count, uint32_t type_bytes, bool reuse_source) {
    const bool wide = type_bytes == 4;
    switch (op) {
        case AdvOp::Acosh: {
            const uint32_t k = wide ? 1 : 2;
            return {k * 256, adv_max(k * count, 256) * type_bytes};
        }
        case AdvOp::Gelu: case AdvOp::FasterGelu: case AdvOp::FasterGeluV2: return {768, adv_max(12 * count, 768)};
        case AdvOp::ReGlu: return wide ? AdvTmp{256, 256} : AdvTmp{1536, adv_max(12 * count, 1536)};
        case AdvOp::ClampMax: case AdvOp::ClampMin: {
            const uint32_t lanes = wide ? 64 : 128;
            return {lanes, adv_max(count, lanes)};
        }
        case AdvOp::Exp: {
            const uint32_t k = !wide ? 4 : (reuse_source ? 2 : 3);
            return {k * 256, k * adv_max(4 * count, 256)};
        }
        case AdvOp::Log2: return wide ? AdvTmp{0, 0} : AdvTmp{256, adv_max(4 * count, 256)};
        default: {
            const AdvFactor f = adv_factor(op);
            const uint32_t k = !wide ? f.half : (reuse_source ? f.reusing : f.single);
            return {k * 256, k * adv_max(count * type_bytes, 256)};
        }
    }
}

}  // namespace kb
