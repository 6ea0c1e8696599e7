// How `shuffle` orders the elements of its registers: TBITS_RxC takes them as R rows of C elements and gives columns.
// Modes with lo and hi take both registers and give a half of the result; the others take the first register alone.
#ifndef KB_AIE_SHUFFLE_MODES_H
#define KB_AIE_SHUFFLE_MODES_H

enum : unsigned {
    T8_64x2_lo = 0, T8_64x2_hi = 1, T16_32x2_lo = 2, T16_32x2_hi = 3, T32_16x2_lo = 4, T32_16x2_hi = 5,
    T64_8x2_lo = 6, T64_8x2_hi = 7, T128_4x2_lo = 8, T128_4x2_hi = 9, T256_2x2_lo = 10, T256_2x2_hi = 11,
    T128_2x4_lo = 12, T128_2x4_hi = 13, T64_2x8_lo = 14, T64_2x8_hi = 15, T32_2x16_lo = 16, T32_2x16_hi = 17,
    T16_2x32_lo = 18, T16_2x32_hi = 19, T8_2x64_lo = 20, T8_2x64_hi = 21, T512_1x2_lo = 22, T512_1x2_hi = 23,
    T16_16x4_lo = 24, T16_16x4_hi = 25, T16_4x16_lo = 26, T16_4x16_hi = 27, T16_8x4 = 28, T16_4x8 = 29,
    T32_8x4_lo = 30, T32_8x4_hi = 31, T32_4x8_lo = 32, T32_4x8_hi = 33, T32_4x4 = 34, T8_8x8 = 35,
    T8_16x4 = 36, T8_4x16 = 37, T16_1x2_flip = 38, T16_4x4 = 39, T16_4x2 = 40, T16_2x4 = 41,
    T16_8x2 = 42, T16_2x8 = 43, T16_16x2 = 44, T16_2x16 = 45, T8_8x4 = 46, T8_4x8 = 47,
    DINTLV_lo_8o16 = T8_64x2_lo, DINTLV_hi_8o16 = T8_64x2_hi,
    DINTLV_lo_16o32 = T16_32x2_lo, DINTLV_hi_16o32 = T16_32x2_hi,
    DINTLV_lo_32o64 = T32_16x2_lo, DINTLV_hi_32o64 = T32_16x2_hi,
    DINTLV_lo_64o128 = T64_8x2_lo, DINTLV_hi_64o128 = T64_8x2_hi,
    DINTLV_lo_128o256 = T128_4x2_lo, DINTLV_hi_128o256 = T128_4x2_hi,
    DINTLV_lo_256o512 = T256_2x2_lo, DINTLV_hi_256o512 = T256_2x2_hi,
    INTLV_lo_8o16 = T8_2x64_lo, INTLV_hi_8o16 = T8_2x64_hi,
    INTLV_lo_16o32 = T16_2x32_lo, INTLV_hi_16o32 = T16_2x32_hi,
    INTLV_lo_32o64 = T32_2x16_lo, INTLV_hi_32o64 = T32_2x16_hi,
    INTLV_lo_64o128 = T64_2x8_lo, INTLV_hi_64o128 = T64_2x8_hi,
    INTLV_lo_128o256 = T128_2x4_lo, INTLV_hi_128o256 = T128_2x4_hi,
    INTLV_lo_256o512 = T256_2x2_lo, INTLV_hi_256o512 = T256_2x2_hi,
    INTLV_lo_512o1024 = T512_1x2_lo, INTLV_hi_512o1024 = T512_1x2_hi,
};

#endif
