// A program's life: its plan and files are mapped, its constructors and `main` run, what it wrote is handed over.
#include <string>
#include <vector>

#include "kbfs.h"
#include "machine.h"
#include "../../host_runtime/plan.h"
#include "program.h"

// The candidate's; C++ lets nobody call it under its own name.
extern "C" int kb_program_main(int argc, char** argv) asm("main");

extern "C" void fs_before(int, char**) {
    kbfs::report_to(kb_program::kReportFile);
    kb::watch_faults();
    kbhost::read_plan();
    kbfs::heap_limit(size_t{2} << 30);
    kb_program::map_files();
    kb_program::make_device();
}

extern "C" int fs_main(int, char**) {
    kb_program::list_files();
    std::vector<std::string> words;
    for (const kbhost::Json& word : kbhost::plan()["arguments"].items()) words.push_back(word.text());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int code = kb_program_main(static_cast<int>(words.size()), argv.data());
    kbfs::flush_stdout();
    kb_program::check_left();
    kb_program::keep_files();
    kbfs::Report report;
    report.boolean("end", true).text("outcome", "ok").number("code", code);
    return 0;
}
