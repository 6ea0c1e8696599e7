// What host functions ask their contexts.
#include <cstring>

#include "state.h"

namespace kbhost {

ContextState::ContextState(size_t capacity)
    : tiling_bytes(new uint8_t[capacity]()), tiling(tiling_bytes.get(), capacity) {}

namespace {

// The tensor of a declared argument, or null where it is absent or the list is shorter.
const gert::Tensor* instance(const Arguments& arguments, size_t ir_index, size_t relative) {
    if (ir_index >= arguments.instances.size()) return nullptr;
    const gert::AnchorInstanceInfo& info = arguments.instances[ir_index];
    return relative < info.GetInstanceNum() ? &arguments.tensors[info.GetInstanceStart() + relative] : nullptr;
}

const gert::Tensor* present(const Arguments& arguments, size_t index) {
    return index < arguments.tensors.size() ? &arguments.tensors[index] : nullptr;
}

const gert::StorageShape* shape_of(const gert::Tensor* tensor) {
    return tensor == nullptr ? nullptr : &tensor->GetShape();
}

const gert::Shape* storage_of(const gert::Tensor* tensor) {
    return tensor == nullptr ? nullptr : &tensor->GetStorageShape();
}

const gert::CompileTimeTensorDesc* desc_of(const Arguments& arguments, const gert::Tensor* tensor) {
    return tensor == nullptr ? nullptr : &arguments.descs[static_cast<size_t>(tensor - arguments.tensors.data())];
}

ge::DataType type_of(const gert::Tensor* tensor) {
    return tensor == nullptr ? ge::DT_UNDEFINED : tensor->GetDataType();
}

const gert::AnchorInstanceInfo* info_of(const Arguments& arguments, size_t ir_index) {
    return ir_index < arguments.instances.size() ? &arguments.instances[ir_index] : nullptr;
}

}  // namespace
}  // namespace kbhost

