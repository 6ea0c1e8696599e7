// AscendC::Std: sequences of integers, move and forward.
#pragma once

#include <utility>

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
