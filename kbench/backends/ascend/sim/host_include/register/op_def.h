// The definition of an operator: arguments with their dtypes and formats, attributes, host functions, chips.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/operator.h"
#include "graph/types.h"
#include "kb_host.h"
#include "register/op_impl_registry.h"

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FormatCheckOption : uint32_t { DEFAULT = 0, STRICT = 1 };
enum class DependScope : uint32_t { ALL = 0, TILING = 1, INVALID_SCOPE };
enum class FollowType : uint32_t { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE };

enum class ScalarType : uint32_t {
    UINT64 = 0,
    INT64 = 1,
    UINT32 = 2,
    INT32 = 3,
    UINT16 = 4,
    INT16 = 5,
    UINT8 = 6,
    INT8 = 7,
    FLOAT32 = 8,
    FLOAT16 = 9,
    INVALID_DTYPE = static_cast<uint32_t>(-1),
};

union ScalarNum {
    uint64_t value_u64;
    int64_t value_i64;
    float value_f32;
    ScalarNum() : value_u64(0) {}
    explicit ScalarNum(uint64_t value) : value_u64(value) {}
    explicit ScalarNum(int64_t value) : value_i64(value) {}
    explicit ScalarNum(float value) : value_f32(value) {}
};

// Numbers of the integer types lie in `value_u64` or `value_i64`, of the others in `value_f32`.
struct ScalarVar {
    ScalarType scalar_type = ScalarType::INVALID_DTYPE;
    ScalarNum scalar_num;

    ScalarVar() = default;
    ScalarVar(ScalarType type, uint64_t num) { set(type, num); }
    ScalarVar(ScalarType type, int64_t num) { set(type, num); }
    ScalarVar(ScalarType type, int num) { set(type, num); }
    ScalarVar(ScalarType type, unsigned int num) { set(type, num); }
    ScalarVar(ScalarType type, float num) { set(type, num); }
    ScalarVar(ScalarType type, double num) { set(type, num); }
    bool operator==(const ScalarVar& other) const {
        return scalar_type == other.scalar_type && scalar_num.value_u64 == other.scalar_num.value_u64;
    }

private:
    template <typename N>
    void set(ScalarType type, N num) {
        scalar_type = type;
        if (type == ScalarType::FLOAT32 || type == ScalarType::FLOAT16) {
            scalar_num.value_f32 = static_cast<float>(num);
        } else {
            scalar_num.value_i64 = static_cast<int64_t>(num);
        }
    }
};

class OpParamDef {
public:
    explicit OpParamDef(kbhost::ParamSpec* spec) : spec_(spec) {}

    OpParamDef& ParamType(Option type);
    // Rows zipped by position with those of the other arguments.
    OpParamDef& DataType(kbhost::List<ge::DataType> types);
    OpParamDef& DataTypeForBinQuery(kbhost::List<ge::DataType> types);
    // Every one of these, combined with the rows of the others.
    OpParamDef& DataTypeList(kbhost::List<ge::DataType> types);
    OpParamDef& Format(kbhost::List<ge::Format> formats);
    OpParamDef& FormatForBinQuery(kbhost::List<ge::Format> formats);
    OpParamDef& FormatList(kbhost::List<ge::Format> formats);
    OpParamDef& UnknownShapeFormat(kbhost::List<ge::Format> formats);
    // The host reads the values of this argument.
    OpParamDef& ValueDepend(Option type);
    OpParamDef& ValueDepend(Option type, DependScope scope);
    OpParamDef& IgnoreContiguous();
    OpParamDef& AutoContiguous();
    OpParamDef& Scalar();
    OpParamDef& ScalarList();
    OpParamDef& To(ge::DataType type);
    OpParamDef& To(const char* name);
    OpParamDef& Version(uint32_t version);
    // What the output holds when the kernel starts, where the tiling function says SetNeedAtomic(true): zeros, one value,
    // or a value for each of its types.
    OpParamDef& InitValue(uint64_t value);
    OpParamDef& InitValue(const ScalarVar& value);
    OpParamDef& InitValue(const std::vector<ScalarVar>& values);
    OpParamDef& OutputShapeDependOnCompute();
    // Dtype, format and shape as those of another argument.
    OpParamDef& Follow(const char* name);
    OpParamDef& Follow(const char* name, FollowType type);
    OpParamDef& Comment(const char* text);

private:
    kbhost::ParamSpec* spec_;
};

