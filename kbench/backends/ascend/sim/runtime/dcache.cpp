// The scalar unit's data cache (E37): 512 lines of 64 bytes for each core, written back when a line is replaced, cleaned,
// or when its block ends, and seen by nobody else before.
//
// Values are not kept apart: memory holds what was stored last. Here is only known which bytes a core's cache holds, so
// that an access is told which on the device would find older ones: a copy, or another core's scalar read, of bytes that
// SetValue wrote and nobody cleaned; a scalar read of a line that was changed behind its cache's back; and writes into a
// line that somebody holds dirty, for a line is written back as a whole.
//
// A line that is replaced counts as written back. One whose block has ended does not: nothing says that it ended in time
// for the others. Blocks that run one after another in a slot are different cores here.
#include "kbfs.h"
#include "machine.h"

namespace kb {

namespace {

constexpr uint64_t kLineBytes = 64;
constexpr uint64_t kLines = 512;

struct Line {
    uint64_t tag;    // address / 64; 0: none
    uint64_t dirty;  // a bit for each byte that was stored and not written back
    uint32_t block;  // whose cache
    bool stale;      // memory was changed since the line was read
};

Line* all_lines;
bool used[256];  // by slot: its cache was ever used

Line* lines_of(uint32_t slot) {
    return all_lines + slot * kLines;
}

uint32_t own_slot() {
    return static_cast<uint32_t>(&self() - machine->blocks);
}

Line& entry_for(uint32_t slot, uint64_t tag) {
    return lines_of(slot)[tag % kLines];
}

// Bits of a line's bytes that lie in [first, end).
uint64_t bits_of(uint64_t tag, uint64_t first, uint64_t end) {
    const uint64_t low = tag * kLineBytes;
    const uint64_t from = first > low ? first - low : 0;
    const uint64_t to = end < low + kLineBytes ? end - low : kLineBytes;
    return (~0ull >> (64 - (to - from))) << from;
}

uint64_t address_of(const void* p) {
    return reinterpret_cast<uint64_t>(p);
}

void widen(Extent& e, uint64_t first, uint64_t end) {
    e.end = e.first == e.end || end > e.end ? end : e.end;
    e.first = e.first == 0 || first < e.first ? first : e.first;
}

[[noreturn]] void unclean(const Line& line, const GmBuffer& gm, const char* api, const char* operand) {
    const auto at = static_cast<long long>(line.tag * kLineBytes - address_of(gm.base));
    error("E37", api,
          "%s: expected a DataCacheCleanAndInvalid between the SetValue of block %u and this read, got none: bytes [%lld, %lld) "
          "of '%s' are still in its data cache",
          operand, line.block, at, at + static_cast<long long>(kLineBytes), gm.name);
}

[[noreturn]] void shared_line(const Line& line, const GmBuffer& gm, const char* api, const char* operand) {
    const auto at = static_cast<long long>(line.tag * kLineBytes - address_of(gm.base));
    error("E37", api,
          "%s: expected one writer at a time of the 64-byte line [%lld, %lld) of '%s', got one that block %u has changed by SetValue "
          "and not cleaned: the line is written back as a whole, over what is written here",
          operand, at, at + static_cast<long long>(kLineBytes), gm.name, line.block);
}

// What another core's cache holds of a line is no longer what memory holds.
void outdate(uint64_t tag, uint32_t except) {
    for (uint32_t slot = 0; slot < machine->slots; ++slot) {
        Line& line = entry_for(slot, tag);
        if (slot != except && used[slot] && line.tag == tag) {
            line.stale = true;
        }
    }
}

// The first access of a line: whatever was in its place is written back.
Line& fill_line(GmBuffer& gm, uint64_t tag, uint64_t bits, bool write, const char* api) {
    const uint32_t own = own_slot();
    used[own] = true;
    if (overlap(gm.dirty.first, gm.dirty.end - gm.dirty.first, tag * kLineBytes, kLineBytes)) {
        for (uint32_t slot = 0; slot < machine->slots; ++slot) {
            const Line& line = entry_for(slot, tag);
            if (!used[slot] || line.tag != tag || line.dirty == 0) {
                continue;
            }
            if (!write && (line.dirty & bits) != 0) {
                unclean(line, gm, api, "offset");
            }
            if (write && (line.dirty & bits) == 0) {
                shared_line(line, gm, api, "offset");
            }
        }
    }
    Line& line = entry_for(own, tag);
    line = {tag, 0, self().index, false};
    widen(gm.cached, tag * kLineBytes, (tag + 1) * kLineBytes);
    return line;
}

void clean(Line& line, uint32_t slot) {
    if (line.dirty != 0) {
        outdate(line.tag, slot);
    }
    line = {};
}

}  // namespace

uint64_t dcache_bytes(uint32_t slots) {
    return slots * kLines * sizeof(Line);
}

void make_dcache(void* memory) {
    all_lines = static_cast<Line*>(memory);
}

void begin_dcache() {
    for (uint32_t slot = 0; slot < machine->slots; ++slot) {
        if (used[slot]) {
            __builtin_memset(static_cast<void*>(lines_of(slot)), 0, kLines * sizeof(Line));
        }
        used[slot] = false;
    }
    for (uint32_t i = 0; i < machine->plan.buffers; ++i) {
        machine->buffers[i].cached = machine->buffers[i].dirty = {};
    }
}

void dcache_scalar(GmBuffer& gm, const void* p, uint32_t bytes, bool write, const char* api) {
    const uint64_t first = address_of(p);
    const uint64_t tag = first / kLineBytes;
    const uint64_t bits = bits_of(tag, first, first + bytes);
    Line& held = entry_for(own_slot(), tag);
    Line& line = held.tag == tag && held.block == self().index ? held : fill_line(gm, tag, bits, write, api);
    if (write) {
        line.dirty |= bits;
        widen(gm.dirty, tag * kLineBytes, (tag + 1) * kLineBytes);
    } else if (line.stale && (line.dirty & bits) == 0) {
        error("E37", api, "offset: expected a DataCacheCleanAndInvalid before '%s' is read again after a copy or another block "
              "has changed it, got none: the data cache holds the old line", gm.name);
    }
}

void dcache_copy(GmBuffer& gm, const void* p, uint64_t bytes, bool write, const char* api, const char* operand) {
    const uint64_t first = address_of(p);
    const uint64_t end = first + bytes;
    const Extent& known = write ? gm.cached : gm.dirty;
    if (!overlap(known.first, known.end - known.first, first, bytes)) {
        return;
    }
    const uint64_t from = (first > known.first ? first : known.first) / kLineBytes;
    const uint64_t to = ((end < known.end ? end : known.end) - 1) / kLineBytes;
    for (uint64_t tag = from; tag <= to; ++tag) {
        const uint64_t bits = bits_of(tag, first, end);
        for (uint32_t slot = 0; slot < machine->slots; ++slot) {
            Line& line = entry_for(slot, tag);
            if (!used[slot] || line.tag != tag) {
                continue;
            }
            if (!write && (line.dirty & bits) != 0) {
                unclean(line, gm, api, operand);
            }
            if (write && line.dirty != 0) {
                shared_line(line, gm, api, operand);
            }
            line.stale = line.stale || write;
        }
    }
}

void dcache_clean(const void* p, bool whole) {
    const uint32_t own = own_slot();
    const uint64_t tag = address_of(p) / kLineBytes;
    if (!whole && entry_for(own, tag).tag == tag && entry_for(own, tag).block == self().index) {
        clean(entry_for(own, tag), own);
    }
    for (uint64_t i = 0; whole && used[own] && i < kLines; ++i) {
        if (lines_of(own)[i].block == self().index) {
            clean(lines_of(own)[i], own);
        }
    }
}

}  // namespace kb
