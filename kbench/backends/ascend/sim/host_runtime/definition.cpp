// The definition's builder methods, and what static objects register.
#include <cstdarg>

#include "kbfs.h"
#include "state.h"

namespace kbhost {

Registry& registry() {
    static Registry* const only = new Registry;  // never destroyed: static objects of the candidate may outlive it
    return *only;
}

void refuse(const char* outcome, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    kbfs::vformat(text, sizeof(text), format, arguments);
    va_end(arguments);
    kbfs::die(outcome, "%s", text);
}

OpRegistration::OpRegistration(const char* type, ops::OpDef* (*make)(const char*)) {
    registry().definitions.push_back({type, make});
}

void make_definitions() {
    for (const Definition& definition : registry().definitions) definition.make(definition.type);
}

TilingClass::TilingClass(const char* op_type, const char* class_name, void (*describe)()) {
    registry().tiling_classes.push_back({op_type, class_name, describe});
}

TilingTemplate::TilingTemplate(const char* op_type, int32_t priority, Create create) {
    registry().templates.push_back({op_type, priority, create});
}

ImplSpec* find_impl(const char* type) {
    for (auto& impl : registry().impls) {
        if (impl->type == type) return impl.get();
    }
    return nullptr;
}

namespace {

template <class T>
std::vector<int> integers(const List<T>& items) {
    return std::vector<int>(items.data(), items.data() + items.size());
}

ops::OpParamDef& param(Params& params, const char* name) {
    for (auto& known : params) {
        if (known->name == name) return known->handle;
    }
    params.push_back(std::make_unique<ParamSpec>());
    params.back()->name = name;
    return params.back()->handle;
}

}  // namespace
}  // namespace kbhost

