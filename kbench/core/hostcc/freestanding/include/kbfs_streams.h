// Streams of char without locales: std::cout, cerr, clog, cin (always at its end), string streams, manipulators.
// libc++'s own need a C library's locales; these stand before them on the include path. Only char is instantiated.
#ifndef KBFS_STREAMS_H
#define KBFS_STREAMS_H

#include <__config>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iosfwd>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

_LIBCPP_BEGIN_NAMESPACE_STD

typedef ptrdiff_t streamsize;

class ios_base {
 public:
  typedef unsigned fmtflags;
  typedef unsigned iostate;
  typedef unsigned openmode;
  enum seekdir { beg, cur, end };
  static constexpr fmtflags boolalpha = 1 << 0, dec = 1 << 1, fixed = 1 << 2, hex = 1 << 3, internal = 1 << 4,
                            left = 1 << 5, oct = 1 << 6, right = 1 << 7, scientific = 1 << 8, showbase = 1 << 9,
                            showpoint = 1 << 10, showpos = 1 << 11, skipws = 1 << 12, unitbuf = 1 << 13,
                            uppercase = 1 << 14, adjustfield = left | right | internal, basefield = dec | oct | hex,
                            floatfield = scientific | fixed;
  static constexpr iostate goodbit = 0, badbit = 1, eofbit = 2, failbit = 4;
  static constexpr openmode app = 1, ate = 2, binary = 4, in = 8, out = 16, trunc = 32;
  class failure : public system_error {
   public:
    explicit failure(const string& what) : system_error(error_code(), what) {}
  };
  class Init {};

  ios_base(const ios_base&) = delete;
  ios_base& operator=(const ios_base&) = delete;
  virtual ~ios_base() {}
  fmtflags flags() const { return flags_; }
  fmtflags flags(fmtflags f) { return exchange(flags_, f); }
  fmtflags setf(fmtflags f) { return exchange(flags_, flags_ | f); }
  fmtflags setf(fmtflags f, fmtflags mask) { return exchange(flags_, (flags_ & ~mask) | (f & mask)); }
  void unsetf(fmtflags mask) { flags_ &= ~mask; }
  streamsize precision() const { return precision_; }
  streamsize precision(streamsize n) { return exchange(precision_, n); }
  streamsize width() const { return width_; }
  streamsize width(streamsize n) { return exchange(width_, n); }
  static bool sync_with_stdio(bool = true) { return true; }

 protected:
  ios_base() {}
  template <class T>
  static T exchange(T& place, T value) {
    T old = place;
    place = value;
    return old;
  }
  fmtflags flags_ = dec | skipws;
  streamsize precision_ = 6;
  streamsize width_ = 0;
};

template <class C, class T>
class basic_streambuf {
 public:
  typedef C char_type;
  typedef T traits_type;
  typedef typename T::int_type int_type;
  typedef streamoff off_type;
  virtual ~basic_streambuf() {}
  streamsize sputn(const C* text, streamsize n) { return xsputn(text, n); }
  int_type sputc(C c) { return xsputn(&c, 1) == 1 ? T::to_int_type(c) : T::eof(); }
  int_type sgetc() { return underflow(); }
  int_type sbumpc() { return uflow(); }
  int_type snextc() { return T::eq_int_type(sbumpc(), T::eof()) ? T::eof() : sgetc(); }
  int_type sungetc() { return pbackfail(T::eof()); }
  int pubsync() { return sync(); }

 protected:
  basic_streambuf() {}
  virtual int_type overflow(int_type c = T::eof()) { return c; }
  virtual streamsize xsputn(const C* text, streamsize n) {
    for (streamsize i = 0; i < n; ++i) {
      if (T::eq_int_type(overflow(T::to_int_type(text[i])), T::eof())) return i;
    }
    return n;
  }
  virtual int_type underflow() { return T::eof(); }
  virtual int_type uflow() { return T::eof(); }
  virtual int_type pbackfail(int_type) { return T::eof(); }
  virtual int sync() { return 0; }
};

