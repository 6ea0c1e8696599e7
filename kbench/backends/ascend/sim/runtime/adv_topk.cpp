// TopK: each row sorted as Sort32 and MrgSort would, its first k structures split into values and indices. The smallest are
// the largest of the negated values.
#include "../include/kernel_tiling/kernel_tiling.h"
#include "../sizes/tilings.h"
#include "adv.h"
#include "kb_turn.h"
#include "sort_keys.h"
#include "vec_tree.h"

namespace kb::adv {
namespace {

using sort::Pair;
using Tiling = AscendC::tiling::TopkTiling;

constexpr const char* kApi = "TopK";
constexpr uint32_t kMostInner = 4096;

struct Top {
    TopKViews v;
    TopKForm form;
    uint32_t size;  // bytes of a value

    bool half() const { return size == 2; }
    bool finishes() const { return form.has_finish && !form.small; }  // TOPK_NSMALL never looks at it
    uint64_t elements() const { return static_cast<uint64_t>(form.rows) * form.inner; }
    // Elements from one row of results to the next.
    uint32_t value_stride() const { return form.small ? form.k : round(half() ? 16 : 8); }
    uint32_t index_stride() const { return form.small ? form.k : round(8); }
    uint32_t round(uint32_t unit) const { return sizes::round_up(static_cast<uint32_t>(form.k), unit); }
};

void check_form(const TopKForm& f) {
    if (f.inner <= 0 || f.inner % 32 != 0 || f.rows <= 0) {
        error("E9", kApi, "topKInfo: expected rows of a multiple of 32 elements, got %d rows of %d", f.rows, f.inner);
    }
    if (f.small ? f.inner != 32 : f.inner > static_cast<int32_t>(kMostInner)) {
        error("E9", kApi, "inner: expected %s, got %d", f.small ? "32 for TOPK_NSMALL" : "at most 4096", f.inner);
    }
    if (f.small && f.rows > 255) {
        error("E7", kApi, "outter: expected at most 255 for TOPK_NSMALL, got %d", f.rows);
    }
    if (f.n < 1 || f.n > f.inner) {
        error("E9", kApi, "n: expected 1 to inner (%d), got %d", f.inner, f.n);
    }
    if (f.k < 1 || f.k > f.n) {
        error("E9", kApi, "k: expected 1 to n (%d), got %d", f.n, f.k);
    }
}

// E44: the device goes by the tiling data; other than those of this shape give wrong results.
void check_tiling(const sizes::TopK& shape, const void* given) {
    const Tiling want = sizes::top_k_tiling<Tiling>(shape);
    if (memcmp(&want, given, sizeof want) == 0) {
        return;
    }
    const auto* words = static_cast<const int32_t*>(given);
    const auto* expected = reinterpret_cast<const int32_t*>(&want);
    uint32_t i = 0;
    while (words[i] == expected[i]) {
        i += 1;
    }
    error("E44", kApi, "tilling: expected the tiling data of this shape, type and mode; number %u is %d, expected %d", i, words[i],
          expected[i]);
}

float signed_score(const Top& t, uint64_t at) {
    const float x = sort::score_at(t.v.src.ptr + at * t.size, t.half());
    return t.form.largest ? x : vec::canonical(x * -1.0f);
}

void put_score(uint8_t* to, float x, bool half) {
    if (half) {
        const vec::F16 h = vec::narrow(x);
        memcpy(to, &h, 2);
    } else {
        memcpy(to, &x, 4);
    }
}

Pair pair_at(const Top& t, uint32_t row, uint32_t i) {
    const uint64_t at = static_cast<uint64_t>(row) * t.form.inner + i;
    uint8_t score[4];
    if (t.form.largest) {
        memcpy(score, t.v.src.ptr + at * t.size, t.size);
    } else {
        put_score(score, signed_score(t, at), t.half());
    }
    uint32_t index = i;
    if (t.form.has_index) {
        memcpy(&index, t.v.src_index.ptr + 4 * (t.form.small ? at : i), 4);
    }
    return sort::pair_of(score, reinterpret_cast<const uint8_t*>(&index), t.half());
}

void write_row(const Top& t, uint32_t row, const Pair* pairs) {
    const bool finished = t.finishes() && t.v.finish.ptr[row] != 0;
    for (uint32_t i = 0; i < static_cast<uint32_t>(t.form.k); ++i) {
        uint8_t* value = t.v.values.ptr + (static_cast<uint64_t>(row) * t.value_stride() + i) * t.size;
        const float score = sort::score_at(pairs[i].bytes, t.half());
        if (t.form.largest) {
            memcpy(value, pairs[i].bytes, t.size);
        } else {
            put_score(value, vec::canonical(score * -1.0f), t.half());
        }
        uint8_t* index = t.v.indices.ptr + (static_cast<uint64_t>(row) * t.index_stride() + i) * 4;
        memcpy(index, finished ? reinterpret_cast<const uint8_t*>(&t.form.n) : pairs[i].bytes + 4, 4);
    }
}

void select(const Top& t) {
    static Pair pairs[kMostInner];
    static Pair spare[kMostInner];
    for (uint32_t r = 0; r < static_cast<uint32_t>(t.form.rows); ++r) {
        for (uint32_t i = 0; i < static_cast<uint32_t>(t.form.inner); ++i) {
            pairs[i] = pair_at(t, r, i);
        }
        sort::sort_all(pairs, spare, static_cast<uint32_t>(t.form.inner), t.half());
        write_row(t, r, pairs);
    }
}

uint64_t rows_bytes(const Top& t, uint32_t stride, uint32_t size) {
    return ((t.form.rows - 1ull) * stride + t.form.k) * size;
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_topk(const kb::TopKViews& views, const kb::TopKForm& form, const void* tiling) {
    using namespace kb::adv;
    check_form(form);
    const Top t{views, form, kb::vec::element_bits(views.src.dtype) / 8};
    const kb::sizes::TopK shape{form.inner, form.rows, form.k, t.size, form.has_index, form.small, form.largest};
    check_tiling(shape, tiling);
    reads(views.src, "srcLocal", t.elements() * t.size, kApi);
    if (form.has_index) {
        reads(views.src_index, "srcIndexLocal", 4 * (form.small ? t.elements() : form.inner), kApi);
    }
    if (form.has_finish && form.small) {
        kb::warning("E9", kApi, "isHasfinish: expected false for TOPK_NSMALL, which does not look at finishLocal, got true");
    }
    if (t.finishes()) {
        reads(views.finish, "finishLocal", static_cast<uint64_t>(form.rows), kApi);
    }
    const uint64_t value_bytes = rows_bytes(t, t.value_stride(), t.size);
    const uint64_t index_bytes = rows_bytes(t, t.index_stride(), 4);
    writes(views.values, "dstValueLocal", value_bytes, kApi);
    writes(views.indices, "dstIndexLocal", index_bytes, kApi);
    // What the operation uses, which for halves is less than the documented size.
    const auto need = static_cast<uint32_t>(static_cast<const Tiling*>(tiling)->tmpLocalSize) * t.size;
    if (views.tmp.ptr != nullptr && views.tmp.bytes >= need && views.tmp.bytes < kb::sizes::top_k(shape)) {
        kb::warning("E9", kApi, "tmpLocal: expected at least %u bytes, got %u", kb::sizes::top_k(shape), views.tmp.bytes);
    }
    const Tmp work = temporary(views.tmp, need, kApi);
    const Bytes operands[] = {{views.values.ptr, value_bytes, "dstValueLocal"}, {views.indices.ptr, index_bytes, "dstIndexLocal"},
                              {views.src.ptr, t.elements() * t.size, "srcLocal"}};
    check_apart(work, need, kApi, operands, 3);
    select(t);
    spoil(work, need, kApi);
    reset_mask();
    emit(Op::TopK, t.elements() * t.size);
}
