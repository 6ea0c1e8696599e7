// Runs a list of vector operations that the test wrote down: one compilation serves every case.
//
// A step is 32 words of int64: operation, element type, form, repeats or count, two mask words, scalar bits, mode, block
// and repeat strides, and where dst and the two sources lie in a 48 KiB image of the unified buffer, which each step
// loads, works on, and stores.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kImage = 48 * 1024;

enum Op : int64_t {
    ABS, EXP, LN, SQRT, RSQRT, RECIPROCAL, RELU, NOT,
    ADD, SUB, MUL, DIV, MAX, MIN, AND, OR, ADDRELU, SUBRELU, MULADDDST, FUSEDMULADD, FUSEDMULADDRELU, ADDDEQRELU,
    ADDS, MULS, MAXS, MINS, SHIFTLEFT, SHIFTRIGHT, SHIFTRIGHTROUND, LEAKYRELU, AXPY,
    CAST, ADDRELUCAST, SUBRELUCAST, MULCAST, DUPLICATE, CREATEVECINDEX, COMPARE, COMPARESCALAR, SELECT, SELECTSCALAR,
    WHOLEREDUCESUM, WHOLEREDUCEMAX, WHOLEREDUCEMIN, BLOCKREDUCESUM, BLOCKREDUCEMAX, BLOCKREDUCEMIN, PAIRREDUCESUM,
    REDUCESUM, REDUCEMAX, REDUCEMIN, BRCB, GATHER, GATHERB, GATHERMASK, GATHERMASKUSER, CASTDEQ, CMPREGISTER,
};
enum Type : int64_t { F16, BF16, F32, I8, U8, I16, U16, I32, U32, I64, I4 };
enum Form : int64_t { COUNT, FIRST, BITS, KEEP_BITS, COUNTER, KEEP_COUNTER };

struct Step {
    int64_t op, type, to, form, repeats, mask0, mask1, scalar, mode, dst, src0, src1, work;
    int64_t block[3], repeat[3];
    int64_t dstBytes, srcBytes;  // sizes of the tensors, 0: to the image's end
    int64_t extra, spare[10];
};
static_assert(sizeof(Step) == 32 * 8, "a step is 32 words");

LocalTensor<uint8_t> image;

template <class T>
__aicore__ LocalTensor<T> At(int64_t offset, int64_t bytes)
{
    LocalTensor<uint8_t> all = image;
    LocalTensor<uint8_t> part = all[static_cast<uint32_t>(offset)];
    if (bytes > 0) {
        part.SetSize(static_cast<uint32_t>(bytes));
    }
    return part.ReinterpretCast<T>();
}

template <class T>
__aicore__ T Scalar(const Step& s)
{
    T value;
    __builtin_memcpy(&value, &s.scalar, sizeof(T));
    return value;
}

__aicore__ UnaryRepeatParams Unary(const Step& s)
{
    return UnaryRepeatParams((uint16_t)s.block[0], (uint16_t)s.block[1], (uint8_t)s.repeat[0], (uint8_t)s.repeat[1]);
}

__aicore__ BinaryRepeatParams Binary(const Step& s)
{
    return BinaryRepeatParams((uint8_t)s.block[0], (uint8_t)s.block[1], (uint8_t)s.block[2], (uint8_t)s.repeat[0],
                              (uint8_t)s.repeat[1], (uint8_t)s.repeat[2]);
}

// Calls `f` as the step's form asks: CALL_COUNT(args...) or, with a mask, CALL(mask, args...).
#define FORMS(T, Call, CallCount, CallKeep)                                      \
    {                                                                            \
        uint64_t bits[2] = {(uint64_t)s.mask0, (uint64_t)s.mask1};               \
        const uint8_t repeats = (uint8_t)s.repeats;                              \
        switch (s.form) {                                                        \
            case COUNT: { CallCount; } break;                                    \
            case FIRST: { uint64_t mask = bits[0]; Call; } break;                \
            case BITS: { uint64_t* mask = bits; Call; } break;                   \
            case KEEP_BITS: {                                                    \
                SetVectorMask<T>(bits[1], bits[0]);                              \
                uint64_t mask = MASK_PLACEHOLDER;                                \
                CallKeep;                                                        \
                ResetMask();                                                     \
            } break;                                                             \
            case COUNTER: {                                                      \
                SetMaskCount();                                                  \
                uint64_t mask = bits[0];                                         \
                Call;                                                            \
                SetMaskNorm();                                                   \
                ResetMask();                                                     \
            } break;                                                             \
            case KEEP_COUNTER: {                                                 \
                SetMaskCount();                                                  \
                SetVectorMask<T, MaskMode::COUNTER>(0, bits[0]);                 \
                uint64_t mask = MASK_PLACEHOLDER;                                \
                CallKeep;                                                        \
                SetMaskNorm();                                                   \
                ResetMask();                                                     \
            } break;                                                             \
        }                                                                        \
    }

