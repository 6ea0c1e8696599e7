// What a vector operation costs: its repeats at the documented rate, conflicts between banks of UB, starting and draining.
//
// UB has 48 banks of 128 rows of 32 bytes in 16 groups; address bits 4-0 are the byte, 8-5 the group, 15-9 the row, 17-16 the
// bank of its group. In one cycle a group gives one row to a read and takes one; a bank cannot do both, unless the write
// follows the read through the same banks: then it comes a repeat later (page on bank conflicts, architecture 2201).
#include "timing.h"
#include "vec_lanes.h"
#include "vec_plan.h"

namespace kb {

namespace {

constexpr uint32_t kGroups = 16;
constexpr uint32_t kBlocks = 8;  // of a repeat
constexpr uint32_t kSampled = 16;  // repeats after which every pattern of groups has come round

// One operand's blocks: of repeat r they begin at first + r * repeat, `step` bytes apart.
struct Walk {
    uint64_t first;
    uint64_t repeat;
    uint64_t step;
    uint32_t blocks;
    bool write;
};

struct Walks {
    Walk walk[4];
    uint32_t count;
};

Walk walk_of(const Access& a, uint32_t widest_bits, uint32_t repeats) {
    const uint32_t bits = a.dtype == Dtype::none ? 8 : vec::element_bits(a.dtype);
    const Pieces& p = a.pieces;
    if (p.pieces > 1) {  // blocks with a stride
        return {a.first, p.row_step, p.step, p.pieces < kBlocks ? p.pieces : kBlocks, a.write};
    }
    const uint64_t whole = 256ull * bits / (widest_bits == 0 ? bits : widest_bits);
    const bool rows = p.rows > 1 || p.row_step != 0;
    if (!rows && repeats > 1 && p.bytes <= (repeats - 1) * whole) {  // one after the other, but shorter ones
        const uint64_t each = (p.bytes / repeats + 31) / 32 * 32;
        return {a.first, each, 32, static_cast<uint32_t>(each / 32), a.write};
    }
    const uint64_t run = rows && p.bytes < whole ? p.bytes : whole;
    const uint64_t used = p.bytes < run ? p.bytes : run;
    return {a.first, rows ? p.row_step : whole, 32, static_cast<uint32_t>((used + 31) / 32), a.write};
}

Walks walks_of(const Event& e) {
    Walks w{};
    for (uint32_t i = 0; i < e.accesses && w.count < 4; ++i) {
        if (e.access[i].space == Space::ub && e.access[i].pieces.bytes > 0) {
            w.walk[w.count++] = walk_of(e.access[i], e.bits, e.repeats);
        }
    }
    return w;
}

uint32_t bank_of(uint64_t address) {
    return static_cast<uint32_t>(address >> 5 & 15) | static_cast<uint32_t>(address >> 16 & 3) << 4;
}

// Rows that the busiest group must give (or take) in a repeat, and how many groups have more than one.
struct Load {
    uint32_t most;
    uint32_t crowded;
};

Load load_of(const Walks& w, uint32_t repeat, bool writes) {
    uint8_t load[kGroups] = {};
    Load all{};
    for (uint32_t i = 0; i < w.count; ++i) {
        const Walk& walk = w.walk[i];
        for (uint32_t b = 0; walk.write == writes && b < walk.blocks; ++b) {
            const uint64_t at = walk.first + repeat * walk.repeat + b * walk.step;
            if (b > 0 && walk.step == 0) {
                break;  // read once
            }
            const uint8_t n = ++load[at >> 5 & 15];
            all.most = n > all.most ? n : all.most;
            all.crowded += n == 2;
        }
    }
    return all;
}

// Whether dst's banks of a repeat meet a source's without following it block by block.
bool meets(const Walk& dst, const Walk& src, uint32_t repeat) {
    const uint64_t d = dst.first + repeat * dst.repeat, s = src.first + repeat * src.repeat;
    uint64_t banks = 0;
    bool follows = true;
    for (uint32_t b = 0; b < src.blocks; ++b) {
        banks |= 1ull << bank_of(s + b * src.step);
    }
    bool met = false;
    for (uint32_t b = 0; b < dst.blocks; ++b) {
        met = met || (banks >> bank_of(d + b * dst.step) & 1) != 0;
        follows = follows && (b >= src.blocks || bank_of(d + b * dst.step) == bank_of(s + b * src.step));
    }
    return met && !follows;
}

bool read_meets_write(const Walks& w, uint32_t repeat) {
    for (uint32_t i = 0; i < w.count; ++i) {
        for (uint32_t j = 0; w.walk[i].write && j < w.count; ++j) {
            if (!w.walk[j].write && meets(w.walk[i], w.walk[j], repeat)) {
                return true;
            }
        }
    }
    return false;
}

// Whether every repeat finds its operands' groups as the first does.
bool regular(const Walks& w) {
    for (uint32_t i = 0; i < w.count; ++i) {
        if ((w.walk[i].repeat - w.walk[0].repeat) % 512 != 0) {
            return false;
        }
    }
    return true;
}

// Cycles that conflicts add to the repeats, and those of them by the share of the groups that are in conflict.
struct Conflicts {
    double cycles;
    double blocking;
};

Conflicts conflicts_of(const Event& e, double base, const Prices& price) {
    const Walks w = walks_of(e);
    if (w.count == 0 || e.repeats == 0) {
        return {};
    }
    const uint32_t samples = regular(w) ? 1 : e.repeats < kSampled ? e.repeats : kSampled;
    Conflicts sum{};
    for (uint32_t r = 0; r < samples; ++r) {
        const Load reads = load_of(w, r, false), writes = load_of(w, r, true);
        const Load& worse = reads.most > writes.most ? reads : writes;
        const double extra = worse.most > base ? worse.most - base : 0;
        const double met = read_meets_write(w, r) ? price.read_write_conflict : 0;
        sum.cycles += extra + met;
        sum.blocking += extra * worse.crowded / kGroups + met * kBlocks / kGroups;
    }
    const double times = static_cast<double>(e.repeats) / samples;
    return {sum.cycles * times, sum.blocking * times};
}

constexpr uint16_t kSort = 900, kMerge = 901, kLibrary = 1024;  // sort.cpp, kb_adv_sizes.h

// Cycles of one repeat without conflicts ("theoretical performance of vector instructions": elements a cycle).
double repeat_cycles(const Event& e, const Prices& price) {
    switch (static_cast<VecOp>(e.op)) {
        case VecOp::Exp: case VecOp::Ln: case VecOp::Sqrt: case VecOp::Div:
            return e.bits <= 16 ? price.slow_repeat_16 : price.slow_repeat_32;
        case VecOp::MulAddDst: return price.double_repeat;
        case VecOp::WholeReduceSum: case VecOp::WholeReduceMax: case VecOp::WholeReduceMin:
        case VecOp::ReduceSum: case VecOp::ReduceMax: case VecOp::ReduceMin: return price.reduce_repeat;
        case VecOp::BlockReduceSum: case VecOp::BlockReduceMax: case VecOp::BlockReduceMin:
            return e.bits <= 16 ? price.reduce_block_16 : 1;
        case VecOp::Gather: return 2048.0 / (e.bits == 0 ? 16 : e.bits) * price.gather_element;
        case VecOp::Gatherb: return price.gatherb_repeat;
        case VecOp::GatherMask: return price.gather_mask_repeat;
        default: return 1;
    }
}

// Instructions that a call consists of: the reductions of whole tensors reduce their results again.
uint32_t instructions_of(const Event& e) {
    switch (static_cast<VecOp>(e.op)) {
        case VecOp::ReduceSum: case VecOp::ReduceMax: case VecOp::ReduceMin: return e.repeats > 64 ? 3 : e.repeats > 1 ? 2 : 1;
        default: return 1;
    }
}

VectorCost library_cost(const Event& e, const Prices& price) {
    const double blocks = static_cast<double>((e.bytes + 255) / 256);
    return {static_cast<float>(price.library_passes * blocks), 0, 0, static_cast<float>(price.library_passes * price.vector_overhead)};
}

VectorCost priced(const Event& e, const Prices& price) {
    if (e.op >= kLibrary) {
        return library_cost(e, price);
    }
    const auto overhead = static_cast<float>(price.vector_overhead * instructions_of(e));
    if (e.op == kOpCopyLocal) {
        return {static_cast<float>((e.bytes + 255) / 256), 0, 0, overhead};
    }
    if (e.op == kSort || e.op == kMerge) {
        const double elements = e.op == kSort ? 32.0 * e.repeats : static_cast<double>(e.bytes) / 8;
        return {static_cast<float>(elements * price.sort_element), 0, 0, overhead};
    }
    const double base = repeat_cycles(e, price);
    const Conflicts c = conflicts_of(e, base, price);
    return {static_cast<float>(base * e.repeats), static_cast<float>(c.cycles), static_cast<float>(c.blocking), overhead};
}

// What was priced before: loops come back with the same operands, or a few in turn.
struct Known {
    uint64_t key;
    VectorCost cost;
};
constexpr uint32_t kKnown = 512;
Known known[kKnown];

uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

// Of all that the price depends on.
uint64_t key_of(const Event& e) {
    uint64_t hash = mixed(static_cast<uint64_t>(e.op) << 8 | e.bits, static_cast<uint64_t>(e.repeats) << 32 ^ e.bytes);
    for (uint32_t i = 0; i < e.accesses; ++i) {
        const Access& a = e.access[i];
        const Pieces& p = a.pieces;
        hash = mixed(hash, a.first << 8 | static_cast<uint64_t>(a.dtype) << 1 | a.write);
        hash = mixed(hash, static_cast<uint64_t>(a.space) << 56 ^ p.bytes << 20 ^ p.step);
        hash = mixed(hash, static_cast<uint64_t>(p.pieces) << 48 ^ static_cast<uint64_t>(p.rows) << 32 ^ p.row_step);
    }
    return hash | 1;
}

}  // namespace

VectorCost price_vector(const Event& e, const Prices& price) {
    const uint64_t key = key_of(e);
    Known& k = known[key >> 55];
    if (k.key != key) {
        k = {key, priced(e, price)};
    }
    return k.cost;
}

}  // namespace kb
