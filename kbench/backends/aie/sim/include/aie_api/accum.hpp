// An accumulator register: N lanes of 32 or 64 bits, integers that wrap there or floats.
#pragma once

#include "../kb_aie/blocks.h"
#include "vector.hpp"

namespace aie {

namespace detail {

enum class AccumClass { Int, CInt, FP, CFP };

template <class Tag>
constexpr AccumClass accum_class() {
    using tag = kbaie::tag<Tag>;
    return tag::is_float ? (tag::is_complex ? AccumClass::CFP : AccumClass::FP)
                         : (tag::is_complex ? AccumClass::CInt : AccumClass::Int);
}
// Which elements an accumulator is made from and made into: those of its class; a 32-bit integer one holds the bits of
// floats as well.
template <class Tag, class T>
concept AccumulatesFor =
    ElemBaseType<T> && kbaie::tag<Tag>::is_complex == kbaie::element<T>::is_complex &&
    (kbaie::tag<Tag>::is_float == kbaie::element<T>::is_float ||
     (kbaie::tag<Tag>::kind == kbaie::Kind::acc32 && std::is_same_v<T, float>));

template <class Tag>
constexpr bool accum_size(unsigned n) {
    using tag = kbaie::tag<Tag>;
    const unsigned least = tag::is_complex ? 2 : !tag::is_float && tag::bits == 32 ? 8 : 4;
    return (n & (n - 1)) == 0 && n >= least;  // beyond the native sizes there are several registers
}

}  // namespace detail

template <class Tag, unsigned Elems>
class accum {
    static_assert(AccumElemBaseType<Tag>, "this device has no accumulators of this tag");
    static_assert(detail::accum_size<Tag>(Elems), "an accumulator of this tag does not have this number of lanes");
    using tag = kbaie::tag<Tag>;
    static constexpr kbaie::Kind kind = tag::kind;

public:
    using value_type = Tag;
    using lanes_type = kbaie::acc_lanes<Tag, Elems>;
    using native_type = kbaie::native_acc<kbaie::register_tag<Tag>, Elems>;
    using storage_t = native_type;

private:
    typename kbaie::acc<Tag, Elems>::held lanes_;

public:
    static constexpr detail::AccumClass value_class() { return detail::accum_class<Tag>(); }
    static constexpr unsigned accum_min_bits() { return tag::min_bits; }
    static constexpr unsigned accum_bits() { return tag::bits; }
    static constexpr unsigned value_bits() { return is_complex() ? 2 * accum_bits() : accum_bits(); }
    static constexpr unsigned memory_bits() { return value_bits(); }
    static constexpr unsigned size() { return Elems; }
    static constexpr unsigned bits() { return value_bits() * Elems; }
    static constexpr bool is_complex() { return tag::is_complex; }
    static constexpr bool is_real() { return !tag::is_complex; }
    static constexpr bool is_floating_point() { return tag::is_float; }

    // --- construction ---

    KB_MEMBER accum() : lanes_(kbaie::undef<lanes_type>(kbaie::kinds(kind))) {}
    KB_MEMBER explicit accum(lanes_type lanes, std::nullptr_t) : lanes_(lanes) {}
    KB_MEMBER accum(const native_type &a) : lanes_(a.lanes) {}
    // Tags that name the same register convert as they are.
    template <class Tag2>
        requires(!std::is_same_v<Tag, Tag2> && kbaie::tag<Tag2>::kind == kind)
    KB_MEMBER accum(const accum<Tag2, Elems> &a) : lanes_(a.lanes()) {}
    template <class T>
        requires(detail::AccumulatesFor<Tag, T>)
    KB_MEMBER explicit accum(const vector<T, Elems> &v, int shift = 0) : lanes_(widened(v, shift)) {}
    template <class T>
        requires(detail::AccumulatesFor<Tag, T>)
    KB_MEMBER accum &operator=(const vector<T, Elems> &v) {
        from_vector(v);
        return *this;
    }
    template <BlockType T>
        requires(kbaie::tag<Tag>::is_float)
    KB_MEMBER explicit accum(const block_vector<T, Elems> &v) : lanes_(v.kb_to_floats().lanes()) {}
    KB_MEMBER static accum from_lanes(lanes_type lanes) { return accum(lanes, nullptr); }
    KB_MEMBER lanes_type lanes() const { return lanes_; }
    KB_MEMBER native_type to_native() const { return {lanes_}; }
    KB_MEMBER operator native_type() const { return {lanes_}; }

    // A float accumulator of one register becomes a vector where one is expected.
    template <class T>
        requires(detail::AccumulatesFor<Tag, T> && kbaie::tag<Tag>::is_float && Elems <= 32)
    KB_MEMBER operator vector<T, Elems>() const {
        return to_vector<T>();
    }

    // --- vectors ---

