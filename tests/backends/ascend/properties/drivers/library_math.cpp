// Runs a list of the advanced library's elementwise operations. A step is 16 words of int64; each loads a 48 KiB image
// of the unified buffer, calls one operation on it, and stores the image.
#include "kernel_operator.h"
#include "adv_api/activation/geglu.h"
#include "adv_api/activation/gelu.h"
#include "adv_api/activation/reglu.h"
#include "adv_api/activation/sigmoid.h"
#include "adv_api/activation/silu.h"
#include "adv_api/activation/swiglu.h"
#include "adv_api/activation/swish.h"
#include "adv_api/math/acos.h"
#include "adv_api/math/acosh.h"
#include "adv_api/math/asin.h"
#include "adv_api/math/asinh.h"
#include "adv_api/math/atan.h"
#include "adv_api/math/atanh.h"
#include "adv_api/math/ceil.h"
#include "adv_api/math/clamp.h"
#include "adv_api/math/cos.h"
#include "adv_api/math/cosh.h"
#include "adv_api/math/digamma.h"
#include "adv_api/math/erf.h"
#include "adv_api/math/erfc.h"
#include "adv_api/math/exp.h"
#include "adv_api/math/floor.h"
#include "adv_api/math/fmod.h"
#include "adv_api/math/frac.h"
#include "adv_api/math/lgamma.h"
#include "adv_api/math/log.h"
#include "adv_api/math/power.h"
#include "adv_api/math/round.h"
#include "adv_api/math/sign.h"
#include "adv_api/math/sin.h"
#include "adv_api/math/sinh.h"
#include "adv_api/math/tan.h"
#include "adv_api/math/tanh.h"
#include "adv_api/math/trunc.h"

using namespace AscendC;