namespace gert {

using kbhost::instance;
using kbhost::present;

const void* RuntimeAttrs::Pointer(size_t index) const {
    if (index >= values_->values.size()) return nullptr;
    const kbhost::AttrValue& value = values_->values[index];
    switch (value.kind) {
        case kbhost::AttrKind::boolean: return &value.boolean;
        case kbhost::AttrKind::integer: return &value.integer;
        case kbhost::AttrKind::real: return &value.real;
        case kbhost::AttrKind::text: return value.text.c_str();
        case kbhost::AttrKind::booleans:
        case kbhost::AttrKind::integers:
        case kbhost::AttrKind::reals: return &value.list;
        default: return nullptr;
    }
}
size_t RuntimeAttrs::GetAttrNum() const {
    return values_->values.size();
}

const char* ComputeNodeInfo::GetNodeType() const {
    return state_->op_type.c_str();
}
const char* ComputeNodeInfo::GetNodeName() const {
    return state_->node_name.c_str();
}
size_t ComputeNodeInfo::GetIrInputsNum() const {
    return state_->inputs.instances.size();
}
size_t ComputeNodeInfo::GetIrOutputsNum() const {
    return state_->outputs.instances.size();
}
size_t ComputeNodeInfo::GetInputsNum() const {
    return state_->inputs.tensors.size();
}
size_t ComputeNodeInfo::GetOutputsNum() const {
    return state_->outputs.tensors.size();
}
const AnchorInstanceInfo* ComputeNodeInfo::GetInputInstanceInfo(size_t ir_index) const {
    return kbhost::info_of(state_->inputs, ir_index);
}
const AnchorInstanceInfo* ComputeNodeInfo::GetOutputInstanceInfo(size_t ir_index) const {
    return kbhost::info_of(state_->outputs, ir_index);
}
const CompileTimeTensorDesc* ComputeNodeInfo::GetInputTdInfo(size_t index) const {
    return kbhost::desc_of(state_->inputs, present(state_->inputs, index));
}
const CompileTimeTensorDesc* ComputeNodeInfo::GetOutputTdInfo(size_t index) const {
    return kbhost::desc_of(state_->outputs, present(state_->outputs, index));
}
const RuntimeAttrs* ComputeNodeInfo::GetAttrs() const {
    return &state_->runtime_attrs;
}

const CompileTimeTensorDesc* ExtendedKernelContext::GetInputDesc(size_t index) const {
    return kbhost::desc_of(state_->inputs, present(state_->inputs, index));
}
const CompileTimeTensorDesc* ExtendedKernelContext::GetOutputDesc(size_t index) const {
    return kbhost::desc_of(state_->outputs, present(state_->outputs, index));
}
const CompileTimeTensorDesc* ExtendedKernelContext::GetRequiredInputDesc(size_t ir_index) const {
    return kbhost::desc_of(state_->inputs, instance(state_->inputs, ir_index, 0));
}
const CompileTimeTensorDesc* ExtendedKernelContext::GetOptionalInputDesc(size_t ir_index) const {
    return kbhost::desc_of(state_->inputs, instance(state_->inputs, ir_index, 0));
}
const CompileTimeTensorDesc* ExtendedKernelContext::GetDynamicInputDesc(size_t ir_index, size_t relative_index) const {
    return kbhost::desc_of(state_->inputs, instance(state_->inputs, ir_index, relative_index));
}
const AnchorInstanceInfo* ExtendedKernelContext::GetIrInputInstanceInfo(size_t ir_index) const {
    return kbhost::info_of(state_->inputs, ir_index);
}
const AnchorInstanceInfo* ExtendedKernelContext::GetIrOutputInstanceInfo(size_t ir_index) const {
    return kbhost::info_of(state_->outputs, ir_index);
}
const RuntimeAttrs* ExtendedKernelContext::GetAttrs() const {
    return &state_->runtime_attrs;
}
const char* ExtendedKernelContext::GetNodeType() const {
    return state_->op_type.c_str();
}
const char* ExtendedKernelContext::GetNodeName() const {
    return state_->node_name.c_str();
}
const ComputeNodeInfo* ExtendedKernelContext::GetComputeNodeInfo() const {
    return &state_->node;
}
size_t ExtendedKernelContext::GetComputeNodeInputNum() const {
    return state_->inputs.tensors.size();
}
size_t ExtendedKernelContext::GetComputeNodeOutputNum() const {
    return state_->outputs.tensors.size();
}

ge::graphStatus TilingData::Append(const void* data, size_t bytes) {
    if (bytes > capacity_ || bytes_ > capacity_ - bytes) return ge::GRAPH_FAILED;
    memcpy(static_cast<char*>(data_) + bytes_, data, bytes);
    bytes_ += bytes;
    return ge::GRAPH_SUCCESS;
}

const void* TilingContext::GetCompileInfo() const {
    return state_->compile_info;
}
int32_t TilingContext::GetDeterministic() const {
    return state_->deterministic;
}
const StorageShape* TilingContext::GetInputShape(size_t index) const {
    return kbhost::shape_of(present(state_->inputs, index));
}
const StorageShape* TilingContext::GetRequiredInputShape(size_t ir_index) const {
    return kbhost::shape_of(instance(state_->inputs, ir_index, 0));
}
const StorageShape* TilingContext::GetOptionalInputShape(size_t ir_index) const {
    return kbhost::shape_of(instance(state_->inputs, ir_index, 0));
}
const StorageShape* TilingContext::GetDynamicInputShape(size_t ir_index, size_t relative_index) const {
    return kbhost::shape_of(instance(state_->inputs, ir_index, relative_index));
}
const Tensor* TilingContext::GetInputTensor(size_t index) const {
    return present(state_->inputs, index);
}
const Tensor* TilingContext::GetRequiredInputTensor(size_t ir_index) const {
    return instance(state_->inputs, ir_index, 0);
}
const Tensor* TilingContext::GetOptionalInputTensor(size_t ir_index) const {
    return instance(state_->inputs, ir_index, 0);
}
const Tensor* TilingContext::GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {
    return instance(state_->inputs, ir_index, relative_index);
}
const StorageShape* TilingContext::GetOutputShape(size_t index) const {
    return kbhost::shape_of(present(state_->outputs, index));
}
ge::graphStatus TilingContext::SetTilingKey(uint64_t key) {
    state_->tiling_key = key;
    return ge::GRAPH_SUCCESS;
}
uint64_t TilingContext::GetTilingKey() const {
    return state_->tiling_key;
}
ge::graphStatus TilingContext::SetBlockDim(uint32_t blocks) {
    state_->block_dim = blocks;
    return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetBlockDim() const {
    return state_->block_dim;
}
ge::graphStatus TilingContext::SetAicpuBlockDim(uint32_t blocks) {
    state_->aicpu_block_dim = blocks;
    return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetAicpuBlockDim() const {
    return state_->aicpu_block_dim;
}
ge::graphStatus TilingContext::SetScheduleMode(uint32_t mode) {
    state_->schedule_mode = mode;
    return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetScheduleMode() const {
    return state_->schedule_mode;
}
ge::graphStatus TilingContext::SetNeedAtomic(bool need) {
    state_->need_atomic = need;
    return ge::GRAPH_SUCCESS;
}
bool TilingContext::NeedAtomic() const {
    return state_->need_atomic;
}
ge::graphStatus TilingContext::SetTilingCond(int32_t condition) {
    state_->condition = condition;
    return ge::GRAPH_SUCCESS;
}
int32_t TilingContext::GetTilingCond() const {
    return state_->condition;
}
ge::graphStatus TilingContext::SetLocalMemorySize(uint32_t bytes) {
    state_->local_memory = bytes;
    return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetLocalMemorySize() const {
    return state_->local_memory;
}
TilingData* TilingContext::GetRawTilingData() {
    return &state_->tiling;
}
const TilingData* TilingContext::GetRawTilingData() const {
    return &state_->tiling;
}
void* TilingContext::TypedTilingData(size_t bytes) {
    if (state_->tiling.GetCapacity() < bytes) return nullptr;
    state_->tiling.SetDataSize(bytes);
    return state_->tiling.GetData();
}
size_t* TilingContext::GetWorkspaceSizes(size_t count) {
    if (count > kbhost::kMaxWorkspaces) return nullptr;
    state_->workspace_count = count;
    return state_->workspaces;
}
size_t TilingContext::GetWorkspaceNum() const {
    return state_->workspace_count;
}

const char* TilingParseContext::GetCompiledJson() const {
    return "{}";
}
void* TilingParseContext::CompiledInfo() const {
    return state_->compile_info;
}

const Shape* InferShapeContext::GetInputShape(size_t index) const {
    return kbhost::storage_of(present(state_->inputs, index));
}
const Shape* InferShapeContext::GetRequiredInputShape(size_t ir_index) const {
    return kbhost::storage_of(instance(state_->inputs, ir_index, 0));
}
const Shape* InferShapeContext::GetOptionalInputShape(size_t ir_index) const {
    return kbhost::storage_of(instance(state_->inputs, ir_index, 0));
}
const Shape* InferShapeContext::GetDynamicInputShape(size_t ir_index, size_t relative_index) const {
    return kbhost::storage_of(instance(state_->inputs, ir_index, relative_index));
}
const Tensor* InferShapeContext::GetInputTensor(size_t index) const {
    return present(state_->inputs, index);
}
const Tensor* InferShapeContext::GetRequiredInputTensor(size_t ir_index) const {
    return instance(state_->inputs, ir_index, 0);
}
const Tensor* InferShapeContext::GetOptionalInputTensor(size_t ir_index) const {
    return instance(state_->inputs, ir_index, 0);
}
const Tensor* InferShapeContext::GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {
    return instance(state_->inputs, ir_index, relative_index);
}
Shape* InferShapeContext::GetOutputShape(size_t index) {
    auto& outputs = state_->outputs.tensors;
    return index < outputs.size() ? &outputs[index].MutableStorageShape() : nullptr;
}

// Ranges are asked for by graph compilation, which never happens here.
const Range<Shape>* InferShapeRangeContext::GetInputShapeRange(size_t) const {
    return nullptr;
}
const Range<Shape>* InferShapeRangeContext::GetOptionalInputShapeRange(size_t) const {
    return nullptr;
}
const Range<Shape>* InferShapeRangeContext::GetDynamicInputShapeRange(size_t, size_t) const {
    return nullptr;
}
const Range<Tensor>* InferShapeRangeContext::GetInputTensorRange(size_t) const {
    return nullptr;
}
Range<Shape>* InferShapeRangeContext::GetOutputShapeRange(size_t) {
    return nullptr;
}

ge::DataType InferDataTypeContext::GetInputDataType(size_t index) const {
    return kbhost::type_of(present(state_->inputs, index));
}
ge::DataType InferDataTypeContext::GetRequiredInputDataType(size_t ir_index) const {
    return kbhost::type_of(instance(state_->inputs, ir_index, 0));
}
ge::DataType InferDataTypeContext::GetOptionalInputDataType(size_t ir_index) const {
    return kbhost::type_of(instance(state_->inputs, ir_index, 0));
}
ge::DataType InferDataTypeContext::GetDynamicInputDataType(size_t ir_index, size_t relative_index) const {
    return kbhost::type_of(instance(state_->inputs, ir_index, relative_index));
}
ge::DataType InferDataTypeContext::GetOutputDataType(size_t index) const {
    return index < state_->outputs.descs.size() ? state_->outputs.descs[index].GetDataType() : ge::DT_UNDEFINED;
}
ge::graphStatus InferDataTypeContext::SetOutputDataType(size_t index, ge::DataType type) {
    if (index >= state_->outputs.descs.size()) return ge::GRAPH_FAILED;
    state_->outputs.descs[index].SetDataType(type);
    return ge::GRAPH_SUCCESS;
}

}  // namespace gert
