// What operations cost. The numbers come with the launch (plan.h) from one table, ../prices.py, which has their units and
// sources; names and order here are those of the table.
#pragma once

#include <stdint.h>

namespace kb {

struct Prices {
    double clock_mhz;
    double chip_cores;
    double l2_bytes;
    double launch_one_core_us;
    double launch_per_core_us;
    double scalar_call;
    double scalar_block;
    double scalar_access;
    double scalar_register;
    double queue_depth;
    double flag_latency;
    double sync_all;
    double vector_overhead;
    double read_write_conflict;
    double slow_repeat_16;
    double slow_repeat_32;
    double double_repeat;
    double reduce_repeat;
    double reduce_block_16;
    double gather_element;
    double gatherb_repeat;
    double gather_mask_repeat;
    double sort_element;
    double library_passes;
    double copy_in_latency;
    double copy_out_latency;
    double copy_interval;
    double core_bytes;
    double core_l2_bytes;
    double memory_gbps;
    double l2_gbps;
    double mixed_gbps;
    double line_bytes;
    double request_overhead;
    double same_address;
};
inline constexpr uint32_t kPrices = sizeof(Prices) / sizeof(double);

}  // namespace kb
