// Kernels of the published cases (ascend_time_cases.json), each a branch of one source: what they do, in our own words.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    uint32_t rows;       // of the matrix
    uint32_t columns;
    uint32_t tile;       // elements of a tile, or columns of it
    uint32_t tile_rows;
    uint32_t passes;     // how often everything is read
    uint32_t parts;      // the columns are taken in so many parts, each as often as `passes` says
    uint32_t shifted;    // every core begins elsewhere
    uint32_t bypass;     // L2 is switched off for inputs
    uint32_t at[6];      // addresses in UB
    uint32_t block;      // strides of src0
    uint32_t repeat;
    uint32_t calls;
};

__aicore__ inline LocalTensor<half> Placed(uint32_t address, uint32_t elements) {
    return LocalTensor<half>(TPosition::VECCALC, address, elements);
}

// This core's rows of a matrix: the first cores take one more where they do not divide.
struct Share {
    uint32_t first;
    uint32_t count;
};

__aicore__ inline Share Rows(uint32_t rows) {
    const uint32_t cores = GetBlockNum(), me = GetBlockIdx(), each = rows / cores, more = rows % cores;
    return {me * each + (me < more ? me : more), each + (me < more ? 1 : 0)};
}

__aicore__ inline void Banks(const Tiling& t) {
    constexpr uint32_t kCount = 4096;
    LocalTensor<float> x(TPosition::VECCALC, t.at[0], kCount), y(TPosition::VECCALC, t.at[1], kCount);
    LocalTensor<float> z(TPosition::VECCALC, t.at[2], kCount);
    const BinaryRepeatParams strides(1, static_cast<uint8_t>(t.block), 1, 8, static_cast<uint8_t>(t.repeat), 8);
    for (uint32_t i = 0; i < t.calls; ++i) {
        Add(z, x, y, static_cast<uint64_t>(64), static_cast<uint8_t>(kCount / 64), strides);
    }
}

struct Addends {
    GlobalTensor<half> x, y, z;
    uint32_t count;
};

__aicore__ inline Addends MyAddends(const Tiling& t, GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    const Share share = Rows(t.rows);
    const uint64_t first = static_cast<uint64_t>(share.first) * t.columns;
    Addends s;
    s.count = share.count * t.columns;
    s.x.SetGlobalBuffer((__gm__ half*)x + first, s.count);
    s.y.SetGlobalBuffer((__gm__ half*)y + first, s.count);
    s.z.SetGlobalBuffer((__gm__ half*)z + first, s.count);
    if (t.bypass != 0) {
        s.x.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
        s.y.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    }
    return s;
}

template <bool vectors>
__aicore__ inline void AddTile(LocalTensor<half>& z, LocalTensor<half>& x, LocalTensor<half>& y, uint32_t count) {
    if constexpr (vectors) {
        Add(z, x, y, static_cast<int32_t>(count));
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            z.SetValue(i, static_cast<half>(static_cast<float>(x.GetValue(i)) + static_cast<float>(y.GetValue(i))));
        }
    }
}

// One buffer for each tensor: copy in, add, copy out, in turn.
template <bool vectors>
__aicore__ inline void AddInTurn(const Tiling& t, Addends s) {
    LocalTensor<half> x = Placed(t.at[0], t.tile), y = Placed(t.at[1], t.tile), z = Placed(t.at[2], t.tile);
    const uint32_t tiles = (s.count + t.tile - 1) / t.tile;
    for (uint32_t i = 0; i < tiles; ++i) {
        const uint32_t at = i * t.tile, count = s.count - at < t.tile ? s.count - at : t.tile;
        if (i > 0) {
            WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
        }
        DataCopy(x, s.x[at], count);
        DataCopy(y, s.y[at], count);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        if (i > 0) {
            WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
        }
        AddTile<vectors>(z, x, y, count);
        if (i + 1 < tiles) {
            SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
        }
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(s.z[at], z, count);
        if (i + 1 < tiles) {
            SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
        }
    }
}

// Two buffers for each tensor, an event id for each.
__aicore__ inline void AddDoubled(const Tiling& t, Addends s) {
    const uint32_t tiles = (s.count + t.tile - 1) / t.tile;
    for (int32_t id = 0; id < 2; ++id) {
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::MTE3_V>(id);
    }
    for (uint32_t i = 0; i < tiles; ++i) {
        const int32_t id = static_cast<int32_t>(i % 2);
        const uint32_t at = i * t.tile, count = s.count - at < t.tile ? s.count - at : t.tile;
        LocalTensor<half> x = Placed(t.at[id * 3], t.tile), y = Placed(t.at[id * 3 + 1], t.tile);
        LocalTensor<half> z = Placed(t.at[id * 3 + 2], t.tile);
        WaitFlag<HardEvent::V_MTE2>(id);
        DataCopy(x, s.x[at], count);
        DataCopy(y, s.y[at], count);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
        Add(z, x, y, static_cast<int32_t>(count));
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        DataCopy(s.z[at], z, count);
        SetFlag<HardEvent::MTE3_V>(id);
    }
    for (int32_t id = 0; id < 2; ++id) {
        WaitFlag<HardEvent::V_MTE2>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
    }
}

__aicore__ inline void CopyTile(const Tiling& t, GlobalTensor<half>& x, LocalTensor<half>& into, uint32_t row, uint32_t column,
                                uint32_t columns) {
    const DataCopyExtParams how{static_cast<uint16_t>(t.tile_rows), columns * 2, (t.columns - columns) * 2, 0, 0};
    const DataCopyPadExtParams<half> none{false, 0, 0, 0};
    DataCopyPad(into, x[static_cast<uint64_t>(row) * t.columns + column], how, none);
}

