// Names and sizes of data types and formats.
#pragma once

#include <cstdint>
#include <string>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {
class TypeUtils {
public:
    static bool GetDataTypeLength(DataType type, uint32_t& bytes);
    static std::string DataTypeToSerialString(DataType type);  // "DT_FLOAT16"
    static DataType SerialStringToDataType(const std::string& name);
    static AscendString DataTypeToAscendString(const DataType& type);
    static std::string FormatToSerialString(Format format);  // "ND"
    static Format SerialStringToFormat(const std::string& name);
    static bool IsDataTypeValid(DataType type);
    static bool IsFormatValid(Format format);
};
}  // namespace ge
