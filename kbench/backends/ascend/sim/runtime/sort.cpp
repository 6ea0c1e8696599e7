// Sort32, MrgSort and the operations of the library that are built on them.
#include "adv.h"
#include "kb_sort.h"
#include "sort_keys.h"

namespace kb::sort {

constexpr uint32_t kAtOnce = 32;  // elements that Sort32 sorts
constexpr uint32_t kMostPairs = 24576;  // that fill UB

void insert_all(Pair* pairs, uint32_t n, bool half) {
    for (uint32_t i = 1; i < n; ++i) {
        const Pair moving = pairs[i];
        const int32_t rank = rank_at(moving.bytes, half);
        uint32_t at = i;
        for (; at > 0 && rank_at(pairs[at - 1].bytes, half) < rank; --at) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = moving;
    }
}

namespace {

void merge_two(const Pair* a, uint32_t na, const Pair* b, uint32_t nb, Pair* out, bool half) {
    for (uint32_t i = 0, j = 0; i < na || j < nb;) {
        const bool first = j == nb || (i < na && rank_at(a[i].bytes, half) >= rank_at(b[j].bytes, half));
        *out++ = first ? a[i++] : b[j++];
    }
}

}  // namespace

void sort_all(Pair* pairs, Pair* spare, uint32_t n, bool half) {
    for (uint32_t i = 0; i < n; i += kAtOnce) {
        insert_all(pairs + i, n - i < kAtOnce ? n - i : kAtOnce, half);
    }
    for (uint32_t width = kAtOnce; width < n; width *= 2) {
        for (uint32_t i = 0; i < n; i += 2 * width) {
            const uint32_t na = n - i < width ? n - i : width;
            const uint32_t nb = n - i - na < width ? n - i - na : width;
            merge_two(pairs + i, na, pairs + i + na, nb, spare + i, half);
        }
        memcpy(pairs, spare, n * sizeof(Pair));
    }
}

namespace {

using adv::Bytes;

// Basic operations number from here; those of the library are adv::Op.
constexpr uint16_t kOpSort32 = 900, kOpMrgSort = 901;

void check_repeats(int32_t repeats, const char* api) {
    if (repeats < 0 || repeats > 255) {
        error("E7", api, "repeatTime: expected 0 to 255, got %d", repeats);
    }
}

// One repeat reads 32 scores and indices before it writes its structures.
void sort_repeats(const View& dst, const View& scores, const View& indices, uint32_t repeats) {
    const bool half = scores.dtype == Dtype::f16;
    const uint32_t size = half ? 2 : 4;
    for (uint32_t r = 0; r < repeats; ++r) {
        Pair pairs[kAtOnce];
        for (uint32_t i = 0; i < kAtOnce; ++i) {
            const uint64_t at = static_cast<uint64_t>(r) * kAtOnce + i;
            pairs[i] = pair_of(scores.ptr + at * size, indices.ptr + at * 4, half);
        }
        insert_all(pairs, kAtOnce, half);
        memcpy(dst.ptr + static_cast<uint64_t>(r) * sizeof pairs, pairs, sizeof pairs);
    }
}

void check_sort32(const View& dst, const View& scores, const View& indices, uint32_t repeats, const char* api) {
    const uint64_t n = static_cast<uint64_t>(repeats) * kAtOnce;
    const uint64_t score_bytes = n * vec::element_bits(scores.dtype) / 8;
    adv::reads(scores, "src0", score_bytes, api);
    adv::reads(indices, "src1", 4 * n, api);
    adv::writes(dst, "dst", 8 * n, api);
    const Bytes out{dst.ptr, 8 * n, "dst"};
    if (out.meets({scores.ptr, score_bytes, "src0"}) || out.meets({indices.ptr, 4 * n, "src1"})) {
        const char* text = "dst overlaps a source: expected no overlap; a repeat overwrites what later ones read";
        repeats > 1 ? error("E11", api, "%s", text) : warning("E11", api, "%s", text);
    }
}

// ---- MrgSort --------------------------------------------------------------------------------------------------------

constexpr const char* kMerge = "MrgSort";

struct Queue {
    const uint8_t* next;
    uint32_t left;
};

uint32_t total_of(const MergeForm& form) {
    uint32_t total = 0;
    for (int q = 0; q < 4; ++q) {
        total += form.valid >> q & 1 ? form.lengths[q] : 0;
    }
    return total;
}

void check_form(const MergeForm& form) {
    if (form.valid != 3 && form.valid != 7 && form.valid != 15) {
        error("E7", kMerge, "validBit: expected 3, 7 or 15, got %u", form.valid);
    }
    if (form.repeats > 255) {
        error("E7", kMerge, "repeatTimes: expected 0 to 255, got %u", form.repeats);
    }
    for (int q = 0; q < 4; ++q) {
        if (form.lengths[q] > 4095) {
            error("E7", kMerge, "elementLengths[%d]: expected 0 to 4095, got %u", q, form.lengths[q]);
        }
    }
}

// Repeats count only for four equal queues, one behind the other, merged to their end.
uint32_t repeats_of(const View* queues, const MergeForm& form) {
    if (form.repeats <= 1) {
        return form.repeats;
    }
    bool regular = form.valid == 15 && !form.suspend;
    for (int q = 1; q < 4; ++q) {
        regular = regular && form.lengths[q] == form.lengths[0] && queues[q].ptr == queues[q - 1].ptr + 8 * form.lengths[0];
    }
    if (!regular) {
        warning("E7", kMerge, "repeatTimes: expected four queues of the same length, one behind the other, validBit 15 and no "
                "ifExhaustedSuspension for more than one repeat, got %u; one is done", form.repeats);
        return 1;
    }
    return form.repeats;
}

void check_queues(const View& dst, const View* queues, const MergeForm& form, uint32_t repeats) {
    static constexpr const char* kNames[4] = {"src1", "src2", "src3", "src4"};
    const Bytes out{dst.ptr, 8ull * total_of(form) * repeats, "dst"};
    for (int q = 0; q < 4; ++q) {
        if ((form.valid >> q & 1) == 0 || form.lengths[q] == 0) {
            continue;
        }
        const uint64_t bytes = 8ull * form.lengths[q];
        const vec::Operand o = adv::flat(queues[q], kNames[q]);
        vec::check_place(o, 8, kMerge);
        const uint64_t step = 32ull * form.lengths[0];  // from one repeat to the next
        for (uint32_t r = 0; r < repeats; ++r) {
            vec::check_range(o, r * step, bytes, kMerge, false);
        }
        if (out.meets({queues[q].ptr, (repeats - 1) * step + bytes, kNames[q]})) {
            error("E11", kMerge, "dst overlaps %s: expected no overlap", kNames[q]);
        }
    }
}

// The queue whose head comes next: the largest score, of equal ones that of the first queue. -1: all are exhausted.
int next_queue(const Queue* queues, bool half) {
    int best = -1;
    for (int q = 0; q < 4; ++q) {
        if (queues[q].left > 0 && (best < 0 || rank_at(queues[q].next, half) > rank_at(queues[best].next, half))) {
            best = q;
        }
    }
    return best;
}

bool any_exhausted(const Queue* queues, uint32_t valid) {
    for (int q = 0; q < 4; ++q) {
        if ((valid >> q & 1) != 0 && queues[q].left == 0) {
            return true;
        }
    }
    return false;
}

// One merge to `out`, or only its count where there is none. Returns the structures and leaves in `queues` what was not taken.
uint32_t merge_once(uint8_t* out, Queue* queues, const MergeForm& form, bool half) {
    uint32_t written = 0;
    while (!(form.suspend && any_exhausted(queues, form.valid))) {
        const int q = next_queue(queues, half);
        if (q < 0) {
            break;
        }
        if (out != nullptr) {
            memcpy(out + 8ull * written, queues[q].next, 8);
        }
        written += 1;
        queues[q].next += 8;
        queues[q].left -= 1;
    }
    return written;
}

void begin_queues(Queue* queues, const View* views, const MergeForm& form, uint32_t repeat) {
    for (int q = 0; q < 4; ++q) {
        queues[q] = {views[q].ptr + 32ull * form.lengths[0] * repeat, form.valid >> q & 1 ? form.lengths[q] : 0};
    }
}

uint64_t merged_bytes(const View* views, const MergeForm& form, uint32_t repeats, bool half) {
    if (!form.suspend) {
        return 8ull * total_of(form) * repeats;
    }
    Queue queues[4];
    begin_queues(queues, views, form, 0);
    return 8ull * merge_once(nullptr, queues, form, half);
}

void merge_repeats(const View& dst, const View* views, const MergeForm& form, uint32_t repeats) {
    const bool half = dst.dtype == Dtype::f16;
    uint64_t counts = 0;
    uint64_t written = 0;
    for (uint32_t r = 0; r < repeats; ++r) {
        Queue queues[4];
        begin_queues(queues, views, form, r);
        written += merge_once(dst.ptr + 8 * written, queues, form, half);
        counts = 0;
        for (int q = 0; q < 4; ++q) {
            const uint64_t taken = form.valid >> q & 1 ? form.lengths[q] - queues[q].left : 0;
            counts |= taken << (16 * q);
        }
    }
    self().vec.merged = counts;
}

// ---- Sort, Extract --------------------------------------------------------------------------------------------------

// The result is sorted as a whole by merging, with `tmp` for the other half of each step.
void sort_whole(const View& dst, const View& tmp, uint32_t n, bool half) {
    static Pair spare[kMostPairs];
    Pair* pairs = reinterpret_cast<Pair*>(dst.ptr);
    sort_all(pairs, spare, n, half);
    adv::writes(tmp, "tmp", 8ull * n, "Sort");
    memcpy(tmp.ptr, pairs, 8ull * n);
}

// The device copies index words of twice as many structures as there are halves: what lies behind is overwritten too, by
// what lies behind the structures.
void extract_excess(const View& indices, const View& sorted, uint32_t n) {
    const Region& ub = self().local[static_cast<int>(Space::ub)];
    if (indices.bytes >= 8ull * n) {
        check_write(indices, 4ull * n, 4ull * n, "Extract", "dstIndex");
    } else {
        warning("E9", "Extract", "dstIndex: expected room for %u elements (halves take twice the indices), got %u; what lies "
                "behind it in UB is overwritten", 2 * n, indices.bytes / 4);
    }
    for (uint32_t i = n; i < 2 * n; ++i) {
        if (ub.holds(indices.ptr, 4ull * i, 4) && ub.holds(sorted.ptr, 8ull * i + 4, 4)) {
            memcpy(indices.ptr + 4ull * i, sorted.ptr + 8ull * i + 4, 4);
        }
    }
}

}  // namespace
}  // namespace kb::sort

