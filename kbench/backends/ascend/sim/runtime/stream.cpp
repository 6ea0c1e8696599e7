// Gathers each operation's accesses and hands its event to those who listen.
#include "stream.h"

#include "hazards.h"
#include "vec_lanes.h"

namespace kb {

namespace {

constexpr int kMaxListeners = 4;
Listener listeners[kMaxListeners];
int listener_count;

const char* const kOpName[] = {"",           "Scalar",     "CopyIn",       "CopyOut",      "CopyLocal",  "CopyInPad",
                               "CopyOutPad", "FillGm",     "SetFlag",      "WaitFlag",     "Barrier",    "SyncAll",
                               "CrossSet",   "CrossWait",  "Cache",        "AllocTensor",  "EnQue",      "DeQue",
                               "FreeTensor", "SyncAllDone", "BlockBegin",  "BlockEnd",     "Polled",
                               "Awaited"};
constexpr uint16_t kNamedOps = sizeof kOpName / sizeof *kOpName;

uint64_t extent(const Pieces& p) {
    return p.bytes + (p.pieces - 1ull) * p.step + (p.rows - 1ull) * p.row_step;
}

void widen(Access& a, uint64_t first, uint64_t bytes) {
    const uint64_t end = a.first + extent(a.pieces);
    const uint64_t from = first < a.first ? first : a.first;
    const uint64_t to = first + bytes > end ? first + bytes : end;
    a.first = from;
    a.pieces = {to - from, 1, 0, 1, 0};
}

bool same_operand(const Heard& h, uint32_t i, const Access& a, const uint8_t* origin) {
    const Access& b = h.access[i];
    return h.origin[i] == origin && b.write == a.write && b.space == a.space && b.operand == a.operand;
}

bool same_memory(const Access& a, const Access& b) {
    return a.space == b.space && a.write == b.write && (a.space != Space::gm || a.buffer == b.buffer);
}

// Pieces of one operand become one range; so does what exceeds the room, with the last of its memory.
void keep(Heard& h, const Access& a, const uint8_t* origin, const char* api) {
    h.api = api;
    for (uint32_t i = h.count; i-- > 0;) {
        if (same_operand(h, i, a, origin) || (h.count == kMaxAccesses && same_memory(h.access[i], a))) {
            h.last = i;
            return widen(h.access[i], a.first, a.pieces.bytes);
        }
    }
    if (h.count < kMaxAccesses) {
        h.last = h.count++;
        h.origin[h.last] = origin;
        h.access[h.last] = a;
    }
}

uint8_t widest(const Heard& h) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < h.count; ++i) {
        const uint32_t own = h.access[i].dtype == Dtype::none ? 0 : vec::element_bits(h.access[i].dtype);
        bits = own > bits ? own : bits;
    }
    return static_cast<uint8_t>(bits == 0 && h.count > 0 ? 8 : bits);
}

// ---- the recorder ---------------------------------------------------------------------------------------------------

struct Recorder {
    RecordHeader* header;
    uint8_t* records;
    uint64_t room;
    uint64_t named[65536 / 64];  // a bit for each operation
};
Recorder recorder;

template <class T>
bool put(const T& record, uint64_t& at) {
    if (at + sizeof record > recorder.room) {
        return false;
    }
    __builtin_memcpy(recorder.records + at, &record, sizeof record);
    at += sizeof record;
    return true;
}

bool put_name(const Event& e, uint64_t& at) {
    uint64_t& word = recorder.named[e.op / 64];
    if ((word >> (e.op % 64) & 1) != 0) {
        return true;
    }
    word |= 1ull << (e.op % 64);
    NameRecord record{1, e.op, {}};
    const char* name = e.op < kNamedOps ? kOpName[e.op] : e.api != nullptr ? e.api : "";
    for (size_t i = 0; i + 1 < sizeof record.name && name[i] != 0; ++i) {
        record.name[i] = name[i];
    }
    return put(record, at);
}