template <class C, class T>
class basic_ios : public ios_base {
 public:
  typedef C char_type;
  typedef T traits_type;
  typedef typename T::int_type int_type;
  explicit basic_ios(basic_streambuf<C, T>* buffer) : buffer_(buffer) {}
  explicit operator bool() const { return !fail(); }
  bool operator!() const { return fail(); }
  iostate rdstate() const { return state_; }
  void clear(iostate state = goodbit) { state_ = state; }
  void setstate(iostate state) { state_ |= state; }
  bool good() const { return state_ == goodbit; }
  bool eof() const { return state_ & eofbit; }
  bool fail() const { return state_ & (failbit | badbit); }
  bool bad() const { return state_ & badbit; }
  basic_streambuf<C, T>* rdbuf() const { return buffer_; }
  basic_streambuf<C, T>* rdbuf(basic_streambuf<C, T>* buffer) {
    state_ = goodbit;
    return exchange(buffer_, buffer);
  }
  C fill() const { return fill_; }
  C fill(C c) { return exchange(fill_, c); }
  basic_ostream<C, T>* tie() const { return nullptr; }
  basic_ostream<C, T>* tie(basic_ostream<C, T>*) { return nullptr; }
  iostate exceptions() const { return goodbit; }
  void exceptions(iostate) {}
  basic_ios& copyfmt(const basic_ios& other) {
    flags_ = other.flags_;
    precision_ = other.precision_;
    width_ = other.width_;
    fill_ = other.fill_;
    return *this;
  }

 protected:
  basic_ios() {}
  void init(basic_streambuf<C, T>* buffer) { buffer_ = buffer; }
  basic_streambuf<C, T>* buffer_ = nullptr;
  iostate state_ = goodbit;
  C fill_ = C(' ');
};

template <class C, class T>
class basic_ostream : virtual public basic_ios<C, T> {
 public:
  typedef C char_type;
  typedef T traits_type;
  explicit basic_ostream(basic_streambuf<C, T>* buffer) { this->init(buffer); }
  class sentry {
   public:
    explicit sentry(basic_ostream& stream) : ok_(stream.good()) {}
    explicit operator bool() const { return ok_; }

   private:
    bool ok_;
  };

  basic_ostream& operator<<(basic_ostream& (*f)(basic_ostream&)) { return f(*this); }
  basic_ostream& operator<<(basic_ios<C, T>& (*f)(basic_ios<C, T>&)) { return f(*this), *this; }
  basic_ostream& operator<<(ios_base& (*f)(ios_base&)) { return f(*this), *this; }
  basic_ostream& operator<<(bool v);
  basic_ostream& operator<<(short v) { return whole(v, static_cast<unsigned short>(v)); }
  basic_ostream& operator<<(unsigned short v) { return whole(v); }
  basic_ostream& operator<<(int v) { return whole(v, static_cast<unsigned>(v)); }
  basic_ostream& operator<<(unsigned v) { return whole(v); }
  basic_ostream& operator<<(long v) { return whole(v, static_cast<unsigned long>(v)); }
  basic_ostream& operator<<(unsigned long v) { return whole(v); }
  basic_ostream& operator<<(long long v) { return whole(v, static_cast<unsigned long long>(v)); }
  basic_ostream& operator<<(unsigned long long v) { return whole(v); }
  basic_ostream& operator<<(float v) { return real(v); }
  basic_ostream& operator<<(double v) { return real(v); }
  basic_ostream& operator<<(long double v) { return real(static_cast<double>(v)); }
  basic_ostream& operator<<(_Float16 v) { return real(static_cast<double>(v)); }
  basic_ostream& operator<<(const void* v);
  basic_ostream& operator<<(const volatile void* v) { return *this << const_cast<const void*>(v); }
  basic_ostream& operator<<(nullptr_t) { return padded("nullptr", 7); }
  basic_ostream& operator<<(basic_streambuf<C, T>* from);
  basic_ostream& put(C c) { return write(&c, 1); }
  basic_ostream& write(const C* text, streamsize n);
  basic_ostream& flush() {
    if (this->buffer_) this->buffer_->pubsync();
    return *this;
  }
  streamoff tellp() { return -1; }
  basic_ostream& padded(const C* text, size_t n);  // with width and fill, as << of a string

 protected:
  basic_ostream() {}

 private:
  // Decimal numbers have a sign; others show their bits.
  basic_ostream& whole(long long v, unsigned long long bits) {
    return this->flags_ & (ios_base::hex | ios_base::oct) ? digits(bits, false)
           : v < 0                                        ? digits(0 - static_cast<unsigned long long>(v), true)
                                                          : digits(static_cast<unsigned long long>(v), false);
  }
  basic_ostream& whole(unsigned long long v) { return digits(v, false); }
  basic_ostream& digits(unsigned long long v, bool negative);
  basic_ostream& real(double v);
  basic_ostream& number(const char* text, size_t n);
};