extern "C" void kbrt_sort32(kb::View dst, kb::View scores, kb::View indices, int32_t repeats) {
    using namespace kb::sort;
    check_repeats(repeats, "Sort32");
    const auto n = static_cast<uint32_t>(repeats);
    if (n > 0) {
        check_sort32(dst, scores, indices, n, "Sort32");
        sort_repeats(dst, scores, indices, n);
    }
    kb::event(kb::Pipe::V, kOpSort32, n, 256ull * n);
}

extern "C" void kbrt_merge(kb::View dst, const kb::View* queues, const kb::MergeForm& form) {
    using namespace kb::sort;
    check_form(form);
    const uint32_t repeats = repeats_of(queues, form);
    const uint64_t bytes = 8ull * total_of(form) * repeats;
    if (bytes > 0) {
        check_queues(dst, queues, form, repeats);
        kb::adv::writes(dst, "dst", merged_bytes(queues, form, repeats, dst.dtype == kb::Dtype::f16), kMerge);
        merge_repeats(dst, queues, form, repeats);
    }
    kb::event(kb::Pipe::V, kOpMrgSort, repeats, bytes);
}

extern "C" uint64_t kbrt_merge_counts() {
    return kb::self().vec.merged;
}

extern "C" void kbrt_proposals(kb::ProposalOp op) {
    static constexpr const char* kNames[] = {"MrgSort4", "RpSort16", "ProposalConcat", "ProposalExtract"};
    const char* name = kNames[static_cast<int>(op) & 3];
    kb::error("E5", name, "not supported on current device: expected Sort32 and MrgSort, which this architecture has");
}

