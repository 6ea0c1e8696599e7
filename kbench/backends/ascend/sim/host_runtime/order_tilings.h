// Tiling data with setters, filled from plain structures: the sizes and the kernel side compute the latter.
#pragma once

#include "adv_api/pad/pad_tilingdata.h"
#include "adv_api/sort/topk_tilingdata.h"
#include "adv_api/transpose/confusion_transpose_tilingdata.h"
#include "kernel_tiling/kernel_tiling.h"

namespace kbhost {

inline void set_all(optiling::TopkTiling& to, const AscendC::tiling::TopkTiling& from) {
    to.set_tmpLocalSize(from.tmpLocalSize);
    to.set_allDataSize(from.allDataSize);
    to.set_innerDataSize(from.innerDataSize);
    to.set_sortRepeat(from.sortRepeat);
    to.set_mrgSortRepeat(from.mrgSortRepeat);
    to.set_kAlignFourBytes(from.kAlignFourBytes);
    to.set_kAlignTwoBytes(from.kAlignTwoBytes);
    to.set_maskOffset(from.maskOffset);
    to.set_maskVreducev2FourBytes(from.maskVreducev2FourBytes);
    to.set_maskVreducev2TwoBytes(from.maskVreducev2TwoBytes);
    to.set_mrgSortSrc1offset(from.mrgSortSrc1offset);
    to.set_mrgSortSrc2offset(from.mrgSortSrc2offset);
    to.set_mrgSortSrc3offset(from.mrgSortSrc3offset);
    to.set_mrgSortTwoQueueSrc1Offset(from.mrgSortTwoQueueSrc1Offset);
    to.set_mrgFourQueueTailPara1(from.mrgFourQueueTailPara1);
    to.set_mrgFourQueueTailPara2(from.mrgFourQueueTailPara2);
    to.set_srcIndexOffset(from.srcIndexOffset);
    to.set_copyUbToUbBlockCount(from.copyUbToUbBlockCount);
    to.set_topkMrgSrc1MaskSizeOffset(from.topkMrgSrc1MaskSizeOffset);
    to.set_topkNSmallSrcIndexOffset(from.topkNSmallSrcIndexOffset);
    to.set_vreduceValMask0(from.vreduceValMask0);
    to.set_vreduceValMask1(from.vreduceValMask1);
    to.set_vreduceIdxMask0(from.vreduceIdxMask0);
    to.set_vreduceIdxMask1(from.vreduceIdxMask1);
    to.set_vreducehalfValMask0(from.vreducehalfValMask0);
    to.set_vreducehalfValMask1(from.vreducehalfValMask1);
    to.set_vreducehalfValMask2(from.vreducehalfValMask2);
    to.set_vreducehalfValMask3(from.vreducehalfValMask3);
    to.set_vreducehalfValMask4(from.vreducehalfValMask4);
    to.set_vreducehalfValMask5(from.vreducehalfValMask5);
    to.set_vreducehalfValMask6(from.vreducehalfValMask6);
    to.set_vreducehalfValMask7(from.vreducehalfValMask7);
}

inline void set_all(optiling::UnPadTiling& to, const AscendC::tiling::UnPadTiling& from) {
    to.set_srcHeight(from.srcHeight);
    to.set_srcWidth(from.srcWidth);
    to.set_tmpBuffer1BlockNum(from.tmpBuffer1BlockNum);
    to.set_tmpBuffer1RowNum(from.tmpBuffer1RowNum);
    to.set_tmpBuffer2Offset(from.tmpBuffer2Offset);
    to.set_widthTiling(from.widthTiling);
    to.set_widthFractal(from.widthFractal);
    to.set_widthFractalTail(from.widthFractalTail);
}

inline void set_all(optiling::PadTiling& to, const AscendC::tiling::PadTiling& from) {
    to.set_srcHeight(from.srcHeight);
    to.set_srcWidth(from.srcWidth);
    to.set_srcOriWidth(from.srcOriWidth);
    to.set_widthWithoutLastBlock(from.widthWithoutLastBlock);
    to.set_blocksPerRow(from.blocksPerRow);
    to.set_heightTiling(from.heightTiling);
    to.set_heightFractal(from.heightFractal);
    to.set_heightFractalTail(from.heightFractalTail);
    to.set_mainLoopOffset(from.mainLoopOffset);
    to.set_tailBlockOffset(from.tailBlockOffset);
    to.set_tmpBuffer1BlockNum(from.tmpBuffer1BlockNum);
    to.set_tmpBuffer1RowNum(from.tmpBuffer1RowNum);
    to.set_tmpBuffer2Offset(from.tmpBuffer2Offset);
    to.set_widthTiling(from.widthTiling);
    to.set_widthFractal(from.widthFractal);
    to.set_widthFractalTail(from.widthFractalTail);
    to.set_widthFractalTailAlingned(from.widthFractalTailAlingned);
    to.set_brcbTiling(from.brcbTiling);
    to.set_brcbFractal(from.brcbFractal);
    to.set_brcbFractalTail(from.brcbFractalTail);
    to.set_maxRepeatTimes(from.maxRepeatTimes);
    to.set_brcbTilingRepeatTimes(from.brcbTilingRepeatTimes);
    to.set_brcbTilingRepeatTimesTail(from.brcbTilingRepeatTimesTail);
    to.set_brcbFractalTailRepeatTimes(from.brcbFractalTailRepeatTimes);
    to.set_brcbFractalTailRepeatTimesTail(from.brcbFractalTailRepeatTimesTail);
}

inline void set_all(optiling::ConfusionTransposeTiling& to, const AscendC::tiling::ConfusionTransposeTiling& from) {
    to.set_param0(from.param0);
    to.set_param1(from.param1);
    to.set_param2(from.param2);
    to.set_param3(from.param3);
    to.set_param4(from.param4);
    to.set_param5(from.param5);
    to.set_param6(from.param6);
    to.set_param7(from.param7);
    to.set_param8(from.param8);
    to.set_param9(from.param9);
    to.set_param10(from.param10);
    to.set_param11(from.param11);
    to.set_param12(from.param12);
    to.set_param13(from.param13);
    to.set_param14(from.param14);
    to.set_param15(from.param15);
    to.set_param16(from.param16);
    to.set_param17(from.param17);
}

}  // namespace kbhost
