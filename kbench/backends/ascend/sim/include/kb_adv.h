// What the wrappers of the advanced library's elementwise operations hand to the runtime.
#pragma once

#include "kb_adv_sizes.h"
#include "kb_vec.h"
#include "kernel_tensor.h"
#include "kernel_tpipe.h"

namespace kb {

enum AdvFlag : uint8_t {
    kAdvFramework = 1,       // no sharedTmpBuffer: the rest of UB is the temporary
    kAdvReuseSource = 2,     // the source may be destroyed
    kAdvHighPrecision = 4,   // Gelu: work in float
    kAdvHighPerformance = 8, // Gelu: multiply by a reciprocal
    kAdvScalarBase = 16,     // Power: the scalar is the base
};

// `scalar` holds the bits of a scalar operand; `level` is Exp's taylorExpandLevel.
struct AdvForm {
    AdvOp op;
    uint8_t flags;
    uint8_t level;
    uint32_t count;
    uint64_t scalar;
};

KB_API constexpr AdvForm adv_form(AdvOp op, uint32_t count, int flags) {
    return {op, static_cast<uint8_t>(flags), 0, count, 0};
}

KB_API constexpr AdvForm with_adv_scalar(AdvForm form, uint64_t bits) {
    form.scalar = bits;
    return form;
}

}  // namespace kb

// `tmp` is ignored with kAdvFramework; a second source that an operation does not have is empty.
extern "C" void kbrt_adv(kb::View dst, kb::View src0, kb::View src1, kb::View tmp, const kb::AdvForm& form);

// The forms of one source: with the temporary and without it, with calCount and over the whole source.
#define KB_ADV_UNARY_COUNTED(Name)                                                                                     \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                                 \
                     const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {                           \
        static_assert(SupportType<T, half, float>(), #Name ": expected half or float");                                \
        kbrt_adv(kb::view(dstTensor), kb::view(srcTensor), {}, kb::view(sharedTmpBuffer),                              \
                 kb::adv_form(kb::AdvOp::Name, calCount, isReuseSource ? kb::kAdvReuseSource : 0));                    \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {      \
        static_assert(SupportType<T, half, float>(), #Name ": expected half or float");                                \
        kbrt_adv(kb::view(dstTensor), kb::view(srcTensor), {}, {},                                                     \
                 kb::adv_form(kb::AdvOp::Name, calCount,                                                               \
                              kb::kAdvFramework | (isReuseSource ? kb::kAdvReuseSource : 0)));                         \
    }

#define KB_ADV_UNARY(Name)                                                                                             \
    KB_ADV_UNARY_COUNTED(Name)                                                                                         \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                                 \
                     const LocalTensor<uint8_t>& sharedTmpBuffer) {                                                    \
        Name<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());                            \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {                               \
        Name<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());                                             \
    }

// The same of two sources, of which the first gives the length.
#define KB_ADV_BINARY(Name, legal, types)                                                                              \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,                                \
                     const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer,                    \
                     const uint32_t calCount) {                                                                        \
        static_assert(legal, #Name ": expected " types);                                                               \
        kbrt_adv(kb::view(dstTensor), kb::view(src0Tensor), kb::view(src1Tensor), kb::view(sharedTmpBuffer),           \
                 kb::adv_form(kb::AdvOp::Name, calCount, 0));                                                          \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,                                \
                     const LocalTensor<T>& src1Tensor, const uint32_t calCount) {                                      \
        static_assert(legal, #Name ": expected " types);                                                               \
        kbrt_adv(kb::view(dstTensor), kb::view(src0Tensor), kb::view(src1Tensor), {},                                  \
                 kb::adv_form(kb::AdvOp::Name, calCount, kb::kAdvFramework));                                          \
    }

#define KB_ADV_BINARY_WHOLE(Name)                                                                                      \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,                                \
                     const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {                  \
        Name<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, sharedTmpBuffer, src0Tensor.GetSize());              \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,                                \
                     const LocalTensor<T>& src1Tensor) {                                                               \
        Name<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, src0Tensor.GetSize());                               \
    }
