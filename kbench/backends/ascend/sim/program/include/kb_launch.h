// Launches in a program: `f<<<blocks, l2, stream>>>(a, b)` reads `kb::Launch<f>("f", blocks, l2, stream)(a, b)` after the
// rewriting (program_source.py).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <tuple>
#include <type_traits>

#include "kb_view.h"

namespace kb {

// A kernel function and its arguments, without their types. `id` is the same text in the translation for cube cores.
struct LaunchRecord {
    const char* id;
    const char* name;
    const void* kernel;
    void (*call)(const void* kernel, const void* arguments);
    const void* arguments;
    uint64_t blocks;
    void* stream;
};

// Where the translation for cube cores leaves its half of each kernel that is launched.
struct CubeTwin {
    const char* id;
    const void* kernel;
};

}  // namespace kb

extern "C" {
void kbrt_launch(const kb::LaunchRecord* launch);
// The position of a pointer among a launch's arguments: it must lie in device memory.
void kbrt_launch_pointer(const char* kernel, uint32_t position, const void* pointer);
}

namespace kb {

template <auto kernel>
class Launch;

template <class... P, void (*kernel)(P...)>
class Launch<kernel> {
public:
    template <class Memory>
    KB_API Launch(const char* name, uint64_t blocks, Memory, void* stream) : name_(name), blocks_(blocks), stream_(stream) {}

    KB_API void operator()(P... values) const {
        const std::tuple<std::decay_t<P>...> arguments(values...);
        uint32_t position = 0;
        (check(position++, values), ...);
        const LaunchRecord record{id(),  name_,  reinterpret_cast<const void*>(kernel), call, &arguments,
                                  blocks_, stream_};
#ifdef KB_CORE_AIC
        __attribute__((used, retain, section("kb_cube_twins"))) static const CubeTwin twin = {
            id(), reinterpret_cast<const void*>(kernel)};
#endif
        kbrt_launch(&record);
    }

private:
    static constexpr const char* id() { return __PRETTY_FUNCTION__; }

    template <class V>
    KB_API void check(uint32_t position, const V& value) const {
        if constexpr (std::is_pointer_v<V>) {
            kbrt_launch_pointer(name_, position, value);
        }
    }

    static void call(const void* function, const void* arguments) {
        std::apply(reinterpret_cast<void (*)(P...)>(const_cast<void*>(function)),
                   *static_cast<const std::tuple<std::decay_t<P>...>*>(arguments));
    }

    const char* name_;
    uint64_t blocks_;
    void* stream_;
};

}  // namespace kb
