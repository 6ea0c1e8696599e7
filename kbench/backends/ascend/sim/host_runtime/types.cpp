// Shapes, tensors, data types, texts.
#include <cstring>
#include <iterator>

#include "exe_graph/runtime/tensor.h"
#include "graph/operator.h"
#include "graph/utils/type_utils.h"

namespace ge {

namespace {

struct TypeName {
    DataType type;
    const char* name;
    int bytes;
};
constexpr TypeName kTypes[] = {
    {DT_FLOAT, "DT_FLOAT", 4},
    {DT_FLOAT16, "DT_FLOAT16", 2},
    {DT_INT8, "DT_INT8", 1},
    {DT_INT32, "DT_INT32", 4},
    {DT_UINT8, "DT_UINT8", 1},
    {DT_INT16, "DT_INT16", 2},
    {DT_UINT16, "DT_UINT16", 2},
    {DT_UINT32, "DT_UINT32", 4},
    {DT_INT64, "DT_INT64", 8},
    {DT_UINT64, "DT_UINT64", 8},
    {DT_DOUBLE, "DT_DOUBLE", 8},
    {DT_BOOL, "DT_BOOL", 1},
    {DT_STRING, "DT_STRING", 16},
    {DT_DUAL_SUB_INT8, "DT_DUAL_SUB_INT8", 1},
    {DT_DUAL_SUB_UINT8, "DT_DUAL_SUB_UINT8", 1},
    {DT_COMPLEX64, "DT_COMPLEX64", 8},
    {DT_COMPLEX128, "DT_COMPLEX128", 16},
    {DT_QINT8, "DT_QINT8", 1},
    {DT_QINT16, "DT_QINT16", 2},
    {DT_QINT32, "DT_QINT32", 4},
    {DT_QUINT8, "DT_QUINT8", 1},
    {DT_QUINT16, "DT_QUINT16", 2},
    {DT_RESOURCE, "DT_RESOURCE", 8},
    {DT_STRING_REF, "DT_STRING_REF", 24},
    {DT_DUAL, "DT_DUAL", 5},
    {DT_VARIANT, "DT_VARIANT", 8},
    {DT_BF16, "DT_BF16", 2},
    {DT_UNDEFINED, "DT_UNDEFINED", -1},
    {DT_INT4, "DT_INT4", kDataTypeSizeBitOffset + 4},
    {DT_UINT1, "DT_UINT1", kDataTypeSizeBitOffset + 1},
    {DT_INT2, "DT_INT2", kDataTypeSizeBitOffset + 2},
    {DT_UINT2, "DT_UINT2", kDataTypeSizeBitOffset + 2},
    {DT_COMPLEX32, "DT_COMPLEX32", 4},
    {DT_HIFLOAT8, "DT_HIFLOAT8", 1},
    {DT_FLOAT8_E5M2, "DT_FLOAT8_E5M2", 1},
    {DT_FLOAT8_E4M3FN, "DT_FLOAT8_E4M3FN", 1},
    {DT_FLOAT8_E8M0, "DT_FLOAT8_E8M0", 1},
    {DT_FLOAT6_E3M2, "DT_FLOAT6_E3M2", kDataTypeSizeBitOffset + 6},
    {DT_FLOAT6_E2M3, "DT_FLOAT6_E2M3", kDataTypeSizeBitOffset + 6},
    {DT_FLOAT4_E2M1, "DT_FLOAT4_E2M1", kDataTypeSizeBitOffset + 4},
    {DT_FLOAT4_E1M2, "DT_FLOAT4_E1M2", kDataTypeSizeBitOffset + 4},
};

constexpr const char* kFormats[] = {
    "NCHW", "NHWC", "ND", "NC1HWC0", "FRACTAL_Z", "NC1C0HWPAD", "NHWC1C0", "FSR_NCHW", "FRACTAL_DECONV", "C1HWNC0",
    "FRACTAL_DECONV_TRANSPOSE", "FRACTAL_DECONV_SP_STRIDE_TRANS", "NC1HWC0_C04", "FRACTAL_Z_C04", "CHWN",
    "DECONV_SP_STRIDE8_TRANS", "HWCN", "NC1KHKWHWC0", "BN_WEIGHT", "FILTER_HWCK", "LOOKUP_LOOKUPS", "LOOKUP_KEYS",
    "LOOKUP_VALUE", "LOOKUP_OUTPUT", "LOOKUP_HITS", "C1HWNCoC0", "MD", "NDHWC", "FRACTAL_ZZ", "FRACTAL_NZ", "NCDHW",
    "DHWCN", "NDC1HWC0", "FRACTAL_Z_3D", "CN", "NC", "DHWNC", "FRACTAL_Z_3D_TRANSPOSE", "FRACTAL_ZN_LSTM",
    "FRACTAL_Z_G", "RESERVED", "ALL", "NULL", "ND_RNN_BIAS", "FRACTAL_ZN_RNN", "NYUV", "NYUV_A", "NCL",
};

const TypeName* find(DataType type) {
    for (const TypeName& known : kTypes) {
        if (known.type == type) return &known;
    }
    return nullptr;
}

}  // namespace

int GetSizeByDataType(DataType type) {
    const TypeName* known = find(type);
    return known == nullptr ? -1 : known->bytes;
}

int64_t GetSizeInBytes(int64_t count, DataType type) {
    int size = GetSizeByDataType(type);
    if (count < 0 || size < 0) return -1;
    if (size < kDataTypeSizeBitOffset) return count * size;
    return (count * (size - kDataTypeSizeBitOffset) + 7) / 8;
}

bool TypeUtils::GetDataTypeLength(DataType type, uint32_t& bytes) {
    int size = GetSizeByDataType(type);
    if (size <= 0) return false;
    bytes = static_cast<uint32_t>(size);
    return true;
}
std::string TypeUtils::DataTypeToSerialString(DataType type) {
    const TypeName* known = find(type);
    return known == nullptr ? "UNDEFINED" : known->name;
}
DataType TypeUtils::SerialStringToDataType(const std::string& name) {
    for (const TypeName& known : kTypes) {
        if (name == known.name) return known.type;
    }
    return DT_UNDEFINED;
}
AscendString TypeUtils::DataTypeToAscendString(const DataType& type) {
    return AscendString(DataTypeToSerialString(type).c_str());
}
std::string TypeUtils::FormatToSerialString(Format format) {
    size_t index = static_cast<size_t>(GetPrimaryFormat(format));
    return index < std::size(kFormats) ? kFormats[index] : "RESERVED";
}
Format TypeUtils::SerialStringToFormat(const std::string& name) {
    for (size_t i = 0; i < std::size(kFormats); ++i) {
        if (name == kFormats[i]) return static_cast<Format>(i);
    }
    return FORMAT_RESERVED;
}
bool TypeUtils::IsDataTypeValid(DataType type) {
    return type != DT_UNDEFINED && find(type) != nullptr;
}
bool TypeUtils::IsFormatValid(Format format) {
    return format < FORMAT_END && format != FORMAT_RESERVED;
}

AscendString::AscendString(const char* text) : text_(text == nullptr ? "" : text) {}
AscendString::AscendString(const char* text, size_t length) : text_(text, length) {}
const char* AscendString::GetString() const {
    return text_.c_str();
}
size_t AscendString::GetLength() const {
    return text_.size();
}
bool AscendString::operator<(const AscendString& other) const {
    return text_ < other.text_;
}
bool AscendString::operator>(const AscendString& other) const {
    return text_ > other.text_;
}
bool AscendString::operator<=(const AscendString& other) const {
    return text_ <= other.text_;
}
bool AscendString::operator>=(const AscendString& other) const {
    return text_ >= other.text_;
}
bool AscendString::operator==(const AscendString& other) const {
    return text_ == other.text_;
}
bool AscendString::operator!=(const AscendString& other) const {
    return text_ != other.text_;
}
bool AscendString::operator==(const char* other) const {
    return text_ == other;
}
bool AscendString::operator!=(const char* other) const {
    return text_ != other;
}

size_t Shape::GetDimNum() const {
    return dims_.size();
}
int64_t Shape::GetDim(size_t index) const {
    return index < dims_.size() ? dims_[index] : 0;
}
graphStatus Shape::SetDim(size_t index, int64_t value) {
    if (index >= dims_.size()) return GRAPH_FAILED;
    dims_[index] = value;
    return GRAPH_SUCCESS;
}
std::vector<int64_t> Shape::GetDims() const {
    return dims_;
}
int64_t Shape::GetShapeSize() const {
    if (dims_.empty()) return 0;
    int64_t product = 1;
    for (int64_t dim : dims_) {
        if (dim < 0) return -1;
        if (__builtin_mul_overflow(product, dim, &product)) return -1;
    }
    return product;
}

TensorDesc::TensorDesc(Shape shape, Format format, DataType type)
    : shape_(shape), origin_shape_(shape), format_(format), origin_format_(format), type_(type) {}
Shape TensorDesc::GetShape() const {
    return shape_;
}
void TensorDesc::SetShape(const Shape& shape) {
    shape_ = shape;
}
Shape TensorDesc::GetOriginShape() const {
    return origin_shape_;
}
void TensorDesc::SetOriginShape(const Shape& shape) {
    origin_shape_ = shape;
}
Format TensorDesc::GetFormat() const {
    return format_;
}
void TensorDesc::SetFormat(Format format) {
    format_ = format;
}
Format TensorDesc::GetOriginFormat() const {
    return origin_format_;
}
void TensorDesc::SetOriginFormat(Format format) {
    origin_format_ = format;
}
DataType TensorDesc::GetDataType() const {
    return type_;
}
void TensorDesc::SetDataType(DataType type) {
    type_ = type;
}
graphStatus TensorDesc::GetName(AscendString& name) const {
    name = name_;
    return GRAPH_SUCCESS;
}
void TensorDesc::SetName(const char* name) {
    name_ = AscendString(name);
}

TensorDesc Operator::GetInputDescByName(const char*) const {
    return TensorDesc();
}
TensorDesc Operator::GetOutputDescByName(const char*) const {
    return TensorDesc();
}
TensorDesc Operator::GetInputDesc(uint32_t) const {
    return TensorDesc();
}
TensorDesc Operator::GetOutputDesc(uint32_t) const {
    return TensorDesc();
}
graphStatus Operator::GetName(AscendString&) const {
    return GRAPH_FAILED;
}
graphStatus Operator::GetOpType(AscendString&) const {
    return GRAPH_FAILED;
}
size_t Operator::GetInputsSize() const {
    return 0;
}
size_t Operator::GetOutputsSize() const {
    return 0;
}
graphStatus Operator::GetAttr(const char*, int64_t&) const {
    return GRAPH_FAILED;
}
graphStatus Operator::GetAttr(const char*, int32_t&) const {
    return GRAPH_FAILED;
}
graphStatus Operator::GetAttr(const char*, float&) const {
    return GRAPH_FAILED;
}
graphStatus Operator::GetAttr(const char*, bool&) const {
    return GRAPH_FAILED;
}
graphStatus Operator::GetAttr(const char*, AscendString&) const {
    return GRAPH_FAILED;
}
graphStatus Operator::GetAttr(const char*, std::vector<int64_t>&) const {
    return GRAPH_FAILED;
}
graphStatus Operator::GetAttr(const char*, std::vector<float>&) const {
    return GRAPH_FAILED;
}

}  // namespace ge

namespace gert {

Shape::Shape(std::initializer_list<int64_t> dims) {
    for (int64_t dim : dims) AppendDim(dim);
}
bool Shape::operator==(const Shape& other) const {
    if (dim_num_ != other.dim_num_) return false;
    for (size_t i = 0; i < dim_num_ && i < kMaxDimNum; ++i) {
        if (dims_[i] != other.dims_[i]) return false;
    }
    return true;
}
int64_t Shape::GetShapeSize() const {
    int64_t product = 1;
    for (size_t i = 0; i < dim_num_ && i < kMaxDimNum; ++i) {
        if (dims_[i] < 0 || __builtin_mul_overflow(product, dims_[i], &product)) return -1;
    }
    return product;
}
Shape& Shape::AppendDim(int64_t value) {
    if (dim_num_ < kMaxDimNum) dims_[dim_num_++] = value;
    return *this;
}

Tensor::Tensor(const StorageShape& shape, const StorageFormat& format, ge::DataType type, const void* data, size_t bytes)
    : shape_(shape), format_(format), type_(type), data_(data), bytes_(bytes) {}

}  // namespace gert
