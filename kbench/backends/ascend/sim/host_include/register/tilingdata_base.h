// Tiling data with named fields: BEGIN_TILING_DATA_DEF(Name) … END_TILING_DATA_DEF, set_x/get_x, SaveToBuffer.
//
// Layout in the buffer: that of a C structure of the same fields, the whole rounded up to a multiple of 8. The kernel's
// structure is generated from the same description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exe_graph/runtime/tiling_data.h"
#include "graph/ascend_string.h"
#include "kb_host.h"
#include "securec.h"

namespace kbhost {

// One field. Holds distances within its object, so that copies of the object stay right.
struct Field {
    const char* type;
    const char* name;
    uint32_t bytes;   // of one element
    uint32_t count;   // 0: not an array
    int32_t member;   // from the object to the value
    uint32_t offset;  // in the buffer
    int32_t next;     // from the object to the next Field, 0: none
    bool nested;      // the value is a TilingDef
};

}  // namespace kbhost

namespace optiling {

class TilingDef {
public:
    // What SaveToBuffer writes, in bytes.
    size_t GetDataSize() const { return (bytes_ + 7) / 8 * 8; }
    void SaveToBuffer(void* buffer, size_t capacity) const;
    // From now on set_x also writes into `buffer`, which starts with the current values.
    void SetDataPtr(void* buffer);
    void InitData() {}
    const char* GetTilingClassName() const { return class_name_; }

    // For the registry.
    const kbhost::Field* kbhost_first() const;
    const kbhost::Field* kbhost_next(const kbhost::Field& field) const;

protected:
    explicit TilingDef(const char* class_name) : class_name_(class_name) {}

    bool kbhost_add(kbhost::Field& field, const char* type, const char* name, const void* member, uint32_t bytes,
                    uint32_t count);
    bool kbhost_add(kbhost::Field& field, const char* type, const char* name, const TilingDef& member);
    // Passes a changed value on to the buffer of SetDataPtr.
    void kbhost_changed(const kbhost::Field& field) {
        if (buffer_ != nullptr) kbhost_mirror(field);
    }

private:
    void kbhost_link(kbhost::Field& field, uint32_t align, uint32_t bytes);
    void kbhost_mirror(const kbhost::Field& field);
    void kbhost_write(uint8_t* out) const;

    const char* class_name_;
    uint8_t* buffer_ = nullptr;
    uint32_t bytes_ = 0;
    uint32_t align_ = 1;
    int32_t first_ = 0;
    int32_t last_ = 0;
};

}  // namespace optiling

namespace kbhost {

class TilingClass {
public:
    TilingClass(const char* op_type, const char* class_name, void (*describe)());
};
void describe(const optiling::TilingDef& tiling);

}  // namespace kbhost

#define BEGIN_TILING_DATA_DEF(class_name)                       \
    class class_name : public ::optiling::TilingDef {           \
    public:                                                     \
        class_name() : ::optiling::TilingDef(#class_name) {}

#define END_TILING_DATA_DEF \
    }                       \
    ;

#define KBHOST_FIELD(field_name, ...)              \
private:                                           \
    ::kbhost::Field field_name##_field_;           \
    bool field_name##_known_ = kbhost_add(field_name##_field_, __VA_ARGS__); \
                                                   \
public:

#define TILING_DATA_FIELD_DEF(data_type, field_name)                                      \
public:                                                                                   \
    void set_##field_name(data_type field_name) {                                         \
        field_name##_ = field_name;                                                       \
        kbhost_changed(field_name##_field_);                                              \
    }                                                                                     \
    data_type get_##field_name() const {                                                  \
        return field_name##_;                                                             \
    }                                                                                     \
                                                                                          \
private:                                                                                  \
    data_type field_name##_ = {};                                                         \
    KBHOST_FIELD(field_name, #data_type, #field_name, &field_name##_, sizeof(data_type), 0)

#define TILING_DATA_FIELD_DEF_ARR(arr_type, arr_size, field_name)                                         \
public:                                                                                                   \
    void set_##field_name(const arr_type* field_name) {                                                   \
        memcpy(field_name##_, field_name, sizeof(field_name##_));                                         \
        kbhost_changed(field_name##_field_);                                                              \
    }                                                                                                     \
    arr_type* get_##field_name() {                                                                        \
        return field_name##_;                                                                             \
    }                                                                                                     \
                                                                                                          \
private:                                                                                                  \
    arr_type field_name##_[arr_size] = {};                                                                \
    KBHOST_FIELD(field_name, #arr_type, #field_name, field_name##_, sizeof(arr_type), arr_size)

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) \
public:                                                       \
    struct_type field_name;                                   \
    KBHOST_FIELD(field_name, #struct_type, #field_name, field_name)

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                                    \
    [[maybe_unused]] static const ::kbhost::TilingClass kbhost_tiling_##op_type##_##class_name(            \
        #op_type, #class_name, [] { ::kbhost::describe(class_name()); });
