#pragma once

#include <cstdint>

#include "graph/types.h"
