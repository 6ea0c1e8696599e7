// The registry as one JSON object on the report.
#include <cstring>
#include <set>

#include "kbfs.h"
#include "state.h"

namespace kbhost {

namespace {

kbfs::Report* dump = nullptr;       // while dump_registry runs
std::set<std::string>* described = nullptr;

void list(const char* key, const std::vector<int>& items) {
    dump->open_list(key);
    for (int item : items) dump->item(item);
    dump->close();
}

void dump_params(const char* key, const Params& params) {
    dump->open_list(key);
    for (const auto& param : params) {
        dump->open_object();
        dump->text("name", param->name.c_str());
        dump->number("kind", param->kind);
        list("types", param->types);
        list("type_list", param->type_list);
        list("formats", param->formats);
        list("format_list", param->format_list);
        list("unknown_formats", param->unknown_formats);
        dump->text("follow", param->follow.c_str());
        dump->boolean("value_depend", param->value_depend);
        dump->boolean("scalar", param->scalar);
        dump->boolean("scalar_list", param->scalar_list);
        dump->boolean("shape_on_compute", param->shape_on_compute);
        dump->open_list("initial");
        for (const std::string& value : param->initial) dump->item_text(value.c_str());
        dump->close();
        dump->close();
    }
    dump->close();
}

void dump_attrs(const OpSpec& op) {
    static const char* const kinds[] = {"", "bool", "int", "float", "str", "list_bool", "list_int", "list_float"};
    dump->open_list("attrs");
    for (const auto& attr : op.attrs) {
        dump->open_object();
        dump->text("name", attr->name.c_str());
        dump->text("type", kinds[static_cast<int>(attr->kind)]);
        dump->boolean("required", attr->required);
        dump->boolean("has_default", attr->has_default);
        dump->open_list("integers");
        for (int64_t item : attr->integers) dump->item(item);
        dump->close();
        dump->open_list("float_bits");
        for (float item : attr->reals) {
            uint32_t bits;
            memcpy(&bits, &item, sizeof(bits));
            dump->item(bits);
        }
        dump->close();
        dump->text("text", attr->text.c_str());
        dump->close();
    }
    dump->close();
}

void dump_op(const OpSpec& op) {
    dump->open_object();
    dump->text("type", op.type.c_str());
    dump_params("inputs", op.inputs);
    dump_params("outputs", op.outputs);
    dump_attrs(op);
    dump->open_list("configs");
    for (const auto& [soc, config] : op.configs) {
        dump->open_object();
        dump->text("soc", soc.c_str());
        if (config != nullptr) {
            dump_params("inputs", config->inputs);
            dump_params("outputs", config->outputs);
        }
        dump->close();
    }
    dump->close();
    dump->boolean("tiling", op.tiling != nullptr);
    dump->boolean("inference", op.infer_shape != nullptr || op.infer_type != nullptr);
    dump->close();
}

void dump_impls() {
    dump->open_list("impls");
    for (const auto& impl : registry().impls) {
        dump->open_object();
        dump->text("type", impl->type.c_str());
        dump->boolean("tiling", impl->tiling != nullptr);
        dump->boolean("inference", impl->infer_shape != nullptr || impl->infer_type != nullptr);
        list("reads", std::vector<int>(impl->reads.begin(), impl->reads.end()));
        dump->close();
    }
    dump->close();
}

const optiling::TilingDef& nested(const optiling::TilingDef& tiling, const Field& field) {
    return *reinterpret_cast<const optiling::TilingDef*>(reinterpret_cast<const char*>(&tiling) + field.member);
}

void dump_fields(const optiling::TilingDef& tiling) {
    dump->open_list("fields");
    for (const Field* field = tiling.kbhost_first(); field != nullptr; field = tiling.kbhost_next(*field)) {
        dump->open_object();
        dump->text("name", field->name);
        dump->text("type", field->nested ? nested(tiling, *field).GetTilingClassName() : field->type);
        dump->unsigned_number("count", field->count);
        dump->unsigned_number("offset", field->offset);
        dump->unsigned_number("bytes", field->bytes);
        dump->boolean("nested", field->nested);
        dump->close();
    }
    dump->close();
}

}  // namespace

// Nested structures first, so that the list can be declared in order. Called by the class's own registration.
void describe(const optiling::TilingDef& tiling) {
    if (dump == nullptr || !described->insert(tiling.GetTilingClassName()).second) return;
    for (const Field* field = tiling.kbhost_first(); field != nullptr; field = tiling.kbhost_next(*field)) {
        if (field->nested) describe(nested(tiling, *field));
    }
    dump->open_object();
    dump->text("name", tiling.GetTilingClassName());
    dump->unsigned_number("bytes", tiling.GetDataSize());
    dump_fields(tiling);
    dump->close();
}

void dump_registry() {
    kbfs::Report report;
    std::set<std::string> seen;
    dump = &report;
    described = &seen;
    report.open_list("ops");
    for (const auto& op : registry().ops) dump_op(*op);
    report.close();
    dump_impls();
    report.open_list("structs");
    for (const TilingClassSpec& known : registry().tiling_classes) known.describe();
    report.close();
    report.open_list("tiling_classes");
    for (const TilingClassSpec& known : registry().tiling_classes) {
        report.open_object();
        report.text("op", known.op_type);
        report.text("struct", known.class_name);
        report.close();
    }
    report.close();
    report.end();
    dump = nullptr;
}

}  // namespace kbhost
