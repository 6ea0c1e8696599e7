// A program: host code and kernels of one source in one process, with the device that it asks for.
//
// Descriptors: 3 the plan (JSON: the chip, the program's arguments and its files), 4 the report (JSON lines), 5 the
// content of its files, 6 the files that it has written, one after the other as the report lists them.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace kb_program {

inline constexpr int kReportFile = 4;
inline constexpr int kFilesIn = 5;
inline constexpr int kFilesOut = 6;
inline constexpr uint32_t kMaxBuffers = 4096;

// ---- files.cpp ------------------------------------------------------------------------------------------------------

void map_files();   // before lock-down
void list_files();  // as the plan names them
void keep_files();  // hands over what was written and not closed

// ---- acl.cpp --------------------------------------------------------------------------------------------------------

// Device memory can be touched between these two: elsewhere the host's accesses are faults, as they are on a device.
void open_device();
void close_device();
// Said at the program's end: what it left.
void check_left();

// ---- launch.cpp -----------------------------------------------------------------------------------------------------

void make_device();  // before lock-down
// True while a stream has kernels that nobody has waited for.
bool unfinished();
void wait_for_streams();

}  // namespace kb_program
