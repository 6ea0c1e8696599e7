// The chip, as tiling functions ask about it.
#pragma once

#include <cstdint>

#include "platform/platform_infos_def.h"

#ifndef ASCENDC_EXTERN_C
#define ASCENDC_EXTERN_C extern "C"
#endif

enum class NpuArch : uint32_t {
    DAV_RESV = 0,
    DAV_1001 = 1001, DAV_1002 = 1002, DAV_1003 = 1003, DAV_1004 = 1004, DAV_1999 = 1999,
    DAV_2002 = 2002, DAV_2003 = 2003, DAV_2004 = 2004, DAV_2006 = 2006, DAV_2102 = 2102,
    DAV_2103 = 2103, DAV_2104 = 2104, DAV_2201 = 2201, DAV_3002 = 3002, DAV_3003 = 3003,
    DAV_3004 = 3004, DAV_3102 = 3102, DAV_3103 = 3103, DAV_3113 = 3113, DAV_3502 = 3502,
    DAV_3505 = 3505, DAV_3510 = 3510, DAV_3801 = 3801, DAV_5101 = 5101, DAV_5102 = 5102,
    DAV_5161 = 5161, DAV_9201 = 9201, DAV_9202 = 9202, DAV_9301 = 9301,
};

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };

enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND310P,
    ASCEND310B,
    ASCEND950,
    ASCEND910_55,
    ASCEND910_95 = ASCEND950,
    AS31XM1,
    ASCEND031,
    ASCEND035,
    ASCEND310,
    ASCEND610,
    ASCEND610Lite,
    ASCEND910_93 = ASCEND910B,
    BS9SX1A,
    BS9SX2A,
    HI3796CV300CS,
    HI3796CV300ES,
    MC61AM21A,
    MC62,
    SD3403,
    KIRINX90,
    KIRIN9030,
    MC32DM11A,
    ASCEND350,
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
