// Matrix multiplication: C (M x N) = A (M x K) times B (K x N), all row-major, in the shapes that the device has.
#pragma once

#include "../accum.hpp"
#include "../block_vector.hpp"
#include "../sparse_vector.hpp"
#include "../../kb_aie/reshape.h"

namespace kbaie {

template <class Tag>
constexpr unsigned tag_bits() {
    if constexpr (is_tag<Tag>)
        return tag<Tag>::bits;
    else
        return 0;
}

constexpr bool is_float(Operand o) {
    return o == Operand::bf16 || o == Operand::f32 || o == Operand::cbf16 || o == Operand::bfp8 || o == Operand::bfp16;
}
constexpr bool is_complex(Operand o) { return o == Operand::ci16 || o == Operand::ci32 || o == Operand::cbf16; }

}  // namespace kbaie

namespace aie {

template <unsigned M_Elems, unsigned K_Elems, unsigned N_Elems, class TypeA, class TypeB = TypeA,
          class AccumTag = accauto>
struct mmul {
private:
    static constexpr kbaie::Shape shape =
        kbaie::shape_of(kbaie::operand_of<TypeA>(), kbaie::operand_of<TypeB>(), M_Elems, K_Elems, N_Elems);
    static_assert(kbaie::has_shape<kbaie::operand_of<TypeA>(), kbaie::operand_of<TypeB>(), shape.M != 0>());
    static constexpr unsigned asked = kbaie::tag_bits<AccumTag>();
    static_assert(asked <= shape.bits || shape.any_tag, "aie::mmul: this shape accumulates in fewer bits");
    static constexpr bool is_float = kbaie::is_float(shape.a),
                          is_complex = kbaie::is_complex(shape.a) || kbaie::is_complex(shape.b);
    // A shape that there is not was told of already.
    static constexpr unsigned least = shape.M ? shape.bits : is_complex ? 64 : 32;
    static constexpr unsigned lane_bits = asked > least ? asked : least;

public:
    static constexpr unsigned M = M_Elems, K = K_Elems, N = N_Elems;
    static constexpr unsigned size_A = M * K, size_B = K * N, size_C = M * N;
    static constexpr unsigned size() { return size_C; }

    using accum_type = accum<typename kbaie::tag_named<is_float, is_complex, lane_bits>::type, size_C>;
    using value_type = typename accum_type::value_type;

private:
    accum_type sums_;

    // One shape of 8-bit types takes both.
    static constexpr bool takes_sparse = shape.sparse || (shape.b == kbaie::Operand::i8 && M == 4 && K == 16 && N == 8);
    template <class A, class T, unsigned Elems>
    static constexpr bool sparse = takes_sparse && std::is_same_v<detail::value_of_t<A>, vector<TypeA, size_A>> &&
                                   std::is_same_v<T, TypeB> && Elems == size_B;
    template <class A, class B>
    static constexpr bool dense = !shape.sparse && std::is_same_v<detail::value_of_t<A>, vector<TypeA, size_A>> &&
                                  std::is_same_v<detail::value_of_t<B>, vector<TypeB, size_B>>;

public:
    // Without a start, the sums start at zero.
    KB_MEMBER mmul() : sums_(zeros<value_type, size_C>()) {}
    KB_MEMBER mmul(const accum_type &acc) : sums_(acc) {}
    template <class T>
    KB_MEMBER mmul(const vector<T, size_C> &v, int shift = 0) : sums_(v, shift) {}
    KB_MEMBER mmul &operator=(const accum_type &acc) {
        sums_ = acc;
        return *this;
    }

    KB_MEMBER accum_type to_accum() const { return sums_; }
    KB_MEMBER operator accum_type() const { return sums_; }
    template <class T>
    KB_MEMBER auto to_vector(int shift = 0) const {
        return sums_.template to_vector<T>(shift);
    }
    template <class T>
    KB_MEMBER auto to_vector_sign(bool v_sign, int shift = 0) const {
        return sums_.template to_vector_sign<T>(v_sign, shift);
    }

    template <Vector VecA, Vector VecB>
        requires(dense<VecA, VecB>)
    KB_MEMBER void mul(const VecA &a, const VecB &b) {
        sums_ = product(a, b);
    }
    template <Vector VecA, Vector VecB>
        requires(dense<VecA, VecB>)
    KB_MEMBER void mac(const VecA &a, const VecB &b) {
        sums_ = product_onto(sums_, a, b);
    }

