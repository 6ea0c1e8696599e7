// The temporary buffer of operations of the high-level library, and the checks that all of them make.
#include "adv.h"
#include "queues.h"

extern "C" kb::View kbrt_pipe_rest(uint8_t position);

namespace kb::adv {

void reads(const View& view, const char* name, uint64_t bytes, const char* api) {
    const vec::Operand o = flat(view, name);
    vec::check_place(o, vec::kBlockBytes, api);
    vec::check_range(o, 0, bytes, api, false);
}

void writes(const View& view, const char* name, uint64_t bytes, const char* api) {
    const vec::Operand o = flat(view, name);
    vec::check_place(o, vec::kBlockBytes, api);
    vec::check_range(o, 0, bytes, api, true);
}

Tmp temporary(const View& given, uint64_t needed, const char* api) {
    if (given.ptr != nullptr) {
        if (given.bytes < needed) {
            error("E9", api, "sharedTmpBuffer: expected at least %lu bytes, got %u", static_cast<unsigned long>(needed),
                  given.bytes);
        }
        if (needed > 0) {
            vec::check_place(flat(given, "sharedTmpBuffer"), vec::kBlockBytes, api);
        }
        return {given, true};
    }
    if (needed == 0) {
        return {given, false};
    }
    if (queues().pipe == nullptr) {
        error("E34", api, "without sharedTmpBuffer: expected a TPipe that is alive");
    }
    const View rest = kbrt_pipe_rest(kVECCALC);
    if (rest.bytes < needed) {
        error("E9", api, "without sharedTmpBuffer: expected InitBuffer to leave at least %lu bytes of UB, got %u",
              static_cast<unsigned long>(needed), rest.bytes);
    }
    return {rest, false};
}

void check_apart(const Tmp& tmp, uint64_t used, const char* api, const Bytes* operands, int count) {
    const Bytes mine{tmp.view.ptr, used, "sharedTmpBuffer"};
    for (int i = 0; i < count; ++i) {
        if (tmp.given && mine.meets(operands[i])) {
            error("E11", api, "sharedTmpBuffer overlaps %s: expected no overlap", operands[i].name);
        }
    }
}

void spoil(const Tmp& tmp, uint64_t used, const char* api) {
    if (used == 0) {
        return;
    }
    const char* name = tmp.given ? "sharedTmpBuffer" : "the rest of UB";
    if (used > tmp.view.bytes) {
        warning("E9", api, "%s: the operation uses %lu bytes, got %u; what lies behind it in UB is overwritten", name,
                static_cast<unsigned long>(used), tmp.view.bytes);
        View whole = tmp.view;
        whole.bytes = static_cast<uint32_t>(used);
        check_write(whole, 0, used, api, name);
    } else {
        check_write(tmp.view, 0, used, api, name);
    }
    poison_local(tmp.view.ptr, used);
}

void reset_mask() {
    VecState& state = self().vec;
    state.counter = false;
    state.mask[0] = state.mask[1] = ~0ull;
}

}  // namespace kb::adv
