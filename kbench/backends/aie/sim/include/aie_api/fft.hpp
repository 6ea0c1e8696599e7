// Stages of the Fourier transform: declared, not modelled.
#pragma once

#include "aie_types.hpp"

namespace aie {

#define KB_FFT(name, ...)                                                                                      \
    template <unsigned Vectorization, class Input, class Output, class Twiddle>                                \
        requires(kbaie::is_element<Input> && kbaie::is_element<Output> && kbaie::is_element<Twiddle>)          \
    KB_INLINE void name(const Input *x, __VA_ARGS__, unsigned n, unsigned shift_tw, unsigned shift, bool inv,  \
                        Output *out) {                                                                         \
        kbaie::fft<void>(kbaie::kinds(kbaie::Kind::none), int(x), int(n), int(shift_tw), int(shift), int(inv), \
                         int(out));                                                                            \
    }                                                                                                          \
    template <unsigned Vectorization, class Input, class Output, class Twiddle>                                \
        requires(kbaie::element<Input>::is_float)                                                              \
    KB_INLINE void name(const Input *x, __VA_ARGS__, unsigned n, bool inv, Output *out) {                      \
        kbaie::fft<void>(kbaie::kinds(kbaie::Kind::none), int(x), int(n), 0, 0, int(inv), int(out));           \
    }
KB_FFT(fft_dit_r2_stage, const Twiddle *)
KB_FFT(fft_dit_r4_stage, const Twiddle *, const Twiddle *, const Twiddle *)
#if __AIE_ARCH__ == 20
KB_FFT(fft_dit_r3_stage, const Twiddle *, const Twiddle *)
KB_FFT(fft_dit_r5_stage, const Twiddle *, const Twiddle *, const Twiddle *, const Twiddle *)
#endif
#undef KB_FFT

}  // namespace aie
