// LocalTensor and GlobalTensor: typed views of on-chip and of global memory.
#pragma once

#include "kb_view.h"
#include "kernel_utils.h"

extern "C" {
// A scalar access of `bytes` bytes at byte `first` of a local tensor, and at `p` in global memory: checked and counted.
void kbrt_local_scalar(kb::View tensor, uint64_t first, uint32_t bytes, bool write);
void kbrt_gm_scalar(const void* p, uint32_t bytes, bool write);
void kbrt_l2_hint(const void* p, bool on);
// SetSize makes a tensor longer: a warning where it then ends behind its buffer.
void kbrt_local_grows(kb::View tensor, uint32_t bytes);
// `bytes` bytes of a core's memory from a fixed address.
kb::View kbrt_local_at(uint8_t position, uint32_t address, uint64_t bytes);
}

namespace AscendC {

struct ShapeInfo {
    KB_API ShapeInfo() {}
    KB_API ShapeInfo(uint8_t dim, const uint32_t sizes[], DataFormat format = DataFormat::ND)
        : ShapeInfo(dim, sizes, dim, sizes, format) {}
    KB_API ShapeInfo(uint8_t dim, const uint32_t sizes[], uint8_t original_dim, const uint32_t original_sizes[],
                     DataFormat format)
        : shapeDim(dim), originalShapeDim(original_dim), dataFormat(format) {
        for (int i = 0; i < dim && i < K_MAX_DIM; ++i) {
            shape[i] = sizes[i];
        }
        for (int i = 0; i < original_dim && i < K_MAX_DIM; ++i) {
            originalShape[i] = original_sizes[i];
        }
    }

    uint8_t shapeDim = 0;
    uint8_t originalShapeDim = 0;
    uint32_t shape[K_MAX_DIM];
    uint32_t originalShape[K_MAX_DIM];
    DataFormat dataFormat = DataFormat::ND;
};

KB_API uint64_t GetShapeSize(const ShapeInfo& info) {
    uint64_t size = 1;
    for (int i = 0; i < info.shapeDim; ++i) {
        size *= info.shape[i];
    }
    return size;
}

// `b = a + c` and its relatives: the operation runs when the expression is assigned to its destination.
enum class TensorOp : uint8_t { add, sub, mul, div, bit_or, bit_and };

template <typename T>
class LocalTensor;

template <typename T, TensorOp op>
struct TensorExpression {
    const LocalTensor<T>& a;
    const LocalTensor<T>& b;
};

template <typename T, CMPMODE mode>
struct TensorComparison {
    const LocalTensor<T>& a;
    const LocalTensor<T>& b;
};

// Elements of `bytes` bytes of T, and back. Two int4b_t share a byte.
template <typename T>
KB_API constexpr uint64_t kb_element_bytes(uint64_t elements) {
    if constexpr (std::is_same_v<T, int4b_t>) {
        return elements / 2;
    } else {
        return elements * sizeof(T);
    }
}

template <typename T>
KB_API constexpr uint32_t kb_elements_in(uint32_t bytes) {
    if constexpr (std::is_same_v<T, int4b_t>) {
        return bytes * 2;
    } else {
        return bytes / static_cast<uint32_t>(sizeof(T));
    }
}

template <typename T>
class LocalTensor {
public:
    using PrimType = T;

    KB_API LocalTensor() {}

    KB_API explicit LocalTensor(const kb::View& view) : view_(view) { view_.dtype = kb::dtype_of<T>(); }

    // A kernel without TPipe says itself where its tensors lie.
    KB_API LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize) { CreateTensor<T>(pos, addr, tileSize); }

    template <typename S>
    KB_API void CreateTensor(TPosition pos, uint32_t addr, uint32_t tileSize) {
        view_ = kbrt_local_at(static_cast<uint8_t>(pos), addr, kb_element_bytes<T>(tileSize));
        view_.dtype = kb::dtype_of<T>();
    }

    KB_API PrimType GetValue(uint32_t index) const {
        const uint64_t at = kb_element_bytes<T>(index);
        kbrt_local_scalar(view_, at, sizeof(T), false);
        return *reinterpret_cast<const T*>(view_.ptr + at);
    }

    template <typename S>
    KB_API void SetValue(uint32_t index, S value) const {
        const uint64_t at = kb_element_bytes<T>(index);
        kbrt_local_scalar(view_, at, sizeof(T), true);
        *reinterpret_cast<T*>(view_.ptr + at) = static_cast<T>(value);
    }

    KB_API PrimType& operator()(uint32_t index) const {
        const uint64_t at = kb_element_bytes<T>(index);
        kbrt_local_scalar(view_, at, sizeof(T), true);
        return *reinterpret_cast<T*>(view_.ptr + at);
    }

    KB_API LocalTensor operator[](uint32_t offset) const {
        LocalTensor tail = *this;
        tail.KbAdvance(kb_element_bytes<T>(offset));
        return tail;
    }

    template <typename U>
    KB_API LocalTensor<U> ReinterpretCast() const {
        LocalTensor<U> other(view_);
        other.SetUserTag(tag_);
        return other;
    }

    KB_API uint32_t GetSize() const { return kb_elements_in<T>(view_.bytes); }
    KB_API uint32_t GetLength() const { return view_.bytes; }
    KB_API void SetSize(uint32_t size) { SetBufferLen(static_cast<uint32_t>(kb_element_bytes<T>(size))); }
    KB_API void SetBufferLen(uint32_t bytes) {
        if (bytes > view_.bytes) {
            kbrt_local_grows(view_, bytes);
        }
        view_.bytes = bytes;
    }
    KB_API int32_t GetPosition() const { return view_.position; }
    KB_API TTagType GetUserTag() const { return tag_; }
    KB_API void SetUserTag(TTagType tag) { tag_ = tag; }

