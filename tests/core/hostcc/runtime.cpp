// The least that a simulator's runtime does: calls the candidate, then reports its counter.
#include "kbfs.h"

extern "C" {
void candidate(int argc, char** argv);
long kbrt_counter = 0;
void kbrt_count() { ++kbrt_counter; }
}

extern "C" void fs_before(int, char**) { kbfs::heap_limit(64 << 20); }

extern "C" int fs_main(int argc, char** argv) {
  candidate(argc, argv);
  kbfs::Report().number("counted", kbrt_counter).end();
  return 0;
}
