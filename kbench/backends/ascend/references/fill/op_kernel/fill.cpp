// y[...] = value. The type does not matter, only its width: one tile of constant words is built in the unified buffer
// and copied to every part of the block's slice.
#include <type_traits>

#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
class KernelFill {
    static constexpr bool IS_BYTE = sizeof(T) == sizeof(uint8_t);
    static constexpr bool IS_LONG = sizeof(T) == sizeof(uint64_t);
    // Duplicate knows words of 16 and 32 bits: a byte is doubled, a long is written as two interleaved words.
    using Word = std::conditional_t<sizeof(T) <= sizeof(uint16_t), uint16_t, uint32_t>;
    using Bits = std::conditional_t<IS_BYTE, uint8_t, std::conditional_t<IS_LONG, uint64_t, Word>>;

public:
    __aicore__ inline KernelFill() {}

    __aicore__ inline void Init(GM_ADDR value, GM_ADDR y, uint32_t totalLength, uint32_t blockLength,
                                uint32_t tileLength, TPipe* pipe)
    {
        const uint32_t begin = static_cast<uint32_t>(GetBlockIdx()) * blockLength;
        length = begin < totalLength ? totalLength - begin : 0;
        length = length < blockLength ? length : blockLength;
        tile = tileLength;
        valueGm.SetGlobalBuffer(reinterpret_cast<__gm__ Bits*>(value), 1);
        yGm.SetGlobalBuffer(reinterpret_cast<__gm__ Bits*>(y) + begin, length);
        pipe->InitBuffer(queue, 1, tileLength * sizeof(T));
    }

    __aicore__ inline void Process()
    {
        LocalTensor<Bits> constant = queue.template AllocTensor<Bits>();
        Build(constant.template ReinterpretCast<Word>(), valueGm.GetValue(0));
        queue.EnQue(constant);
        constant = queue.template DeQue<Bits>();
        for (uint32_t offset = 0; offset < length; offset += tile) {
            const uint32_t count = length - offset < tile ? length - offset : tile;
            DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
            DataCopyPad(yGm[offset], constant, bytes);
        }
        queue.FreeTensor(constant);
    }

private:
    __aicore__ inline void Build(const LocalTensor<Word>& words, Bits value)
    {
        const uint32_t count = tile * sizeof(T) / sizeof(Word);
        if constexpr (IS_LONG) {
            // The lanes of even number are the low words, those of odd number the high ones.
            uint64_t even[2] = {0x5555555555555555ULL, 0};
            uint64_t odd[2] = {0xAAAAAAAAAAAAAAAAULL, 0};
            constexpr uint32_t lanes = 256 / sizeof(Word);
            constexpr uint32_t most = 255 * lanes;
            for (uint32_t at = 0; at < count; at += most) {
                const uint32_t left = count - at < most ? count - at : most;
                const uint8_t repeats = static_cast<uint8_t>(left / lanes);
                Duplicate(words[at], static_cast<Word>(value), even, repeats, 1, 8);
                Duplicate(words[at], static_cast<Word>(value >> 32), odd, repeats, 1, 8);
            }
        } else if constexpr (IS_BYTE) {
            Duplicate(words, static_cast<Word>(value | (value << 8)), static_cast<int32_t>(count));
        } else {
            Duplicate(words, static_cast<Word>(value), static_cast<int32_t>(count));
        }
    }

    TQue<TPosition::VECOUT, 1> queue;
    GlobalTensor<Bits> valueGm;
    GlobalTensor<Bits> yGm;
    uint32_t length = 0;
    uint32_t tile = 0;
};

extern "C" __global__ __aicore__ void fill(GM_ADDR dims, GM_ADDR value, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    TPipe pipe;
    KernelFill<DTYPE_Y> op;
    op.Init(value, y, tilingData.totalLength, tilingData.blockLength, tilingData.tileLength, &pipe);
    op.Process();
}
