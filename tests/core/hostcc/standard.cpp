// A candidate that uses the C++ library in many ways; its first argument chooses one.
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

struct Early {
  Early() { std::cout << "early" << std::endl; }
} early;

struct Base {
  virtual ~Base() {}
};
struct Derived : Base {};

struct P {
  int x;
};
std::ostream& operator<<(std::ostream& out, const P& p) { return out << "P(" << p.x << ")"; }

static void containers() {
  std::map<std::string, std::vector<int>> m;
  m["b"] = {3};
  m["a"] = {1, 2};
  printf("a:%d,%d b:%d\n", m["a"][0], m["a"][1], m["b"].front());
  std::vector<int> v = {9, 3, 1, 2};
  std::sort(v.begin(), v.end());
  printf("sorted %d %d %d %d\nsum %d\n", v[0], v[1], v[2], v[3], std::accumulate(v.begin(), v.end(), 0));
  std::set<int> s = {5, 1, 2, 1};
  printf("set");
  for (int x : s) printf(" %d", x);
  std::unordered_map<std::string, int> u;
  for (int i = 0; i < 100; ++i) u["k" + std::to_string(i)] = i;
  printf("\nfound %d\n", u.at("k42"));
  auto p = std::make_shared<int>(4);
  std::function<int(int)> f = [p](int a) { return a + *p; };
  printf("%d shared\n", f(3));
  std::tuple<int, std::string, double> t{1, "x", 2.5};
  printf("tuple %d %s %.1f\n", std::get<0>(t), std::get<1>(t).c_str(), std::get<2>(t));
  printf("to_string %s %s\nstoi %d\n", std::to_string(-12).c_str(), std::to_string(3.5).c_str(), std::stoi("77x"));
  std::array<int, 3> a{};
  a[2] = 3;
  printf("array %d %d %d\n", a[0], a[1], a[2]);
  std::unique_ptr<Base> d = std::make_unique<Derived>(), b = std::make_unique<Base>();
  printf("dynamic %s %s\n", dynamic_cast<Derived*>(d.get()) ? "yes" : "no", dynamic_cast<Derived*>(b.get()) ? "yes" : "no");
  try {
    throw std::out_of_range("late: key");
  } catch (const std::exception& e) {
    printf("caught %s\n", e.what());
  }
  try {
    throw 5;
  } catch (int n) {
    printf("caught %d\n", n);
  }
}

static void streams() {
  std::cout << 1 << ' ' << 2.5 << " x " << std::string("yy") << ' ' << true << ' ' << std::boolalpha << true << ' ' << -3LL
            << ' ' << std::hex << 255 << ' ' << std::showbase << 255 << std::noshowbase << std::dec << ' ' << size_t(17)
            << ' ' << uint8_t(65) << ' ' << 0.1f << std::endl;
  std::ostringstream text;
  text << "[" << std::setw(5) << std::setfill('0') << 42 << "] " << std::fixed << std::setprecision(2) << 3.14159 << " "
       << P{3} << " " << std::scientific << std::setprecision(6) << 12345.678;
  std::cout << text.str() << "\n";
  std::cout << std::left << std::setw(6) << "ab" << "|" << std::right << std::setw(6) << "ab" << "|" << std::internal
            << std::setfill('0') << std::setw(5) << -7 << std::setfill(' ') << "\n";
  std::stringstream in("12 3.5 abc");
  int n;
  double d;
  std::string word;
  in >> n >> d >> word;
  std::cout << n << " " << d << " " << word << "\n";
  std::istringstream lines("l1\nl2");
  for (std::string line; std::getline(lines, line);) std::cout << "<" << line << ">";
  std::cout << "\n" << 1e20 << " " << 1e-5 << " " << 1e5 << " " << NAN << " " << -INFINITY << "\n";
}

static double of_hex(const char* text) {
  uint64_t bits = strtoull(text, nullptr, 16);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void show_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  printf("%lx\n", bits);
}

static int after_dashes(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    if (!strcmp(argv[i], "--")) return i + 1;
  }
  return argc;
}

#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
static void formats(int argc, char** argv) {
  int first = after_dashes(argc, argv);
  for (int i = first; i < argc; ++i) {
    for (int k = 2; k < first - 1; ++k) {
      printf(argv[k], strtod(argv[i], nullptr));
      printf("\n");
    }
  }
}

static void integers() {
  printf("%d|%6d|%-6d|%06d|%+d|%#x|%#X|%#o|%u|%lu|%ld|%hhd|%hhu\n", -42, -42, -42, -42, 42, 42, 42, 42, 42u, ~0ul,
         1L << 63, 255, 255);
  printf("%s|%6s|%.2s|%s|%c|%%\n", "text", "text", "text", static_cast<char*>(nullptr), 'c');
  printf("%a %a %a\n", 1.5, 5e-324, -3.141592653589793);
}

