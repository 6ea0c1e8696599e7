// The vector operations. Includes only.
#pragma once

#include "kernel_operator_vec_binary_intf.h"
#include "kernel_operator_vec_binary_scalar_intf.h"
#include "kernel_operator_vec_brcb_intf.h"
#include "kernel_operator_vec_cmpsel_intf.h"
#include "kernel_operator_vec_createvecindex_intf.h"
#include "kernel_operator_vec_duplicate_intf.h"
#include "kernel_operator_vec_gather_intf.h"
#include "kernel_operator_vec_gather_mask_intf.h"
#include "kernel_operator_vec_mask_intf.h"
#include "kernel_operator_vec_mulcast_intf.h"
#include "kernel_operator_vec_reduce_intf.h"
#include "kernel_operator_vec_ternary_scalar_intf.h"
#include "kernel_operator_vec_transpose_intf.h"
#include "kernel_operator_vec_unary_intf.h"
#include "kernel_operator_vec_vconv_intf.h"
#include "kernel_vec_intrinsics.h"
