// TPipe, its buffers and its queues. All state lives in the runtime; the objects here carry only a handle to it.
#pragma once

#include "kernel_event.h"
#include "kernel_operator_data_copy_intf.h"
#include "kernel_tensor.h"

extern "C" {
// A TPipe begins and ends; `pipe` is the candidate's object.
void kbrt_pipe_begin(void* pipe);
void kbrt_pipe_end(void* pipe, bool barrier);
void kbrt_pipe_reset(void* pipe);
void* kbrt_pipe_current();
// Memory for a queue of `num` buffers of `len` bytes, or for one TBuf (`depth` −1), from a pipe or a pool of it (0: the
// pipe itself). Returns the handle.
uint32_t kbrt_pipe_queue(uint32_t pool, uint8_t source, uint8_t destination, int32_t depth, uint32_t num, uint32_t len);
uint32_t kbrt_pipe_pool(uint32_t pool, uint8_t position, uint32_t len, uint32_t shared);
void kbrt_pool_reset(uint32_t pool);
int32_t kbrt_event_alloc(uint8_t event, bool fetch);
void kbrt_event_release(uint8_t event, int32_t id);
void kbrt_set_flag(uint8_t event, int32_t id);
void kbrt_wait_flag(uint8_t event, int32_t id);

// What a wrapper needs of a view: the address and the length.
kb::View kbrt_queue_alloc(uint32_t queue);
bool kbrt_queue_enque(uint32_t queue, kb::View tensor);
kb::View kbrt_queue_deque(uint32_t queue);
void kbrt_queue_free(uint32_t queue, kb::View tensor);
void kbrt_queue_free_events(uint32_t queue);
int32_t kbrt_queue_count(uint32_t queue);
bool kbrt_queue_vacant(uint32_t queue);
bool kbrt_queue_idle(uint32_t queue);
uint8_t kbrt_queue_state(uint32_t queue, kb::View tensor);
// `bytes` of a TBuf from `offset`; all of it where `bytes` is 0.
kb::View kbrt_buffer_get(uint32_t buffer, uint32_t offset, uint64_t bytes);
kb::View kbrt_pipe_rest(uint8_t position);
// A library function's temporary buffer: at least `bytes`, aligned.
void kbrt_require_tmp(const char* api, kb::View buffer, uint32_t bytes);
}

namespace AscendC {

struct TQueConfig {
    bool nd2nz = false;
    bool nz2nd = false;
    bool scmBlockGroup = false;
    uint32_t bufferLen = 0;
    uint32_t bufferNumber = 0;
    uint32_t consumerSize = 0;
    TPosition consumer[8] = {};
    bool enableStaticEvtId = false;
    bool enableLoopQueue = false;
};

constexpr TPosition GetBufferLogicPos(TPosition pos, bool isSrc) {
    switch (pos) {
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::C1:
        case TPosition::VECIN:
            return isSrc ? TPosition::GM : pos;
        case TPosition::A2:
            return isSrc ? TPosition::A1 : pos;
        case TPosition::B2:
            return isSrc ? TPosition::B1 : pos;
        case TPosition::C2:
            return isSrc ? TPosition::C1 : pos;
        case TPosition::VECOUT:
        case TPosition::CO2:
            return isSrc ? pos : TPosition::GM;
        case TPosition::CO1:
            return isSrc ? pos : TPosition::CO2;
        default:
            return pos;
    }
}

// A buffer of a queue without an element type.
struct TBufHandle {
    kb::View view;
};

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
public:
    static constexpr TPosition srcPosition = src;
    static constexpr TPosition dstPosition = dst;
    static constexpr int32_t queueDepth = depth;

    KB_API TQueBind() {}

    template <typename T>
    KB_API LocalTensor<T> AllocTensor() {
        return LocalTensor<T>(kbrt_queue_alloc(handle_));
    }
    template <typename T>
    KB_API void AllocTensor(LocalTensor<T>& tensor) {
        tensor = LocalTensor<T>(kbrt_queue_alloc(handle_));
    }

