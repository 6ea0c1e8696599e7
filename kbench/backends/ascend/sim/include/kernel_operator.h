// Everything that `#include "kernel_operator.h"` brings on the device. Includes only.
#pragma once

#include "kernel_macros.h"
#include "kernel_types.h"
#include "kernel_utils.h"
#include "kernel_event.h"
#include "kernel_struct_data_copy.h"
#include "kernel_tensor.h"
#include "kernel_tpipe.h"
#include "kernel_tiling_macros.h"
#include "kernel_operator_block_sync_intf.h"
#include "kernel_operator_cache_intf.h"
#include "kernel_operator_common_intf.h"
#include "kernel_operator_data_copy_intf.h"
#include "kernel_operator_determine_compute_sync_intf.h"
#include "kernel_operator_dump_tensor_intf.h"
#include "kernel_operator_list_tensor_intf.h"
#include "kernel_operator_scalar_intf.h"
#include "kernel_operator_set_atomic_intf.h"
#include "kernel_operator_swap_mem_intf.h"
#include "kernel_operator_sys_var_intf.h"
#if __has_include("kernel_operator_vec_intf.h")
#include "kernel_operator_vec_intf.h"
#endif
