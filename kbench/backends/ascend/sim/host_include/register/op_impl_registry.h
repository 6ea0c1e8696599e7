// Registration of an operator's host functions by name: IMPL_OP_OPTILING(Add).Tiling(f).TilingParse<Info>(g).
#pragma once

#include <cstddef>
#include <initializer_list>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "kb_host.h"

namespace gert {

class OpImplRegisterV2 {
public:
    using InferShapeKernelFunc = ge::graphStatus (*)(InferShapeContext*);
    using InferShapeRangeKernelFunc = ge::graphStatus (*)(InferShapeRangeContext*);
    using InferDataTypeKernelFunc = ge::graphStatus (*)(InferDataTypeContext*);
    using TilingKernelFunc = ge::graphStatus (*)(TilingContext*);
    using TilingParseFunc = ge::graphStatus (*)(TilingParseContext*);
    using CompileInfoCreator = void* (*)();
    using CompileInfoDeleter = void (*)(void*);

    explicit OpImplRegisterV2(const char* op_type);

    OpImplRegisterV2& InferShape(InferShapeKernelFunc function);
    OpImplRegisterV2& InferShapeRange(InferShapeRangeKernelFunc function);
    OpImplRegisterV2& InferDataType(InferDataTypeKernelFunc function);
    OpImplRegisterV2& InferOutDataTypeSameWithFirstInput();
    OpImplRegisterV2& Tiling(TilingKernelFunc function, size_t max_tiling_data_size = 0);
    template <typename T>
    OpImplRegisterV2& Tiling(TilingKernelFunc function) {
        return Tiling(function, sizeof(T));
    }
    template <typename T>
    OpImplRegisterV2& TilingParse(TilingParseFunc function) {
        return Parse(function, [] { return static_cast<void*>(new T()); });
    }
    // The arguments whose values the host function reads, by their position in the definition.
    OpImplRegisterV2& InputsDataDependency(std::initializer_list<int32_t> inputs);
    OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> inputs);
    OpImplRegisterV2& OutputShapeDependOnCompute(std::initializer_list<int32_t> outputs);

private:
    OpImplRegisterV2& Parse(TilingParseFunc function, CompileInfoCreator create);

    kbhost::ImplSpec* spec_;
};
using OpImplRegister = OpImplRegisterV2;

}  // namespace gert

#define KBHOST_JOIN_(a, b) a##b
#define KBHOST_JOIN(a, b) KBHOST_JOIN_(a, b)
#define KBHOST_IMPL_OP(op_type) \
    [[maybe_unused]] static gert::OpImplRegisterV2 KBHOST_JOIN(kbhost_impl_##op_type##_, __COUNTER__) = \
        gert::OpImplRegisterV2(#op_type)
#define IMPL_OP(op_type) KBHOST_IMPL_OP(op_type)
#define IMPL_OP_OPTILING(op_type) KBHOST_IMPL_OP(op_type)
#define IMPL_OP_INFERSHAPE(op_type) KBHOST_IMPL_OP(op_type)
