// A runtime that gives the candidate what no simulator may: any system call, to see that none gets through.
#include "kbfs.h"
#include "syscalls.h"

extern "C" {
void candidate(int argc, char** argv);
long kbrt_call(long number, long a, long b, long c, long d, long e, long f) {
  return kbfs::sys::call(number, a, b, c, d, e, f);
}
}

extern "C" int fs_main(int argc, char** argv) {
  candidate(argc, argv);
  return 0;
}
