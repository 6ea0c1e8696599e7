// The chip's numbers, as the platform's configuration file names them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kb_host.h"

// As the vendor's headers do; host sources that include them write `map` for std::map.
using std::map;
using std::string;
using std::vector;

namespace fe {

enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

class PlatFormInfos {
public:
    uint32_t GetCoreNum() const;
    uint32_t GetCoreNumByType(const std::string& core_type);  // "AiCore" or "VectorCore"
    void SetCoreNumByCoreType(const std::string& core_type);
    // The whole memory, what is reserved included; see PlatformAscendC::GetCoreMemSize for what may be used.
    void GetLocalMemSize(const LocalMemType& type, uint64_t& bytes);
    void GetLocalMemBw(const LocalMemType& type, uint64_t& bytes_per_cycle);
    bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value);
    bool GetPlatformResWithLock(const std::string& label, const std::string& key, std::string& value);

private:
    std::string core_type_;
};

}  // namespace fe
