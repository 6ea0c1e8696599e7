// The check before an access of the candidate: memory.cpp has it; operations that read or write memory ask for it too.
#pragma once

#include <stdint.h>

extern "C" {
void kbrt_check_read(uint32_t address, uint32_t bytes, uint32_t align, int32_t loc);
void kbrt_check_write(uint32_t address, uint32_t bytes, uint32_t align, int32_t loc);
}
