// The out-of-line parts of include/kbfs_streams.h.
#include <kbfs_streams.h>

#include <cstdlib>

#include "internal.h"
#include "kbfs.h"

_LIBCPP_BEGIN_NAMESPACE_STD

template <class C, class T>
basic_ostream<C, T>& basic_ostream<C, T>::write(const C* text, streamsize n) {
  if (this->buffer_ == nullptr || this->buffer_->sputn(text, n) != n) this->setstate(ios_base::badbit);
  return *this;
}

template <class C, class T>
basic_ostream<C, T>& basic_ostream<C, T>::padded(const C* text, size_t n) {
  auto gap = this->width_ - static_cast<streamsize>(n);
  this->width_ = 0;
  bool behind = (this->flags_ & ios_base::adjustfield) == ios_base::left;
  for (streamsize i = 0; !behind && i < gap; ++i) put(this->fill_);
  write(text, static_cast<streamsize>(n));
  for (streamsize i = 0; behind && i < gap; ++i) put(this->fill_);
  return *this;
}

// Numbers know a third way to fill: between the sign (or 0x) and the digits.
template <class C, class T>
basic_ostream<C, T>& basic_ostream<C, T>::number(const char* text, size_t n) {
  if ((this->flags_ & ios_base::adjustfield) != ios_base::internal) return padded(text, n);
  size_t head = text[0] == '-' || text[0] == '+' ? 1 : 0;
  if (text[head] == '0' && (text[head + 1] | 32) == 'x') head += 2;
  auto gap = this->width_ - static_cast<streamsize>(n);
  this->width_ = 0;
  write(text, static_cast<streamsize>(head));
  for (streamsize i = 0; i < gap; ++i) put(this->fill_);
  return write(text + head, static_cast<streamsize>(n - head));
}

template <class C, class T>
basic_ostream<C, T>& basic_ostream<C, T>::operator<<(bool v) {
  if (this->flags_ & ios_base::boolalpha) return v ? padded("true", 4) : padded("false", 5);
  return *this << static_cast<int>(v);
}

template <class C, class T>
basic_ostream<C, T>& basic_ostream<C, T>::operator<<(const void* v) {
  char text[32];
  return padded(text, static_cast<size_t>(kbfs::format(text, sizeof text, "%p", v)));
}

template <class C, class T>
basic_ostream<C, T>& basic_ostream<C, T>::operator<<(basic_streambuf<C, T>* from) {
  for (auto c = from->sbumpc(); !T::eq_int_type(c, T::eof()); c = from->sbumpc()) put(T::to_char_type(c));
  return *this;
}

template <class C, class T>
basic_ostream<C, T>& basic_ostream<C, T>::digits(unsigned long long v, bool negative) {
  char text[32];
  auto flags = this->flags_;
  const char* sign = negative ? "-" : (flags & ios_base::showpos) && !(flags & (ios_base::hex | ios_base::oct)) ? "+" : "";
  bool base = flags & ios_base::showbase;
  const char* pattern = flags & ios_base::hex   ? (flags & ios_base::uppercase ? (base ? "%s%#llX" : "%s%llX")
                                                                               : (base ? "%s%#llx" : "%s%llx"))
                        : flags & ios_base::oct ? (base ? "%s%#llo" : "%s%llo")
                                                : "%s%llu";
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  int n = kbfs::format(text, sizeof text, pattern, sign, v);
#pragma clang diagnostic pop
  return number(text, static_cast<size_t>(n));
}

template <class C, class T>
basic_ostream<C, T>& basic_ostream<C, T>::real(double v) {
  char text[1600];
  auto flags = this->flags_;
  auto style = flags & ios_base::floatfield;
  bool upper = flags & ios_base::uppercase;
  char kind = style == ios_base::fixed        ? (upper ? 'F' : 'f')
              : style == ios_base::scientific ? (upper ? 'E' : 'e')
              : style == 0                    ? (upper ? 'G' : 'g')
                                              : (upper ? 'A' : 'a');
  char pattern[8];
  size_t i = 0;
  pattern[i++] = '%';
  if (flags & ios_base::showpos) pattern[i++] = '+';
  if (flags & ios_base::showpoint) pattern[i++] = '#';
  bool exact = style == (ios_base::fixed | ios_base::scientific);
  if (!exact) {
    pattern[i++] = '.';
    pattern[i++] = '*';
  }
  pattern[i++] = kind;
  pattern[i] = 0;
  int precision = static_cast<int>(this->precision_ > 1000 ? 1000 : this->precision_);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  int n = exact ? kbfs::format(text, sizeof text, pattern, v) : kbfs::format(text, sizeof text, pattern, precision, v);
#pragma clang diagnostic pop
  return number(text, static_cast<size_t>(n) < sizeof text ? static_cast<size_t>(n) : sizeof text - 1);
}

template <class C, class T>
typename T::int_type basic_istream<C, T>::get() {
  count_ = 0;
  auto c = this->buffer_ && this->good() ? this->buffer_->sbumpc() : T::eof();
  if (T::eq_int_type(c, T::eof())) this->setstate(ios_base::eofbit | ios_base::failbit);
  else count_ = 1;
  return c;
}

