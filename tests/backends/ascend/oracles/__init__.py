"""What the documented operations give, in NumPy: written from documentation only, apart from the simulator.

Nothing below imports kbench. Each module says which pages of the CANN documentation (API reference, 2026-07, NPU
architecture 2201) it reads; where they say less than a bit pattern, it says what is taken instead.
"""