#define UNARY(Name, T)                                                                                    \
    FORMS(T, (Name(d, a, mask, repeats, Unary(s))), (Name(d, a, (int32_t)s.repeats)),                     \
          (Name<T, false>(d, a, mask, repeats, Unary(s))))
#define BINARY(Name, T)                                                                                   \
    FORMS(T, (Name(d, a, b, mask, repeats, Binary(s))), (Name(d, a, b, (int32_t)s.repeats)),              \
          (Name<T, false>(d, a, b, mask, repeats, Binary(s))))
#define SCALAR(Name, T)                                                                                   \
    FORMS(T, (Name(d, a, Scalar<T>(s), mask, repeats, Unary(s))), (Name(d, a, Scalar<T>(s), (int32_t)s.repeats)), \
          (Name<T, false>(d, a, Scalar<T>(s), mask, repeats, Unary(s))))

template <class T>
__aicore__ void Numeric(const Step& s)  // half, float, int16_t, int32_t
{
    LocalTensor<T> d = At<T>(s.dst, s.dstBytes), a = At<T>(s.src0, s.srcBytes), b = At<T>(s.src1, s.srcBytes);
    switch (s.op) {
        case ADD: BINARY(Add, T); break;
        case SUB: BINARY(Sub, T); break;
        case MUL: BINARY(Mul, T); break;
        case MAX: BINARY(Max, T); break;
        case MIN: BINARY(Min, T); break;
        case ADDS: SCALAR(Adds, T); break;
        case MULS: SCALAR(Muls, T); break;
        case MAXS: SCALAR(Maxs, T); break;
        case MINS: SCALAR(Mins, T); break;
        case CREATEVECINDEX:
            FORMS(T, (CreateVecIndex(d, Scalar<T>(s), mask, repeats, (uint16_t)s.block[0], (uint8_t)s.repeat[0])),
                  (CreateVecIndex(d, Scalar<T>(s), (uint32_t)s.repeats)), (void)mask);
            break;
    }
}

template <class T, class U>
__aicore__ void Accumulate(const Step& s)
{
    LocalTensor<T> d = At<T>(s.dst, s.dstBytes);
    LocalTensor<U> a = At<U>(s.src0, s.srcBytes), b = At<U>(s.src1, s.srcBytes);
    if (s.op == MULADDDST) {
        FORMS(T, (MulAddDst(d, a, b, mask, repeats, Binary(s))), (MulAddDst(d, a, b, (int32_t)s.repeats)),
              (MulAddDst<T, U, false>(d, a, b, mask, repeats, Binary(s))));
    } else {
        FORMS(T, (Axpy(d, a, Scalar<U>(s), mask, repeats, Unary(s))), (Axpy(d, a, Scalar<U>(s), (int32_t)s.repeats)),
              (Axpy<T, U, false>(d, a, Scalar<U>(s), mask, repeats, Unary(s))));
    }
}