    KB_API uint64_t GetPhyAddr() const { return reinterpret_cast<uint64_t>(view_.ptr); }
    KB_API uint64_t GetPhyAddr(uint32_t offset) const { return GetPhyAddr() + kb_element_bytes<T>(offset); }

    // The offset counts elements of the source.
    template <typename S>
    KB_API void SetAddrWithOffset(LocalTensor<S>& source, uint32_t offset) {
        view_ = source.view();
        view_.dtype = kb::dtype_of<T>();
        KbAdvance(kb_element_bytes<S>(offset));
    }

    KB_API void SetShapeInfo(const ShapeInfo& info) { shape_ = info; }
    KB_API ShapeInfo GetShapeInfo() const { return shape_; }

    KB_API TensorExpression<T, TensorOp::add> operator+(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorExpression<T, TensorOp::sub> operator-(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorExpression<T, TensorOp::mul> operator*(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorExpression<T, TensorOp::div> operator/(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorExpression<T, TensorOp::bit_or> operator|(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorExpression<T, TensorOp::bit_and> operator&(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorComparison<T, CMPMODE::LT> operator<(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorComparison<T, CMPMODE::GT> operator>(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorComparison<T, CMPMODE::EQ> operator==(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorComparison<T, CMPMODE::LE> operator<=(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorComparison<T, CMPMODE::GE> operator>=(const LocalTensor& b) const { return {*this, b}; }
    KB_API TensorComparison<T, CMPMODE::NE> operator!=(const LocalTensor& b) const { return {*this, b}; }

    // The operations are found by their argument's namespace when the template is used: they are declared later.
    template <TensorOp op>
    KB_API void operator=(const TensorExpression<T, op>& e) {
        const int32_t count = static_cast<int32_t>(GetSize());
        if constexpr (op == TensorOp::add) {
            Add(*this, e.a, e.b, count);
        } else if constexpr (op == TensorOp::sub) {
            Sub(*this, e.a, e.b, count);
        } else if constexpr (op == TensorOp::mul) {
            Mul(*this, e.a, e.b, count);
        } else if constexpr (op == TensorOp::div) {
            Div(*this, e.a, e.b, count);
        } else if constexpr (op == TensorOp::bit_or) {
            Or(*this, e.a, e.b, count);
        } else {
            And(*this, e.a, e.b, count);
        }
    }

    template <typename S, CMPMODE mode>
    KB_API void operator=(const TensorComparison<S, mode>& e) {
        Compare(*this, e.a, e.b, mode, e.a.GetSize());
    }

    KB_API const kb::View& view() const { return view_; }

private:
    KB_API void KbAdvance(uint64_t bytes) {
        view_.ptr += bytes;
        view_.bytes = bytes < view_.bytes ? static_cast<uint32_t>(view_.bytes - bytes) : 0;
    }

    kb::View view_{nullptr, 0, static_cast<uint8_t>(TPosition::MAX), kb::dtype_of<T>(), 0};
    TTagType tag_ = 0;
    ShapeInfo shape_;
};

template <typename T>
class GlobalTensor {
public:
    using PrimType = T;

    KB_API GlobalTensor() {}

    KB_API void SetGlobalBuffer(__gm__ PrimType* buffer, uint64_t size) {
        address_ = buffer;
        size_ = size;
    }
    KB_API void SetGlobalBuffer(__gm__ PrimType* buffer) { SetGlobalBuffer(buffer, 0); }

    KB_API __gm__ PrimType* GetPhyAddr() const { return address_; }
    KB_API __gm__ PrimType* GetPhyAddr(uint64_t offset) const { return At(offset); }

    KB_API PrimType GetValue(uint64_t offset) const {
        kbrt_gm_scalar(At(offset), sizeof(T), false);
        return *At(offset);
    }

    KB_API void SetValue(uint64_t offset, PrimType value) {
        kbrt_gm_scalar(At(offset), sizeof(T), true);
        *At(offset) = value;
    }

    KB_API __gm__ PrimType& operator()(uint64_t offset) const {
        kbrt_gm_scalar(At(offset), sizeof(T), false);
        return *At(offset);
    }

    KB_API GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor tail = *this;
        tail.address_ = At(offset);
        tail.size_ = offset < size_ ? size_ - offset : 0;
        return tail;
    }

    KB_API uint64_t GetSize() const { return size_; }
    KB_API void SetShapeInfo(const ShapeInfo& info) { shape_ = info; }
    KB_API ShapeInfo GetShapeInfo() const { return shape_; }

    template <CacheRwMode mode = CacheRwMode::RW>
    KB_API void SetL2CacheHint(CacheMode cacheMode) {
        kbrt_l2_hint(address_, cacheMode != CacheMode::CACHE_MODE_DISABLE);
    }

    KB_API __gm__ uint8_t* raw() const { return reinterpret_cast<uint8_t*>(address_); }

private:
    KB_API __gm__ PrimType* At(uint64_t offset) const {
        return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(address_) + kb_element_bytes<T>(offset));
    }

    T* address_ = nullptr;
    uint64_t size_ = 0;
    ShapeInfo shape_;
};

}  // namespace AscendC

namespace kb {

template <class T>
KB_API const View& view(const AscendC::LocalTensor<T>& tensor) {
    return tensor.view();
}

}  // namespace kb