class OpAttrDef {
public:
    explicit OpAttrDef(kbhost::AttrSpec* spec) : spec_(spec) {}

    OpAttrDef& AttrType(Option type);
    OpAttrDef& Bool();
    OpAttrDef& Bool(bool value);
    OpAttrDef& Float();
    OpAttrDef& Float(float value);
    OpAttrDef& Int();
    OpAttrDef& Int(int64_t value);
    OpAttrDef& String();
    OpAttrDef& String(const char* value);
    OpAttrDef& ListBool();
    OpAttrDef& ListBool(const std::vector<bool>& value);
    OpAttrDef& ListFloat();
    OpAttrDef& ListFloat(kbhost::List<float> value);
    OpAttrDef& ListInt();
    OpAttrDef& ListInt(kbhost::List<int64_t> value);
    OpAttrDef& Version(uint32_t version);
    OpAttrDef& Comment(const char* text);

private:
    kbhost::AttrSpec* spec_;
};

// What differs on one chip: a definition given here replaces that of the operator.
class OpAICoreConfig {
public:
    OpAICoreConfig();
    explicit OpAICoreConfig(const char* soc);

    OpParamDef& Input(const char* name);
    OpParamDef& Output(const char* name);
    OpAICoreConfig& AsyncFlag(bool flag);
    OpAICoreConfig& DynamicCompileStaticFlag(bool flag);
    OpAICoreConfig& DynamicFormatFlag(bool flag);
    OpAICoreConfig& DynamicRankSupportFlag(bool flag);
    OpAICoreConfig& DynamicShapeSupportFlag(bool flag);
    OpAICoreConfig& HeavyOpFlag(bool flag);
    OpAICoreConfig& NeedCheckSupportFlag(bool flag);
    OpAICoreConfig& OpPatternFlag(const char* pattern);
    OpAICoreConfig& PrecisionReduceFlag(bool flag);
    OpAICoreConfig& RangeLimitValue(const char* value);
    OpAICoreConfig& SlicePatternValue(const char* value);
    OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value);
    OpAICoreConfig& Comment(const char* text);

private:
    friend class OpAICoreDef;
    kbhost::ConfigSpec* spec_;
};

class OpAICoreDef {
public:
    using CheckFunction = ge::graphStatus (*)(const ge::Operator&, ge::AscendString&);

    explicit OpAICoreDef(kbhost::OpSpec* spec) : spec_(spec) {}

    OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function);
    OpAICoreDef& SetCheckSupport(CheckFunction function);
    OpAICoreDef& SetOpSelectFormat(CheckFunction function);
    OpAICoreDef& SetOpSupportInfo(CheckFunction function);
    OpAICoreDef& SetOpSpecInfo(CheckFunction function);
    OpAICoreDef& SetParamGeneralize(CheckFunction function);
    OpAICoreDef& AddConfig(const char* soc);
    OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config);

private:
    kbhost::OpSpec* spec_;
};

class OpDef {
public:
    explicit OpDef(const char* type);
    virtual ~OpDef();
    OpDef(const OpDef&) = delete;
    OpDef& operator=(const OpDef&) = delete;

    OpParamDef& Input(const char* name);
    OpParamDef& Output(const char* name);
    OpAttrDef& Attr(const char* name);
    OpDef& Comment(const char* text);
    OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function);
    OpDef& SetInferShapeRange(gert::OpImplRegisterV2::InferShapeRangeKernelFunc function);
    OpDef& SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc function);
    OpDef& FormatMatchMode(FormatCheckOption option);
    OpDef& EnableFallBack();
    OpAICoreDef& AICore() { return ai_core_; }

private:
    kbhost::OpSpec* spec_;
    OpAICoreDef ai_core_;
};

}  // namespace ops
