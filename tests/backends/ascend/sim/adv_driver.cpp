// Runs a list of the advanced library's elementwise operations that the test wrote down: one compilation serves all.
//
// A step is 8 words of int64: operation, element type (0 half, 1 float, 2 a 16- or 32-bit integer), form (bit 0: with
// sharedTmpBuffer, bit 1: over the whole tensor, bits 2 and up: the operation's own flags), elements, bits of a scalar, and
// where the sources and dst lie in one block of bytes. Data go through UB in pieces of 2048 elements.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kPiece = 2048;

enum Op : int64_t {
    ACOS, ACOSH, ASIN, ASINH, ATAN, ATANH, COS, COSH, DIGAMMA, ERF, ERFC, EXP, LGAMMA, LOG, LOG2, LOG10, SIN, SINH,
    TAN, TANH, CEIL, FLOOR, ROUND, TRUNC, FRAC, SIGN, CLAMPMAX, CLAMPMIN, XOR, FMOD, AXPY, POWER, POWERTO, POWEROF,
    SIGMOID, SILU, SWISH, GELU, FASTERGELU, FASTERGELUV2, SWIGLU, GEGLU, REGLU, LN, SQRT, RSQRT, RECIPROCAL, DIV, BASICEXP,
};

struct Step {
    int64_t op, type, form, count, scalar, src0, src1, dst;
};

template <class T>
struct Operands {
    LocalTensor<T> dst, src0, src1;
    LocalTensor<uint8_t> tmp;
    uint32_t count;
    int64_t form;
    T scalar;
    float factor;
};

#define UNARY(Name)                                                                          \
    switch (o.form & 3) {                                                                    \
        case 0: return Name(o.dst, o.src0, o.count);                                         \
        case 1: return Name(o.dst, o.src0, o.tmp, o.count);                                  \
        case 2: return Name(o.dst, o.src0);                                                  \
        default: return Name(o.dst, o.src0, o.tmp);                                          \
    }
#define COUNTED(Name)                                                                        \
    return (o.form & 1) ? Name(o.dst, o.src0, o.tmp, o.count) : Name(o.dst, o.src0, o.count)
#define BINARY(Name)                                                                         \
    switch (o.form & 3) {                                                                    \
        case 0: return Name(o.dst, o.src0, o.src1, o.count);                                 \
        case 1: return Name(o.dst, o.src0, o.src1, o.tmp, o.count);                          \
        case 2: return Name(o.dst, o.src0, o.src1);                                          \
        default: return Name(o.dst, o.src0, o.src1, o.tmp);                                  \
    }
#define GELU_FORM(Name, precise, fast)                                                       \
    return (o.form & 1) ? Name<T, precise, fast>(o.dst, o.src0, o.tmp, o.count)              \
                        : Name<T, precise, fast>(o.dst, o.src0, o.count)
#define GELU_FORMS(Name)                                                                     \
    switch (o.form >> 2) {                                                                   \
        case 0: GELU_FORM(Name, false, false);                                               \
        case 1: GELU_FORM(Name, true, false);                                                \
        case 2: GELU_FORM(Name, false, true);                                                \
        default: GELU_FORM(Name, true, true);                                                \
    }