    // A sparse B: declared, not modelled.
    template <Vector VecA, class T, unsigned Elems>
        requires(sparse<VecA, T, Elems>)
    KB_MEMBER void mul(const VecA &a, const sparse_vector<T, Elems> &) {
        const vector<TypeA, size_A> left = a;
        sums_ = KB_CALL(accum_type, mmul_sparse, (kbaie::kinds_of<accum_type, vector<TypeA, size_A>>()), left.lanes());
    }
    template <Vector VecA, class T, unsigned Elems>
        requires(sparse<VecA, T, Elems>)
    KB_MEMBER void mac(const VecA &a, const sparse_vector<T, Elems> &b) {
        mul(a, b);
    }

#if __AIE_ARCH__ == 21
    // Block floating point multiplies rows of A by rows of B: B is given as it is, under op_transpose.
    template <class VecA, class T, unsigned Elems>
        requires(std::is_same_v<T, TypeB> && Elems == size_B)
    KB_MEMBER void mul(const VecA &a, const unary_op<block_vector<T, Elems>, Operation::Transpose> &b) {
        sums_ = kbaie::multiply(kbaie::blocks_of(a), b.parent1());
    }
    template <class VecA, class T, unsigned Elems>
        requires(std::is_same_v<T, TypeB> && Elems == size_B)
    KB_MEMBER void mac(const VecA &a, const unary_op<block_vector<T, Elems>, Operation::Transpose> &b) {
        sums_ = kbaie::multiply(sums_, kbaie::blocks_of(a), b.parent1());
    }
#endif

private:
    using left_type = vector<TypeA, size_A>;
    using right_type = vector<TypeB, size_B>;
    static constexpr bool is_f32 = shape.a == kbaie::Operand::f32;

    // On AIE2P, block floating point stands in for bfloat16 where the kernel asks for it. Floats of 32 bits are
    // multiplied in pieces that the rounding mode cuts.
    KB_MEMBER static accum_type product(const left_type &a, const right_type &b) {
        if constexpr (kbaie::bf16_as_blocks(shape))
            return kbaie::multiply(kbaie::blocks_of(a), kbaie::blocks_of(transpose(b, K, N)));
        else if constexpr (is_f32)
            return KB_CALL(accum_type, rmmul, (kbaie::kinds_of<accum_type, left_type, right_type>()), a.lanes(),
                           b.lanes(), int(M), int(K), int(N));
        else
            return KB_CALL(accum_type, mmul, (kbaie::kinds_of<accum_type, left_type, right_type>()), a.lanes(),
                           b.lanes(), int(M), int(K), int(N));
    }
    KB_MEMBER static accum_type product_onto(const accum_type &acc, const left_type &a, const right_type &b) {
        constexpr unsigned k = kbaie::kinds_of<accum_type, accum_type, left_type, right_type>();
        if constexpr (kbaie::bf16_as_blocks(shape))
            return kbaie::multiply(acc, kbaie::blocks_of(a), kbaie::blocks_of(transpose(b, K, N)));
        else if constexpr (is_f32)
            return KB_CALL(accum_type, rmmul_mac, k, acc.lanes(), a.lanes(), b.lanes(), int(M), int(K), int(N));
        else
            return KB_CALL(accum_type, mmul_mac, k, acc.lanes(), a.lanes(), b.lanes(), int(M), int(K), int(N));
    }
};

namespace detail {
template <class T>
inline constexpr bool is_mmul_v = false;
template <unsigned M, unsigned K, unsigned N, class A, class B, class Tag>
inline constexpr bool is_mmul_v<mmul<M, K, N, A, B, Tag>> = true;
}  // namespace detail

template <class T>
concept Mmul = detail::is_mmul_v<T>;

template <unsigned M, unsigned K, unsigned N, class AccumTag = accauto, Vector VecA, Vector VecB>
KB_INLINE auto mmul_fn(const VecA &a, const VecB &b) {
    mmul<M, K, N, detail::element_type_t<VecA>, detail::element_type_t<VecB>, AccumTag> product;
    product.mul(a, b);
    return product.to_accum();
}
template <unsigned M, unsigned K, unsigned N, Accum Acc, Vector VecA, Vector VecB>
KB_INLINE auto mmac_fn(const Acc &acc, const VecA &a, const VecB &b) {
    mmul<M, K, N, detail::element_type_t<VecA>, detail::element_type_t<VecB>, typename Acc::value_type> product(acc);
    product.mac(a, b);
    return product.to_accum();
}

}  // namespace aie
