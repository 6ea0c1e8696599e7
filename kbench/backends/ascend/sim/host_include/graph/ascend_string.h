// A string that owns its text.
#pragma once

#include <cstddef>
#include <string>

namespace ge {
class AscendString {
public:
    AscendString() = default;
    AscendString(const char* text);
    AscendString(const char* text, size_t length);

    const char* GetString() const;
    size_t GetLength() const;
    bool operator<(const AscendString& other) const;
    bool operator>(const AscendString& other) const;
    bool operator<=(const AscendString& other) const;
    bool operator>=(const AscendString& other) const;
    bool operator==(const AscendString& other) const;
    bool operator!=(const AscendString& other) const;
    bool operator==(const char* other) const;
    bool operator!=(const char* other) const;

private:
    std::string text_;
};
}  // namespace ge
