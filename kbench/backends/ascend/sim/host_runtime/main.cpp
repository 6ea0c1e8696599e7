// Entry of a host executable: `registry` tells what the host registered, `tiling` runs its tiling function for a case.
#include "kbfs.h"
#include "plan.h"
#include "state.h"

extern "C" int fs_main(int, char**) {
    const std::string& mode = kbhost::plan()["mode"].text();
    kbhost::make_definitions();
    if (mode == "registry") {
        kbhost::dump_registry();
    } else {
        kbhost::run_tiling();
    }
    kbfs::flush_stdout();
    return 0;
}