extern "C" void kbrt_adv_concat(int32_t repeats) {
    kb::sort::check_repeats(repeats, "Concat");
}

extern "C" void kbrt_adv_sort(kb::View dst, kb::View scores, kb::View indices, kb::View tmp, int32_t repeats, bool full) {
    using namespace kb::sort;
    check_repeats(repeats, "Sort");
    const uint32_t n = static_cast<uint32_t>(repeats) * kAtOnce;
    if (n == 0) {
        return kb::adv::emit(kb::adv::Op::Sort, 0);
    }
    check_sort32(dst, scores, indices, static_cast<uint32_t>(repeats), "Sort");
    if (full) {
        if (tmp.bytes < 8ull * n) {
            kb::error("E9", "Sort", "tmp: expected at least %u bytes, got %u", 8 * n, tmp.bytes);
        }
        const Bytes operands[] = {{dst.ptr, 8ull * n, "dst"}, {scores.ptr, 8ull * n / (scores.dtype == kb::Dtype::f16 ? 4 : 2), "concat"},
                                  {indices.ptr, 4ull * n, "index"}};
        kb::adv::check_apart({tmp, true}, 8ull * n, "Sort", operands, 3);
    }
    sort_repeats(dst, scores, indices, static_cast<uint32_t>(repeats));
    if (full) {
        sort_whole(dst, tmp, n, scores.dtype == kb::Dtype::f16);
    }
    kb::adv::emit(kb::adv::Op::Sort, 8ull * n);
}

// A repeat takes the scores and indices of 32 structures.
extern "C" void kbrt_adv_extract(kb::View values, kb::View indices, kb::View sorted, int32_t repeats) {
    using namespace kb::sort;
    check_repeats(repeats, "Extract");
    const uint32_t n = static_cast<uint32_t>(repeats) * kAtOnce;
    if (n == 0) {
        return kb::adv::emit(kb::adv::Op::Extract, 0);
    }
    const uint32_t size = kb::vec::element_bits(values.dtype) / 8;
    kb::adv::reads(sorted, "sorted", 8ull * n, "Extract");
    kb::adv::writes(values, "dstValue", static_cast<uint64_t>(n) * size, "Extract");
    kb::adv::writes(indices, "dstIndex", 4ull * n, "Extract");
    for (uint32_t i = 0; i < n; ++i) {
        memcpy(values.ptr + static_cast<uint64_t>(i) * size, sorted.ptr + 8ull * i, size);
    }
    for (uint32_t i = 0; i < n; ++i) {
        memcpy(indices.ptr + 4ull * i, sorted.ptr + 8ull * i + 4, 4);
    }
    if (size == 2) {
        extract_excess(indices, sorted, n);
    }
    kb::adv::emit(kb::adv::Op::Extract, 8ull * n);
}
