// What a tiling-parse function gets: the platform, and the compile information that it fills in.
#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"

namespace fe {
class PlatFormInfos;
}

namespace gert {
class TilingParseContext : public ExtendedKernelContext {
public:
    explicit TilingParseContext(kbhost::ContextState* state) : ExtendedKernelContext(state) {}

    const char* GetCompiledJson() const;
    template <typename T>
    T* GetCompiledInfo() const {
        return static_cast<T*>(CompiledInfo());
    }
    fe::PlatFormInfos* GetPlatformInfo() const;

private:
    void* CompiledInfo() const;
};
using KernelContextForTilingParse = TilingParseContext;
}  // namespace gert
