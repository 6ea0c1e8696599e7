"""From a kernel's IR to the machine operations that the scheduler places: instruction selection, as far as cycles
need it."""
