// The runtime's interface for host programs: one device whose memory the host can reach by aclrtMemcpy only.
#include "acl/acl.h"

#include <stdlib.h>
#include <string.h>

#include "kbfs.h"
#include "machine.h"
#include "../../host_runtime/plan.h"
#include "program.h"

namespace {

using kb::GmBuffer;
using kb::machine;

char names[kb_program::kMaxBuffers][24];
uint32_t allocated;
aclError last_error;
bool device_set;

uint64_t page() {
    return kbfs::page_size();
}

uint64_t rounded(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// The pages of a buffer: it ends within 512 bytes of the last one's end.
struct Pages {
    uint8_t* first;
    uint64_t bytes;
};

Pages pages_of(const GmBuffer& gm) {
    const auto at = reinterpret_cast<uintptr_t>(gm.base) / page() * page();
    return {reinterpret_cast<uint8_t*>(at), static_cast<uint64_t>(gm.base + gm.mapped - reinterpret_cast<uint8_t*>(at))};
}

void protect_device(kbfs::Protection protection) {
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) {
        const Pages pages = pages_of(machine->buffers[i]);
        kbfs::protect(pages.first, pages.bytes, protection);
    }
}

const GmBuffer* holder(const void* p, uint64_t bytes) {
    const auto* at = static_cast<const uint8_t*>(p);
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) {
        const GmBuffer& gm = machine->buffers[i];
        if (at >= gm.base && at < gm.base + gm.padded) {
            return at + bytes <= gm.base + gm.padded ? &gm : nullptr;
        }
    }
    return nullptr;
}

bool on_device(const void* p) {
    return holder(p, 0) != nullptr;
}

aclError failed(aclError error, const char* api, const char* text) {
    char message[320];
    kbfs::format(message, sizeof message, "%s: %s; it returns %d", api, text, error);
    kb::warn_of("", api, message, kb::trace());
    last_error = error;
    return error;
}

// What the device would not have finished: its result would be whatever it was.
void check_finished(const char* api, const char* what) {
    if (!kb_program::unfinished()) return;
    char text[256];
    kbfs::format(text, sizeof text, "%s: expected aclrtSynchronizeStream between the launch and %s, got none", api, what);
    kb::report_finding("error", "", api, text, kb::trace());
    kbfs::die("rule_violation", "%s", text);
}

aclError add_buffer(void** out, uint64_t bytes) {
    const uint64_t room = rounded(bytes + 32, 512), mapped = rounded(room, page());
    auto* low = static_cast<uint8_t*>(kbfs::map_memory(mapped + 2 * page(), kbfs::kNone));
    if (low == nullptr || machine->plan.buffers == kb_program::kMaxBuffers ||
        !kbfs::protect(low + page(), mapped, kbfs::kReadWrite)) {
        return failed(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtMalloc", "the device has no memory left");
    }
    uint8_t* base = low + page() + mapped - room;
    memset(base, static_cast<int>(machine->plan.poison), room);
    char* name = names[machine->plan.buffers];
    kbfs::format(name, sizeof names[0], "aclrtMalloc no. %u", ++allocated);
    machine->buffers[machine->plan.buffers++] = {base, bytes, rounded(bytes, 32) + 32, room, name, true, true, {}, {}};
    kbfs::protect(low + page(), mapped, kbfs::kNone);
    *out = base;
    return ACL_SUCCESS;
}

aclError check_copy(const void* to, size_t most, const void* from, size_t bytes, aclrtMemcpyKind kind, const char* api) {
    const bool device_from = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    const bool device_to = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    if (to == nullptr || from == nullptr) return failed(ACL_ERROR_INVALID_PARAM, api, "expected two addresses, got null");
    if (bytes > most) return failed(ACL_ERROR_INVALID_PARAM, api, "expected a count of at most destMax, got more");
    if (kind == ACL_MEMCPY_DEFAULT) return ACL_SUCCESS;
    if (on_device(to) != device_to || on_device(from) != device_from) {
        return failed(ACL_ERROR_RT_PARAM_INVALID, api, "expected addresses on the sides that the kind names, got others");
    }
    return ACL_SUCCESS;
}

aclError copy(void* to, size_t most, const void* from, size_t bytes, aclrtMemcpyKind kind, const char* api) {
    const aclError error = check_copy(to, most, from, bytes, kind, api);
    if (error != ACL_SUCCESS) return error;
    if ((on_device(to) && holder(to, bytes) == nullptr) || (on_device(from) && holder(from, bytes) == nullptr)) {
        return failed(ACL_ERROR_RT_PARAM_INVALID, api, "expected a count within the device's buffer, got more");
    }
    kb_program::open_device();
    memmove(to, from, bytes);
    kb_program::close_device();
    return ACL_SUCCESS;
}

aclError set(void* to, size_t most, int32_t value, size_t bytes, const char* api) {
    if (bytes > most || !on_device(to) || holder(to, bytes) == nullptr) {
        return failed(ACL_ERROR_RT_PARAM_INVALID, api, "expected a count within the device's buffer, got more");
    }
    kb_program::open_device();
    memset(to, value, bytes);
    kb_program::close_device();
    return ACL_SUCCESS;
}

// Streams, contexts and events are numbers.
aclError number(void** out) {
    static uintptr_t next = 0;
    *out = reinterpret_cast<void*>(++next);
    return ACL_SUCCESS;
}

}  // namespace