template <class C, class T>
class basic_istream : virtual public basic_ios<C, T> {
 public:
  typedef C char_type;
  typedef T traits_type;
  typedef typename T::int_type int_type;
  explicit basic_istream(basic_streambuf<C, T>* buffer) { this->init(buffer); }
  basic_istream& operator>>(basic_istream& (*f)(basic_istream&)) { return f(*this); }
  basic_istream& operator>>(ios_base& (*f)(ios_base&)) { return f(*this), *this; }
  basic_istream& operator>>(bool& v) {
    int n = 0;
    *this >> n;
    v = n != 0;
    return *this;
  }
  basic_istream& operator>>(short& v) { return whole(v); }
  basic_istream& operator>>(unsigned short& v) { return whole(v); }
  basic_istream& operator>>(int& v) { return whole(v); }
  basic_istream& operator>>(unsigned& v) { return whole(v); }
  basic_istream& operator>>(long& v) { return whole(v); }
  basic_istream& operator>>(unsigned long& v) { return whole(v); }
  basic_istream& operator>>(long long& v) { return whole(v); }
  basic_istream& operator>>(unsigned long long& v) { return whole(v); }
  basic_istream& operator>>(float& v) { return real(v); }
  basic_istream& operator>>(double& v) { return real(v); }
  int_type get();
  basic_istream& get(C& c);
  int_type peek() { return this->buffer_ && this->good() ? this->buffer_->sgetc() : T::eof(); }
  basic_istream& ignore(streamsize n = 1, int_type until = T::eof());
  basic_istream& read(C* to, streamsize n);
  streamsize gcount() const { return count_; }
  basic_istream& unget() {
    if (this->buffer_) this->buffer_->sungetc();
    return *this;
  }
  bool word(basic_string<C, T>& text);   // skips spaces, then up to the next; false at the end
  bool line(basic_string<C, T>& text, C until);

 protected:
  basic_istream() {}

 private:
  template <class V>
  basic_istream& whole(V& v) {
    long long n = 0;
    if (integer(n)) v = static_cast<V>(n);
    return *this;
  }
  template <class V>
  basic_istream& real(V& v) {
    double n = 0;
    if (floating(n)) v = static_cast<V>(n);
    return *this;
  }
  bool integer(long long& v);
  bool floating(double& v);
  void skip_spaces();
  string number_text();
  streamsize count_ = 0;
};

template <class C, class T>
class basic_iostream : public basic_istream<C, T>, public basic_ostream<C, T> {
 public:
  typedef C char_type;
  typedef T traits_type;
  explicit basic_iostream(basic_streambuf<C, T>* buffer) { this->init(buffer); }

 protected:
  basic_iostream() {}
};

template <class C, class T, class A>
class basic_stringbuf : public basic_streambuf<C, T> {
 public:
  typedef basic_string<C, T, A> string_type;
  typedef typename T::int_type int_type;
  explicit basic_stringbuf(const string_type& text = string_type()) : text_(text) {}
  string_type str() const { return text_; }
  void str(const string_type& text) {
    text_ = text;
    at_ = 0;
  }

 protected:
  streamsize xsputn(const C* text, streamsize n) override {
    text_.append(text, static_cast<size_t>(n));
    return n;
  }
  int_type overflow(int_type c) override {
    text_.push_back(T::to_char_type(c));
    return c;
  }
  int_type underflow() override { return at_ < text_.size() ? T::to_int_type(text_[at_]) : T::eof(); }
  int_type uflow() override { return at_ < text_.size() ? T::to_int_type(text_[at_++]) : T::eof(); }
  int_type pbackfail(int_type) override { return at_ > 0 ? T::to_int_type(text_[--at_]) : T::eof(); }

 private:
  string_type text_;
  size_t at_ = 0;
};

