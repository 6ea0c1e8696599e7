// AscendC::Std: tuples.
#pragma once

// Without the headers that it brings along: a kernel may be called sqrt.
#pragma push_macro("_LIBCPP_REMOVE_TRANSITIVE_INCLUDES")
#define _LIBCPP_REMOVE_TRANSITIVE_INCLUDES
#include <tuple>
#pragma pop_macro("_LIBCPP_REMOVE_TRANSITIVE_INCLUDES")

namespace AscendC::Std {

using std::get;
using std::make_tuple;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

}  // namespace AscendC::Std
