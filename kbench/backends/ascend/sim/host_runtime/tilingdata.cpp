// Tiling data with named fields: offsets, serialisation, description.
#include <algorithm>
#include <cstring>

#include "kbfs.h"
#include "register/tilingdata_base.h"

namespace optiling {

namespace {
int32_t distance(const void* from, const void* to) {
    return static_cast<int32_t>(static_cast<const char*>(to) - static_cast<const char*>(from));
}
}  // namespace

void TilingDef::kbhost_link(kbhost::Field& field, uint32_t align, uint32_t bytes) {
    field.offset = (bytes_ + align - 1) / align * align;
    bytes_ = field.offset + bytes;
    align_ = std::max(align_, align);
    field.next = 0;
    int32_t here = distance(this, &field);
    if (last_ == 0) {
        first_ = here;
    } else {
        reinterpret_cast<kbhost::Field*>(reinterpret_cast<char*>(this) + last_)->next = here;
    }
    last_ = here;
}

bool TilingDef::kbhost_add(kbhost::Field& field, const char* type, const char* name, const void* member,
                           uint32_t bytes, uint32_t count) {
    field = {type, name, bytes, count, distance(this, member), 0, 0, false};
    kbhost_link(field, std::min(bytes, 8U), bytes * std::max(count, 1U));
    return true;
}

bool TilingDef::kbhost_add(kbhost::Field& field, const char* type, const char* name, const TilingDef& member) {
    uint32_t bytes = (member.bytes_ + member.align_ - 1) / member.align_ * member.align_;
    field = {type, name, bytes, 0, distance(this, &member), 0, 0, true};
    kbhost_link(field, member.align_, bytes);
    return true;
}

const kbhost::Field* TilingDef::kbhost_first() const {
    return first_ == 0 ? nullptr : reinterpret_cast<const kbhost::Field*>(reinterpret_cast<const char*>(this) + first_);
}

const kbhost::Field* TilingDef::kbhost_next(const kbhost::Field& field) const {
    return field.next == 0 ? nullptr
                           : reinterpret_cast<const kbhost::Field*>(reinterpret_cast<const char*>(this) + field.next);
}

void TilingDef::SaveToBuffer(void* buffer, size_t capacity) const {
    if (buffer == nullptr || capacity < GetDataSize()) {
        kbfs::die("tiling_failed", "SaveToBuffer: the buffer has %zu bytes, %s needs %zu",
                  buffer == nullptr ? size_t{0} : capacity, class_name_, GetDataSize());
    }
    memset(buffer, 0, GetDataSize());
    kbhost_write(static_cast<uint8_t*>(buffer));
}

void TilingDef::kbhost_write(uint8_t* out) const {
    for (const kbhost::Field* field = kbhost_first(); field != nullptr; field = kbhost_next(*field)) {
        const char* member = reinterpret_cast<const char*>(this) + field->member;
        if (field->nested) {
            reinterpret_cast<const TilingDef*>(member)->kbhost_write(out + field->offset);
        } else {
            memcpy(out + field->offset, member, size_t{field->bytes} * std::max(field->count, 1U));
        }
    }
}

void TilingDef::SetDataPtr(void* buffer) {
    buffer_ = static_cast<uint8_t*>(buffer);
    if (buffer_ == nullptr) return;
    kbhost_write(buffer_);
    for (const kbhost::Field* field = kbhost_first(); field != nullptr; field = kbhost_next(*field)) {
        if (!field->nested) continue;
        auto* member = reinterpret_cast<TilingDef*>(reinterpret_cast<char*>(this) + field->member);
        member->SetDataPtr(buffer_ + field->offset);
    }
}

void TilingDef::kbhost_mirror(const kbhost::Field& field) {
    memcpy(buffer_ + field.offset, reinterpret_cast<const char*>(this) + field.member,
           size_t{field.bytes} * std::max(field.count, 1U));
}

}  // namespace optiling
