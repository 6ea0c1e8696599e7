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
    OpParamDef& InitValue(uint64_t value);
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