template <class C, class T>
basic_istream<C, T>& basic_istream<C, T>::get(C& c) {
  auto got = get();
  if (!T::eq_int_type(got, T::eof())) c = T::to_char_type(got);
  return *this;
}

template <class C, class T>
basic_istream<C, T>& basic_istream<C, T>::ignore(streamsize n, int_type until) {
  for (streamsize i = 0; i < n; ++i) {
    auto c = this->buffer_ ? this->buffer_->sbumpc() : T::eof();
    if (T::eq_int_type(c, T::eof())) {
      this->setstate(ios_base::eofbit);
      break;
    }
    if (T::eq_int_type(c, until)) break;
  }
  return *this;
}

template <class C, class T>
basic_istream<C, T>& basic_istream<C, T>::read(C* to, streamsize n) {
  streamsize i = 0;
  for (; i < n; ++i) {
    get(to[i]);
    if (!this->good()) break;
  }
  count_ = i;
  return *this;
}

template <class C, class T>
void basic_istream<C, T>::skip_spaces() {
  for (auto c = peek(); c == ' ' || (c >= '\t' && c <= '\r'); c = peek()) this->buffer_->sbumpc();
}

template <class C, class T>
bool basic_istream<C, T>::word(basic_string<C, T>& text) {
  text.clear();
  skip_spaces();
  auto most = this->width_ > 0 ? static_cast<size_t>(this->width_) : text.max_size();
  this->width_ = 0;
  for (auto c = peek(); text.size() < most; c = peek()) {
    if (T::eq_int_type(c, T::eof())) {
      this->setstate(ios_base::eofbit);
      break;
    }
    if (c == ' ' || (c >= '\t' && c <= '\r')) break;
    text.push_back(T::to_char_type(this->buffer_->sbumpc()));
  }
  if (text.empty()) this->setstate(ios_base::failbit);
  return !text.empty();
}

template <class C, class T>
bool basic_istream<C, T>::line(basic_string<C, T>& text, C until) {
  text.clear();
  if (!this->good()) {
    this->setstate(ios_base::failbit);
    return false;
  }
  for (auto c = this->buffer_->sbumpc();; c = this->buffer_->sbumpc()) {
    if (T::eq_int_type(c, T::eof())) {
      this->setstate(text.empty() ? ios_base::eofbit | ios_base::failbit : ios_base::eofbit);
      return !text.empty();
    }
    if (T::eq(T::to_char_type(c), until)) return true;
    text.push_back(T::to_char_type(c));
  }
}

template <class C, class T>
string basic_istream<C, T>::number_text() {
  string text;
  skip_spaces();
  for (auto c = peek();; c = peek()) {
    bool part = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'x' || c == 'X' ||
                (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (!part) break;
    text.push_back(static_cast<char>(this->buffer_->sbumpc()));
  }
  if (T::eq_int_type(peek(), T::eof())) this->setstate(ios_base::eofbit);
  return text;
}

template <class C, class T>
bool basic_istream<C, T>::integer(long long& v) {
  string text = number_text();
  int base = this->flags_ & ios_base::hex ? 16 : this->flags_ & ios_base::oct ? 8 : 10;
  char* end = nullptr;
  v = strtoll(text.c_str(), &end, base);
  if (end == text.c_str()) this->setstate(ios_base::failbit);
  else for (size_t left = text.size() - static_cast<size_t>(end - text.c_str()); left; --left) this->buffer_->sungetc();
  return !this->fail();
}

template <class C, class T>
bool basic_istream<C, T>::floating(double& v) {
  string text = number_text();
  char* end = nullptr;
  v = kbfs::parse_double(text.c_str(), &end);
  if (end == text.c_str()) this->setstate(ios_base::failbit);
  else for (size_t left = text.size() - static_cast<size_t>(end - text.c_str()); left; --left) this->buffer_->sungetc();
  return !this->fail();
}

template class basic_ostream<char>;
template class basic_istream<char>;
template class basic_ostringstream<char>;
template class basic_istringstream<char>;
template class basic_stringstream<char>;

namespace {

class Standard : public basic_streambuf<char, char_traits<char>> {
 public:
  explicit Standard(FILE* file) : file_(file) {}

 protected:
  streamsize xsputn(const char* text, streamsize n) override {
    return static_cast<streamsize>(fwrite(text, 1, static_cast<size_t>(n), file_));
  }
  int_type overflow(int_type c) override { return fputc(c, file_); }

 private:
  FILE* file_;
};

class Nothing : public basic_streambuf<char, char_traits<char>> {};

Standard g_out __attribute__((init_priority(101)))(stdout);
Standard g_err __attribute__((init_priority(101)))(stderr);
Nothing g_in __attribute__((init_priority(101)));

}  // namespace

// Before every constructor of the candidate: they may print.
ostream cout __attribute__((init_priority(102)))(&g_out);
ostream cerr __attribute__((init_priority(102)))(&g_err);
ostream clog __attribute__((init_priority(102)))(&g_err);
istream cin __attribute__((init_priority(102)))(&g_in);

_LIBCPP_END_NAMESPACE_STD
