// Sorted lists of segments of one history, one list for each 2^shift bytes of a memory. Neighbours that become alike are
// joined, so that a kernel that goes over its data leaves little behind.
#include "history.h"

namespace kb {

namespace {

template <class T>
T* node(Store& store, T*& free) {
    if (free != nullptr) {
        T* n = free;
        free = n->next;
        return n;
    }
    return store.take<T>(1);
}

template <class T>
void give_back(T* n, T*& free) {
    n->next = free;
    free = n;
}

void drop_users(Store& store, Segment& s) {
    while (s.users != nullptr) {
        User* u = s.users;
        s.users = u->next;
        give_back(u, store.free_users);
    }
}

uint64_t buckets_of(const Map& m) {
    return (m.bytes >> m.shift) + 1;
}

bool same_history(const Segment& a, const Segment& b) {
    const bool writers = a.writer.seq == 0 ? b.writer.seq == 0 : b.writer.seq != 0 && a.writer.like(b.writer);
    if (!writers || (a.users == nullptr) != (b.users == nullptr)) {
        return false;
    }
    return a.users == nullptr ||
           (a.users->next == nullptr && b.users->next == nullptr && a.users->place.like(b.users->place));
}

uint32_t later(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

// Joins a segment with the one after it where both have one history; the later number stands for both.
void merge_next(Store& store, Segment& s) {
    Segment* n = s.next;
    if (n == nullptr || n->first != s.end || !same_history(s, *n)) {
        return;
    }
    s.end = n->end;
    s.next = n->next;
    s.writer.seq = later(s.writer.seq, n->writer.seq);
    if (s.users != nullptr) {
        s.users->place.seq = later(s.users->place.seq, n->users->place.seq);
    }
    drop_users(store, *n);
    give_back(n, store.free_segments);
}

Segment* new_segment(Store& store, uint64_t first, uint64_t end, Segment* next) {
    Segment* s = node(store, store.free_segments);
    if (s == nullptr) {
        store.exhausted = true;
        return nullptr;
    }
    *s = {first, end, next, nullptr, {}};
    return s;
}

bool add_user(Store& store, Segment& s, const Place& place) {
    for (User* u = s.users; u != nullptr; u = u->next) {
        if (u->place.block == place.block && u->place.pipe == place.pipe && u->place.deed == place.deed) {
            u->place = place;
            return true;
        }
    }
    User* u = node(store, store.free_users);
    if (u == nullptr) {
        store.exhausted = true;
        return false;
    }
    *u = {place, s.users};
    s.users = u;
    return true;
}

// Cuts a segment in two at `at`.
bool split(Store& store, Segment& s, uint64_t at) {
    Segment* tail = new_segment(store, at, s.end, s.next);
    if (tail == nullptr) {
        return false;
    }
    tail->writer = s.writer;
    for (const User* u = s.users; u != nullptr; u = u->next) {
        if (!add_user(store, *tail, u->place)) {
            return false;
        }
    }
    s.end = at;
    s.next = tail;
    return true;
}

// The first segment that reaches beyond `first`, cut so that it begins there; `link` is what points to it.
Segment** seek(Store& store, Segment** link, uint64_t first) {
    while (*link != nullptr && (*link)->end <= first) {
        link = &(*link)->next;
    }
    if (*link != nullptr && (*link)->first < first && split(store, **link, first)) {
        link = &(*link)->next;
    }
    return link;
}

void note_use(Store& store, const Visit& visit, Segment** link, uint64_t first, uint64_t end) {
    for (link = seek(store, link, first); first < end && !store.exhausted; link = &(*link)->next) {
        Segment* s = *link;
        if (s == nullptr || s->first > first) {
            s = new_segment(store, first, s == nullptr || s->first > end ? end : s->first, s);
            if (s == nullptr) {
                return;
            }
            *link = s;
        } else if (s->end > end && !split(store, *s, end)) {
            return;
        }
        visit.look(visit.who, *s);
        add_user(store, *s, visit.place);
        first = s->end;
    }
}

// [first, end), which nothing is known of, gets the operation as its history.
void own(Store& store, const Visit& visit, Segment** link, uint64_t first, uint64_t end) {
    Segment* s = first < end ? new_segment(store, first, end, *link) : nullptr;
    if (s != nullptr) {
        s->writer = visit.place;
        *link = s;
    }
}

void note_write(Store& store, const Visit& visit, Segment** link, uint64_t first, uint64_t end) {
    Place rewrite = visit.place;
    rewrite.deed = Deed::rewrite;
    link = seek(store, link, first);
    while (*link != nullptr && (*link)->first < end && !store.exhausted) {
        Segment* s = *link;
        if (s->end > end && !split(store, *s, end)) {
            return;
        }
        if (visit.look(visit.who, *s)) {
            own(store, visit, link, first, s->first);
            add_user(store, *s, rewrite);
            first = s->end;
            link = &s->next;
        } else {
            *link = s->next;
            drop_users(store, *s);
            give_back(s, store.free_segments);
        }
    }
    own(store, visit, link, first, end);
}

// Neighbours around [first, end) of a bucket that have become alike.
void tidy(Store& store, Segment* s, uint64_t first, uint64_t end) {
    for (; s != nullptr && s->first <= end; s = s->next) {
        if (s->end >= first) {
            merge_next(store, *s);
        }
    }
}

}  // namespace

void clear(Store& store, Map& m) {
    for (uint64_t i = 0; i < buckets_of(m); ++i) {
        while (m.bucket[i] != nullptr) {
            Segment* s = m.bucket[i];
            m.bucket[i] = s->next;
            drop_users(store, *s);
            give_back(s, store.free_segments);
        }
    }
}

void make_map(Store& store, Map& m, uint64_t bytes, uint32_t shift) {
    m = {bytes, shift, nullptr};
    m.bucket = store.take<Segment*>(buckets_of(m));
}

void note_range(Store& store, const Map& m, uint64_t first, uint64_t end, const Visit& visit) {
    if (end > m.bytes) {
        end = m.bytes;
    }
    while (first < end && !store.exhausted) {
        const uint64_t index = first >> m.shift;
        const uint64_t limit = (index + 1) << m.shift;
        const uint64_t to = end < limit ? end : limit;
        (visit.place.deed == Deed::write ? note_write : note_use)(store, visit, &m.bucket[index], first, to);
        tidy(store, m.bucket[index], first, to);
        first = to;
    }
}

void pass_range(const Map& m, uint64_t first, uint64_t end, const Visit& visit) {
    for (uint64_t index = first >> m.shift; index <= (end - 1) >> m.shift && index < buckets_of(m); ++index) {
        for (const Segment* s = m.bucket[index]; s != nullptr && s->first < end; s = s->next) {
            if (s->end > first) {
                visit.look(visit.who, *s);
            }
        }
    }
}

bool touched(const Map& m, uint64_t first, uint64_t end) {
    for (uint64_t index = first >> m.shift; index <= (end - 1) >> m.shift && index < buckets_of(m); ++index) {
        for (const Segment* s = m.bucket[index]; s != nullptr && s->first < end; s = s->next) {
            if (s->end > first) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace kb
