// One elementwise kernel whose shape the tiling data decide: for tests of the model of time.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    uint32_t count;    // elements
    uint32_t tile;     // of a copy
    uint32_t buffers;  // 1 or 2 for each tensor
    uint32_t skip;     // elements at the head of x and z
    uint32_t apart;    // bytes by which z is off x's banks in UB
    uint32_t work;     // Adds for each tile
    uint32_t bypass;   // L2 is switched off for x
    uint32_t mode;     // 0: as said; 1: every core reads the same; 2: SyncAll between two halves, core 0 works ten times
                       // as much; 3: GetValue of every element; 4: copies that nobody waits for; 5: scalar code alone
};

struct Part {
    GlobalTensor<float> x, z;
    uint32_t first;
    uint32_t end;
};

__aicore__ inline Part Mine(const Tiling& t, GM_ADDR x, GM_ADDR z) {
    Part p;
    p.x.SetGlobalBuffer((__gm__ float*)x + t.skip, t.count);
    p.z.SetGlobalBuffer((__gm__ float*)z + t.skip, t.count);
    if (t.bypass != 0) {
        p.x.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    }
    const uint32_t each = (t.count / GetBlockNum() + 127) / 128 * 128;
    p.first = t.mode == 1 ? 0 : each * GetBlockIdx();
    p.end = t.mode == 1 || p.first + each > t.count ? t.count : p.first + each;
    return p;
}

__aicore__ inline void Tiles(const Tiling& t, Part& p, uint32_t work) {
    const uint32_t size = t.tile * 4;
    for (uint32_t i = 0; i < t.buffers; ++i) {
        SetFlag<HardEvent::V_MTE2>(i);
        SetFlag<HardEvent::MTE3_V>(i);
    }
    uint32_t turn = 0;
    for (uint32_t at = p.first; at < p.end; at += t.tile, turn = (turn + 1) % t.buffers) {
        const uint32_t n = p.end - at < t.tile ? p.end - at : t.tile;
        const int32_t id = static_cast<int32_t>(turn);
        LocalTensor<float> x(TPosition::VECCALC, turn * size, t.tile);
        LocalTensor<float> z(TPosition::VECCALC, (t.buffers + turn) * size + t.apart, t.tile);
        WaitFlag<HardEvent::V_MTE2>(id);
        DataCopy(x, p.x[at], n);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
        for (uint32_t w = 0; w < work; ++w) {
            Adds(z, x, 1.0f, n);
        }
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        if (t.mode != 1 || GetBlockIdx() == 0) {
            DataCopy(p.z[at], z, n);
        }
        SetFlag<HardEvent::MTE3_V>(id);
    }
    for (uint32_t i = 0; i < t.buffers; ++i) {
        WaitFlag<HardEvent::V_MTE2>(i);
        WaitFlag<HardEvent::MTE3_V>(i);
    }
}

__aicore__ inline void Scalars(Part& p) {
    LocalTensor<float> x(TPosition::VECCALC, 0, 1024);
    Duplicate(x, 1.0f, 1024);
    float sum = 0;
    for (uint32_t i = p.first; i < p.end; ++i) {
        sum += x.GetValue(i % 1024);
    }
    x.SetValue(0, sum);
}

__aicore__ inline void Arithmetic(Part& p) {
    uint32_t state = 1;
    for (uint32_t i = p.first; i < p.end; ++i) {
        state = (state & 1) != 0 ? state * 1664525u + i : state / 3 + i * i;
    }
    p.z.SetValue(0, static_cast<float>(state));
}

extern "C" __global__ __aicore__ void shaped(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(Tiling);
    GET_TILING_DATA(t, tiling);
    Part p = Mine(t, x, z);
    if (t.mode == 3) {
        return Scalars(p);
    }
    if (t.mode == 5) {
        return Arithmetic(p);
    }
    if (t.mode == 4) {
        LocalTensor<float> into(TPosition::VECCALC, 0, t.tile);
        for (uint32_t at = p.first; at < p.end; at += t.tile) {
            DataCopy(into, p.x[at], t.tile);
        }
        return;
    }
    Tiles(t, p, t.mode == 2 && GetBlockIdx() == 0 ? 10 * t.work : t.work);
    if (t.mode == 2) {
        SyncAll();
        Tiles(t, p, t.work);
    }
}