template <class T>
__aicore__ void Reduce(const Step& s)
{
    LocalTensor<T> d = At<T>(s.dst, s.dstBytes), a = At<T>(s.src0, s.srcBytes), w = At<T>(s.work, 0);
    const ReduceOrder order = (ReduceOrder)s.mode;
    const int32_t n = (int32_t)s.repeats, dr = (int32_t)s.repeat[0], sb = (int32_t)s.block[1], sr = (int32_t)s.repeat[1];
    uint64_t bits[2] = {(uint64_t)s.mask0, (uint64_t)s.mask1};
    const int32_t m = (int32_t)s.mask0;
    const bool by_bits = s.form == BITS;
    const bool counter = s.form == KEEP_COUNTER;
    if (counter) {
        SetMaskCount();
        SetVectorMask<T, MaskMode::COUNTER>(0, bits[0]);
    }
    switch (s.op) {
        case WHOLEREDUCESUM:
            counter ? WholeReduceSum<T, false>(d, a, 0 * m, n, dr, sb, sr)
            : by_bits ? WholeReduceSum(d, a, bits, n, dr, sb, sr) : WholeReduceSum(d, a, m, n, dr, sb, sr);
            break;
        case WHOLEREDUCEMAX:
            counter ? WholeReduceMax<T, false>(d, a, 0 * m, n, dr, sb, sr, order)
            : by_bits ? WholeReduceMax(d, a, bits, n, dr, sb, sr, order) : WholeReduceMax(d, a, m, n, dr, sb, sr, order);
            break;
        case WHOLEREDUCEMIN:
            by_bits ? WholeReduceMin(d, a, bits, n, dr, sb, sr, order) : WholeReduceMin(d, a, m, n, dr, sb, sr, order);
            break;
        case BLOCKREDUCESUM: by_bits ? BlockReduceSum(d, a, n, bits, dr, sb, sr) : BlockReduceSum(d, a, n, m, dr, sb, sr); break;
        case BLOCKREDUCEMAX: by_bits ? BlockReduceMax(d, a, n, bits, dr, sb, sr) : BlockReduceMax(d, a, n, m, dr, sb, sr); break;
        case BLOCKREDUCEMIN: by_bits ? BlockReduceMin(d, a, n, bits, dr, sb, sr) : BlockReduceMin(d, a, n, m, dr, sb, sr); break;
        case PAIRREDUCESUM: by_bits ? PairReduceSum(d, a, n, bits, dr, sb, sr) : PairReduceSum(d, a, n, m, dr, sb, sr); break;
        case REDUCESUM:
            s.form == COUNT ? ReduceSum(d, a, w, n) : by_bits ? ReduceSum(d, a, w, bits, n, sr) : ReduceSum(d, a, w, m, n, sr);
            break;
        case REDUCEMAX:
            s.form == COUNT ? ReduceMax(d, a, w, n, s.extra != 0)
            : by_bits ? ReduceMax(d, a, w, bits, n, sr, s.extra != 0) : ReduceMax(d, a, w, m, n, sr, s.extra != 0);
            break;
        case REDUCEMIN:
            s.form == COUNT ? ReduceMin(d, a, w, n, s.extra != 0)
            : by_bits ? ReduceMin(d, a, w, bits, n, sr, s.extra != 0) : ReduceMin(d, a, w, m, n, sr, s.extra != 0);
            break;
    }
    SetMaskNorm();
    ResetMask();
    // Registers go behind the work tensor, where the test looks for them.
    if (s.mode >= 0 && s.spare[0] != 0) {
        LocalTensor<T> r = At<T>(s.spare[0], 0);
        T value = 0, index = 0;
        GetReduceMaxMinCount<T>(value, index);
        r.SetValue(0, GetAccVal<T>());
        r.SetValue(1, value);
        r.SetValue(2, index);
    }
}

template <class T>
__aicore__ void Compares_(const Step& s)
{
    LocalTensor<uint8_t> d = At<uint8_t>(s.dst, s.dstBytes);
    LocalTensor<T> a = At<T>(s.src0, s.srcBytes), b = At<T>(s.src1, s.srcBytes);
    const CMPMODE mode = (CMPMODE)s.mode;
    const uint8_t repeats = (uint8_t)s.repeats;
    if (s.op == COMPARE) {
        s.form == COUNT ? Compare(d, a, b, mode, (uint32_t)s.repeats) : Compare(d, a, b, mode, 64ull, repeats, Binary(s));
    } else {
        s.form == COUNT ? CompareScalar(d, a, Scalar<T>(s), mode, (uint32_t)s.repeats)
                        : Compares(d, a, Scalar<T>(s), mode, 64ull, repeats, Unary(s));
    }
}

