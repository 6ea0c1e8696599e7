// The operator library's shared host code: texts of messages, unknown shapes, integers in tensors.
#include "graph/utils/type_utils.h"
#include "op_common/op_host/tiling_base_util.h"
#include "op_common/op_host/util/const_util.h"
#include "op_common/op_host/util/shape_util.h"

namespace {

template <class T>
bool widened(const gert::Tensor& tensor, std::vector<int64_t>& values) {
    const T* data = tensor.GetData<T>();
    if (data == nullptr) return false;
    values.assign(data, data + tensor.GetShapeSize());
    return true;
}

}  // namespace

namespace kbhost {

void say_invalid(const char* what, std::initializer_list<Fact> facts) {
    std::string line;
    for (const Fact& fact : facts) line += (line.empty() ? "" : ", ") + fact.text;
    std::printf("[ERROR] %s: %s\n", what, line.c_str());
}

bool read_integers(const gert::Tensor* tensor, std::vector<int64_t>& values) {
    if (tensor == nullptr) return false;
    switch (tensor->GetDataType()) {
        case ge::DT_INT32: return widened<int32_t>(*tensor, values);
        case ge::DT_INT64: return widened<int64_t>(*tensor, values);
        case ge::DT_UINT32: return widened<uint32_t>(*tensor, values);
        case ge::DT_UINT64: return widened<uint64_t>(*tensor, values);
        default: return false;
    }
}

}  // namespace kbhost

namespace Ops::Base {

std::string ToString(ge::DataType type) {
    return ge::TypeUtils::DataTypeToSerialString(type);
}

std::string ToString(ge::Format format) {
    return ge::TypeUtils::FormatToSerialString(format);
}

std::string ToString(const gert::Shape& shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.GetDimNum(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape.GetDim(i));
    return text + "]";
}

std::string ToString(const std::vector<const gert::Shape*>& shapes) {
    std::string text;
    for (const gert::Shape* shape : shapes) text += (text.empty() ? "" : ", ") + ToString(*shape);
    return "[" + text + "]";
}

bool IsRegbaseSocVersion(const gert::TilingParseContext*) {
    return false;
}

bool IsRegbaseSocVersion(const gert::TilingContext*) {
    return false;
}

const gert::Shape& EnsureNotScalar(const gert::Shape& shape) {
    static const gert::Shape one{1};
    return shape.IsScalar() ? one : shape;
}

void SetUnknownRank(gert::Shape& shape) {
    shape.SetDimNum(0);
    shape.AppendDim(ge::UNKNOWN_DIM_NUM);
}

bool IsUnknownRank(const gert::Shape& shape) {
    return shape.GetDimNum() == 1 && shape.GetDim(0) == ge::UNKNOWN_DIM_NUM;
}

void SetUnknownShape(int64_t rank, gert::Shape& shape) {
    shape.SetDimNum(0);
    for (int64_t i = 0; i < rank; ++i) shape.AppendDim(ge::UNKNOWN_DIM);
}

bool IsUnknownShape(const gert::Shape& shape) {
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        if (shape.GetDim(i) == ge::UNKNOWN_DIM) return true;
    }
    return IsUnknownRank(shape);
}

}  // namespace Ops::Base
