// Tiling keys from template parameters, the host's side: the parameters that a kernel template takes, and the key of one
// choice of their values. A key holds each parameter's number in its width, the first parameter in the lowest bits: the
// value itself, but for UINT its place among the values declared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7
#define ASCENDC_TPL_AICORE 8
#define ASCENDC_TPL_VECTORCORE 9
#define ASCENDC_TPL_MIX_AICORE 10
#define ASCENDC_TPL_MIX_VECTOR_CORE 11
#define ASCENDC_TPL_MAX 12

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8

#define ASCENDC_TPL_DTYPE 0
#define ASCENDC_TPL_FORMAT 1
#define ASCENDC_TPL_UINT 2
#define ASCENDC_TPL_BOOL 3
constexpr uint32_t ASCENDC_TPL_KERNEL_TYPE = 4;
constexpr uint32_t ASCENDC_TPL_DETERMINISTIC = 5;
constexpr uint32_t ASCENDC_TPL_SHARED_KERNEL_TYPE = 6;

#define ASCENDC_TPL_INPUT_BIAS 100000000
#define ASCENDC_TPL_OUTPUT_BIAS 900000000
#define ASCENDC_TPL_INPUT(x) (ASCENDC_TPL_INPUT_BIAS + (x))
#define ASCENDC_TPL_OUTPUT(x) (ASCENDC_TPL_OUTPUT_BIAS + (x))

#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2

constexpr uint8_t MAX_BITS_NUM = 64;
constexpr uint64_t INVALID_TILING_KEY = 0xFFFFFFFFFFFFFFFF;

namespace kbhost {

// The values of a UINT parameter, in order: (RANGE, n, n pairs of first and last), (LIST, values) or (MIX, n, pairs, values).
inline std::vector<uint64_t> declared_values(const std::vector<uint64_t>& given) {
    if (given.empty() || given[0] == ASCENDC_TPL_UI_LIST) {
        return {given.begin() + (given.empty() ? 0 : 1), given.end()};
    }
    std::vector<uint64_t> values;
    size_t at = 2;
    for (uint64_t range = 0; given.size() > 1 && range < given[1] && at + 1 < given.size(); ++range, at += 2) {
        for (uint64_t value = given[at]; value <= given[at + 1] && values.size() < 65536; ++value) values.push_back(value);
    }
    if (given[0] == ASCENDC_TPL_UI_MIX && at < given.size()) values.insert(values.end(), given.begin() + at, given.end());
    return values;
}

}  // namespace kbhost

struct ParamStruct {
    const char* name;
    uint32_t paramType;
    uint8_t bitWidth;
    std::vector<uint64_t> vals;
    const char* macroType;
    ParamStruct(const char* inName, uint32_t inParamType, uint8_t inBitWidth, std::vector<uint64_t> inVals,
                const char* inMacroType)
        : name(inName), paramType(inParamType), bitWidth(inBitWidth), vals(std::move(inVals)), macroType(inMacroType) {
        if (paramType == ASCENDC_TPL_UINT) vals = kbhost::declared_values(vals);
    }
};
using TilingDeclareParams = std::vector<ParamStruct>;
using TilingSelectParams = std::vector<std::vector<ParamStruct>>;

namespace kbhost {

inline uint64_t key_value(uint64_t value) {
    return value;
}

// INVALID_TILING_KEY, and a line of print, where a UINT's value was not declared or the key is wider than 64 bits.
inline uint64_t template_key(const TilingDeclareParams& declared, std::initializer_list<uint64_t> values) {
    uint32_t bits = 0;
    uint64_t key = 0;
    auto value = values.begin();
    for (size_t i = 0; i < declared.size() && value != values.end(); ++i, ++value) {
        const ParamStruct& param = declared[i];
        uint64_t number = *value;
        if (param.paramType == ASCENDC_TPL_UINT) {
            auto found = std::find(param.vals.begin(), param.vals.end(), number);
            if (found == param.vals.end()) {
                std::printf("[ERROR] GET_TPL_TILING_KEY: %s: expected a value of ASCENDC_TPL_UINT_DECL, got %llu\n", param.name,
                            static_cast<unsigned long long>(number));
                return INVALID_TILING_KEY;
            }
            number = static_cast<uint64_t>(found - param.vals.begin());
        }
        key |= bits < MAX_BITS_NUM ? number << bits : 0;
        bits += param.bitWidth;
    }
    if (bits > MAX_BITS_NUM) {
        std::printf("[ERROR] GET_TPL_TILING_KEY: expected at most 64 bits of parameters, got %u\n", bits);
        return INVALID_TILING_KEY;
    }
    return key;
}

template <class... Values>
uint64_t template_key_of(const TilingDeclareParams& declared, Values... values) {
    return template_key(declared, {key_value(values)...});
}

}  // namespace kbhost

#define ASCENDC_TPL_DTYPE_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_DATATYPE_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_FORMAT_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_FORMAT, ASCENDC_TPL_8_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_UINT_DECL(x, bw, ...) ParamStruct{#x, ASCENDC_TPL_UINT, bw, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_BOOL_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_BOOL, ASCENDC_TPL_1_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_KERNEL_TYPE_DECL(x, ...) \
    ParamStruct{#x, ASCENDC_TPL_SHARED_KERNEL_TYPE, ASCENDC_TPL_8_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_ARGS_DECL(x, ...) static TilingDeclareParams g_tilingDeclareParams{__VA_ARGS__}

// The combinations matter to the kernel's build alone.
#define ASCENDC_TPL_SEL(...)

#define GET_TPL_TILING_KEY(...) kbhost::template_key_of(g_tilingDeclareParams, __VA_ARGS__)
#define ASCENDC_TPL_SEL_PARAM(context, ...)             \
    do {                                                \
        uint64_t key = GET_TPL_TILING_KEY(__VA_ARGS__); \
        context->SetTilingKey(key);                     \
    } while (0)
