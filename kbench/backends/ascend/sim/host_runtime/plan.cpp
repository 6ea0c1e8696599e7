#include "plan.h"

#include <cstring>

#include "kbfs.h"

namespace kbhost {

class JsonReader {
public:
    JsonReader(const char* text, size_t length) : at_(text), end_(text + length) {}

    Json value() {
        skip();
        switch (peek()) {
            case '{': return object();
            case '[': return list();
            case '"': return text();
            case 't': return word("true", Json::Kind::boolean, 1);
            case 'f': return word("false", Json::Kind::boolean, 0);
            case 'n': return word("null", Json::Kind::null, 0);
            default: return integer();
        }
    }

private:
    char peek() const { return at_ < end_ ? *at_ : '\0'; }

    void skip() {
        while (at_ < end_ && strchr(" \t\r\n,:", *at_) != nullptr) ++at_;
    }

    [[noreturn]] void broken(const char* what) const {
        kbfs::die("harness_error", "the plan is broken at byte %lld from its end: %s", static_cast<long long>(end_ - at_), what);
    }

    Json word(const char* expected, Json::Kind kind, int64_t integer) {
        size_t length = strlen(expected);
        if (static_cast<size_t>(end_ - at_) < length || strncmp(at_, expected, length) != 0) broken(expected);
        at_ += length;
        Json result;
        result.kind_ = kind;
        result.integer_ = integer;
        return result;
    }

    Json integer() {
        Json result;
        result.kind_ = Json::Kind::integer;
        bool negative = peek() == '-';
        if (negative) ++at_;
        const char* first = at_;
        uint64_t magnitude = 0;
        while (peek() >= '0' && peek() <= '9') magnitude = magnitude * 10 + static_cast<uint64_t>(*at_++ - '0');
        if (at_ == first) broken("expected a value");
        result.integer_ = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
        return result;
    }

    Json text() {
        Json result;
        result.kind_ = Json::Kind::text;
        ++at_;
        while (peek() != '"') {
            if (at_ >= end_) broken("a text without end");
            if (*at_ == '\\') {
                escape(result.text_);
            } else {
                result.text_ += *at_++;
            }
        }
        ++at_;
        return result;
    }

    // The parent escapes quotes, backslashes and control characters; all else is UTF-8 as it stands.
    void escape(std::string& out) {
        ++at_;
        char c = peek();
        ++at_;
        if (c == 'n') out += '\n';
        else if (c == 't') out += '\t';
        else if (c == 'r') out += '\r';
        else if (c == 'b') out += '\b';
        else if (c == 'f') out += '\f';
        else if (c == 'u') out += control();
        else out += c;
    }

    char control() {
        unsigned value = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            char c = peek();
            value = value * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        }
        return static_cast<char>(value);
    }

    Json list() {
        Json result;
        result.kind_ = Json::Kind::list;
        ++at_;
        for (skip(); peek() != ']'; skip()) result.items_.push_back(value());
        ++at_;
        return result;
    }

    Json object() {
        Json result;
        result.kind_ = Json::Kind::object;
        ++at_;
        for (skip(); peek() != '}'; skip()) {
            result.keys_.push_back(text().text_);
            result.items_.push_back(value());
        }
        ++at_;
        return result;
    }

    const char* at_;
    const char* end_;
};

Json Json::parse(const char* text, size_t length) {
    return JsonReader(text, length).value();
}

const Json& Json::operator[](const char* key) const {
    static const Json nothing;
    for (size_t i = 0; i < keys_.size(); ++i) {
        if (keys_[i] == key) return items_[i];
    }
    return nothing;
}

namespace {
char* plan_text = nullptr;
size_t plan_length = 0;
constexpr int kPlanFd = 3;
}  // namespace

const Json& plan() {
    static const Json parsed = Json::parse(plan_text, plan_length);
    return parsed;
}

void read_plan() {
    plan_text = kbfs::read_all(kPlanFd, &plan_length);
    if (plan_text == nullptr) kbfs::die("harness_error", "no plan on descriptor %d", kPlanFd);
}

}  // namespace kbhost
