// See gm_traffic.h.
#include "gm_traffic.h"

namespace kb {

namespace {

constexpr uint32_t kLine = 512;  // bytes that requests are cut into, and lines of L2 (page on addresses at multiples of 512)
constexpr uint32_t kPageLines = 8;
constexpr uint32_t kPageBytes = kLine * kPageLines;
constexpr double kForever = 1e300;

uint64_t smallest_power(uint64_t n) {
    uint64_t p = 1;
    while (p < n) {
        p *= 2;
    }
    return p;
}

// Makes room: pages that nobody has touched while L2 was filled once. Returns the lines that must be written back.
uint32_t evict(Cache& c) {
    uint32_t dirty = 0;
    while (c.held > 0) {
        Page& p = *c.queue[c.head];
        const bool old = c.clock - p.stamp >= c.capacity;
        if (!old && p.queued == 1) {
            break;
        }
        c.head = (c.head + 1) & (c.room - 1);
        if (old) {
            dirty += static_cast<uint32_t>(__builtin_popcount(p.dirty));
            p.held = p.dirty = p.queued = 0;
            c.held -= 1;
            continue;
        }
        p.queued = 1;  // touched since it was queued: it goes to the end
        c.queue[(c.head + c.held - 1) & (c.room - 1)] = &p;
    }
    return dirty;
}

void hold(Cache& c, Page& p) {
    if (p.queued == 0) {
        p.queued = 1;
        c.queue[(c.head + c.held) & (c.room - 1)] = &p;
        c.held += 1;
    } else {
        p.queued = 2;
    }
    p.stamp = c.clock;
}

// A request's bytes as the memory serves them: 128, 256 or 512.
double request_bytes(uint64_t bytes) {
    return bytes <= 128 ? 128 : bytes <= 256 ? 256 : 512;
}

// Requests of [first, end) that do not stop at L2's lines.
void count_requests(Need& need, uint64_t first, uint64_t end, const Prices& price) {
    const uint64_t head = (kLine - first % kLine) % kLine;
    if (head >= end - first) {
        need.memory_work += request_bytes(end - first) + price.request_overhead;
        return;
    }
    const uint64_t whole = (end - first - head) / kLine, tail = (end - first - head) % kLine;
    need.memory_work += static_cast<double>(whole) * (kLine + price.request_overhead);
    need.memory_work += head > 0 ? request_bytes(head) + price.request_overhead : 0;
    need.memory_work += tail > 0 ? request_bytes(tail) + price.request_overhead : 0;
}

struct Lines {
    uint32_t touched;
    uint32_t missing;
    uint32_t cold;
};

void touch_page(Cache& c, Page& p, uint8_t mask, const Cost& cost, Lines& lines) {
    const auto missing = static_cast<uint8_t>(mask & ~p.held);
    const auto n = static_cast<uint32_t>(__builtin_popcount(missing));
    lines.touched += static_cast<uint32_t>(__builtin_popcount(mask));
    lines.missing += n;
    lines.cold += static_cast<uint32_t>(__builtin_popcount(static_cast<uint8_t>(mask & ~p.seen)));
    p.seen |= cost.write ? 0 : mask;
    if (cost.bypass && !cost.write) {
        return;
    }
    c.clock += n;
    p.held |= mask;
    p.dirty |= cost.write ? mask : 0;
    hold(c, p);
}

Lines touch(Cache& c, uint32_t buffer, uint64_t first, uint64_t end, const Cost& cost) {
    Lines lines{};
    uint64_t line = first / kLine;
    const uint64_t last = (end - 1) / kLine;
    while (line <= last) {
        const uint64_t page = line / kPageLines;
        if (page >= c.pages[buffer]) {
            break;
        }
        const auto from = static_cast<uint32_t>(line % kPageLines);
        const auto to = static_cast<uint32_t>(last / kPageLines == page ? last % kPageLines : kPageLines - 1);
        touch_page(c, c.buffer[buffer][page], static_cast<uint8_t>((0xff << from) & (0xff >> (7 - to))), cost, lines);
        line = (page + 1) * kPageLines;
    }
    return lines;
}

void read_piece(Cache& c, Need& need, const Cost& cost, uint64_t first, uint64_t end, const Prices& price) {
    const Lines lines = touch(c, cost.buffer, first, end, cost);
    const double bytes = static_cast<double>(end - first);
    // The line that an unaligned piece shares with the one before comes no sooner for being held.
    const bool shared = first % kLine != 0 && lines.missing > 0 && lines.missing + 1 == lines.touched;
    const double missing = lines.touched == 0 || shared ? 1 : static_cast<double>(lines.missing) / lines.touched;
    need.cold += lines.touched == 0 ? 0 : (end - first) * lines.cold / lines.touched;
    need.memory_bytes += bytes * missing;
    need.l2_bytes += bytes * (1 - missing);
    need.hits += lines.touched == 0 ? 0 : (end - first) * (lines.touched - lines.missing) / lines.touched;
    need.unaligned = need.unaligned || first % kLine != 0;
    if (lines.missing == 0) {
        return;
    }
    if (cost.bypass) {
        need.memory_read += end - first;
        return count_requests(need, first, end, price);
    }
    need.memory_read += static_cast<uint64_t>(lines.missing) * kLine;
    const double crossings = first % kLine == 0 ? 0 : static_cast<double>((first % kLine + (end - first) - 1) / kLine);
    need.memory_work += lines.missing * (kLine + price.request_overhead) + crossings * missing * price.request_overhead;
}

void write_piece(Cache& c, Need& need, const Cost& cost, uint64_t first, uint64_t end) {
    touch(c, cost.buffer, first, end, cost);
    need.l2_bytes += static_cast<double>(end - first);
    need.unaligned = need.unaligned || first % kLine != 0;
}

void make_room(Cache& c, Need& need, const Prices& price) {
    const uint32_t lines = evict(c);
    need.memory_written += static_cast<uint64_t>(lines) * kLine;
    need.back_work += lines * (kLine + price.request_overhead);
}

}  // namespace

bool make_cache(Cache& c, Timing& t) {
    const uint32_t buffers = machine->plan.buffers;
    c = {};
    c.buffer = take<Page*>(t, buffers);
    c.pages = take<uint64_t>(t, buffers);
    if (c.buffer == nullptr || c.pages == nullptr) {
        return false;
    }
    uint64_t all = 0;
    for (uint32_t i = 0; i < buffers; ++i) {
        c.pages[i] = machine->buffers[i].mapped / kPageBytes + 1;
        c.buffer[i] = take<Page>(t, c.pages[i]);
        if (c.buffer[i] == nullptr) {
            return false;
        }
        all += c.pages[i];
    }
    c.room = static_cast<uint32_t>(smallest_power(all + 1));
    c.queue = take<Page*>(t, c.room);
    c.capacity = static_cast<uint32_t>(t.price->l2_bytes / kLine);
    return c.queue != nullptr;
}

Need look_up(Cache& c, const Cost& cost, uint64_t done, uint32_t times, const Prices& price) {
    Need need{};
    for (uint32_t n = 0; n < times; ++n) {
        const uint64_t first = cost.first + static_cast<uint64_t>(cost.stride * static_cast<int64_t>(done + n));
        for (uint32_t i = 0; i < cost.pieces; ++i) {
            const uint64_t at = first + i * cost.apart;
            if (cost.piece == 0) {
                continue;
            }
            if (cost.write) {
                write_piece(c, need, cost, at, at + cost.piece);
            } else {
                read_piece(c, need, cost, at, at + cost.piece, price);
            }
        }
        make_room(c, need, price);
    }
    return need;
}

// ---- sharing --------------------------------------------------------------------------------------------------------

namespace {

// Equal shares, but to nobody more than its limit.
void share(Pool& p) {
    double free = p.capacity;
    double limits = 0;
    for (uint32_t i = 0; i < p.count; ++i) {
        limits += p.limit[i];
        p.rate[i] = p.limit[i];
    }
    if (limits <= free) {
        return;
    }
    uint32_t open = p.count;
    double part = free / open;
    for (bool changed = true; changed;) {
        changed = false;
        free = p.capacity;
        open = 0;
        for (uint32_t i = 0; i < p.count; ++i) {
            const bool full = p.limit[i] <= part;
            free -= full ? p.limit[i] : 0;
            open += full ? 0 : 1;
        }
        const double next = open == 0 ? part : free / open;
        changed = next > part * (1 + 1e-12);
        part = next;
    }
    for (uint32_t i = 0; i < p.count; ++i) {
        p.rate[i] = p.limit[i] < part ? p.limit[i] : part;
    }
}

void advance(Pool& p, double now) {
    const double passed = now - p.now;
    if (passed > 0) {
        for (uint32_t i = 0; i < p.count; ++i) {
            p.left[i] -= passed / p.pace[i];
        }
        p.now = now;
    }
}

void refresh(Pool& p) {
    if (!p.stale) {
        return;
    }
    share(p);
    double least = kForever;
    for (uint32_t i = 0; i < p.count; ++i) {
        p.pace[i] = p.slowed[i] / p.rate[i];
        const double t = p.left[i] * p.pace[i];
        least = t < least ? t : least;
    }
    p.next = p.count == 0 ? kForever : p.now + (least > 0 ? least : 0);
    p.stale = false;
}

}  // namespace

void add_flow(Pool& p, double now, double work, double limit, uint16_t owner) {
    refresh(p);
    if (p.count == 0) {
        p.now = now;
    }
    advance(p, now);
    p.left[p.count] = work;
    p.limit[p.count] = limit;
    p.slowed[p.count] = 1;
    p.owner[p.count] = owner;
    p.count += 1;
    p.stale = true;
}

double next_end(Pool& p) {
    refresh(p);
    return p.count == 0 ? kForever : p.next;
}

void advance_to(Pool& p, double now) {
    refresh(p);
    advance(p, now);
}

double next_share(const Pool& p, double limit) {
    const double part = p.capacity / (p.count + 1);
    return part < limit ? part : limit;
}

int take_ended(Pool& p, double now) {
    refresh(p);
    advance(p, now);
    for (uint32_t i = 0; i < p.count; ++i) {
        if (p.left[i] <= 1e-3) {  // a thousandth of a byte: what rounding leaves
            const int owner = p.owner[i];
            p.count -= 1;
            p.left[i] = p.left[p.count];
            p.limit[i] = p.limit[p.count];
            p.rate[i] = p.rate[p.count];
            p.slowed[i] = p.slowed[p.count];
            p.pace[i] = p.pace[p.count];
            p.owner[i] = p.owner[p.count];
            p.stale = true;
            return owner;
        }
    }
    return -1;
}

}  // namespace kb
