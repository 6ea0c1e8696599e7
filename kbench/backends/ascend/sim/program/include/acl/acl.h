// What host programs start and end with.
#pragma once

#include "acl_rt.h"

extern "C" {
aclError aclInit(const char* configPath);
aclError aclFinalize();
const char* aclGetRecentErrMsg();
}
