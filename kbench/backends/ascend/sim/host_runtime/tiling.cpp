// One case: arguments from the plan, the tiling function's answer to the report.
#include <algorithm>
#include <cstring>

#include "kbfs.h"
#include "plan.h"
#include "state.h"

namespace kbhost {

namespace {

uint8_t nibble(char c) {
    return static_cast<uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

std::unique_ptr<uint8_t[]> from_hex(const std::string& hex) {
    std::unique_ptr<uint8_t[]> bytes(new uint8_t[hex.size() / 2 + 1]());
    for (size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes[i / 2] = static_cast<uint8_t>(nibble(hex[i]) << 4 | nibble(hex[i + 1]));
    }
    return bytes;
}

gert::StorageShape read_shape(const Json& json) {
    gert::StorageShape shape;
    for (const Json& dim : json.items()) {
        shape.MutableOriginShape().AppendDim(dim.integer());
        shape.MutableStorageShape().AppendDim(dim.integer());
    }
    return shape;
}

// [{"tensors": [{"dtype": 0, "shape": [8, 32], "format": 2, "data": "00ff…"}]}], no tensors where the argument is absent.
void read_arguments(const Json& json, Arguments& arguments) {
    for (const Json& argument : json.items()) {
        const auto& tensors = argument["tensors"].items();
        arguments.instances.emplace_back(static_cast<uint32_t>(arguments.tensors.size()),
                                         static_cast<uint32_t>(tensors.size()));
        for (const Json& tensor : tensors) {
            auto type = static_cast<ge::DataType>(tensor["dtype"].integer());
            auto format = static_cast<ge::Format>(tensor["format"].integer());
            gert::StorageFormat both(format, format);
            gert::StorageShape shape = read_shape(tensor["shape"]);
            const void* data = nullptr;
            if (tensor["data"].kind() == Json::Kind::text) {
                arguments.data.push_back(from_hex(tensor["data"].text()));
                data = arguments.data.back().get();
            }
            int64_t bytes = ge::GetSizeInBytes(shape.GetStorageShape().GetShapeSize(), type);
            arguments.tensors.emplace_back(shape, both, type, data, static_cast<size_t>(std::max<int64_t>(bytes, 0)));
            arguments.descs.emplace_back(type, both);
        }
    }
}

float from_bits(const Json& json) {
    uint32_t bits = static_cast<uint32_t>(json.integer());
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

AttrValue read_attr(const Json& json) {
    AttrValue value;
    const std::string& type = json["type"].text();
    const Json& given = json["value"];
    if (type == "bool") {
        value.kind = AttrKind::boolean;
        value.boolean = given.boolean();
    } else if (type == "int") {
        value.kind = AttrKind::integer;
        value.integer = given.integer();
    } else if (type == "float") {
        value.kind = AttrKind::real;
        value.real = from_bits(given);
    } else if (type == "str") {
        value.kind = AttrKind::text;
        value.text = given.text();
    } else if (type == "list_bool") {
        value.kind = AttrKind::booleans;
        for (const Json& item : given.items()) value.booleans.push_back(item.boolean());
    } else if (type == "list_int") {
        value.kind = AttrKind::integers;
        for (const Json& item : given.items()) value.integers.push_back(item.integer());
    } else if (type == "list_float") {
        value.kind = AttrKind::reals;
        for (const Json& item : given.items()) value.reals.push_back(from_bits(item));
    }
    return value;
}

// Lists point into their values, so this comes after the values have found their place.
void link_lists(AttrValues& attrs) {
    for (AttrValue& value : attrs.values) {
        if (value.kind == AttrKind::booleans) value.list = {value.booleans.data(), value.booleans.size()};
        if (value.kind == AttrKind::integers) value.list = {value.integers.data(), value.integers.size()};
        if (value.kind == AttrKind::reals) value.list = {value.reals.data(), value.reals.size()};
    }
}

// A function of the operator, by its definition or else by its name.
template <class Function>
Function find_function(const std::string& type, Function OpSpec::*of_op, Function ImplSpec::*of_impl) {
    for (const auto& op : registry().ops) {
        if (op->type == type && op.get()->*of_op != nullptr) return op.get()->*of_op;
    }
    const ImplSpec* impl = find_impl(type.c_str());
    return impl == nullptr ? nullptr : impl->*of_impl;
}

void parse_compile_info(ContextState& state) {
    const ImplSpec* impl = find_impl(state.op_type.c_str());
    if (impl == nullptr || impl->parse == nullptr) return;
    state.compile_info = impl->create();
    gert::TilingParseContext context(&state);
    ge::graphStatus status = impl->parse(&context);
    if (status != ge::GRAPH_SUCCESS) refuse("tiling_failed", "TilingParse of %s returned %u", state.op_type.c_str(), status);
}

void read_case(ContextState& state) {
    const Json& json = plan();
    state.op_type = json["op"].text();
    state.node_name = state.op_type;
    read_arguments(json["inputs"], state.inputs);
    read_arguments(json["outputs"], state.outputs);
    for (const Json& attr : json["attrs"].items()) state.attrs.values.push_back(read_attr(attr));
    link_lists(state.attrs);
}

void answer(const ContextState& state, ge::graphStatus status) {
    kbfs::Report report;
    report.unsigned_number("status", status);
    report.unsigned_number("block_dim", state.block_dim);
    report.unsigned_number("tiling_key", state.tiling_key);
    report.unsigned_number("tiling_bytes", state.tiling.GetDataSize());
    report.unsigned_number("capacity", state.tiling.GetCapacity());
    report.hex("tiling", state.tiling.GetData(), std::min(state.tiling.GetDataSize(), state.tiling.GetCapacity()));
    report.unsigned_number("schedule_mode", state.schedule_mode);
    report.boolean("need_atomic", state.need_atomic);
    report.open_list("workspaces");
    for (size_t i = 0; i < state.workspace_count; ++i) report.item_unsigned(state.workspaces[i]);
    report.close();
    report.end();
}

}  // namespace

void run_tiling() {
    ContextState state(static_cast<size_t>(plan()["capacity"].integer()));
    read_case(state);
    const auto tiling = find_function(state.op_type, &OpSpec::tiling, &ImplSpec::tiling);
    if (tiling == nullptr) refuse("tiling_failed", "%s has no tiling function", state.op_type.c_str());
    parse_compile_info(state);
    gert::TilingContext context(&state);
    answer(state, tiling(&context));
}

void run_inference() {
    ContextState state(static_cast<size_t>(plan()["capacity"].integer()));
    read_case(state);
    for (gert::Tensor& tensor : state.outputs.tensors) tensor.MutableStorageShape() = gert::Shape();
    for (gert::CompileTimeTensorDesc& desc : state.outputs.descs) desc.SetDataType(ge::DT_UNDEFINED);
    const auto shape = find_function(state.op_type, &OpSpec::infer_shape, &ImplSpec::infer_shape);
    const auto type = find_function(state.op_type, &OpSpec::infer_type, &ImplSpec::infer_type);
    gert::InferShapeContext shapes(&state);
    gert::InferDataTypeContext types(&state);
    kbfs::Report report;
    if (shape != nullptr) report.unsigned_number("shape_status", shape(&shapes));
    if (type != nullptr) report.unsigned_number("type_status", type(&types));
    report.open_list("outputs");
    for (size_t i = 0; i < state.outputs.tensors.size(); ++i) {
        const gert::Shape& found = state.outputs.tensors[i].GetStorageShape();
        report.open_object().number("dtype", state.outputs.descs[i].GetDataType()).open_list("shape");
        for (size_t d = 0; d < found.GetDimNum(); ++d) report.item(found.GetDim(d));
        report.close().close();
    }
    report.end();
}

}  // namespace kbhost
