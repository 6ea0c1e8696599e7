// The shape that the user gave and the one that lies in memory; equal for format ND.
#pragma once

#include "exe_graph/runtime/shape.h"

namespace gert {
class StorageShape {
public:
    StorageShape() = default;
    StorageShape(std::initializer_list<int64_t> origin, std::initializer_list<int64_t> storage)
        : origin_(origin), storage_(storage) {}

    const Shape& GetOriginShape() const { return origin_; }
    const Shape& GetStorageShape() const { return storage_; }
    Shape& MutableOriginShape() { return origin_; }
    Shape& MutableStorageShape() { return storage_; }
    bool operator==(const StorageShape& other) const {
        return origin_ == other.origin_ && storage_ == other.storage_;
    }

private:
    Shape origin_;
    Shape storage_;
};
}  // namespace gert
