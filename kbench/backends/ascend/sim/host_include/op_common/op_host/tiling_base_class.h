// The frame of tiling by classes, as the operator library's shared part has it.
#pragma once

#include <memory>

#include "kb_frame.h"
#include "op_common/log/log.h"
#include "platform/soc_spec.h"

namespace Ops::Base {

struct AiCoreParams {
    uint64_t ubSize = 0;
    uint64_t numBlocks = 0;
    uint64_t aicNum = 0;
    uint64_t l1Size = 0;
    uint64_t l0aSize = 0;
    uint64_t l0bSize = 0;
    uint64_t l0cSize = 0;
};

struct CompileInfoCommon {
    uint32_t aivNum;
    uint32_t aicNum;
    uint64_t ubSize;
    uint64_t l1Size;
    uint64_t l0aSize;
    uint64_t l0bSize;
    uint64_t l0cSize;
    uint64_t l2CacheSize;
    int64_t coreNum;
    int32_t socVersion;
    uint32_t rsvd;
};

class TilingBaseClass : public kbhost::TilingFrame<AiCoreParams> {
public:
    using kbhost::TilingFrame<AiCoreParams>::TilingFrame;

protected:
    std::string GetShapeDebugStr(const gert::Shape& shape) const { return ToString(shape); }

    std::unique_ptr<platform_ascendc::PlatformAscendC> ascendcPlatform_;
};

}  // namespace Ops::Base