AccessRecord record_of(const Access& a) {
    return {static_cast<uint8_t>(a.space), a.write, static_cast<uint8_t>(a.dtype), 0, a.buffer, 0, a.first, a.pieces.bytes,
            a.pieces.step, a.pieces.row_step, a.pieces.pieces, a.pieces.rows};
}

void record(const Event& e) {
    RecordHeader& header = *recorder.header;
    header.events += 1;
    uint64_t at = header.used;
    bool fits = put_name(e, at) &&
                put(EventRecord{0, e.op, static_cast<uint8_t>(e.pipe), e.bits, static_cast<uint16_t>(e.accesses),
                                e.block->index, e.repeats, e.bytes, e.pc, e.a, e.b},
                    at);
    for (uint32_t i = 0; fits && i < e.accesses; ++i) {
        fits = put(record_of(e.access[i]), at);
    }
    if (fits && header.dropped == 0) {
        header.used = at;
    } else {
        header.dropped += 1;
    }
}

}  // namespace

void listen(Listener listener) {
    if (listener_count < kMaxListeners) {
        listeners[listener_count++] = listener;
    }
}

void make_heard(uint32_t fibres) {
    auto* heard = reinterpret_cast<Heard*>(hidden_memory(fibres * sizeof(Heard)));
    for (uint32_t i = 0; i < fibres; ++i) {
        machine->blocks[i].heard = heard + i;
    }
}

void hear_access(const View& v, uint64_t first, uint64_t bytes, const char* api, const char* operand, bool write) {
    Block& block = self();
    const uint8_t* ub = block.local[static_cast<int>(Space::ub)].base;
    const Access a{Space::ub, write, v.dtype, v.buffer, static_cast<uint64_t>(v.ptr - ub) + first, {bytes, 1, 0, 1, 0}, operand};
    keep(*block.heard, a, v.ptr, api);
}

void hear_gm(const GmBuffer& gm, const void* p, uint64_t bytes, const char* api, const char* operand, bool write) {
    const auto* at = static_cast<const uint8_t*>(p);
    const auto buffer = static_cast<uint16_t>(&gm - machine->buffers);
    const Access a{Space::gm, write, Dtype::none, buffer, static_cast<uint64_t>(at - gm.base), {bytes, 1, 0, 1, 0}, operand};
    if (write) {
        before_write(buffer, a.first, bytes);
    }
    keep(*self().heard, a, at, api);
}

void hear_pieces(const Pieces& pieces) {
    Heard& h = *self().heard;
    const bool runs = pieces.pieces == 1 || pieces.step == pieces.bytes;
    const uint64_t row = pieces.bytes * pieces.pieces;
    if (h.count == 0 || (runs && (pieces.rows == 1 || pieces.row_step == row))) {
        return;
    }
    Access& a = h.access[h.last];
    a.pieces = runs ? Pieces{row, 1, 0, pieces.rows, pieces.row_step} : pieces;
    if (a.write && a.space == Space::gm) {
        before_pieces(a.buffer, a.first, a.pieces);
    }
}

void hear_event(Pipe pipe, uint16_t op, uint32_t repeats, uint64_t bytes, uint32_t a, uint32_t b) {
    Block& block = self();
    Heard& h = *block.heard;
    const Trace at = trace();
    const Event e{pipe, widest(h), op, repeats, bytes, a, b, &block, h.api, at.pc[0], at.pc[1], h.access, h.count};
    for (int i = 0; i < listener_count; ++i) {
        listeners[i](e);
    }
    h.count = 0;
    h.api = nullptr;
}

void record_events(void* into, uint64_t bytes) {
    recorder.header = static_cast<RecordHeader*>(into);
    recorder.records = static_cast<uint8_t*>(into) + sizeof(RecordHeader);
    recorder.room = bytes - sizeof(RecordHeader);
    *recorder.header = {kRecordMagic, 0, 0, 0};
    listen(record);
}

}  // namespace kb
