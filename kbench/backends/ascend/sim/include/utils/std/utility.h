// AscendC::Std: sequences of integers, move and forward.
#pragma once

// Without the headers that it brings along: a kernel may be called sqrt.
#pragma push_macro("_LIBCPP_REMOVE_TRANSITIVE_INCLUDES")
#define _LIBCPP_REMOVE_TRANSITIVE_INCLUDES
#include <utility>
#pragma pop_macro("_LIBCPP_REMOVE_TRANSITIVE_INCLUDES")

namespace AscendC::Std {

using std::forward;
using std::index_sequence;
using std::integer_sequence;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::move;

template <class T, T... values>
using IntegerSequence = std::integer_sequence<T, values...>;

template <class T, T count>
using MakeIntegerSequence = std::make_integer_sequence<T, count>;

}  // namespace AscendC::Std