template <class T>
__aicore__ void Curves(const Step& s, Operands<T>& o)
{
    switch (s.op) {
        case ACOS: UNARY(Acos)
        case ACOSH: UNARY(Acosh)
        case ASIN: UNARY(Asin)
        case ASINH: UNARY(Asinh)
        case ATAN: UNARY(Atan)
        case ATANH: UNARY(Atanh)
        case COS: UNARY(Cos)
        case COSH: UNARY(Cosh)
        case DIGAMMA: COUNTED(Digamma);
        case ERF: UNARY(Erf)
        case ERFC: UNARY(Erfc)
        case LGAMMA: COUNTED(Lgamma);
        case LOG: return (o.form & 2) ? Log(o.dst, o.src0) : Log(o.dst, o.src0, o.count);
        case LOG2: UNARY(Log2)
        case LOG10: return (o.form & 2) ? Log10(o.dst, o.src0) : Log10(o.dst, o.src0, o.count);
        case SIN: UNARY(Sin)
        case SINH: UNARY(Sinh)
        case TAN: UNARY(Tan)
        case TANH: UNARY(Tanh)
        case CEIL: COUNTED(Ceil);
        case FLOOR: COUNTED(Floor);
        case ROUND: COUNTED(Round);
        case TRUNC: UNARY(Trunc)
        case FRAC: UNARY(Frac)
        case SIGN: UNARY(Sign)
        case FMOD: BINARY(Fmod)
        case SIGMOID: UNARY(Sigmoid)
        case SILU: return Silu(o.dst, o.src0, o.count);
        case SWISH: return Swish(o.dst, o.src0, o.count, o.scalar);
        case GELU: GELU_FORMS(Gelu)
        case FASTERGELU: GELU_FORMS(FasterGelu)
        case FASTERGELUV2: GELU_FORMS(FasterGeluV2)
        case GEGLU: BINARY(GeGLU)
        case LN: return Ln(o.dst, o.src0, (int32_t)o.count);
        case SQRT: return Sqrt(o.dst, o.src0, (int32_t)o.count);
        case RSQRT: return Rsqrt(o.dst, o.src0, (int32_t)o.count);
        case RECIPROCAL: return Reciprocal(o.dst, o.src0, (int32_t)o.count);
        case BASICEXP: return Exp(o.dst, o.src0, (int32_t)o.count);
        case DIV: return Div(o.dst, o.src0, o.src1, (int32_t)o.count);
        default: return;
    }
}

template <class T>
__aicore__ void WithScalars(const Step& s, Operands<T>& o)
{
    switch (s.op) {
        case EXP:
            switch (o.form >> 2) {
                case 0: return (o.form & 1) ? Exp<T, 0>(o.dst, o.src0, o.tmp, o.count) : Exp<T, 0>(o.dst, o.src0, o.count);
                default: return (o.form & 1) ? Exp<T, 5>(o.dst, o.src0, o.tmp, o.count) : Exp<T, 5>(o.dst, o.src0, o.count);
            }
        case CLAMPMAX:
            return (o.form & 1) ? ClampMax(o.dst, o.src0, o.tmp, o.scalar, o.count)
                                : ClampMax(o.dst, o.src0, o.scalar, o.count);
        case CLAMPMIN:
            return (o.form & 1) ? ClampMin(o.dst, o.src0, o.tmp, o.scalar, o.count)
                                : ClampMin(o.dst, o.src0, o.scalar, o.count);
        case AXPY:
            Duplicate(o.dst, (T)1.5f, (int32_t)o.count);
            return Axpy(o.dst, o.src0, o.scalar, o.tmp, o.count);
        case SWIGLU:
            switch (o.form & 3) {
                case 0: return SwiGLU(o.dst, o.src0, o.src1, o.factor, o.count);
                case 1: return SwiGLU(o.dst, o.src0, o.src1, o.factor, o.tmp, o.count);
                case 2: return SwiGLU(o.dst, o.src0, o.src1, o.factor);
                default: return SwiGLU(o.dst, o.src0, o.src1, o.factor, o.tmp);
            }
        case REGLU:
            return (o.form & 1) ? ReGlu(o.dst, o.src0, o.src1, o.tmp, o.count) : ReGlu(o.dst, o.src0, o.src1, o.count);
        default: return;
    }
}

template <class T>
__aicore__ void Powers(const Step& s, Operands<T>& o)
{
    switch (s.op * 4 + (o.form & 3)) {
        case POWER * 4: return Power(o.dst, o.src0, o.src1, o.count);
        case POWER * 4 + 1: return Power(o.dst, o.src0, o.src1, o.tmp, o.count);
        case POWER * 4 + 2: return Power(o.dst, o.src0, o.src1);
        case POWER * 4 + 3: return Power(o.dst, o.src0, o.src1, o.tmp);
        case POWERTO * 4: return Power(o.dst, o.src0, o.scalar, o.count);
        case POWERTO * 4 + 1: return Power(o.dst, o.src0, o.scalar, o.tmp, o.count);
        case POWERTO * 4 + 2: return Power(o.dst, o.src0, o.scalar);
        case POWERTO * 4 + 3: return Power(o.dst, o.src0, o.scalar, o.tmp);
        case POWEROF * 4: return Power(o.dst, o.scalar, o.src0, o.count);
        case POWEROF * 4 + 1: return Power(o.dst, o.scalar, o.src0, o.tmp, o.count);
        case POWEROF * 4 + 2: return Power(o.dst, o.scalar, o.src0);
        case POWEROF * 4 + 3: return Power(o.dst, o.scalar, o.src0, o.tmp);
        default: return;
    }
}