template <class T>
__aicore__ void Floating(const Step& s)  // half, float
{
    LocalTensor<T> d = At<T>(s.dst, s.dstBytes), a = At<T>(s.src0, s.srcBytes), b = At<T>(s.src1, s.srcBytes);
    LocalTensor<uint8_t> chosen = At<uint8_t>(s.work, 0);
    const SELMODE mode = (SELMODE)s.mode;
    switch (s.op) {
        case ABS: UNARY(Abs, T); break;
        case EXP: UNARY(Exp, T); break;
        case LN: UNARY(Ln, T); break;
        case SQRT: UNARY(Sqrt, T); break;
        case RSQRT: UNARY(Rsqrt, T); break;
        case RECIPROCAL: UNARY(Reciprocal, T); break;
        case RELU: UNARY(Relu, T); break;
        case DIV: BINARY(Div, T); break;
        case ADDRELU: BINARY(AddRelu, T); break;
        case SUBRELU: BINARY(SubRelu, T); break;
        case FUSEDMULADD: BINARY(FusedMulAdd, T); break;
        case FUSEDMULADDRELU: BINARY(FusedMulAddRelu, T); break;
        case LEAKYRELU: SCALAR(LeakyRelu, T); break;
        case SELECT:
            FORMS(T, (Select(d, chosen, a, b, mode, mask, repeats, Binary(s))),
                  (Select(d, chosen, a, b, mode, (uint32_t)s.repeats)), (void)mask);
            break;
        case SELECTSCALAR:
            FORMS(T, (Select(d, chosen, a, Scalar<T>(s), mode, mask, repeats, Binary(s))),
                  (Select(d, chosen, a, Scalar<T>(s), mode, (uint32_t)s.repeats)), (void)mask);
            break;
        case CMPREGISTER:  // compare into the register, store it, select by it
            Compare(a, b, (CMPMODE)s.mode, 64ull, Binary(s));
            GetCmpMask(chosen);
            Select<T, SELMODE::VSEL_CMPMASK_SPR>(d, a, b, 1, Binary(s));
            break;
        default: Reduce<T>(s);
    }
}

template <class T>
__aicore__ void Words(const Step& s)  // shifts, and for 16 bits the logical operations
{
    LocalTensor<T> d = At<T>(s.dst, s.dstBytes), a = At<T>(s.src0, s.srcBytes);
    switch (s.op) {
        case SHIFTLEFT: SCALAR(ShiftLeft, T); break;
        case SHIFTRIGHT: SCALAR(ShiftRight, T); break;
        case SHIFTRIGHTROUND:
            FORMS(T, (ShiftRight(d, a, Scalar<T>(s), mask, repeats, Unary(s), true)), (void)0, (void)mask);
            break;
    }
    if constexpr (sizeof(T) == 2) {
        LocalTensor<T> b = At<T>(s.src1, s.srcBytes);
        switch (s.op) {
            case NOT: UNARY(Not, T); break;
            case AND: BINARY(And, T); break;
            case OR: BINARY(Or, T); break;
        }
    }
}

template <class T>
__aicore__ void Moves(const Step& s)
{
    LocalTensor<T> d = At<T>(s.dst, s.dstBytes), a = At<T>(s.src0, s.srcBytes);
    LocalTensor<uint32_t> offsets = At<uint32_t>(s.src1, 0);
    switch (s.op) {
        case DUPLICATE:
            FORMS(T, (Duplicate(d, Scalar<T>(s), mask, repeats, (uint16_t)s.block[0], (uint8_t)s.repeat[0])),
                  (Duplicate(d, Scalar<T>(s), (int32_t)s.repeats)),
                  (Duplicate<T, false>(d, Scalar<T>(s), mask, repeats, (uint16_t)s.block[0], (uint8_t)s.repeat[0])));
            break;
        case BRCB: Brcb(d, a, (uint8_t)s.repeats, BrcbRepeatParams((uint16_t)s.block[0], (uint16_t)s.repeat[0])); break;
        case GATHER:
            FORMS(T, (Gather(d, a, offsets, (uint32_t)s.extra, mask, repeats, (uint16_t)s.repeat[0])),
                  (Gather(d, a, offsets, (uint32_t)s.extra, (uint32_t)s.repeats)), (void)mask);
            break;
        case GATHERMASK: case GATHERMASKUSER: {
            uint64_t kept = 0;
            const GatherMaskParams params((uint8_t)s.block[1], (uint16_t)s.repeats, (uint16_t)s.repeat[1], (uint8_t)s.repeat[2]);
            if (s.op == GATHERMASK) {
                GatherMask(d, a, (uint8_t)s.extra, s.mode != 0, (uint32_t)s.mask0, params, kept);
            } else if constexpr (sizeof(T) == 2) {
                GatherMask(d, a, At<uint16_t>(s.src1, 0), s.mode != 0, (uint32_t)s.mask0, params, kept);
            } else {
                GatherMask(d, a, At<uint32_t>(s.src1, 0), s.mode != 0, (uint32_t)s.mask0, params, kept);
            }
            At<int32_t>(s.work, 0).SetValue(0, (int32_t)kept);
        } break;
    }
}

