// The chip's numbers, as the platform's configuration file names them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "platform/platform_infos_def.h"

// As the vendor's header does; host sources that include it write `map` for std::map.
using std::map;
using std::string;
using std::vector;
