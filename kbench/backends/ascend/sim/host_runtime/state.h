// The library's own state behind the vendor-named classes: what the host registered, and the case that it is asked about.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "graph/utils/type_utils.h"
#include "tiling/tiling_templates_registry.h"

namespace kbhost {

// ---- registered by the candidate ---------------------------------------------------------------------------------------

struct ParamSpec {
    std::string name;
    ops::Option kind = ops::REQUIRED;
    std::vector<int> types, type_list, formats, format_list, unknown_formats;
    std::string follow;
    bool value_depend = false;
    bool scalar = false;
    bool scalar_list = false;
    bool shape_on_compute = false;
    std::vector<std::string> initial;  // bytes in hex: one value, or one for each type
    ops::OpParamDef handle{this};
};

enum class AttrKind { none, boolean, integer, real, text, booleans, integers, reals };

struct AttrSpec {
    std::string name;
    bool required = true;
    AttrKind kind = AttrKind::none;
    bool has_default = false;
    std::vector<int64_t> integers;  // booleans and integers, one or many
    std::vector<float> reals;
    std::string text;
    ops::OpAttrDef handle{this};
};

using Params = std::vector<std::unique_ptr<ParamSpec>>;

struct ConfigSpec {
    Params inputs, outputs;
};

struct OpSpec {
    std::string type;
    Params inputs, outputs;
    std::vector<std::unique_ptr<AttrSpec>> attrs;
    std::vector<std::pair<std::string, const ConfigSpec*>> configs;
    gert::OpImplRegisterV2::TilingKernelFunc tiling = nullptr;
    gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape = nullptr;
    gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_type = nullptr;
};

struct ImplSpec {
    std::string type;
    gert::OpImplRegisterV2::TilingKernelFunc tiling = nullptr;
    gert::OpImplRegisterV2::TilingParseFunc parse = nullptr;
    gert::OpImplRegisterV2::CompileInfoCreator create = nullptr;
    gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape = nullptr;
    gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_type = nullptr;
    std::vector<int32_t> reads;  // arguments whose values the tiling function reads
};

struct TilingClassSpec {
    const char* op_type;
    const char* class_name;
    void (*describe)();
};

struct TemplateSpec {
    std::string op_type;
    int32_t priority;
    TilingTemplate::Create create;
};

struct Definition {
    const char* type;
    ops::OpDef* (*make)(const char*);
};

// Everything registered by constructors of static objects. Made on first use, whatever the order of constructors.
struct Registry {
    std::vector<Definition> definitions;
    std::vector<std::unique_ptr<OpSpec>> ops;
    std::vector<std::unique_ptr<ImplSpec>> impls;
    std::vector<TilingClassSpec> tiling_classes;
    std::vector<TemplateSpec> templates;
};
Registry& registry();
void make_definitions();  // calls the constructors that OP_ADD named

ImplSpec* find_impl(const char* type);
// Writes the registry to the report.
void dump_registry();

// Ends the program because the host code asks for something impossible; `format` as printf.
[[noreturn]] void refuse(const char* outcome, const char* format, ...) __attribute__((format(printf, 2, 3)));

// ---- the case ----------------------------------------------------------------------------------------------------------

struct AttrValue {
    int64_t integer = 0;
    float real = 0;
    bool boolean = false;
    std::string text;
    std::vector<int64_t> integers;
    std::vector<float> reals;
    std::vector<uint8_t> booleans;
    AttrKind kind = AttrKind::none;
    gert::ContinuousVector list{nullptr, 0};
};

struct AttrValues {
    std::vector<AttrValue> values;
};

struct Arguments {
    std::vector<gert::Tensor> tensors;  // those that are present
    std::vector<gert::CompileTimeTensorDesc> descs;
    std::vector<gert::AnchorInstanceInfo> instances;  // by argument of the definition
    std::vector<std::unique_ptr<uint8_t[]>> data;
};

inline constexpr size_t kMaxWorkspaces = 16;

struct ContextState {
    explicit ContextState(size_t capacity);

    std::string op_type, node_name;
    Arguments inputs, outputs;
    AttrValues attrs;
    gert::RuntimeAttrs runtime_attrs{&attrs};
    gert::ComputeNodeInfo node{this};
    int32_t deterministic = 0;
    void* compile_info = nullptr;

    std::unique_ptr<uint8_t[]> tiling_bytes;
    gert::TilingData tiling;
    uint64_t tiling_key = 0;
    uint32_t block_dim = 0;
    uint32_t aicpu_block_dim = 0;
    uint32_t schedule_mode = 0;
    uint32_t local_memory = 0;
    int32_t condition = 0;
    bool need_atomic = false;
    size_t workspaces[kMaxWorkspaces] = {};
    size_t workspace_count = 0;
};

struct PlatformState {
    std::string soc;         // "Ascend910B1"
    std::string short_soc;   // "Ascend910B"
    uint32_t aic, aiv;
    uint64_t memory[9];      // by CoreMemType
    uint32_t npu_arch;
};
const PlatformState& platform();

// Runs the tiling function for the plan's case and writes the answer to the report.
void run_tiling();
// Runs the functions that infer the outputs' shapes and types from the inputs, and reports what they say.
void run_inference();

}  // namespace kbhost
