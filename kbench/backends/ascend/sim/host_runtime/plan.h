// The plan that the parent hands over on descriptor 3: JSON with integers, texts, lists and objects (no fractions: floats
// travel as their bits).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kbhost {

class Json {
public:
    enum class Kind { null, boolean, integer, text, list, object };

    static Json parse(const char* text, size_t length);

    Kind kind() const { return kind_; }
    int64_t integer() const { return integer_; }
    bool boolean() const { return integer_ != 0; }
    const std::string& text() const { return text_; }
    const std::vector<Json>& items() const { return items_; }
    // Null where there is no such key.
    const Json& operator[](const char* key) const;

private:
    friend class JsonReader;

    Kind kind_ = Kind::null;
    int64_t integer_ = 0;
    std::string text_;
    std::vector<Json> items_;
    std::vector<std::string> keys_;
};

void read_plan();  // before lock-down
const Json& plan();

}  // namespace kbhost
