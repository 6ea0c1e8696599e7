// Shared between the files of the support library only.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace kbfs {

void set_up_faults() noexcept;                      // faults.cpp
const void* program_headers(size_t* count) noexcept;  // start.cpp: Elf64_Phdr[count]
void copy_bytes(void* to, const void* from, size_t bytes) noexcept;  // bytes.cpp: usable before anything is set up
bool is_writable(int fd) noexcept;                  // lockdown.cpp: fd is among the allowed ones
void end_line(const char* outcome, const char* message, uintptr_t pc) noexcept;  // report.cpp
double parse_double(const char* text, char** end) noexcept;  // stdlib.cpp: strtod, correctly rounded
size_t shortest(double value, char* out) noexcept;  // format.cpp: %.17g trimmed to the shortest that reads back

}  // namespace kbfs
