// Loops that are unrolled by the language.
#pragma once

#include <utility>

#include "aie.hpp"

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
template <class T, T StartY, T EndY, T StepY, T StartX, T EndX, T StepX, class Fn>
KB_INLINE void unroll_for_2d(Fn &&fn) {
    unroll_for<T, StartY, EndY, StepY>(
        [&](auto y) KB_LAMBDA { unroll_for<T, StartX, EndX, StepX>([&](auto x) KB_LAMBDA { fn(y, x); }); });
}
template <unsigned TimesY, unsigned TimesX, class Fn>
KB_INLINE void unroll_times_2d(Fn &&fn) {
    unroll_for_2d<unsigned, 0, TimesY, 1, 0, TimesX, 1>(std::forward<Fn>(fn));
}

struct LoopOptions {
    unsigned peel_front = 0, peel_back = 0;
    int preamble_offset = 0;
};

// Iterations that are peeled off stand before and behind the loop: the same calls in the same order.
template <unsigned MinIters, LoopOptions Opts = LoopOptions{}, class Fn>
KB_INLINE void pipelined_loop(unsigned count, Fn &&fn) {
    static_assert(Opts.peel_front + Opts.peel_back + 1 < MinIters || MinIters == 1,
                  "pipelined_loop peels fewer iterations than the loop has at least");
    for (unsigned i = 0; i < count; ++i) fn(i);
}

// Two functions in one loop, the second shifted against the first by what is peeled off in front.
template <unsigned MinIters, LoopOptions First = LoopOptions{}, LoopOptions Second = LoopOptions{}, class Fn1, class Fn2>
KB_INLINE void pipelined_loops(unsigned count, Fn1 &&fn1, Fn2 &&fn2) {
    static_assert(First.peel_front + First.peel_back == Second.peel_front + Second.peel_back,
                  "pipelined_loops peels as many iterations off both functions");
    static_assert(First.peel_front + First.peel_back + 1 < MinIters,
                  "pipelined_loops peels fewer iterations than the loop has at least");
    constexpr unsigned ahead = First.peel_front > Second.peel_front ? First.peel_front - Second.peel_front : 0;
    constexpr unsigned behind = Second.peel_front > First.peel_front ? Second.peel_front - First.peel_front : 0;
    for (unsigned i = 0; i < ahead; ++i) fn1(i);
    for (unsigned i = 0; i < behind; ++i) fn2(i);
    for (unsigned i = 0; i < count - ahead - behind; ++i) {
        fn1(i + ahead);
        fn2(i + behind);
    }
    for (unsigned i = count - behind; i < count; ++i) fn1(i);
    for (unsigned i = count - ahead; i < count; ++i) fn2(i);
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