#define KBFS_STRING_STREAM(name, base)                                                        \
  template <class C, class T, class A>                                                        \
  class name : public base<C, T> {                                                            \
   public:                                                                                    \
    typedef basic_string<C, T, A> string_type;                                                \
    name() { this->init(&text_); }                                                            \
    explicit name(ios_base::openmode) { this->init(&text_); }                                 \
    explicit name(const string_type& text, ios_base::openmode = ios_base::in | ios_base::out) \
        : text_(text) {                                                                       \
      this->init(&text_);                                                                     \
    }                                                                                         \
    string_type str() const { return text_.str(); }                                           \
    void str(const string_type& text) { text_.str(text); }                                    \
    basic_stringbuf<C, T, A>* rdbuf() const { return const_cast<basic_stringbuf<C, T, A>*>(&text_); } \
                                                                                              \
   private:                                                                                   \
    basic_stringbuf<C, T, A> text_;                                                           \
  };
KBFS_STRING_STREAM(basic_ostringstream, basic_ostream)
KBFS_STRING_STREAM(basic_istringstream, basic_istream)
KBFS_STRING_STREAM(basic_stringstream, basic_iostream)
#undef KBFS_STRING_STREAM

extern template class basic_ostream<char>;
extern template class basic_istream<char>;
extern template class basic_ostringstream<char>;
extern template class basic_istringstream<char>;
extern template class basic_stringstream<char>;

// --- text and characters ------------------------------------------------------------------------------------------

template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>& stream, char c) {
  return stream.padded(&c, 1);
}
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>& stream, signed char c) {
  return stream << static_cast<char>(c);
}
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>& stream, unsigned char c) {
  return stream << static_cast<char>(c);
}
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>& stream, const char* text) {
  return text ? stream.padded(text, T::length(text)) : stream.padded("(null)", 6);
}
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>& stream, const signed char* text) {
  return stream << reinterpret_cast<const char*>(text);
}
template <class T>
basic_ostream<char, T>& operator<<(basic_ostream<char, T>& stream, const unsigned char* text) {
  return stream << reinterpret_cast<const char*>(text);
}
template <class C, class T, class A>
basic_ostream<C, T>& operator<<(basic_ostream<C, T>& stream, const basic_string<C, T, A>& text) {
  return stream.padded(text.data(), text.size());
}
template <class C, class T>
basic_ostream<C, T>& operator<<(basic_ostream<C, T>& stream, basic_string_view<C, T> text) {
  return stream.padded(text.data(), text.size());
}
template <class C, class T>
basic_ostream<C, T>& operator<<(basic_ostream<C, T>& stream, const error_code& code) {
  return stream << code.category().name() << ':' << code.value();
}
template <class Stream, class V,
          enable_if_t<!is_lvalue_reference<Stream>::value && is_base_of<ios_base, Stream>::value, int> = 0,
          class = decltype(declval<Stream&>() << declval<const V&>())>
Stream&& operator<<(Stream&& stream, const V& value) {
  stream << value;
  return static_cast<Stream&&>(stream);
}

template <class C, class T, class A>
basic_istream<C, T>& operator>>(basic_istream<C, T>& stream, basic_string<C, T, A>& text) {
  stream.word(text);
  return stream;
}
template <class T>
basic_istream<char, T>& operator>>(basic_istream<char, T>& stream, char& c) {
  do stream.get(c);
  while (stream.good() && (c == ' ' || (c >= '\t' && c <= '\r')));
  return stream;
}
template <class C, class T, class A>
basic_istream<C, T>& getline(basic_istream<C, T>& stream, basic_string<C, T, A>& text, C until) {
  stream.line(text, until);
  return stream;
}
template <class C, class T, class A>
basic_istream<C, T>& getline(basic_istream<C, T>& stream, basic_string<C, T, A>& text) {
  return getline(stream, text, C('\n'));
}
template <class C, class T, class A>
basic_istream<C, T>& getline(basic_istream<C, T>&& stream, basic_string<C, T, A>& text, C until) {
  return getline(stream, text, until);
}
template <class C, class T, class A>
basic_istream<C, T>& getline(basic_istream<C, T>&& stream, basic_string<C, T, A>& text) {
  return getline(stream, text, C('\n'));
}

// --- manipulators -------------------------------------------------------------------------------------------------

template <class C, class T>
basic_ostream<C, T>& endl(basic_ostream<C, T>& stream) {
  return stream.put(C('\n')).flush();
}
template <class C, class T>
basic_ostream<C, T>& ends(basic_ostream<C, T>& stream) {
  return stream.put(C());
}
template <class C, class T>
basic_ostream<C, T>& flush(basic_ostream<C, T>& stream) {
  return stream.flush();
}
template <class C, class T>
basic_istream<C, T>& ws(basic_istream<C, T>& stream) {
  while (stream.peek() == ' ' || (stream.peek() >= '\t' && stream.peek() <= '\r')) stream.get();
  return stream;
}