static void read_numbers(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    double value = strtod(argv[i], nullptr);
    // Python's float.hex()
    if (std::isinf(value)) printf("%s\n", value < 0 ? "-inf" : "inf");
    else if (value == 0) printf("%s0x0.0p+0\n", std::signbit(value) ? "-" : "");
    else if (std::fabs(value) < 0x1p-1022) printf("%s0x0.%013lxp-1022\n", value < 0 ? "-" : "", [&] {
      uint64_t bits;
      memcpy(&bits, &value, 8);
      return bits & ((1ul << 52) - 1);
    }());
    else printf("%.13a\n", value);
  }
}

#define ONE(name) {#name, [](double x) { return std::name(x); }}
#define TWO(name) {#name, [](double x, double y) { return std::name(x, y); }}
static void mathematics(int argc, char** argv) {
  static const std::map<std::string, double (*)(double)> functions = {
      ONE(exp), ONE(exp2), ONE(expm1), ONE(log), ONE(log2), ONE(log10), ONE(log1p), ONE(sin), ONE(cos), ONE(tan),
      ONE(asin), ONE(acos), ONE(atan), ONE(sinh), ONE(cosh), ONE(tanh), ONE(asinh), ONE(acosh), ONE(atanh), ONE(cbrt),
      ONE(sqrt), ONE(floor), ONE(ceil), ONE(trunc), ONE(rint), ONE(fabs), ONE(erf), ONE(round)};
  int first = after_dashes(argc, argv);
  for (int k = 2; k < first - 1; ++k) {
    for (int i = first; i < argc; ++i) show_bits(functions.at(argv[k])(of_hex(argv[i])));
  }
}

static void mathematics_of_two(int argc, char** argv) {
  static const std::map<std::string, double (*)(double, double)> functions = {TWO(pow), TWO(fmod), TWO(atan2), TWO(hypot)};
  int first = after_dashes(argc, argv);
  for (int k = 2; k < first - 1; ++k) {
    for (int i = first; i + 1 < argc; i += 2) show_bits(functions.at(argv[k])(of_hex(argv[i]), of_hex(argv[i + 1])));
  }
}

static void halves(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    auto bits = static_cast<uint32_t>(strtoul(argv[i], nullptr, 16));
    float value;
    memcpy(&value, &bits, 4);
    volatile _Float16 half = static_cast<_Float16>(value);
    _Float16 copy = half;
    uint16_t short_bits;
    memcpy(&short_bits, &copy, 2);
    float back = static_cast<float>(half);
    memcpy(&bits, &back, 4);
    printf("%x %x\n", short_bits, bits);
  }
}

struct Abstract {
  Abstract() { call(); }
  void call() { act(); }
  virtual void act() = 0;
};
struct Concrete : Abstract {
  void act() override {}
};

static int deep(int n) {
  volatile char room[1000];
  room[n % 1000] = static_cast<char>(n);
  return deep(n + 1) + room[0];
}

static volatile int zero = 0;
static char* volatile sink;

static void end(const char* face) {
  if (!strcmp(face, "null")) *reinterpret_cast<volatile int*>(zero) = 1;
  if (!strcmp(face, "read")) zero = *reinterpret_cast<volatile int*>(0x1234);
  if (!strcmp(face, "divide")) printf("%d\n", 3 / zero);
  if (!strcmp(face, "overflow")) printf("%d\n", deep(0));
  if (!strcmp(face, "memory")) {
    for (;;) {
      sink = new char[1000000];
      *sink = 1;
    }
  }
  if (!strcmp(face, "huge")) sink = new char[size_t{1} << 40];
  if (!strcmp(face, "throw")) throw std::runtime_error("no luck");
  if (!strcmp(face, "abort")) abort();
  if (!strcmp(face, "assert")) assert(1 > 2);
  if (!strcmp(face, "exit")) exit(0);
  if (!strcmp(face, "pure")) Concrete();
  if (!strcmp(face, "trap")) __builtin_trap();
  if (!strcmp(face, "double_free")) {
    sink = static_cast<char*>(malloc(300000));
    free(sink);
    free(sink);
  }
}

extern "C" void candidate(int argc, char** argv) {
  std::string face = argc > 1 ? argv[1] : "";
  if (face == "containers") containers();
  else if (face == "streams") streams();
  else if (face == "printf") formats(argc, argv);
  else if (face == "integers") integers();
  else if (face == "strtod") read_numbers(argc, argv);
  else if (face == "math") mathematics(argc, argv);
  else if (face == "math2") mathematics_of_two(argc, argv);
  else if (face == "half") halves(argc, argv);
  else if (face == "clock") printf("%ld\n", static_cast<long>(std::chrono::steady_clock::now().time_since_epoch().count()));
  else end(argv[1]);
}
