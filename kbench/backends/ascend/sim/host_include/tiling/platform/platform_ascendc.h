// The chip, as tiling functions ask about it.
#pragma once

#include <cstdint>

#include "platform/platform_infos_def.h"

#ifndef ASCENDC_EXTERN_C
#define ASCENDC_EXTERN_C extern "C"
#endif

enum class NpuArch : uint32_t {
    DAV_RESV = 0,
    DAV_1001 = 1001,
    DAV_2002 = 2002,
    DAV_2201 = 2201,
    DAV_3002 = 3002,
    DAV_3510 = 3510
};

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };

enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND310P,
    ASCEND310B,
    ASCEND950,
    ASCEND910_95 = ASCEND950,
    ASCEND910_93 = ASCEND910B,
    RESERVED_VERSION = 99999
};

class PlatformAscendC {
public:
    PlatformAscendC() = delete;
    ~PlatformAscendC() = default;
    explicit PlatformAscendC(fe::PlatFormInfos* platform) : platform_(platform) {}

    uint32_t GetCoreNum() const;  // vector cores
    uint32_t GetCoreNumAic() const;
    uint32_t GetCoreNumAiv() const;
    uint32_t GetCoreNumVector() const;  // stand-alone vector cores: none on this architecture
    uint32_t GetVecRegLen() const;
    // Groups of cores that hold `slices` blocks: blocks per group are the ratio of vector to cube cores.
    uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) const;
    uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t aic, uint32_t aiv) const;
    uint32_t GetLibApiWorkSpaceSize() const;
    uint32_t GetResCubeGroupWorkSpaceSize() const;
    uint32_t GetResGroupBarrierWorkSpaceSize() const;
    // What a kernel may use: unified buffer and L1 keep 256 bytes for the system.
    void GetCoreMemSize(const CoreMemType& type, uint64_t& bytes) const;
    void GetCoreMemBw(const CoreMemType& type, uint64_t& bytes_per_cycle) const;
    SocVersion GetSocVersion() const;
    NpuArch GetCurNpuArch() const;

private:
    fe::PlatFormInfos* platform_;
};

class PlatformAscendCManager {
public:
    static PlatformAscendC* GetInstance();
    static PlatformAscendC* GetInstance(const char* soc_version);
};

}  // namespace platform_ascendc