    template <class T>
        requires(detail::AccumulatesFor<Tag, T>)
    KB_MEMBER void from_vector(const vector<T, Elems> &v, int shift = 0) {
        lanes_ = widened(v, shift);
    }
    template <class T>
        requires(detail::AccumulatesFor<Tag, T>)
    KB_MEMBER void from_vector_sign(const vector<T, Elems> &v, bool v_sign, int shift = 0) {
        using S = typename kbaie::signed_of<T>::type;
        using U = typename kbaie::unsigned_of<T>::type;
        if (v_sign)
            from_vector(v.template cast_to<S>(), shift);
        else
            from_vector(v.template cast_to<U>(), shift);
    }
    template <class T>
        requires(detail::AccumulatesFor<Tag, T>)
    KB_MEMBER vector<T, Elems> to_vector(int shift = 0) const {
        return narrowed<T>(shift);
    }
    template <BlockType T>
        requires(kbaie::tag<Tag>::is_float)
    KB_MEMBER block_vector<T, Elems> to_vector(int = 0) const {
        return block_vector<T, Elems>::kb_from_floats(*this);
    }
    KB_MEMBER auto to_vector() const
        requires(kbaie::tag<Tag>::is_float)
    {
        if constexpr (tag::is_complex)
            return to_vector<cfloat>();
        else
            return to_vector<float>();
    }
    template <class T>
        requires(detail::AccumulatesFor<Tag, T>)
    KB_MEMBER vector<T, Elems> to_vector_sign(bool v_sign, int shift = 0) const {
        using S = typename kbaie::signed_of<T>::type;
        using U = typename kbaie::unsigned_of<T>::type;
        return v_sign ? to_vector<S>(shift).template cast_to<T>() : to_vector<U>(shift).template cast_to<T>();
    }

    // --- parts ---

    template <class Tag2>
    KB_MEMBER auto cast_to() const {
        using result = accum<Tag2, bits() / (kbaie::tag<Tag2>::bits * (kbaie::tag<Tag2>::is_complex ? 2 : 1))>;
        return result::from_lanes((typename result::lanes_type)lanes_);
    }
    template <unsigned Out>
    KB_MEMBER accum<Tag, Out> extract(unsigned idx) const {
        static_assert(Out <= Elems, "extract takes a part of the accumulator; grow makes it larger");
        return accum<Tag, Out>::from_lanes(
            kbaie::extract<typename accum<Tag, Out>::lanes_type>(kbaie::kinds(kind, kind), lanes_, int(idx)));
    }
    template <unsigned In, class Tag2>
        requires(kbaie::tag<Tag2>::kind == kbaie::tag<Tag>::kind)
    KB_MEMBER accum &insert(unsigned idx, const accum<Tag2, In> &a) {
        static_assert(In <= Elems, "insert replaces a part of the accumulator");
        lanes_ = kbaie::insert<lanes_type>(kbaie::kinds(kind, kind, kbaie::Kind::i32, kind), lanes_, int(idx), a.lanes());
        return *this;
    }
    template <unsigned In>
    KB_MEMBER accum &insert(unsigned idx, const kbaie::native_acc<kbaie::register_tag<Tag>, In> &a) {
        return insert(idx, accum<Tag, In>(a));
    }
    template <unsigned Out>
    KB_MEMBER accum<Tag, Out> grow() const {
        static_assert(Out >= Elems, "grow makes a larger accumulator; extract takes a part");
        accum<Tag, Out> r;
        r.insert(0, *this);
        return r;
    }
    template <unsigned Out>
    KB_MEMBER accum<Tag, Out> grow_replicate() const {
        static_assert(Out >= Elems, "grow_replicate makes a larger accumulator");
        return accum<Tag, Out>::from_lanes(
            kbaie::replicate<typename accum<Tag, Out>::lanes_type>(kbaie::kinds(kind, kind), lanes_));
    }
    template <unsigned Out>
    KB_MEMBER accum<Tag, Out> grow_extract(unsigned idx) const {
        if constexpr (Out > Elems)
            return grow<Out>();
        else
            return extract<Out>(idx);
    }
    template <unsigned Out>
    KB_MEMBER auto split() const {
        return [this]<std::size_t... I>(std::index_sequence<I...>) {
            return std::make_tuple(extract<Out>(I)...);
        }(std::make_index_sequence<Elems / Out>());
    }
    template <class... Sub>
        requires(Accum<Sub> && ...)
    KB_MEMBER accum &upd_all(const Sub &...subs) {
        static_assert((Sub::size() + ...) == Elems, "upd_all sets every lane");
        unsigned i = 0;
        (insert(i++, subs), ...);
        return *this;
    }

private:
    template <class T>
    KB_MEMBER static lanes_type widened(const vector<T, Elems> &v, int shift) {
        if constexpr (kind == kbaie::Kind::acc32 && std::is_same_v<T, float>)
            return (lanes_type)v.lanes();
        else
            return kbaie::ups<lanes_type>(kbaie::kinds(kind, kbaie::kind_of<T>), v.lanes(), shift);
    }
    template <class T>
    KB_MEMBER vector<T, Elems> narrowed(int shift) const {
        using result = vector<T, Elems>;
        // A 32-bit accumulator's register is taken as it stands: no shift, no rounding, no saturation.
        if constexpr (kind == kbaie::Kind::acc32 && kbaie::bits_of<T> == 32)
            return result::from_lanes((typename result::lanes_type)lanes_);
        else
            return result::from_lanes(kbaie::srs<typename result::lanes_type>(kbaie::kinds(kbaie::kind_of<T>, kind), lanes_, shift));
    }
};

template <class Tag, unsigned N>
accum(kbaie::native_acc<Tag, N>) -> accum<Tag, N>;

}  // namespace aie
