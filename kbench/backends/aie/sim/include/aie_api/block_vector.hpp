// Block floating point (AIE2P): 8 or 16 elements of 8 bits share an exponent.
#pragma once

#include "../kb_aie/shapes.h"
#include "expr.hpp"

namespace kbaie {

// Whether a multiplication of bfloat16 goes through block floating point.
constexpr bool bf16_as_blocks([[maybe_unused]] const Shape &s) {
#if __AIE_ARCH__ == 21 && defined(AIE_API_EMULATE_BFLOAT16_MMUL_WITH_BFP16)
    return s.a == Operand::bf16 && s.b == Operand::bf16 && s.K == 8 && s.N == 8;
#else
    return false;
#endif
}

// What a multiplication takes as blocks: the functions for types that can be, which only AIE2P has.
template <class V>
void blocks_of(const V &) = delete;
template <class... V>
void multiply(const V &...) = delete;

}  // namespace kbaie

#if __AIE_ARCH__ == 21

namespace aie {

template <class T, unsigned Elems>
class block_vector {
    static_assert(BlockType<T>, "aie::block_vector: bfp16ebs8 and bfp16ebs16 are the block types");
    static_assert(Elems == 64 || Elems == 128 || Elems == 256, "aie::block_vector: 64, 128 or 256 elements");

public:
    using value_type = T;
    using lanes_type = kbaie::block_lanes<Elems>;
    using native_type = kbaie::native_block<T, Elems>;
    using storage_type = native_type;

    static constexpr unsigned size() { return Elems; }
    static constexpr unsigned block_size() { return kbaie::block_size<T>; }
    static constexpr unsigned blocks() { return Elems / block_size(); }
    static constexpr unsigned mantissa_bits() { return 8; }
    static constexpr unsigned exponent_bits() { return 8; }
    static constexpr unsigned bits() { return Elems * 8 + blocks() * 8; }
    static constexpr unsigned bytes() { return bits() / 8; }
    static constexpr unsigned memory_bits() { return bits(); }
    static constexpr unsigned memory_bytes() { return bytes(); }

    KB_MEMBER block_vector() : lanes_(kbaie::undef<lanes_type>(kbaie::kinds(kbaie::Kind::bfp16))) {}
    KB_MEMBER block_vector(const native_type &v) : lanes_(v.lanes) {}
    KB_MEMBER static block_vector from_lanes(lanes_type lanes) { return block_vector(native_type{lanes}); }
    KB_MEMBER lanes_type lanes() const { return lanes_; }
    KB_MEMBER native_type to_native() const { return {lanes_}; }
    KB_MEMBER operator native_type() const { return {lanes_}; }

    // Between blocks and floats, which an accumulator holds.
    KB_MEMBER static block_vector kb_from_floats(const accum<accfloat, Elems> &a) {
        return from_lanes(kbaie::bfp16_from_float<lanes_type>(kbaie::kinds(kbaie::Kind::bfp16, kbaie::Kind::accf32),
                                                              a.lanes(), int(block_size())));
    }
    KB_MEMBER accum<accfloat, Elems> kb_to_floats() const {
        using floats = accum<accfloat, Elems>;
        return floats::from_lanes(kbaie::bfp16_to_float<typename floats::lanes_type>(
            kbaie::kinds(kbaie::Kind::accf32, kbaie::Kind::bfp16), lanes_, int(block_size())));
    }

private:
    lanes_type lanes_;
};

}  // namespace aie

namespace aie {

template <class T, unsigned Elems>
struct detail::op_traits<block_vector<T, Elems>> {
    using result_type = block_vector<T, Elems>;
    using value_type = T;
    static constexpr unsigned size() { return Elems; }
};
template <class T, unsigned Elems>
KB_INLINE constexpr unary_op<block_vector<T, Elems>, Operation::Transpose> op_transpose(
    const block_vector<T, Elems> &v) {
    return {v};
}

}  // namespace aie

