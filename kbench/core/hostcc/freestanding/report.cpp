// The report: JSON lines on a descriptor of their own, and the line that says how the program ended.
#include "internal.h"
#include "kbfs.h"
#include "syscalls.h"

namespace kbfs {

namespace {

void (*g_before_death)(const char*) = nullptr;
int g_deaths = 0;

size_t length_of(const char* text) {
  size_t n = 0;
  while (text[n] != 0) ++n;
  return n;
}

// Bytes of the UTF-8 sequence that starts at text[0], or 0 where it is not one.
size_t sequence(const char* text, size_t left) {
  auto first = static_cast<unsigned char>(text[0]);
  size_t bytes = first < 0x80 ? 1 : (first >> 5) == 6 ? 2 : (first >> 4) == 14 ? 3 : (first >> 3) == 30 ? 4 : 0;
  if (bytes == 0 || bytes > left || first == 0xc0 || first == 0xc1 || first > 0xf4) return 0;
  for (size_t i = 1; i < bytes; ++i) {
    if ((static_cast<unsigned char>(text[i]) >> 6) != 2) return 0;
  }
  auto second = static_cast<unsigned char>(bytes > 1 ? text[1] : 0);
  bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  bool surrogate = first == 0xed && second > 0x9f;
  bool beyond = first == 0xf4 && second > 0x8f;
  return overlong || surrogate || beyond ? 0 : bytes;
}

}  // namespace

bool write_all(int fd, const void* data, size_t bytes) noexcept {
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    long done = sys::call(sys::kWrite, fd, reinterpret_cast<long>(at), static_cast<long>(bytes));
    if (done == -4 /* EINTR */ || done == -11 /* EAGAIN */) continue;
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<size_t>(done);
  }
  return true;
}

Report::Report(int fd) noexcept : fd_(fd) { put("{", 1); }

void Report::flush() noexcept {
  write_all(fd_, buffer_, used_);
  used_ = 0;
}

void Report::put(const char* text, size_t length) noexcept {
  while (length > 0) {
    if (used_ == sizeof buffer_) flush();
    size_t part = sizeof buffer_ - used_ < length ? sizeof buffer_ - used_ : length;
    copy_bytes(buffer_ + used_, text, part);
    used_ += part;
    text += part;
    length -= part;
  }
}

void Report::quoted(const char* text, size_t length) noexcept {
  put("\"", 1);
  for (size_t i = 0; i < length;) {
    auto c = static_cast<unsigned char>(text[i]);
    size_t bytes = sequence(text + i, length - i);
    if (c == '"' || c == '\\') {
      put("\\", 1);
      put(text + i, 1);
    } else if (c < 0x20) {
      char escape[8];
      put(escape, static_cast<size_t>(format(escape, sizeof escape, "\\u%04x", c)));
    } else if (bytes == 0) {
      put("?", 1);
    } else {
      put(text + i, bytes);
    }
    i += bytes == 0 ? 1 : bytes;
  }
  put("\"", 1);
}

void Report::separate(const char* key) noexcept {
  if (!first_) put(",", 1);
  first_ = false;
  if (key != nullptr) {
    quoted(key, length_of(key));
    put(":", 1);
  }
}

Report& Report::text(const char* key, const char* value, size_t length) noexcept {
  separate(key);
  quoted(value, length);
  return *this;
}

Report& Report::text(const char* key, const char* value) noexcept { return text(key, value, length_of(value)); }

Report& Report::number(const char* key, int64_t value) noexcept {
  separate(key);
  char digits[32];
  put(digits, static_cast<size_t>(format(digits, sizeof digits, "%ld", static_cast<long>(value))));
  return *this;
}

Report& Report::unsigned_number(const char* key, uint64_t value) noexcept {
  separate(key);
  char digits[32];
  put(digits, static_cast<size_t>(format(digits, sizeof digits, "%lu", static_cast<unsigned long>(value))));
  return *this;
}

Report& Report::real(const char* key, double value) noexcept {
  separate(key);
  char digits[40];
  size_t length = shortest(value, digits);
  bool finite = value - value == 0;
  if (finite) put(digits, length);
  else quoted(digits, length);
  return *this;
}

Report& Report::boolean(const char* key, bool value) noexcept {
  separate(key);
  put(value ? "true" : "false", value ? 4 : 5);
  return *this;
}

Report& Report::hex(const char* key, const void* data, size_t bytes) noexcept {
  separate(key);
  put("\"", 1);
  for (size_t i = 0; i < bytes; ++i) {
    auto byte = static_cast<const unsigned char*>(data)[i];
    const char pair[2] = {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    put(pair, 2);
  }
  put("\"", 1);
  return *this;
}

Report& Report::item(int64_t value) noexcept { return number(nullptr, value); }
Report& Report::item_unsigned(uint64_t value) noexcept { return unsigned_number(nullptr, value); }
Report& Report::item_real(double value) noexcept { return real(nullptr, value); }
Report& Report::item_text(const char* value) noexcept { return text(nullptr, value); }

Report& Report::open_list(const char* key) noexcept {
  separate(key);
  put("[", 1);
  lists_ |= 1u << ++depth_;
  first_ = true;
  return *this;
}

Report& Report::open_object(const char* key) noexcept {
  separate(key);
  put("{", 1);
  lists_ &= ~(1u << ++depth_);
  first_ = true;
  return *this;
}

Report& Report::close() noexcept {
  if (depth_ == 0) return *this;
  put((lists_ >> depth_) & 1 ? "]" : "}", 1);
  --depth_;
  first_ = false;
  return *this;
}

void Report::end() noexcept {
  if (done_) return;
  done_ = true;
  while (depth_ > 0) close();
  put("}\n", 2);
  flush();
}

void before_death(void (*hook)(const char* outcome)) noexcept { g_before_death = hook; }

void end_line(const char* outcome, const char* message, uintptr_t pc) noexcept {
  if (++g_deaths == 1 && g_before_death != nullptr) g_before_death(outcome);
  Report line;
  line.boolean("end", true).text("outcome", outcome).text("message", message);
  if (pc != 0) line.unsigned_number("pc", pc);
  line.end();
}

void die(const char* outcome, const char* pattern, ...) noexcept {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  vformat(text, sizeof text, pattern, arguments);
  va_end(arguments);
  flush_stdout();
  end_line(outcome, text, 0);
  exit(kDied);
}

void exit(int code) noexcept {
  flush_stdout();
  while (true) sys::call(sys::kExitGroup, code);
}

}  // namespace kbfs