// Reads a matrix tile by tile, each core its rows.
__aicore__ inline void ReadTiles(const Tiling& t, GM_ADDR x) {
    GlobalTensor<half> source;
    source.SetGlobalBuffer((__gm__ half*)x, static_cast<uint64_t>(t.rows) * t.columns);
    LocalTensor<half> into = Placed(0, 65536);
    const Share share = Rows(t.rows);
    const uint32_t part = t.columns / t.parts;
    for (uint32_t p = 0; p < t.parts; ++p) {
        const uint32_t end = p + 1 == t.parts ? t.columns : (p + 1) * part;
        for (uint32_t pass = 0; pass < t.passes; ++pass) {
            for (uint32_t row = share.first; row < share.first + share.count; row += t.tile_rows) {
                for (uint32_t column = p * part; column < end; column += t.tile) {
                    CopyTile(t, source, into, row, column, end - column < t.tile ? end - column : t.tile);
                }
            }
        }
    }
}

// Every core reads the whole matrix.
__aicore__ inline void ReadAll(const Tiling& t, GM_ADDR x) {
    GlobalTensor<half> source;
    source.SetGlobalBuffer((__gm__ half*)x, static_cast<uint64_t>(t.rows) * t.columns);
    source.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    LocalTensor<half> into = Placed(0, 65536);
    const uint32_t blocks = t.rows / t.tile_rows, cores = GetBlockNum();
    for (uint32_t i = 0; i < blocks; ++i) {
        const uint32_t block = t.shifted != 0 ? i / cores * cores + (i + GetBlockIdx()) % cores : i;
        for (uint32_t column = 0; column < t.columns; column += t.tile) {
            CopyTile(t, source, into, block * t.tile_rows, column, t.tile);
        }
    }
}

// Rows to columns of 16 elements (fractals), by Copy with strides; two buffers. `block` is the distance of columns in UB.
__aicore__ inline void Fractals(const Tiling& t, GM_ADDR x, GM_ADDR z) {
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer((__gm__ half*)x, static_cast<uint64_t>(t.rows) * t.columns);
    to.SetGlobalBuffer((__gm__ half*)z, static_cast<uint64_t>(t.rows) * t.columns);
    constexpr uint32_t kAcross = 8, kUnit = 16;
    const uint32_t me = GetBlockIdx(), down = GetBlockNum() / kAcross;
    const uint32_t row_tiles = (t.rows + t.tile_rows - 1) / t.tile_rows, tiles_across = t.columns / t.tile / kAcross;
    const uint32_t mine = me / kAcross, each = row_tiles / down, more = row_tiles % down;
    const uint32_t first = mine * each + (mine < more ? mine : more), count = each + (mine < more ? 1 : 0);
    for (int32_t id = 0; id < 2; ++id) {
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::MTE3_V>(id);
    }
    for (uint32_t i = 0; i < count * tiles_across; ++i) {
        const int32_t id = static_cast<int32_t>(i % 2);
        LocalTensor<half> rows = Placed(t.at[id], t.tile_rows * t.tile), columns = Placed(t.at[2 + id], t.block * t.tile);
        const uint32_t row = (first + i / tiles_across) * t.tile_rows;
        const uint32_t column = (me % kAcross * tiles_across + i % tiles_across) * t.tile;
        const uint32_t height = t.rows - row < t.tile_rows ? t.rows - row : t.tile_rows;
        WaitFlag<HardEvent::V_MTE2>(id);
        const DataCopyParams in{static_cast<uint16_t>(height), static_cast<uint16_t>(t.tile / kUnit),
                                static_cast<uint16_t>((t.columns - t.tile) / kUnit), 0};
        DataCopy(rows, from[static_cast<uint64_t>(row) * t.columns + column], in);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
        const CopyRepeatParams strides{static_cast<uint16_t>(t.block), 1, 1, static_cast<uint16_t>(t.tile / kUnit)};
        Copy(columns, rows, static_cast<uint64_t>(t.tile), static_cast<uint8_t>(height), strides);
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        const DataCopyParams out{static_cast<uint16_t>(t.tile / kUnit), static_cast<uint16_t>(height),
                                 static_cast<uint16_t>(t.block - height), static_cast<uint16_t>(t.rows - height)};
        DataCopy(to[(row + static_cast<uint64_t>(column / kUnit) * t.rows) * kUnit], columns, out);
        SetFlag<HardEvent::MTE3_V>(id);
    }
    for (int32_t id = 0; id < 2; ++id) {
        WaitFlag<HardEvent::V_MTE2>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
    }
}

extern "C" __global__ __aicore__ void cases(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(Tiling);
    GET_TILING_DATA(t, tiling);
    if (TILING_KEY_IS(1)) {
        Banks(t);
    } else if (TILING_KEY_IS(2)) {
        AddInTurn<false>(t, MyAddends(t, x, y, z));
    } else if (TILING_KEY_IS(3)) {
        AddInTurn<true>(t, MyAddends(t, x, y, z));
    } else if (TILING_KEY_IS(4)) {
        AddDoubled(t, MyAddends(t, x, y, z));
    } else if (TILING_KEY_IS(5)) {
        ReadTiles(t, x);
    } else if (TILING_KEY_IS(6)) {
        ReadAll(t, x);
    } else if (TILING_KEY_IS(7)) {
        Fractals(t, x, z);
    }
    PipeBarrier<PIPE_ALL>();
}
