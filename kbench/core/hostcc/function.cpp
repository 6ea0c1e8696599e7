// Calls one C function of a candidate, with buffers that the parent laid out (see function.py).
//
// Descriptors: 3 the inputs' bytes, 4 the report, 5 the outputs' bytes. Arguments of the program: one for each
// parameter of the function, `KIND:OFFSET:SPAN:LEAD` with KIND `i` or `o`: its SPAN bytes (whole pages) start at OFFSET
// of that file, and the buffer starts LEAD bytes into them, so that it ends where the guard begins.
#include "kbfs.h"

extern "C" void kb_call(void* const* arguments);  // made from the function's signature, beside the candidate

namespace {

constexpr int kInputs = 3, kOutputs = 5, kMostArguments = 128;
constexpr size_t kGuard = 1 << 20;  // costs address space only
void* arguments[kMostArguments];

uint64_t number(const char*& text) {
  uint64_t value = 0;
  while (*text >= '0' && *text <= '9') value = value * 10 + static_cast<uint64_t>(*text++ - '0');
  if (*text == ':') ++text;
  return value;
}

void* map_buffer(const char* text) {
  const bool output = text[0] == 'o';
  text += 2;
  const uint64_t offset = number(text), span = number(text), lead = number(text);
  char* const reserved = static_cast<char*>(kbfs::map_memory(kGuard + span + kGuard, kbfs::kNone));
  if (reserved == nullptr) return nullptr;
  // Inputs are read-only: a function that writes to one ends as a crash in its own line.
  void* const mapped = kbfs::map_file(output ? kOutputs : kInputs, offset, span, output ? kbfs::kReadWrite : kbfs::kRead,
                                      output, reserved + kGuard);
  return mapped == nullptr ? nullptr : static_cast<char*>(mapped) + lead;
}

}  // namespace

extern "C" void fs_before(int argc, char** argv) {
  for (int i = 1; i < argc && i <= kMostArguments; ++i) {
    arguments[i - 1] = map_buffer(argv[i]);
    if (arguments[i - 1] == nullptr) kbfs::die("harness_error", "cannot map argument %d", i);
  }
}

extern "C" int fs_main(int, char**) {
  kb_call(arguments);
  return 0;
}