template <class To, class From>
__aicore__ void Casts(const Step& s)
{
    LocalTensor<To> d = At<To>(s.dst, s.dstBytes);
    LocalTensor<From> a = At<From>(s.src0, s.srcBytes);
    const RoundMode mode = (RoundMode)s.mode;
    FORMS(float, (Cast(d, a, mode, mask, repeats, Unary(s))), (Cast(d, a, mode, (uint32_t)s.repeats)),
          (Cast<To, From, false>(d, a, mode, mask, repeats, Unary(s))));
}

template <class To, class From>
__aicore__ void FusedCasts(const Step& s)
{
    LocalTensor<To> d = At<To>(s.dst, s.dstBytes);
    LocalTensor<From> a = At<From>(s.src0, s.srcBytes), b = At<From>(s.src1, s.srcBytes);
    const uint8_t repeats = (uint8_t)s.repeats;
    const uint64_t mask = (uint64_t)s.mask0;
    if (s.op == ADDRELUCAST) {
        s.form == COUNT ? AddReluCast(d, a, b, (uint32_t)s.repeats) : AddReluCast(d, a, b, mask, repeats, Binary(s));
    } else {
        s.form == COUNT ? SubReluCast(d, a, b, (uint32_t)s.repeats) : SubReluCast(d, a, b, mask, repeats, Binary(s));
    }
}

#define PAIR(FromType, ToType, From_, To_)        \
    if (s.type == FromType && s.to == ToType) {   \
        Casts<To_, From_>(s);                     \
        return;                                   \
    }

__aicore__ void CastStep(const Step& s)
{
    SetDeqScale(Scalar<half>(s));
    PAIR(I4, F16, int4b_t, half) PAIR(U8, F16, uint8_t, half) PAIR(I8, F16, int8_t, half) PAIR(I16, F16, int16_t, half)
    PAIR(I16, F32, int16_t, float) PAIR(F16, I4, half, int4b_t) PAIR(F16, I8, half, int8_t) PAIR(F16, U8, half, uint8_t)
    PAIR(F16, I16, half, int16_t) PAIR(F16, I32, half, int32_t) PAIR(F16, F32, half, float)
    PAIR(BF16, I32, bfloat16_t, int32_t) PAIR(BF16, F32, bfloat16_t, float) PAIR(I32, I16, int32_t, int16_t)
    PAIR(I32, F16, int32_t, half) PAIR(I32, F32, int32_t, float) PAIR(I32, I64, int32_t, int64_t)
    PAIR(F32, I16, float, int16_t) PAIR(F32, F16, float, half) PAIR(F32, BF16, float, bfloat16_t)
    PAIR(F32, I32, float, int32_t) PAIR(F32, F32, float, float) PAIR(F32, I64, float, int64_t)
    PAIR(I64, I32, int64_t, int32_t) PAIR(I64, F32, int64_t, float)
}

__aicore__ void Other(const Step& s)
{
    switch (s.op) {
        case CAST: CastStep(s); break;
        case ADDRELUCAST: case SUBRELUCAST:
            if (s.type == F32) { FusedCasts<half, float>(s); }
            if (s.type == F16) { FusedCasts<int8_t, half>(s); }
            if (s.type == I16) { FusedCasts<int8_t, int16_t>(s); }
            break;
        case MULCAST:
            if (s.to == I8) {
                MulCast(At<int8_t>(s.dst, 0), At<half>(s.src0, 0), At<half>(s.src1, 0), (uint32_t)s.repeats);
            } else {
                MulCast(At<uint8_t>(s.dst, 0), At<half>(s.src0, 0), At<half>(s.src1, 0), (uint32_t)s.repeats);
            }
            break;
        case ADDDEQRELU:
            SetDeqScale(Scalar<half>(s));
            AddDeqRelu(At<half>(s.dst, 0), At<int32_t>(s.src0, 0), At<int32_t>(s.src1, 0), (int32_t)s.repeats);
            break;
        case CASTDEQ:
            SetDeqScale(Scalar<float>(s), (int16_t)s.extra, s.to == I8);
            if (s.to == I8) {
                CastDequant<int8_t, int16_t, false, true>(At<int8_t>(s.dst, 0), At<int16_t>(s.src0, 0), (uint32_t)s.repeats);
            } else {
                CastDequant<uint8_t, int16_t, false, false>(At<uint8_t>(s.dst, 0), At<int16_t>(s.src0, 0), (uint32_t)s.repeats);
            }
            break;
        case GATHERB:
            Gatherb(At<uint32_t>(s.dst, 0), At<uint32_t>(s.src0, 0), At<uint32_t>(s.src1, 0), (uint8_t)s.repeats,
                    GatherRepeatParams((uint8_t)s.block[0], (uint16_t)s.repeat[0]));
            break;
    }
}