class Driver {
public:
    __aicore__ void Run(TPipe& pipe, GM_ADDR data, GM_ADDR steps, uint32_t n)
    {
        pipe.InitBuffer(in0_, 1, kPiece * 4);
        pipe.InitBuffer(in1_, 1, kPiece * 4);
        pipe.InitBuffer(out_, 1, kPiece * 4);
        pipe.InitBuffer(tmp_, 32 * 1024);
        data_ = data;
        for (uint32_t i = 0; i < n; ++i) {
            const Step s = ((__gm__ Step*)steps)[i];
            if (s.type == 0) {
                Whole<half>(s);
            } else if (s.type == 1) {
                Whole<float>(s);
            } else if (s.op == XOR) {
                Whole<uint16_t>(s);
            } else {
                Whole<int32_t>(s);
            }
        }
    }

private:
    template <class T>
    __aicore__ void Whole(const Step& s)
    {
        for (int64_t at = 0; at < s.count; at += kPiece) {
            Piece<T>(s, at, (uint32_t)(s.count - at < kPiece ? s.count - at : kPiece));
        }
    }

    template <class T>
    __aicore__ LocalTensor<T> Load(TQue<TPosition::VECIN, 1>& queue, int64_t offset, uint32_t count)
    {
        GlobalTensor<T> from;
        from.SetGlobalBuffer((__gm__ T*)(data_ + offset));
        LocalTensor<T> to = queue.AllocTensor<T>();
        DataCopyPad(to, from, {1, (uint32_t)(count * sizeof(T)), 0, 0, 0}, {false, 0, 0, 0});
        queue.EnQue(to);
        to = queue.DeQue<T>();
        to.SetSize(count);
        return to;
    }

    template <class T>
    __aicore__ void Piece(const Step& s, int64_t at, uint32_t count)
    {
        Operands<T> o;
        o.src0 = Load<T>(in0_, s.src0 + at * sizeof(T), count);
        o.src1 = Load<T>(in1_, s.src1 + at * sizeof(T), count);
        o.dst = out_.AllocTensor<T>();
        o.tmp = tmp_.Get<uint8_t>();
        o.count = count;
        o.form = s.form;
        __builtin_memcpy(&o.scalar, &s.scalar, sizeof(T));
        __builtin_memcpy(&o.factor, &s.scalar, sizeof(float));
        if constexpr (sizeof(T) == 2 && !SupportType<T, half>()) {
            Xors(o);
        } else if constexpr (SupportType<T, int32_t>()) {
            Powers(s, o);
        } else if (s.op >= POWER && s.op <= POWEROF) {
            Powers(s, o);
        } else {
            Curves(s, o);
            WithScalars(s, o);
        }
        out_.EnQue(o.dst);
        o.dst = out_.DeQue<T>();
        GlobalTensor<T> to;
        to.SetGlobalBuffer((__gm__ T*)(data_ + s.dst + at * sizeof(T)));
        DataCopyPad(to, o.dst, {1, (uint32_t)(count * sizeof(T)), 0, 0, 0});
        out_.FreeTensor(o.dst);
        in0_.FreeTensor(o.src0);
        in1_.FreeTensor(o.src1);
    }

    template <class T>
    __aicore__ static void Xors(Operands<T>& o)
    {
        BINARY(Xor)
    }

    TQue<TPosition::VECIN, 1> in0_, in1_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> tmp_;
    GM_ADDR data_;
};

}  // namespace

extern "C" __global__ __aicore__ void adv(GM_ADDR data, GM_ADDR steps, GM_ADDR counts)
{
    TPipe pipe;
    Driver driver;
    driver.Run(pipe, data, steps, ((__gm__ uint32_t*)counts)[0]);
}
