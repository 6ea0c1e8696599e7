// AscendC::Std: tuples.
#pragma once

#include <tuple>

namespace AscendC::Std {

using std::get;
using std::make_tuple;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

}  // namespace AscendC::Std