#define KBFS_FLAG(name, set, mask)            \
  inline ios_base& name(ios_base& stream) {   \
    stream.setf(set, mask);                   \
    return stream;                            \
  }
KBFS_FLAG(boolalpha, ios_base::boolalpha, ios_base::boolalpha)
KBFS_FLAG(noboolalpha, 0, ios_base::boolalpha)
KBFS_FLAG(showbase, ios_base::showbase, ios_base::showbase)
KBFS_FLAG(noshowbase, 0, ios_base::showbase)
KBFS_FLAG(showpoint, ios_base::showpoint, ios_base::showpoint)
KBFS_FLAG(noshowpoint, 0, ios_base::showpoint)
KBFS_FLAG(showpos, ios_base::showpos, ios_base::showpos)
KBFS_FLAG(noshowpos, 0, ios_base::showpos)
KBFS_FLAG(skipws, ios_base::skipws, ios_base::skipws)
KBFS_FLAG(noskipws, 0, ios_base::skipws)
KBFS_FLAG(uppercase, ios_base::uppercase, ios_base::uppercase)
KBFS_FLAG(nouppercase, 0, ios_base::uppercase)
KBFS_FLAG(unitbuf, ios_base::unitbuf, ios_base::unitbuf)
KBFS_FLAG(nounitbuf, 0, ios_base::unitbuf)
KBFS_FLAG(left, ios_base::left, ios_base::adjustfield)
KBFS_FLAG(right, ios_base::right, ios_base::adjustfield)
KBFS_FLAG(internal, ios_base::internal, ios_base::adjustfield)
KBFS_FLAG(dec, ios_base::dec, ios_base::basefield)
KBFS_FLAG(hex, ios_base::hex, ios_base::basefield)
KBFS_FLAG(oct, ios_base::oct, ios_base::basefield)
KBFS_FLAG(fixed, ios_base::fixed, ios_base::floatfield)
KBFS_FLAG(scientific, ios_base::scientific, ios_base::floatfield)
KBFS_FLAG(hexfloat, ios_base::fixed | ios_base::scientific, ios_base::floatfield)
KBFS_FLAG(defaultfloat, 0, ios_base::floatfield)
#undef KBFS_FLAG

struct __kbfs_setw { int n; };
struct __kbfs_precision { int n; };
struct __kbfs_fill { char c; };
struct __kbfs_base { int base; };
struct __kbfs_flags { ios_base::fmtflags set, mask; };
inline __kbfs_setw setw(int n) { return {n}; }
inline __kbfs_precision setprecision(int n) { return {n}; }
inline __kbfs_fill setfill(char c) { return {c}; }
inline __kbfs_base setbase(int base) { return {base}; }
inline __kbfs_flags setiosflags(ios_base::fmtflags f) { return {f, f}; }
inline __kbfs_flags resetiosflags(ios_base::fmtflags f) { return {0, f}; }
inline ostream& operator<<(ostream& stream, __kbfs_setw m) { return stream.width(m.n), stream; }
inline ostream& operator<<(ostream& stream, __kbfs_precision m) { return stream.precision(m.n), stream; }
inline ostream& operator<<(ostream& stream, __kbfs_fill m) { return stream.fill(m.c), stream; }
inline ostream& operator<<(ostream& stream, __kbfs_base m) {
  return stream.setf(m.base == 16 ? ios_base::hex : m.base == 8 ? ios_base::oct : ios_base::dec, ios_base::basefield),
         stream;
}
inline ostream& operator<<(ostream& stream, __kbfs_flags m) { return stream.setf(m.set, m.mask), stream; }
inline istream& operator>>(istream& stream, __kbfs_setw m) { return stream.width(m.n), stream; }

inline string __kbfs_quoted(const string& text, char mark, char escape) {
  string out(1, mark);
  for (char c : text) {
    if (c == mark || c == escape) out.push_back(escape);
    out.push_back(c);
  }
  return out + mark;
}
inline string quoted(const string& text, char mark = '"', char escape = '\\') {
  return __kbfs_quoted(text, mark, escape);
}

// --- the standard streams -----------------------------------------------------------------------------------------

extern ostream cout, cerr, clog;
extern istream cin;

_LIBCPP_END_NAMESPACE_STD

#endif
