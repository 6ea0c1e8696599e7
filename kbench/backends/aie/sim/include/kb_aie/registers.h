// The compiler's register types: v16int32 is 16 lanes of int32, v16acc64 an accumulator of 16 lanes of 64 bits.
#ifndef KB_AIE_REGISTERS_H
#define KB_AIE_REGISTERS_H

#include "native.h"

// Of each element type the registers of 128, 256, 512 and 1024 bits.
#define KB_REGISTERS(type, a, b, c, d)           \
    using v##a##type = kbaie::native<type, a>;   \
    using v##b##type = kbaie::native<type, b>;   \
    using v##c##type = kbaie::native<type, c>;   \
    using v##d##type = kbaie::native<type, d>;
KB_REGISTERS(int4, 32, 64, 128, 256)
KB_REGISTERS(uint4, 32, 64, 128, 256)
KB_REGISTERS(int8, 16, 32, 64, 128)
KB_REGISTERS(uint8, 16, 32, 64, 128)
KB_REGISTERS(int16, 8, 16, 32, 64)
KB_REGISTERS(uint16, 8, 16, 32, 64)
KB_REGISTERS(bfloat16, 8, 16, 32, 64)
KB_REGISTERS(int32, 4, 8, 16, 32)
KB_REGISTERS(uint32, 4, 8, 16, 32)
KB_REGISTERS(float, 4, 8, 16, 32)
KB_REGISTERS(cint16, 4, 8, 16, 32)
KB_REGISTERS(cint32, 2, 4, 8, 16)
#if __AIE_ARCH__ == 20
KB_REGISTERS(cbfloat16, 4, 8, 16, 32)
KB_REGISTERS(cfloat, 2, 4, 8, 16)
#endif
#undef KB_REGISTERS

#define KB_ACCUMULATOR(Tag, N) using v##N##Tag = kbaie::native_acc<Tag, N>;
KB_ACCUMULATOR(acc32, 8)
KB_ACCUMULATOR(acc32, 16)
KB_ACCUMULATOR(acc32, 32)
KB_ACCUMULATOR(acc64, 4)
KB_ACCUMULATOR(acc64, 8)
KB_ACCUMULATOR(acc64, 16)
KB_ACCUMULATOR(accfloat, 4)
KB_ACCUMULATOR(accfloat, 8)
KB_ACCUMULATOR(accfloat, 16)
KB_ACCUMULATOR(accfloat, 32)
KB_ACCUMULATOR(cacc64, 2)
KB_ACCUMULATOR(cacc64, 4)
KB_ACCUMULATOR(cacc64, 8)
#if __AIE_ARCH__ == 20
KB_ACCUMULATOR(caccfloat, 4)
KB_ACCUMULATOR(caccfloat, 8)
#else
KB_ACCUMULATOR(acc32, 64)
KB_ACCUMULATOR(acc64, 32)
KB_ACCUMULATOR(accfloat, 64)
KB_ACCUMULATOR(cacc64, 16)
#endif
#undef KB_ACCUMULATOR

#endif
