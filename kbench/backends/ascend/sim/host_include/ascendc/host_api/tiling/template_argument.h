#pragma once

#include "tiling/template_argument.h"
