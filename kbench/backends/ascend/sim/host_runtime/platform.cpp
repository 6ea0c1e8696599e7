// The chip's numbers come with the plan.
#include "platform/platform_info.h"

#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "plan.h"
#include "state.h"
#include "tiling/platform/platform_ascendc.h"

namespace kbhost {

namespace {

PlatformState read_platform() {
    const Json& json = plan()["platform"];
    PlatformState state;
    state.soc = json["soc"].text();
    state.short_soc = json["short_soc"].text();
    state.aic = static_cast<uint32_t>(json["aic"].integer());
    state.aiv = static_cast<uint32_t>(json["aiv"].integer());
    state.npu_arch = static_cast<uint32_t>(json["npu_arch"].integer());
    static const char* const memories[] = {"l0a", "l0b", "l0c", "l1", "l2", "ub", "hbm", "fb", "bt"};
    for (int i = 0; i < 9; ++i) state.memory[i] = static_cast<uint64_t>(json[memories[i]].integer());
    return state;
}

fe::PlatFormInfos* the_platform() {
    static fe::PlatFormInfos infos;
    return &infos;
}

// Kept for the system at the end of unified buffer and of L1.
constexpr uint64_t kReservedBytes = 256;
constexpr uint32_t kMebibyte = 1024 * 1024;
constexpr uint32_t kLibraryWorkspaceMebibytes = 16;

}  // namespace

const PlatformState& platform() {
    static const PlatformState state = read_platform();
    return state;
}

}  // namespace kbhost

namespace fe {

uint32_t PlatFormInfos::GetCoreNum() const {
    return core_type_ == "AiCore" ? kbhost::platform().aic : kbhost::platform().aiv;
}
uint32_t PlatFormInfos::GetCoreNumByType(const std::string& core_type) {
    return core_type == "VectorCore" ? kbhost::platform().aiv : kbhost::platform().aic;
}
void PlatFormInfos::SetCoreNumByCoreType(const std::string& core_type) {
    core_type_ = core_type;
}
void PlatFormInfos::GetLocalMemSize(const LocalMemType& type, uint64_t& bytes) {
    bytes = type < LocalMemType::RESERVED ? kbhost::platform().memory[static_cast<int>(type)] : 0;
}
void PlatFormInfos::GetLocalMemBw(const LocalMemType& type, uint64_t& bytes_per_cycle) {
    platform_ascendc::PlatformAscendC(this).GetCoreMemBw(static_cast<platform_ascendc::CoreMemType>(type), bytes_per_cycle);
}
bool PlatFormInfos::GetPlatformRes(const std::string& label, const std::string& key, std::string& value) {
    const kbhost::PlatformState& state = kbhost::platform();
    if (label == "version" && key == "SoC_version") value = state.soc;
    else if (label == "version" && key == "Short_SoC_version") value = state.short_soc;
    else if (label == "version" && key == "NpuArch") value = std::to_string(state.npu_arch);
    else if (label == "SoCInfo" && key == "ai_core_cnt") value = std::to_string(state.aic);
    else if (label == "SoCInfo" && key == "cube_core_cnt") value = std::to_string(state.aic);
    else if (label == "SoCInfo" && key == "vector_core_cnt") value = std::to_string(state.aiv);
    else if (label == "AICoreSpec" && key == "ub_size") value = std::to_string(state.memory[5]);
    else if (label == "AICoreSpec" && key == "l1_size") value = std::to_string(state.memory[3]);
    else if (label == "AICoreSpec" && key == "l0_a_size") value = std::to_string(state.memory[0]);
    else if (label == "AICoreSpec" && key == "l0_b_size") value = std::to_string(state.memory[1]);
    else if (label == "AICoreSpec" && key == "l0_c_size") value = std::to_string(state.memory[2]);
    else return false;
    return true;
}
bool PlatFormInfos::GetPlatformResWithLock(const std::string& label, const std::string& key, std::string& value) {
    return GetPlatformRes(label, key, value);
}

}  // namespace fe

namespace platform_ascendc {

uint32_t PlatformAscendC::GetCoreNum() const {
    return platform_->GetCoreNum();
}
uint32_t PlatformAscendC::GetCoreNumAic() const {
    return kbhost::platform().aic;
}
uint32_t PlatformAscendC::GetCoreNumAiv() const {
    return kbhost::platform().aiv;
}
uint32_t PlatformAscendC::GetCoreNumVector() const {
    return 0;
}
uint32_t PlatformAscendC::GetVecRegLen() const {
    return 0;
}
uint32_t PlatformAscendC::CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) const {
    if (aic == 0 || aiv == 0 || aic > aiv) return slices;
    uint32_t per_group = aiv / aic;
    return (slices + per_group - 1) / per_group;
}
uint32_t PlatformAscendC::CalcTschNumBlocks(uint32_t slices, uint32_t aic, uint32_t aiv) const {
    return CalcTschBlockDim(slices, aic, aiv);
}
uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const {
    return kbhost::kLibraryWorkspaceMebibytes * kbhost::kMebibyte;
}
uint32_t PlatformAscendC::GetResCubeGroupWorkSpaceSize() const {
    return kbhost::kMebibyte;
}
uint32_t PlatformAscendC::GetResGroupBarrierWorkSpaceSize() const {
    return kbhost::kMebibyte;
}
void PlatformAscendC::GetCoreMemSize(const CoreMemType& type, uint64_t& bytes) const {
    bytes = type < CoreMemType::RESERVED ? kbhost::platform().memory[static_cast<int>(type)] : 0;
    if (type == CoreMemType::UB || type == CoreMemType::L1) bytes -= kbhost::kReservedBytes;
}
// Bytes per cycle of one core, as the platform's configuration of this architecture publishes them.
void PlatformAscendC::GetCoreMemBw(const CoreMemType& type, uint64_t& bytes_per_cycle) const {
    bytes_per_cycle = type == CoreMemType::L2 ? 110 : type == CoreMemType::HBM ? 32 : 0;
}
SocVersion PlatformAscendC::GetSocVersion() const {
    return SocVersion::ASCEND910B;
}
NpuArch PlatformAscendC::GetCurNpuArch() const {
    return static_cast<NpuArch>(kbhost::platform().npu_arch);
}

PlatformAscendC* PlatformAscendCManager::GetInstance() {
    static PlatformAscendC only(kbhost::the_platform());
    return &only;
}
PlatformAscendC* PlatformAscendCManager::GetInstance(const char*) {
    return GetInstance();
}

}  // namespace platform_ascendc

namespace gert {

fe::PlatFormInfos* TilingContext::GetPlatformInfo() const {
    return kbhost::the_platform();
}
fe::PlatFormInfos* TilingParseContext::GetPlatformInfo() const {
    return kbhost::the_platform();
}

}  // namespace gert
