// The row-wise part of the high-level library: softmax and normalisations. Includes only.
#pragma once

#include "adv_api/activation/logsoftmax.h"
#include "adv_api/activation/simplesoftmax.h"
#include "adv_api/activation/softmax.h"
#include "adv_api/activation/softmaxflash.h"
#include "adv_api/activation/softmaxflashv2.h"
#include "adv_api/activation/softmaxflashv3.h"
#include "adv_api/activation/softmaxgrad.h"
