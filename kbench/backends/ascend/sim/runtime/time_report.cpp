// What the replay found, as one line of the report; sums over the cores. ../timing.py makes averages and words of it.
#include "kbfs.h"
#include "replay.h"

namespace kb {

namespace {

void put_pipes(kbfs::Report& r, const Replayed& t) {
    r.open_list("pipes");
    for (int p = 0; p < kPipes; ++p) {
        PipeSums all{};
        for (uint32_t i = 0; i < t.cores; ++i) {
            const PipeSums& s = t.pipe[i][p];
            all.busy += s.busy;
            all.ended += t.core_cycles[i] - s.ended;
            all.operations += s.operations;
            all.bytes += s.bytes;
            for (uint32_t c = 0; c < kCauses; ++c) {
                all.wait[c] += s.wait[c];
            }
        }
        r.open_object().real("busy", all.busy).real("idle", all.ended).unsigned_number("operations", all.operations);
        r.unsigned_number("bytes", all.bytes).open_list("waits");
        for (const double w : all.wait) {
            r.item_real(w);
        }
        r.close().close();
    }
    r.close();
}

void put_copies(kbfs::Report& r, const Replayed& t) {
    r.open_list("copies");
    for (const CopySums& c : t.copies) {
        r.open_list().item_unsigned(c.count).item_unsigned(c.bytes).item_unsigned(c.pieces).item_unsigned(c.small);
        r.item_unsigned(c.unaligned).item_unsigned(c.contended).item_unsigned(c.bypassed).close();
    }
    r.close();
    r.open_list("memory").item_unsigned(t.memory_read).item_unsigned(t.memory_written).item_unsigned(t.hits);
    r.item_unsigned(t.cold).close();
}

void put_operations(kbfs::Report& r) {
    const Totals& t = timing->totals;
    const VectorSums& v = t.vector;
    r.unsigned_number("operations", t.recorded).unsigned_number("folded", t.folded).unsigned_number("unpriced", t.unpriced);
    r.unsigned_number("blocks", timing->blocks).open_list("vector").item_unsigned(v.operations).item_unsigned(v.repeats);
    r.item_real(v.work).item_real(v.conflicts).item_real(v.overhead).close();
}

void put_timeline(const Replayed& t) {
    kbfs::Report r;
    r.open_object("timeline").unsigned_number("dropped", t.undrawn).open_list("spans");
    for (uint32_t i = 0; i < t.spans; ++i) {
        const Span& s = t.span[i];
        r.open_list().item_unsigned(s.core).item_unsigned(s.pipe).item_unsigned(s.place).item_real(s.start).item_real(s.cycles);
        r.item_unsigned(s.count).close();
    }
    r.close().open_list("flags");
    for (uint32_t i = 0; i < t.arrows; ++i) {
        const Arrow& a = t.arrow[i];
        r.open_list().item_unsigned(a.core).item_unsigned(a.from).item_real(a.set).item_unsigned(a.to).item_real(a.waited);
        r.item_unsigned(a.place).close();
    }
    r.close().open_list("places");
    for (uint32_t i = 0; i < timing->places; ++i) {
        const Place& p = timing->place[i];
        r.open_list().item_unsigned(p.pc).item_unsigned(p.outer).item_text(p.api == nullptr ? "" : p.api).close();
    }
}

}  // namespace

void report_time(uint32_t spans) {
    const Replayed* t = replay(*timing, spans);
    if (t == nullptr) {
        kbfs::Report r;
        r.open_object("time").text("failed", "no memory for the replay");
        return;
    }
    {
        kbfs::Report r;
        r.open_object("time").real("cycles", t->cycles).unsigned_number("cores", t->cores).unsigned_number("slowest", t->slowest);
        r.boolean("stuck", t->stuck);
        put_operations(r);
        put_pipes(r, *t);
        put_copies(r, *t);
    }
    if (spans > 0) {
        put_timeline(*t);
    }
}

}  // namespace kb
