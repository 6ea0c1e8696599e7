// Streams over a buffer: `>>` and `pop` read the next vector, `<<` and `push` write it.
#pragma once

#include "../iterator.hpp"

namespace kbaie {

template <class Stream, class Iterator, class Vector>
class input_stream {
public:
    using vector_type = Vector;
    using value_type = Vector;
    KB_MEMBER constexpr Stream &operator>>(Vector &v) {
        v = pop();
        return static_cast<Stream &>(*this);
    }
    KB_MEMBER constexpr Vector pop() {
        Vector v = *it_;
        ++it_;
        return v;
    }

protected:
    KB_MEMBER constexpr explicit input_stream(Iterator it) : it_(it) {}
    Iterator it_;
};

template <class Stream, class Iterator, class Vector>
class output_stream {
public:
    using vector_type = Vector;
    using value_type = Vector;
    KB_MEMBER constexpr Stream &operator<<(const Vector &v) {
        push(v);
        return static_cast<Stream &>(*this);
    }
    KB_MEMBER constexpr void push(const Vector &v) {
        *it_ = v;
        ++it_;
    }

protected:
    KB_MEMBER constexpr explicit output_stream(Iterator it) : it_(it) {}
    Iterator it_;
};

}  // namespace kbaie

namespace aie {

#define KB_STREAM(name, base, iterator, pointer)                                                                 \
    template <typename T, unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none>                      \
    class name : public kbaie::base<name<T, Elems, Resource>, iterator<pointer, Elems, Resource>,                \
                                    vector<std::remove_cv_t<T>, Elems>> {                                        \
    public:                                                                                                      \
        KB_MEMBER constexpr explicit name(pointer *ptr) : name::base(iterator<pointer, Elems, Resource>(ptr)) {} \
    };                                                                                                           \
    template <unsigned Elems, aie_dm_resource Resource = aie_dm_resource::none, typename T>                      \
        requires(kbaie::is_element<T>)                                                                           \
    KB_INLINE auto make_##name(pointer *ptr) {                                                                   \
        return name<T, Elems, Resource>(ptr);                                                                    \
    }
KB_STREAM(vector_input_buffer_stream, input_stream, vector_iterator, const T)
KB_STREAM(vector_output_buffer_stream, output_stream, vector_iterator, T)
KB_STREAM(unaligned_vector_input_buffer_stream, input_stream, unaligned_vector_iterator, const T)
KB_STREAM(unaligned_vector_output_buffer_stream, output_stream, unaligned_vector_iterator, T)
#undef KB_STREAM

}  // namespace aie
