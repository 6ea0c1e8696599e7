"""AddCustom on a tensor of which every core takes three tiles."""

from kbench.task_specs.npukernelbench.add_custom import DTYPE, TASK
from kbench.task_specs.shapes import binary

CASES = binary([(DTYPE, (48, 46848))], "x", "y")
__all__ = ["CASES", "TASK"]
