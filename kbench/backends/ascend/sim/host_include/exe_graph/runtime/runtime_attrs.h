// The operator's attributes, in the order in which its definition declares them; null beyond the last.
#pragma once

#include <cstdint>

#include "exe_graph/runtime/continuous_vector.h"
#include "kb_host.h"

namespace gert {
class RuntimeAttrs {
public:
    explicit RuntimeAttrs(const kbhost::AttrValues* values) : values_(values) {}

    // Points to an int64_t, float, bool, text or ContinuousVector, by the attribute's type; T is not checked.
    template <typename T>
    const T* GetAttrPointer(size_t index) const {
        return static_cast<const T*>(Pointer(index));
    }
    const int64_t* GetInt(size_t index) const { return GetAttrPointer<int64_t>(index); }
    const float* GetFloat(size_t index) const { return GetAttrPointer<float>(index); }
    const bool* GetBool(size_t index) const { return GetAttrPointer<bool>(index); }
    const char* GetStr(size_t index) const { return GetAttrPointer<char>(index); }
    const TypedContinuousVector<int64_t>* GetListInt(size_t index) const {
        return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
    }
    const TypedContinuousVector<float>* GetListFloat(size_t index) const {
        return GetAttrPointer<TypedContinuousVector<float>>(index);
    }
    const TypedContinuousVector<bool>* GetListBool(size_t index) const {
        return GetAttrPointer<TypedContinuousVector<bool>>(index);
    }
    size_t GetAttrNum() const;

private:
    const void* Pointer(size_t index) const;

    const kbhost::AttrValues* values_;
};
}  // namespace gert
