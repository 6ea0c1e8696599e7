// Loops that are unrolled by the language.
#pragma once

#include <utility>

#include "aie_types.hpp"
#include "concepts.hpp"

namespace aie {

namespace detail {
template <class Fn, class I>
KB_INLINE void call_with(Fn &fn, I i) {
    if constexpr (requires { fn(i); })
        fn(i);
    else
        fn();
}
}  // namespace detail

template <class T, T Start, T End, T Step = 1, class Fn>
KB_INLINE void unroll_for(Fn &&fn) {
    constexpr std::size_t times = (End > Start) == (Step > 0) && End != Start
                                      ? std::size_t((End - Start + Step - (Step > 0 ? 1 : -1)) / Step)
                                      : 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) KB_LAMBDA {
        (detail::call_with(fn, std::integral_constant<T, T(Start + T(I) * Step)>()), ...);
    }(std::make_index_sequence<times>());
}
template <unsigned Times, class Fn>
KB_INLINE void unroll_times(Fn &&fn) {
    unroll_for<unsigned, 0, Times>(std::forward<Fn>(fn));
}
template <unsigned Dims, class Fn>
KB_INLINE void unroll_for_2d(Fn &&fn) {
    unroll_times<Dims>([&](auto i) KB_LAMBDA { unroll_times<Dims>([&](auto j) KB_LAMBDA { fn(i, j); }); });
}

struct LoopOptions {
    unsigned peel_front = 0, peel_back = 0;
    unsigned preamble = 0, postamble = 0;
};

// The iterations that are peeled off come before and after the loop; their sum with it is the count.
template <unsigned MinIters = 1, class Fn>
KB_INLINE void pipelined_loop(unsigned count, Fn &&fn) {
    for (unsigned i = 0; i < count; ++i) detail::call_with(fn, i);
}
template <unsigned Iters, class Fn>
KB_INLINE void pipelined_loop(Fn &&fn) {
    for (unsigned i = 0; i < Iters; ++i) detail::call_with(fn, i);
}

// Printing needs the vendor's simulator: it is declared and not modelled.
template <class C>
    requires(Vector<C> || Accum<C> || Mask<C>)
KB_INLINE void print(const C &, bool nl = false, const char *prefix = nullptr) {
    kbaie::print<void>(0, int(nl), int(prefix != nullptr));
}
template <class T, unsigned Elems>
KB_INLINE void print_fixed(const vector<T, Elems> &, int scale, bool nl = false, const char *prefix = nullptr) {
    kbaie::print<void>(0, scale, int(nl), int(prefix != nullptr));
}
template <class M>
    requires(Vector<M> || Accum<M>)
KB_INLINE void print_matrix(const M &, unsigned cols, const char *prefix = nullptr) {
    kbaie::print<void>(0, int(cols), int(prefix != nullptr));
}

}  // namespace aie