    template <typename T>
    KB_API bool EnQue(const LocalTensor<T>& tensor) {
        return kbrt_queue_enque(handle_, tensor.view());
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    KB_API bool EnQue(const LocalTensor<T>& tensor) {
        return kbrt_queue_enque(handle_, tensor.view());
    }

    template <typename T>
    KB_API LocalTensor<T> DeQue() {
        return LocalTensor<T>(kbrt_queue_deque(handle_));
    }
    template <typename T>
    KB_API void DeQue(LocalTensor<T>& tensor) {
        tensor = LocalTensor<T>(kbrt_queue_deque(handle_));
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    KB_API LocalTensor<T> DeQue() {
        return LocalTensor<T>(kbrt_queue_deque(handle_));
    }

    template <typename T>
    KB_API void FreeTensor(LocalTensor<T>& tensor) {
        kbrt_queue_free(handle_, tensor.view());
    }

    KB_API bool EnQue(TBufHandle buf) { return kbrt_queue_enque(handle_, buf.view); }
    KB_API TBufHandle DeQue() { return {kbrt_queue_deque(handle_)}; }
    KB_API void FreeBuffer(TBufHandle buf) { kbrt_queue_free(handle_, buf.view); }

    KB_API void FreeAllEvent() { kbrt_queue_free_events(handle_); }
    KB_API bool VacantInQue() { return kbrt_queue_vacant(handle_); }
    KB_API bool HasTensorInQue() { return kbrt_queue_count(handle_) > 0; }
    KB_API int32_t GetTensorCountInQue() { return kbrt_queue_count(handle_); }
    KB_API bool HasIdleBuffer() { return kbrt_queue_idle(handle_); }
    template <typename T>
    KB_API TBufState GetState(const LocalTensor<T>& tensor) const {
        return static_cast<TBufState>(kbrt_queue_state(handle_, tensor.view()));
    }

    KB_API void KbInit(uint32_t pool, uint32_t num, uint32_t len) {
        handle_ = kbrt_pipe_queue(pool, static_cast<uint8_t>(src), static_cast<uint8_t>(dst), depth, num, len);
    }

private:
    uint32_t handle_ = 0;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<GetBufferLogicPos(pos, true), GetBufferLogicPos(pos, false), depth, mask> {};

template <TPosition pos = TPosition::VECCALC>
class TBuf {
public:
    KB_API TBuf() {}

    template <typename T>
    KB_API LocalTensor<T> Get() {
        return LocalTensor<T>(kbrt_buffer_get(handle_, 0, 0));
    }
    template <typename T>
    KB_API LocalTensor<T> Get(uint32_t len) {
        return LocalTensor<T>(kbrt_buffer_get(handle_, 0, kb_element_bytes<T>(len)));
    }
    template <typename T>
    KB_API LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset) {
        return LocalTensor<T>(kbrt_buffer_get(handle_, bufOffset, kb_element_bytes<T>(size)));
    }

    // The queue's interface on a TBuf: the buffer is always there, nothing is queued.
    template <typename T>
    KB_API LocalTensor<T> AllocTensor() {
        return Get<T>();
    }
    template <typename T>
    KB_API void EnQue(const LocalTensor<T>&) {}
    template <typename T>
    KB_API LocalTensor<T> DeQue() {
        return Get<T>();
    }
    template <typename T>
    KB_API void FreeTensor(LocalTensor<T>&) {}

    KB_API void KbInit(uint32_t pool, uint32_t len) {
        handle_ = kbrt_pipe_queue(pool, static_cast<uint8_t>(pos), static_cast<uint8_t>(pos), -1, 1, len);
    }
    KB_API uint32_t KbHandle() const { return handle_; }

private:
    uint32_t handle_ = 0;
};

// A part of UB that holds queues and buffers of its own; several pools may share the same bytes.
template <TPosition pos, uint32_t bufIDSize = 4>
class TBufPool {
public:
    KB_API TBufPool() {}

    template <class T>
    KB_API bool InitBuffer(T& que, uint8_t num, uint32_t len) {
        que.KbInit(handle_, num, len);
        return true;
    }
    template <TPosition bufPos>
    KB_API bool InitBuffer(TBuf<bufPos>& buf, uint32_t len) {
        buf.KbInit(handle_, len);
        return true;
    }
    template <class T>
    KB_API bool InitBufPool(T& bufPool, uint32_t len) {
        bufPool.KbInit(handle_, len, 0);
        return true;
    }
    template <class T, class U>
    KB_API bool InitBufPool(T& bufPool, uint32_t len, U& shareBuf) {
        bufPool.KbInit(handle_, len, shareBuf.KbHandle());
        return true;
    }
    KB_API void Reset() { kbrt_pool_reset(handle_); }

    KB_API void KbInit(uint32_t pool, uint32_t len, uint32_t shared) {
        handle_ = kbrt_pipe_pool(pool, static_cast<uint8_t>(pos), len, shared);
    }
    KB_API uint32_t KbHandle() const { return handle_; }

private:
    uint32_t handle_ = 0;
};

class TPipe {
public:
    KB_API TPipe() { Init(); }
    KB_API ~TPipe() { Destroy(); }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;

    KB_API void Init() {
        kbrt_pipe_begin(this);
        alive_ = true;
    }
    KB_API void Destroy() { KbEnd(true); }
    KB_API void DestroyWithoutPipeAll() { KbEnd(false); }
    KB_API void Reset() { kbrt_pipe_reset(this); }

    template <class T>
    KB_API bool InitBuffer(T& que, uint8_t num, uint32_t len) {
        que.KbInit(0, num, len);
        return true;
    }
    template <TPosition pos>
    KB_API bool InitBuffer(TBuf<pos>& buf, uint32_t len) {
        buf.KbInit(0, len);
        return true;
    }
    template <class T>
    KB_API bool InitBufPool(T& bufPool, uint32_t len) {
        bufPool.KbInit(0, len, 0);
        return true;
    }
    template <class T, class U>
    KB_API bool InitBufPool(T& bufPool, uint32_t len, U& shareBuf) {
        bufPool.KbInit(0, len, shareBuf.KbHandle());
        return true;
    }

    template <HardEvent evt>
    KB_API TEventID AllocEventID() {
        return static_cast<TEventID>(kbrt_event_alloc(static_cast<uint8_t>(evt), false));
    }
    template <HardEvent evt>
    KB_API void ReleaseEventID(TEventID id) {
        kbrt_event_release(static_cast<uint8_t>(evt), id);
    }
    template <HardEvent evt>
    KB_API TEventID FetchEventID() {
        return FetchEventID(evt);
    }
    KB_API TEventID FetchEventID(HardEvent evt) {
        return static_cast<TEventID>(kbrt_event_alloc(static_cast<uint8_t>(evt), true));
    }

    template <TPosition pos, typename T>
    KB_API LocalTensor<T> GetAbsAddr(int32_t offset, int32_t size) const {
        return LocalTensor<T>(kbrt_local_at(static_cast<uint8_t>(pos), static_cast<uint32_t>(offset),
                                            kb_element_bytes<T>(static_cast<uint32_t>(size))));
    }

    // Where the next buffer would begin.
    template <TPosition pos>
    KB_API uint64_t GetQueueEndAddress() {
        return static_cast<uint64_t>(kbrt_pipe_rest(static_cast<uint8_t>(pos)).ptr - kbrt_local_at(static_cast<uint8_t>(pos), 0, 0).ptr);
    }

    // The SPM buffer: global memory that takes what UB has no place for. Offsets and sizes count elements.
    template <typename T>
    KB_API void InitSpmBuffer(const GlobalTensor<T>& workspace, const int32_t bufferSize) {
        (void)bufferSize;
        spm_ = reinterpret_cast<uint8_t*>(workspace.raw());
    }
    KB_API void InitSpmBuffer(const int32_t) { kbrt_unsupported("InitSpmBuffer in L1, which A2 and A3 do not have"); }
    template <typename T>
    KB_API void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const DataCopyParams& copyParams, int32_t writeOffset = 0) {
        KbSync<HardEvent::V_MTE3>();
        KbSync<HardEvent::MTE2_MTE3>();
        kbrt_copy_out_blocks(KbSpm<T>(writeOffset), writeBuffer.view(), kb_burst_of(copyParams));
        KbSync<HardEvent::MTE3_MTE2>();
        KbSync<HardEvent::MTE3_V>();
    }
    template <typename T>
    KB_API void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const int32_t writeSize, int32_t writeOffset = 0) {
        WriteSpmBuffer(writeBuffer, KbWhole<T>(writeSize), writeOffset);
    }
    template <typename T>
    KB_API void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const DataCopyParams& copyParams, int32_t readOffset = 0) {
        KbSync<HardEvent::V_MTE2>();
        kbrt_copy_in_blocks(readBuffer.view(), KbSpm<T>(readOffset), kb_burst_of(copyParams));
        KbSync<HardEvent::MTE2_V>();
        KbSync<HardEvent::MTE2_MTE3>();
    }
    template <typename T>
    KB_API void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const int32_t readSize, int32_t readOffset = 0) {
        ReadSpmBuffer(readBuffer, KbWhole<T>(readSize), readOffset);
    }

