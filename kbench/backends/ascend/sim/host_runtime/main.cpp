// Entry of a host executable: `registry` tells what the host registered, `tiling` runs its tiling function for a case,
// `inference` its functions for the outputs' shapes and types.
#include "deaths.h"
#include "kbfs.h"
#include "plan.h"
#include "state.h"

extern "C" void fs_before(int, char**) {
    kbhost::report_deaths();
    kbhost::read_plan();
    kbfs::heap_limit(size_t{512} << 20);
}

extern "C" int fs_main(int, char**) {
    const std::string& mode = kbhost::plan()["mode"].text();
    kbhost::make_definitions();
    if (mode == "registry") {
        kbhost::dump_registry();
    } else if (mode == "inference") {
        kbhost::run_inference();
    } else {
        kbhost::run_tiling();
    }
    kbfs::flush_stdout();
    return 0;
}