namespace {

constexpr uint32_t kImage = 48 * 1024;

// The order of FUNCTIONS in the oracle.
enum Op : int64_t {
    ACOS, ACOSH, ASIN, ASINH, ATAN, ATANH, COS, SIN, TAN, COSH, SINH, TANH, ERF, ERFC, DIGAMMA, LGAMMA, LOG, LOG2, LOG10,
    CEIL, FLOOR, ROUND, TRUNC, FRAC, SIGN, FMOD, POWER, CLAMPMAX, CLAMPMIN, SIGMOID, SILU, SWISH, GELU, FASTERGELU, GEGLU,
    SWIGLU, REGLU, POWER_TO, POWER_OF, EXP,
};
enum Form : int64_t { TMP_COUNT, TMP, COUNT, WHOLE };

struct Step {
    int64_t op, half, form, count, dst, src0, src1, tmp, tmpBytes, scalar, spare[6];
};

LocalTensor<uint8_t> image;

template <class T>
__aicore__ LocalTensor<T> At(int64_t offset, int64_t elements)
{
    LocalTensor<uint8_t> all = image;
    LocalTensor<uint8_t> part = all[static_cast<uint32_t>(offset)];
    LocalTensor<T> typed = part.ReinterpretCast<T>();
    typed.SetSize(static_cast<uint32_t>(elements));
    return typed;
}

#define FOUR(Name)                                      \
    switch (s.form) {                                   \
        case TMP_COUNT: Name(d, a, tmp, n); break;      \
        case TMP: Name(d, a, tmp); break;               \
        case COUNT: Name(d, a, n); break;               \
        case WHOLE: Name(d, a); break;                  \
    }                                                   \
    break
#define FOUR_OF_TWO(Name)                               \
    switch (s.form) {                                   \
        case TMP_COUNT: Name(d, a, b, tmp, n); break;   \
        case TMP: Name(d, a, b, tmp); break;            \
        case COUNT: Name(d, a, b, n); break;            \
        case WHOLE: Name(d, a, b); break;               \
    }                                                   \
    break
#define COUNTED(Name) s.form == TMP_COUNT ? Name(d, a, tmp, n) : Name(d, a, n); break
#define BARE(Name) s.form == COUNT ? Name(d, a, n) : Name(d, a); break

template <class T>
__aicore__ void Run(const Step& s)
{
    const uint32_t n = static_cast<uint32_t>(s.count);
    LocalTensor<T> d = At<T>(s.dst, s.count), a = At<T>(s.src0, s.count), b = At<T>(s.src1, s.count);
    LocalTensor<uint8_t> tmp = At<uint8_t>(s.tmp, s.tmpBytes);
    T scalar;
    __builtin_memcpy(&scalar, &s.scalar, sizeof(T));
    float beta;
    __builtin_memcpy(&beta, &s.scalar, sizeof(float));
    switch (s.op) {
        case ACOS: FOUR(Acos);
        case ACOSH: FOUR(Acosh);
        case ASIN: FOUR(Asin);
        case ASINH: FOUR(Asinh);
        case ATAN: FOUR(Atan);
        case ATANH: FOUR(Atanh);
        case COS: FOUR(Cos);
        case SIN: FOUR(Sin);
        case TAN: FOUR(Tan);
        case COSH: FOUR(Cosh);
        case SINH: FOUR(Sinh);
        case TANH: FOUR(Tanh);
        case ERF: FOUR(Erf);
        case ERFC: FOUR(Erfc);
        case DIGAMMA: COUNTED(Digamma);
        case LGAMMA: COUNTED(Lgamma);
        case LOG: BARE(Log);
        case LOG2: FOUR(Log2);
        case LOG10: BARE(Log10);
        case CEIL: COUNTED(Ceil);
        case FLOOR: COUNTED(Floor);
        case ROUND: COUNTED(Round);
        case TRUNC: FOUR(Trunc);
        case FRAC: FOUR(Frac);
        case SIGN: FOUR(Sign);
        case FMOD: FOUR_OF_TWO(Fmod);
        case POWER: FOUR_OF_TWO(Power);
        case CLAMPMAX: s.form == TMP_COUNT ? ClampMax(d, a, tmp, scalar, n) : ClampMax(d, a, scalar, n); break;
        case CLAMPMIN: s.form == TMP_COUNT ? ClampMin(d, a, tmp, scalar, n) : ClampMin(d, a, scalar, n); break;
        case SIGMOID: FOUR(Sigmoid);
        case SILU: Silu(d, a, n); break;
        case SWISH: Swish(d, a, n, scalar); break;
        case GELU: COUNTED(Gelu);
        case FASTERGELU: COUNTED(FasterGelu);
        case GEGLU: FOUR_OF_TWO(GeGLU);
        case SWIGLU:
            switch (s.form) {
                case TMP_COUNT: SwiGLU(d, a, b, beta, tmp, n); break;
                case TMP: SwiGLU(d, a, b, beta, tmp); break;
                case COUNT: SwiGLU(d, a, b, beta, n); break;
                case WHOLE: SwiGLU(d, a, b, beta); break;
            }
            break;
        case POWER_TO:
            switch (s.form) {
                case TMP_COUNT: Power(d, a, scalar, tmp, n); break;
                case TMP: Power(d, a, scalar, tmp); break;
                case COUNT: Power(d, a, scalar, n); break;
                case WHOLE: Power(d, a, scalar); break;
            }
            break;
        case POWER_OF:
            switch (s.form) {
                case TMP_COUNT: Power(d, scalar, a, tmp, n); break;
                case TMP: Power(d, scalar, a, tmp); break;
                case COUNT: Power(d, scalar, a, n); break;
                case WHOLE: Power(d, scalar, a); break;
            }
            break;
        case EXP: s.form == TMP_COUNT ? Exp<T, 10>(d, a, tmp, n) : Exp<T, 10>(d, a, n); break;
        case REGLU: s.form == TMP_COUNT ? ReGlu(d, a, b, tmp, n) : ReGlu(d, a, b, n); break;
    }
}

}  // namespace

extern "C" __global__ __aicore__ void library_math(GM_ADDR steps, GM_ADDR in, GM_ADDR out)
{
    const int64_t count = reinterpret_cast<const int64_t*>(steps)[0];
    const Step* list = reinterpret_cast<const Step*>(steps + 32);
    GlobalTensor<uint8_t> from, to;
    from.SetGlobalBuffer((__gm__ uint8_t*)in);
    to.SetGlobalBuffer((__gm__ uint8_t*)out);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kImage);
    image = buffer.Get<uint8_t>();
    for (int64_t i = 0; i < count; ++i) {
        DataCopy(image, from[static_cast<uint64_t>(i) * kImage], kImage);
        PipeBarrier<PIPE_ALL>();
        list[i].half ? Run<half>(list[i]) : Run<float>(list[i]);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[static_cast<uint64_t>(i) * kImage], image, kImage);
        PipeBarrier<PIPE_ALL>();
    }
}