private:
    template <HardEvent event>
    KB_API void KbSync() {
        const TEventID id = FetchEventID(event);
        kbrt_set_flag(static_cast<uint8_t>(event), id);
        kbrt_wait_flag(static_cast<uint8_t>(event), id);
    }
    template <typename T>
    KB_API void* KbSpm(int32_t offset) {
        return spm_ + static_cast<int64_t>(offset) * static_cast<int64_t>(sizeof(T));
    }
    template <typename T>
    static KB_API DataCopyParams KbWhole(int32_t elements) {
        return {1, static_cast<uint16_t>(elements * static_cast<int32_t>(sizeof(T)) / ONE_BLK_SIZE), 0, 0};
    }

    KB_API void KbEnd(bool barrier) {
        if (alive_) {
            kbrt_pipe_end(this, barrier);
            alive_ = false;
        }
    }

    bool alive_ = false;
    uint8_t* spm_ = nullptr;
};

}  // namespace AscendC

// The TPipe that is alive. A global name: kernels call it with and without the namespace.
KB_API AscendC::TPipe* GetTPipePtr() {
    return static_cast<AscendC::TPipe*>(kbrt_pipe_current());
}

namespace AscendC {

using ::GetTPipePtr;

// Sharing of L1 and L0C between two pipes; a vector core has neither.
KB_API void InitShareBufStart(TPipe*, uint32_t, uint32_t*, uint32_t, uint8_t) {}

KB_API void InitShareBufEnd(TPipe*) {}

// All of the position's memory that InitBuffer left free, as one tensor.
template <typename T, TPosition pos>
KB_API bool PopStackBuffer(LocalTensor<T>& popLocal) {
    popLocal = LocalTensor<T>(kbrt_pipe_rest(static_cast<uint8_t>(pos)));
    return true;
}

// Kernels without TPipe place their tensors one after another.
template <Hardware space = Hardware::UB>
class LocalMemAllocator {
public:
    KB_API LocalMemAllocator() {}