namespace ops {

OpParamDef& OpParamDef::ParamType(Option type) {
    spec_->kind = type;
    return *this;
}
OpParamDef& OpParamDef::DataType(kbhost::List<ge::DataType> types) {
    spec_->types = kbhost::integers(types);
    return *this;
}
OpParamDef& OpParamDef::DataTypeForBinQuery(kbhost::List<ge::DataType>) {
    return *this;
}
OpParamDef& OpParamDef::DataTypeList(kbhost::List<ge::DataType> types) {
    spec_->type_list = kbhost::integers(types);
    return *this;
}
OpParamDef& OpParamDef::Format(kbhost::List<ge::Format> formats) {
    spec_->formats = kbhost::integers(formats);
    return *this;
}
OpParamDef& OpParamDef::FormatForBinQuery(kbhost::List<ge::Format>) {
    return *this;
}
OpParamDef& OpParamDef::FormatList(kbhost::List<ge::Format> formats) {
    spec_->format_list = kbhost::integers(formats);
    return *this;
}
OpParamDef& OpParamDef::UnknownShapeFormat(kbhost::List<ge::Format> formats) {
    spec_->unknown_formats = kbhost::integers(formats);
    return *this;
}
OpParamDef& OpParamDef::ValueDepend(Option type) {
    spec_->value_depend = type == REQUIRED || type == OPTIONAL;
    return *this;
}
OpParamDef& OpParamDef::ValueDepend(Option type, DependScope) {
    return ValueDepend(type);
}
OpParamDef& OpParamDef::IgnoreContiguous() {
    return *this;
}
OpParamDef& OpParamDef::AutoContiguous() {
    return *this;
}
OpParamDef& OpParamDef::Scalar() {
    spec_->scalar = true;
    return *this;
}
OpParamDef& OpParamDef::ScalarList() {
    spec_->scalar_list = true;
    return *this;
}
OpParamDef& OpParamDef::To(ge::DataType) {
    return *this;
}
OpParamDef& OpParamDef::To(const char*) {
    return *this;
}
OpParamDef& OpParamDef::Version(uint32_t) {
    return *this;
}
namespace {

std::string hex_of(const void* data, size_t bytes) {
    std::string text;
    for (size_t i = 0; i < bytes; ++i) {
        const uint8_t byte = static_cast<const uint8_t*>(data)[i];
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

// The value's bytes in its type, in hex.
std::string hex_of(const ScalarVar& value) {
    constexpr size_t widths[] = {8, 8, 4, 4, 2, 2, 1, 1, 4, 2};
    const auto type = static_cast<uint32_t>(value.scalar_type);
    if (type >= std::size(widths)) kbhost::refuse("registration_error", "InitValue: expected a ScalarType, got %u", type);
    if (value.scalar_type == ScalarType::FLOAT16) {
        const auto half = static_cast<_Float16>(value.scalar_num.value_f32);
        return hex_of(&half, sizeof(half));
    }
    return hex_of(&value.scalar_num, widths[type]);
}

}  // namespace

OpParamDef& OpParamDef::InitValue(uint64_t) {
    spec_->initial = {"00"};  // only 0 is documented
    return *this;
}
OpParamDef& OpParamDef::InitValue(const ScalarVar& value) {
    spec_->initial = {hex_of(value)};
    return *this;
}
OpParamDef& OpParamDef::InitValue(const std::vector<ScalarVar>& values) {
    spec_->initial.clear();
    for (const ScalarVar& value : values) spec_->initial.push_back(hex_of(value));
    return *this;
}
OpParamDef& OpParamDef::OutputShapeDependOnCompute() {
    spec_->shape_on_compute = true;
    return *this;
}
OpParamDef& OpParamDef::Follow(const char* name) {
    spec_->follow = name;
    return *this;
}
OpParamDef& OpParamDef::Follow(const char* name, FollowType type) {
    if (type == FollowType::ALL || type == FollowType::DTYPE) spec_->follow = name;
    return *this;
}
OpParamDef& OpParamDef::Comment(const char*) {
    return *this;
}

OpAttrDef& OpAttrDef::AttrType(Option type) {
    spec_->required = type == REQUIRED;
    return *this;
}
OpAttrDef& OpAttrDef::Bool() {
    spec_->kind = kbhost::AttrKind::boolean;
    return *this;
}
OpAttrDef& OpAttrDef::Bool(bool value) {
    spec_->integers = {value};
    spec_->has_default = true;
    return Bool();
}
OpAttrDef& OpAttrDef::Float() {
    spec_->kind = kbhost::AttrKind::real;
    return *this;
}
OpAttrDef& OpAttrDef::Float(float value) {
    spec_->reals = {value};
    spec_->has_default = true;
    return Float();
}
OpAttrDef& OpAttrDef::Int() {
    spec_->kind = kbhost::AttrKind::integer;
    return *this;
}
OpAttrDef& OpAttrDef::Int(int64_t value) {
    spec_->integers = {value};
    spec_->has_default = true;
    return Int();
}
OpAttrDef& OpAttrDef::String() {
    spec_->kind = kbhost::AttrKind::text;
    return *this;
}
OpAttrDef& OpAttrDef::String(const char* value) {
    spec_->text = value;
    spec_->has_default = true;
    return String();
}
OpAttrDef& OpAttrDef::ListBool() {
    spec_->kind = kbhost::AttrKind::booleans;
    return *this;
}
OpAttrDef& OpAttrDef::ListBool(const std::vector<bool>& value) {
    spec_->integers.assign(value.begin(), value.end());
    spec_->has_default = true;
    return ListBool();
}
OpAttrDef& OpAttrDef::ListFloat() {
    spec_->kind = kbhost::AttrKind::reals;
    return *this;
}
OpAttrDef& OpAttrDef::ListFloat(kbhost::List<float> value) {
    spec_->reals.assign(value.data(), value.data() + value.size());
    spec_->has_default = true;
    return ListFloat();
}
OpAttrDef& OpAttrDef::ListInt() {
    spec_->kind = kbhost::AttrKind::integers;
    return *this;
}
OpAttrDef& OpAttrDef::ListInt(kbhost::List<int64_t> value) {
    spec_->integers.assign(value.data(), value.data() + value.size());
    spec_->has_default = true;
    return ListInt();
}
OpAttrDef& OpAttrDef::Version(uint32_t) {
    return *this;
}
OpAttrDef& OpAttrDef::Comment(const char*) {
    return *this;
}

OpAICoreConfig::OpAICoreConfig() : spec_(new kbhost::ConfigSpec) {}
OpAICoreConfig::OpAICoreConfig(const char*) : OpAICoreConfig() {}
OpParamDef& OpAICoreConfig::Input(const char* name) {
    return kbhost::param(spec_->inputs, name);
}
OpParamDef& OpAICoreConfig::Output(const char* name) {
    return kbhost::param(spec_->outputs, name);
}
OpAICoreConfig& OpAICoreConfig::AsyncFlag(bool) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::DynamicCompileStaticFlag(bool) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::DynamicFormatFlag(bool) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::DynamicRankSupportFlag(bool) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::DynamicShapeSupportFlag(bool) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::HeavyOpFlag(bool) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::NeedCheckSupportFlag(bool) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::OpPatternFlag(const char*) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::PrecisionReduceFlag(bool) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::RangeLimitValue(const char*) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::SlicePatternValue(const char*) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::ExtendCfgInfo(const char*, const char*) {
    return *this;
}
OpAICoreConfig& OpAICoreConfig::Comment(const char*) {
    return *this;
}

OpAICoreDef& OpAICoreDef::SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
    spec_->tiling = function;
    return *this;
}
OpAICoreDef& OpAICoreDef::SetCheckSupport(CheckFunction) {
    return *this;
}
OpAICoreDef& OpAICoreDef::SetOpSelectFormat(CheckFunction) {
    return *this;
}
OpAICoreDef& OpAICoreDef::SetOpSupportInfo(CheckFunction) {
    return *this;
}
OpAICoreDef& OpAICoreDef::SetOpSpecInfo(CheckFunction) {
    return *this;
}
OpAICoreDef& OpAICoreDef::SetParamGeneralize(CheckFunction) {
    return *this;
}
OpAICoreDef& OpAICoreDef::AddConfig(const char* soc) {
    spec_->configs.emplace_back(soc, nullptr);
    return *this;
}
OpAICoreDef& OpAICoreDef::AddConfig(const char* soc, const OpAICoreConfig& config) {
    spec_->configs.emplace_back(soc, config.spec_);
    return *this;
}

namespace {
kbhost::OpSpec* add_op(const char* type) {
    auto& ops = kbhost::registry().ops;
    ops.push_back(std::make_unique<kbhost::OpSpec>());
    ops.back()->type = type;
    return ops.back().get();
}
}  // namespace

OpDef::OpDef(const char* type) : spec_(add_op(type)), ai_core_(spec_) {}
OpDef::~OpDef() = default;

OpParamDef& OpDef::Input(const char* name) {
    return kbhost::param(spec_->inputs, name);
}
OpParamDef& OpDef::Output(const char* name) {
    return kbhost::param(spec_->outputs, name);
}
OpAttrDef& OpDef::Attr(const char* name) {
    for (auto& known : spec_->attrs) {
        if (known->name == name) return known->handle;
    }
    spec_->attrs.push_back(std::make_unique<kbhost::AttrSpec>());
    spec_->attrs.back()->name = name;
    return spec_->attrs.back()->handle;
}
OpDef& OpDef::Comment(const char*) {
    return *this;
}
OpDef& OpDef::SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function) {
    spec_->infer_shape = function;
    return *this;
}
OpDef& OpDef::SetInferShapeRange(gert::OpImplRegisterV2::InferShapeRangeKernelFunc) {
    return *this;
}
OpDef& OpDef::SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc function) {
    spec_->infer_type = function;
    return *this;
}
OpDef& OpDef::FormatMatchMode(FormatCheckOption) {
    return *this;
}
OpDef& OpDef::EnableFallBack() {
    return *this;
}

}  // namespace ops

