// TransData: NCDHW to and from NDC1HWC0 and FRACTAL_Z_3D.
#pragma once

#include "adv_api/transpose/transdata_common.h"
#include "kb_turn.h"
#include "kernel_tensor.h"

namespace AscendC {

KB_API constexpr uint8_t kb_trans_data_way(const TransDataConfig& c) {
    if (c.srcFormat == DataFormat::NCDHW) {
        return c.dstFormat == DataFormat::NDC1HWC0 ? 1 : c.dstFormat == DataFormat::FRACTAL_Z_3D ? 3 : 0;
    }
    if (c.dstFormat == DataFormat::NCDHW) {
        return c.srcFormat == DataFormat::NDC1HWC0 ? 2 : c.srcFormat == DataFormat::FRACTAL_Z_3D ? 4 : 0;
    }
    return 0;
}

template <int kRank, typename Shape>
KB_API void kb_sizes_of(const Shape& shape, uint32_t* sizes) {
    static_assert(static_cast<int>(Std::tuple_size<Shape>::value) == kRank,
                  "TransData: the layout's number of axes must be that of its format");
    int i = 0;
    std::apply([&](const auto&... axis) { ((sizes[i++] = static_cast<uint32_t>(axis)), ...); }, shape);
}

template <const TransDataConfig& config, typename T, typename U, typename S>
KB_API void kb_trans_data_formats(const LocalTensor<T>& dst, const LocalTensor<T>& src, const kb::View& tmp,
                                  const TransDataParams<U, S>& params) {
    static_assert((SupportType<T, half, bfloat16_t, uint16_t, int16_t>()),
                  "Failed to check dtype in TransData, current api support dtype combination is src and dst both: half / "
                  "bfloat16_t / uint16_t / int16_t.");
    static_assert(is_layout_v<U> && is_layout_v<S>, "TransData: srcLayout and dstLayout must be layouts");
    constexpr uint8_t way = kb_trans_data_way(config);
    static_assert(way != 0, "TransData: expected NCDHW to or from NDC1HWC0 or FRACTAL_Z_3D");
    constexpr int grouped = way <= 2 ? 6 : 7;
    kb::TransDataForm form{way, grouped, {}, {}};
    if constexpr (way % 2 == 1) {
        kb_sizes_of<5>(params.srcLayout.GetShape(), form.plain);
        kb_sizes_of<grouped>(params.dstLayout.GetShape(), form.grouped);
    } else {
        kb_sizes_of<grouped>(params.srcLayout.GetShape(), form.grouped);
        kb_sizes_of<5>(params.dstLayout.GetShape(), form.plain);
    }
    kbrt_adv_trans_data(dst.view(), src.view(), tmp, form);
}

template <const TransDataConfig& config, typename T, typename U, typename S>
KB_API void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const LocalTensor<uint8_t>& sharedTmpBuffer, const TransDataParams<U, S>& params) {
    kb_trans_data_formats<config>(dstTensor, srcTensor, sharedTmpBuffer.view(), params);
}
template <const TransDataConfig& config, typename T, typename U, typename S>
KB_API void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const TransDataParams<U, S>& params) {
    kb_trans_data_formats<config>(dstTensor, srcTensor, kb::no_tmp(), params);
}

}  // namespace AscendC