__aicore__ void RunStep(const Step& s)
{
    const bool numeric = (s.op >= ADD && s.op <= MUL) || s.op == MAX || s.op == MIN || (s.op >= ADDS && s.op <= MINS) ||
                         s.op == CREATEVECINDEX;
    const bool moves = s.op == DUPLICATE || s.op == BRCB || s.op == GATHER || s.op == GATHERMASK || s.op == GATHERMASKUSER;
    if (s.op == COMPARE || s.op == COMPARESCALAR) {
        s.type == F16 ? Compares_<half>(s) : s.type == F32 ? Compares_<float>(s) : Compares_<int32_t>(s);
    } else if (s.op == MULADDDST || s.op == AXPY) {
        s.type == F32 ? Accumulate<float, float>(s) : s.to == F32 ? Accumulate<float, half>(s) : Accumulate<half, half>(s);
    } else if (moves) {
        switch (s.type) {
            case F16: Moves<half>(s); break;
            case BF16: Moves<bfloat16_t>(s); break;
            case F32: Moves<float>(s); break;
            case I16: Moves<int16_t>(s); break;
            case U16: Moves<uint16_t>(s); break;
            case I32: Moves<int32_t>(s); break;
            case U32: Moves<uint32_t>(s); break;
        }
    } else if (numeric) {
        switch (s.type) {
            case F16: Numeric<half>(s); break;
            case F32: Numeric<float>(s); break;
            case I16: Numeric<int16_t>(s); break;
            case I32: Numeric<int32_t>(s); break;
        }
    } else if (s.op == RELU && s.type == I32) {
        LocalTensor<int32_t> d = At<int32_t>(s.dst, s.dstBytes), a = At<int32_t>(s.src0, s.srcBytes);
        UNARY(Relu, int32_t);
    } else if ((s.op == ADDRELU || s.op == SUBRELU) && s.type == I16) {
        LocalTensor<int16_t> d = At<int16_t>(s.dst, 0), a = At<int16_t>(s.src0, 0), b = At<int16_t>(s.src1, 0);
        if (s.op == ADDRELU) { BINARY(AddRelu, int16_t); } else { BINARY(SubRelu, int16_t); }
    } else if (s.op == CAST || (s.op >= ADDRELUCAST && s.op <= MULCAST) || s.op == ADDDEQRELU || s.op == CASTDEQ || s.op == GATHERB) {
        Other(s);
    } else {
        switch (s.type) {
            case F16: Floating<half>(s); break;
            case F32: Floating<float>(s); break;
            case I16: Words<int16_t>(s); break;
            case U16: Words<uint16_t>(s); break;
            case I32: Words<int32_t>(s); break;
            case U32: Words<uint32_t>(s); break;
        }
    }
}

}  // namespace

// in, out: one image of the unified buffer a step. times: repetitions of each step, for measurements.
extern "C" __global__ __aicore__ void vec_driver(GM_ADDR steps, GM_ADDR in, GM_ADDR out)
{
    const int64_t* head = reinterpret_cast<const int64_t*>(steps);
    const int64_t count = head[0], times = head[1], saturate = head[2];
    const Step* list = reinterpret_cast<const Step*>(head + 4);
    GlobalTensor<uint8_t> from, to;
    from.SetGlobalBuffer((__gm__ uint8_t*)in);
    to.SetGlobalBuffer((__gm__ uint8_t*)out);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kImage);
    image = buffer.Get<uint8_t>();
    if (saturate) {
        SetSaturationFlag<SaturationMode::FLOAT>(true);
    }
    for (int64_t i = 0; i < count; ++i) {
        DataCopy(image, from[static_cast<uint64_t>(i) * kImage], kImage);
        PipeBarrier<PIPE_ALL>();
        for (int64_t k = 0; k < times; ++k) {
            RunStep(list[i]);
        }
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[static_cast<uint64_t>(i) * kImage], image, kImage);
        PipeBarrier<PIPE_ALL>();
    }
}
