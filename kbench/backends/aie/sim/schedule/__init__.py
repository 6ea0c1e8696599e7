"""How many cycles a kernel takes: its machine operations placed in the slots of the device, block by block.

`program.py` is what is given, `result.py` what comes back.
"""