namespace gert {

OpImplRegisterV2::OpImplRegisterV2(const char* op_type) : spec_(kbhost::find_impl(op_type)) {
    if (spec_ != nullptr) return;
    auto& impls = kbhost::registry().impls;
    impls.push_back(std::make_unique<kbhost::ImplSpec>());
    impls.back()->type = op_type;
    spec_ = impls.back().get();
}

OpImplRegisterV2& OpImplRegisterV2::InferShape(InferShapeKernelFunc function) {
    spec_->infer_shape = function;
    return *this;
}
OpImplRegisterV2& OpImplRegisterV2::InferShapeRange(InferShapeRangeKernelFunc) {
    return *this;
}
OpImplRegisterV2& OpImplRegisterV2::InferDataType(InferDataTypeKernelFunc function) {
    spec_->infer_type = function;
    return *this;
}
OpImplRegisterV2& OpImplRegisterV2::InferOutDataTypeSameWithFirstInput() {
    return *this;
}
OpImplRegisterV2& OpImplRegisterV2::Tiling(TilingKernelFunc function, size_t) {
    spec_->tiling = function;
    return *this;
}
OpImplRegisterV2& OpImplRegisterV2::Parse(TilingParseFunc function, CompileInfoCreator create) {
    spec_->parse = function;
    spec_->create = create;
    return *this;
}
OpImplRegisterV2& OpImplRegisterV2::InputsDataDependency(std::initializer_list<int32_t> inputs) {
    spec_->reads.insert(spec_->reads.end(), inputs.begin(), inputs.end());
    return *this;
}
OpImplRegisterV2& OpImplRegisterV2::TilingInputsDataDependency(std::initializer_list<int32_t> inputs) {
    return InputsDataDependency(inputs);
}
OpImplRegisterV2& OpImplRegisterV2::OutputShapeDependOnCompute(std::initializer_list<int32_t>) {
    return *this;
}

}  // namespace gert
