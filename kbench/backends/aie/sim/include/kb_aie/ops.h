// The operations: declared, never defined, in SSA form. The program's lowering turns each call into one of the runtime's
// `kbrt_NAME`; a name that the runtime does not define is not modelled, and its kernel is told the API that stands
// beside it. CONST: a function of its operands alone. STATE: also of the rounding or the saturation mode. EFFECT: changes
// something or is different each time.
#ifndef KB_AIE_OPS_H
#define KB_AIE_OPS_H

#include "kinds.h"

namespace kbaie {

#define KB_CONST(name, api) \
    template <class R, class... A> \
    [[gnu::const]] R name(unsigned kinds, A... a);
#define KB_STATE(name, api) \
    template <class R, class... A> \
    [[gnu::pure]] R name(unsigned kinds, A... a);
#define KB_EFFECT(name, api) \
    template <class R, class... A> \
    R name(unsigned kinds, A... a);

// control state
KB_EFFECT(set_rounding, "aie::set_rounding")
KB_STATE(get_rounding, "aie::get_rounding")
KB_EFFECT(set_saturation, "aie::set_saturation")
KB_STATE(get_saturation, "aie::get_saturation")

// registers: contents that nobody defined, elements, parts
KB_CONST(undef, "aie::vector")
KB_CONST(broadcast, "aie::broadcast")
KB_CONST(elem_get, "aie::vector::get")
KB_CONST(elem_set, "aie::vector::set")
KB_CONST(push, "aie::vector::push")
KB_CONST(extract, "aie::vector::extract")
KB_CONST(insert, "aie::vector::insert")
KB_CONST(replicate, "aie::vector::grow_replicate")
KB_CONST(concat, "aie::concat")

// arithmetic
KB_CONST(add, "aie::add")
KB_CONST(sub, "aie::sub")
KB_STATE(radd, "aie::add")
KB_STATE(rsub, "aie::sub")
KB_STATE(saturating_add, "aie::saturating_add")
KB_STATE(saturating_sub, "aie::saturating_sub")
KB_CONST(neg, "aie::neg")
KB_CONST(abs, "aie::abs")
KB_CONST(conj, "aie::conj")
KB_CONST(mul, "aie::mul")
KB_CONST(mac, "aie::mac")
KB_CONST(msc, "aie::msc")
KB_CONST(negmul, "aie::negmul")
KB_STATE(rmul, "aie::mul")
KB_STATE(rmac, "aie::mac")
KB_STATE(rmsc, "aie::msc")
KB_STATE(rnegmul, "aie::negmul")

// comparison and bits
KB_CONST(lt, "aie::lt")
KB_CONST(ge, "aie::ge")
KB_CONST(eq, "aie::eq")
KB_CONST(neq, "aie::neq")
KB_CONST(max, "aie::max")
KB_CONST(min, "aie::min")
KB_CONST(maxdiff, "aie::maxdiff")
KB_CONST(select, "aie::select")
KB_CONST(bit_and, "aie::bit_and")
KB_CONST(bit_or, "aie::bit_or")
KB_CONST(bit_xor, "aie::bit_xor")
KB_CONST(bit_not, "aie::bit_not")
KB_STATE(logical_downshift, "aie::logical_downshift")

// reductions
KB_CONST(reduce_add, "aie::reduce_add")
KB_STATE(rreduce_add, "aie::reduce_add")
KB_CONST(reduce_add_v, "aie::reduce_add_v")
KB_STATE(rreduce_add_v, "aie::reduce_add_v")
KB_CONST(reduce_max, "aie::reduce_max")
KB_CONST(reduce_min, "aie::reduce_min")
KB_STATE(reduce_mul, "aie::reduce_mul")

// reshaping
KB_CONST(reverse, "aie::reverse")
KB_CONST(shuffle_up, "aie::shuffle_up")
KB_CONST(shuffle_up_rotate, "aie::shuffle_up_rotate")
KB_CONST(shuffle_up_replicate, "aie::shuffle_up_replicate")
KB_CONST(shuffle_up_fill, "aie::shuffle_up_fill")
KB_CONST(shuffle_down, "aie::shuffle_down")
KB_CONST(shuffle_down_rotate, "aie::shuffle_down_rotate")
KB_CONST(shuffle_down_replicate, "aie::shuffle_down_replicate")
KB_CONST(shuffle_down_fill, "aie::shuffle_down_fill")
KB_CONST(transpose, "aie::transpose")
KB_CONST(interleave_zip, "aie::interleave_zip")
KB_CONST(interleave_unzip, "aie::interleave_unzip")
KB_CONST(interleave_butterfly, "aie::interleave_butterfly")
KB_CONST(interleave_butterfly_half, "aie::interleave_butterfly_half")
KB_CONST(interleave_crossover, "aie::interleave_crossover")
KB_CONST(interleave_custom, "aie::interleave_custom")
KB_CONST(filter_even, "aie::filter_even")
KB_CONST(filter_odd, "aie::filter_odd")
KB_CONST(real, "aie::real")
KB_CONST(imag, "aie::imag")

// conversion
KB_STATE(pack, "aie::pack")
KB_CONST(unpack, "aie::unpack")
KB_STATE(srs, "aie::accum::to_vector")
KB_STATE(ups, "aie::accum::from_vector")
KB_CONST(to_fixed, "aie::to_fixed")
KB_CONST(to_float, "aie::to_float")

// elementary functions
KB_STATE(inv, "aie::inv")
KB_STATE(invsqrt, "aie::invsqrt")
KB_STATE(sqrt, "aie::sqrt")
KB_STATE(tanh, "aie::tanh")
KB_STATE(exp2, "aie::exp2")
KB_STATE(complex_div, "aie::div of complex numbers")
KB_STATE(complex_inv, "aie::inv of a complex number")

// matrix, sliding and weighted multiplication
KB_CONST(mmul, "aie::mmul::mul")
KB_CONST(mmul_mac, "aie::mmul::mac")
KB_CONST(mmul_sparse, "aie::mmul of a sparse_vector")
KB_CONST(sliding_mul, "aie::sliding_mul")
KB_CONST(sliding_mac, "aie::sliding_mac")
KB_STATE(rmmul, "aie::mmul::mul")
KB_STATE(rmmul_mac, "aie::mmul::mac")
KB_STATE(rsliding_mul, "aie::sliding_mul")
KB_STATE(rsliding_mac, "aie::sliding_mac")
KB_STATE(raccumulate, "aie::accumulate")
KB_STATE(raccumulate_mac, "aie::accumulate")
KB_CONST(sliding_mul_sym, "aie::sliding_mul_sym")
KB_CONST(accumulate, "aie::accumulate")
KB_CONST(accumulate_mac, "aie::accumulate")
KB_EFFECT(fft, "aie::fft_dit")

// tables in memory, whose contents count as well
KB_STATE(parallel_lookup, "aie::parallel_lookup::fetch")
KB_STATE(linear_approx, "aie::linear_approx::compute")
KB_STATE(sparse_load, "aie::sparse_vector_input_buffer_stream")

// block floating point
KB_CONST(bfp16_from_float, "aie::accum::to_vector")
KB_CONST(bfp16_to_float, "aie::accum::from_vector")
KB_CONST(mmul_bfp16, "mul_8x8_8x8T")
KB_CONST(mmul_bfp16_mac, "mac_8x8_8x8T")
KB_STATE(bfp16_load, "aie::block_vector_input_buffer_stream::pop")
KB_EFFECT(bfp16_store, "aie::block_vector_output_buffer_stream::push")

// the compiler's own intrinsics
KB_CONST(shuffle, "shuffle")
KB_EFFECT(put_mcd, "put_mcd")
KB_EFFECT(get_scd, "get_scd")

// the core
KB_EFFECT(cycles, "aie::tile::cycles")
KB_EFFECT(event, "event0 and event1")
KB_EFFECT(print, "aie::print")

}  // namespace kbaie

#endif
