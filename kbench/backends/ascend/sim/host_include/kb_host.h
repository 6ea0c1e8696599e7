// What the vendor-named headers share: borrowed lists, so that a call site constructs no std::vector, and the hidden
// state that the library's classes point to. Nothing here is part of the vendor's interface.
#pragma once

// The vendor's headers bring these with them, and real host sources rely on that.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace kbhost {

// A list borrowed for the length of one call. Takes what a parameter of type std::vector<T> takes.
template <class T>
class List {
public:
    constexpr List() = default;
    constexpr List(std::initializer_list<T> items) : first_(items.begin()), size_(items.size()) {}
    List(const std::vector<T>& items) : first_(items.data()), size_(items.size()) {}

    const T* data() const { return first_; }
    size_t size() const { return size_; }

private:
    const T* first_ = nullptr;
    size_t size_ = 0;
};

struct ParamSpec;
struct AttrSpec;
struct ConfigSpec;
struct OpSpec;
struct ImplSpec;
struct ContextState;
struct PlatformState;
struct AttrValues;

}  // namespace kbhost
