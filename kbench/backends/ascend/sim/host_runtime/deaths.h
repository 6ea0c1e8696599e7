// Where in the candidate's code the program was when it ended.
#pragma once

namespace kbhost {
// From now on the end of the program is preceded by a line {"frames": [...]}: addresses of code, innermost first.
void report_deaths();
}  // namespace kbhost