namespace kbaie {

// Blocks as they are, and bfloat16 converted.
template <class T, unsigned N>
KB_INLINE aie::block_vector<T, N> blocks_of(const aie::block_vector<T, N> &v) {
    return v;
}
template <unsigned N>
KB_INLINE aie::block_vector<bfp16ebs8, N> blocks_of(const aie::vector<bfloat16, N> &v) {
    return aie::block_vector<bfp16ebs8, N>::kb_from_floats(aie::accum<accfloat, N>(v));
}

// Rows of `a` by rows of `b`.
template <unsigned A, unsigned B>
KB_INLINE auto multiply(const aie::block_vector<bfp16ebs8, A> &a, const aie::block_vector<bfp16ebs8, B> &b) {
    using accum = aie::accum<accfloat, A / 8 * (B / 8)>;
    return accum::from_lanes(
        mmul_bfp16<typename accum::lanes_type>(kinds(Kind::accf32, Kind::bfp16, Kind::bfp16), a.lanes(), b.lanes()));
}
template <unsigned N, unsigned A, unsigned B>
KB_INLINE auto multiply(const aie::accum<accfloat, N> &acc, const aie::block_vector<bfp16ebs8, A> &a,
                        const aie::block_vector<bfp16ebs8, B> &b) {
    using accum = aie::accum<accfloat, N>;
    return accum::from_lanes(mmul_bfp16_mac<typename accum::lanes_type>(
        kinds(Kind::accf32, Kind::accf32, Kind::bfp16, Kind::bfp16), acc.lanes(), a.lanes(), b.lanes()));
}

// Blocks in memory lie one after the other without padding; the position counts vectors.
template <class Stream, class T, unsigned Elems>
class block_stream {
public:
    using vector_type = aie::block_vector<T, Elems>;
    using value_type = vector_type;
    KB_MEMBER void seek(int vectors) { at_ += vectors * int(vector_type::memory_bytes()); }

protected:
    KB_MEMBER explicit block_stream(const T *ptr) : at_(int(ptr)) {}
    KB_MEMBER int next() {
        const int at = at_;
        seek(1);
        return at;
    }
    KB_MEMBER vector_type read() {
        return vector_type::from_lanes(
            bfp16_load<typename vector_type::lanes_type>(kinds(Kind::bfp16, Kind::i32), next(), int(block_size<T>)));
    }
    KB_MEMBER void write(const vector_type &v) {
        bfp16_store<void>(kinds(Kind::none, Kind::i32, Kind::bfp16), next(), v.lanes(), int(block_size<T>));
    }
    int at_;
};

}  // namespace kbaie

namespace aie {

#define KB_BLOCK_INPUT(name)                                                                 \
    template <BlockType T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none> \
    class name : public kbaie::block_stream<name<T, Elems, Resource>, T, Elems> {            \
    public:                                                                                  \
        using vector_type = block_vector<T, Elems>;                                          \
        KB_MEMBER name(const T *ptr) : name::block_stream(ptr) {}                            \
        KB_MEMBER vector_type pop() { return this->read(); }                                 \
        KB_MEMBER vector_type pop_seek(int vectors) {                                        \
            vector_type v = this->read();                                                    \
            this->seek(vectors);                                                             \
            return v;                                                                        \
        }                                                                                    \
        KB_MEMBER name &operator>>(vector_type &v) {                                         \
            v = this->read();                                                                \
            return *this;                                                                    \
        }                                                                                    \
    };
#define KB_BLOCK_OUTPUT(name)                                                                \
    template <BlockType T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none> \
    class name : public kbaie::block_stream<name<T, Elems, Resource>, T, Elems> {            \
    public:                                                                                  \
        using vector_type = block_vector<T, Elems>;                                          \
        KB_MEMBER name(T *ptr) : name::block_stream(ptr) {}                                  \
        KB_MEMBER void push(const vector_type &v) { this->write(v); }                        \
        KB_MEMBER name &operator<<(const vector_type &v) {                                   \
            this->write(v);                                                                  \
            return *this;                                                                    \
        }                                                                                    \
    };
KB_BLOCK_INPUT(block_vector_input_buffer_stream)
KB_BLOCK_INPUT(block_vector_restrict_input_buffer_stream)
KB_BLOCK_OUTPUT(block_vector_output_buffer_stream)
KB_BLOCK_OUTPUT(block_vector_restrict_output_buffer_stream)
#undef KB_BLOCK_OUTPUT
#undef KB_BLOCK_INPUT

#define KB_OLD_NAME(old, name)                                                                \
    template <BlockType T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none> \
    using old [[deprecated("its name is now " #name)]] = name<T, Elems, Resource>;
KB_OLD_NAME(bfp_vector_input_buffer_stream, block_vector_input_buffer_stream)
KB_OLD_NAME(bfp_vector_output_buffer_stream, block_vector_output_buffer_stream)
KB_OLD_NAME(bfp_vector_restrict_input_buffer_stream, block_vector_restrict_input_buffer_stream)
KB_OLD_NAME(bfp_vector_restrict_output_buffer_stream, block_vector_restrict_output_buffer_stream)
#undef KB_OLD_NAME
template <BlockType T, unsigned Elems>
using bfp_vector [[deprecated("its name is now block_vector")]] = block_vector<T, Elems>;

}  // namespace aie

#else

namespace aie {

template <class T, unsigned Elems>
class block_vector {
    static_assert(BlockType<T>, "this device has no block floating point, of which AIE2P has the types");
};

}  // namespace aie

#endif