    template <TPosition pos, class T, uint32_t tileSize>
    KB_API LocalTensor<T> Alloc() {
        return KbTake<pos, T>(tileSize);
    }
    template <TPosition pos, class T>
    KB_API LocalTensor<T> Alloc(uint32_t tileSize) {
        return KbTake<pos, T>(tileSize);
    }
    template <class T, uint32_t tileSize>
    KB_API LocalTensor<T> Alloc() {
        return KbTake<TPosition::VECCALC, T>(tileSize);
    }
    template <class T>
    KB_API LocalTensor<T> Alloc(uint32_t tileSize) {
        return KbTake<TPosition::VECCALC, T>(tileSize);
    }
    KB_API uint32_t GetCurAddr() const { return address_; }

private:
    static_assert(space == Hardware::UB, "LocalMemAllocator: expected Hardware::UB on a vector core");

    template <TPosition pos, class T>
    KB_API LocalTensor<T> KbTake(uint32_t size) {
        const uint64_t bytes = kb_element_bytes<T>(size);
        LocalTensor<T> tensor(kbrt_local_at(static_cast<uint8_t>(pos), address_, bytes));
        address_ += static_cast<uint32_t>((bytes + 31) / 32 * 32);
        return tensor;
    }

    uint32_t address_ = 0;
};

}  // namespace AscendC
