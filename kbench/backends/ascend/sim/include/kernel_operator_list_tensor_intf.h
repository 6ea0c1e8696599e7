// Lists of tensors in global memory: the byte offset of the address table, a description of each tensor (number of
// dimensions and index in one word, then the sizes), the table of addresses.
#pragma once

#include "kernel_tensor.h"

namespace AscendC {

template <class T>
class TensorDesc {
public:
    KB_API TensorDesc() {}
    KB_API void SetShapeAddr(uint64_t* shapePtr) { shape_ = shapePtr; }
    KB_API uint64_t GetDim() { return dim_; }
    KB_API uint64_t GetIndex() { return index_; }
    KB_API uint64_t GetShape(uint32_t offset) { return shape_[offset]; }
    KB_API __gm__ T* GetDataPtr() { return data_; }
    KB_API GlobalTensor<T> GetDataObj() {
        GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(data_);
        return tensor;
    }

    KB_API void KbFill(const uint64_t* description, T* data) {
        dim_ = description[0] & 0xffffffff;
        index_ = description[0] >> 32;
        for (uint64_t i = 0; shape_ != nullptr && i < dim_; ++i) {
            shape_[i] = description[1 + i];
        }
        data_ = data;
    }

private:
    uint64_t* shape_ = nullptr;
    uint64_t dim_ = 0;
    uint64_t index_ = 0;
    T* data_ = nullptr;
};

class ListTensorDesc {
public:
    KB_API ListTensorDesc() {}
    KB_API ListTensorDesc(__gm__ void* data, uint32_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff) {
        Init(data, length, shapeSize);
    }

    KB_API void Init(__gm__ void* data, uint32_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff) {
        (void)shapeSize;
        words_ = static_cast<uint64_t*>(data);
        table_ = words_ + words_[0] / sizeof(uint64_t);
        size_ = 0;
        for (const uint64_t* at = words_ + 1; at < table_ && size_ < length; at += 1 + (at[0] & 0xffffffff)) {
            size_ += 1;
        }
    }

    KB_API uint32_t GetSize() const { return size_; }

    template <class T>
    KB_API __gm__ T* GetDataPtr(uint32_t index) const {
        return reinterpret_cast<T*>(table_[index]);
    }

    template <class T>
    KB_API void GetDesc(TensorDesc<T>& desc, uint32_t index) const {
        const uint64_t* at = words_ + 1;
        for (uint32_t i = 0; i < index; ++i) {
            at += 1 + (at[0] & 0xffffffff);
        }
        desc.KbFill(at, GetDataPtr<T>(index));
    }

private:
    uint64_t* words_ = nullptr;
    uint64_t* table_ = nullptr;
    uint32_t size_ = 0;
};

}  // namespace AscendC