namespace kb_program {

void open_device() {
    protect_device(kbfs::kReadWrite);
}

void close_device() {
    protect_device(kbfs::kNone);
}

void check_left() {
    if (unfinished()) {
        kb::report_finding("warning", "", "<<<>>>",
                           "<<<>>>: the program ends without aclrtSynchronizeStream after its last launch", {});
    }
}

}  // namespace kb_program

extern "C" {

aclError aclInit(const char*) {
    return ACL_SUCCESS;
}

aclError aclFinalize() {
    return ACL_SUCCESS;
}

const char* aclGetRecentErrMsg() {
    return last_error == ACL_SUCCESS ? nullptr : "see the findings";
}

size_t aclDataTypeSize(aclDataType type) {
    switch (type) {
        case ACL_INT8:
        case ACL_UINT8:
        case ACL_BOOL: return 1;
        case ACL_FLOAT16:
        case ACL_BF16:
        case ACL_INT16:
        case ACL_UINT16: return 2;
        case ACL_FLOAT:
        case ACL_INT32:
        case ACL_UINT32: return 4;
        case ACL_DOUBLE:
        case ACL_INT64:
        case ACL_UINT64:
        case ACL_COMPLEX64: return 8;
        case ACL_COMPLEX128: return 16;
        default: return 0;
    }
}

float aclFloat16ToFloat(aclFloat16 value) {
    return static_cast<float>(__builtin_bit_cast(_Float16, value));
}

aclFloat16 aclFloatToFloat16(float value) {
    return __builtin_bit_cast(aclFloat16, static_cast<_Float16>(value));
}

aclError aclrtSetDevice(int32_t device) {
    if (device != 0) return failed(ACL_ERROR_RT_PARAM_INVALID, "aclrtSetDevice", "expected device 0, the only one");
    device_set = true;
    return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t) {
    device_set = false;
    return ACL_SUCCESS;
}

aclError aclrtGetDevice(int32_t* device) {
    *device = 0;
    return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t* count) {
    *count = 1;
    return ACL_SUCCESS;
}

aclError aclrtGetRunMode(aclrtRunMode* mode) {
    *mode = ACL_HOST;
    return ACL_SUCCESS;
}

const char* aclrtGetSocName() {
    return kbhost::plan()["platform"]["soc"].text().c_str();
}

aclError aclrtCreateContext(aclrtContext* context, int32_t) {
    device_set = true;
    return number(context);
}

aclError aclrtDestroyContext(aclrtContext) {
    return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext) {
    return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
    return number(context);
}

aclError aclrtCreateStream(aclrtStream* stream) {
    if (!device_set) return failed(ACL_ERROR_RT_CONTEXT_NULL, "aclrtCreateStream", "expected aclrtSetDevice before it, got none");
    return number(stream);
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
    return aclrtCreateStream(stream);
}

aclError aclrtDestroyStream(aclrtStream) {
    kb_program::wait_for_streams();
    return ACL_SUCCESS;
}

aclError aclrtDestroyStreamForce(aclrtStream) {
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeStream(aclrtStream) {
    kb_program::wait_for_streams();
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream, int32_t) {
    return aclrtSynchronizeStream(nullptr);
}

aclError aclrtSynchronizeDevice() {
    return aclrtSynchronizeStream(nullptr);
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t) {
    return aclrtSynchronizeStream(nullptr);
}

aclError aclrtMalloc(void** out, size_t bytes, aclrtMemMallocPolicy) {
    if (!device_set) return failed(ACL_ERROR_RT_CONTEXT_NULL, "aclrtMalloc", "expected aclrtSetDevice before it, got none");
    if (out == nullptr || bytes == 0) return failed(ACL_ERROR_INVALID_PARAM, "aclrtMalloc", "expected a size above 0, got 0");
    return add_buffer(out, bytes);
}

aclError aclrtMallocAlign32(void** out, size_t bytes, aclrtMemMallocPolicy policy) {
    return aclrtMalloc(out, bytes, policy);
}

aclError aclrtFree(void* p) {
    check_finished("aclrtFree", "freeing memory");
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) {
        if (machine->buffers[i].base != p) continue;
        const Pages pages = pages_of(machine->buffers[i]);
        kbfs::unmap(pages.first - page(), pages.bytes + 2 * page());
        machine->buffers[i] = machine->buffers[--machine->plan.buffers];
        memcpy(names[i], names[machine->plan.buffers], sizeof names[i]);
        machine->buffers[i].name = names[i];
        kb::forget_buffers();
        return ACL_SUCCESS;
    }
    return failed(ACL_ERROR_INVALID_PARAM, "aclrtFree", "expected an address of aclrtMalloc, got another");
}

aclError aclrtMallocHost(void** out, size_t bytes) {
    if (out == nullptr || bytes == 0) return failed(ACL_ERROR_INVALID_PARAM, "aclrtMallocHost", "expected a size above 0, got 0");
    *out = aligned_alloc(64, rounded(bytes, 64));
    return ACL_SUCCESS;
}

aclError aclrtFreeHost(void* p) {
    free(p);
    return ACL_SUCCESS;
}

aclError aclrtMemset(void* to, size_t most, int32_t value, size_t bytes) {
    return set(to, most, value, bytes, "aclrtMemset");
}

aclError aclrtMemsetAsync(void* to, size_t most, int32_t value, size_t bytes, aclrtStream) {
    return set(to, most, value, bytes, "aclrtMemsetAsync");
}

aclError aclrtMemcpy(void* to, size_t most, const void* from, size_t bytes, aclrtMemcpyKind kind) {
    if (on_device(from)) check_finished("aclrtMemcpy", "reading device memory");
    return copy(to, most, from, bytes, kind, "aclrtMemcpy");
}

aclError aclrtMemcpyAsync(void* to, size_t most, const void* from, size_t bytes, aclrtMemcpyKind kind, aclrtStream) {
    return copy(to, most, from, bytes, kind, "aclrtMemcpyAsync");
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t* free, size_t* total) {
    *total = static_cast<size_t>(kbhost::plan()["platform"]["hbm"].integer());
    *free = *total;
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) *free -= machine->buffers[i].mapped;
    return ACL_SUCCESS;
}

aclError aclrtCreateEvent(aclrtEvent* event) {
    return number(event);
}

aclError aclrtDestroyEvent(aclrtEvent) {
    return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent, aclrtStream) {
    return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent) {
    return aclrtSynchronizeStream(nullptr);
}

aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent) {
    return ACL_SUCCESS;
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent, aclrtEvent) {
    *ms = 0;
    return ACL_SUCCESS;
}

aclError aclrtGetLastError(aclrtLastErrLevel) {
    const aclError error = last_error;
    last_error = ACL_SUCCESS;
    return error;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel) {
    return last_error;
}

}  // extern "C"
