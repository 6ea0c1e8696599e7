"""What a run took: the kernel's bundles, weighted with how often each block ran, between event0 and event1.

program.py   the kernel's functions, selected and scheduled; what their loops are called in the source
window.py    what lies between the events, counted in whole blocks and parts of two
useful.py    which vector operations reach an output
tally.py     cycles, slots, vector cycles by class, products, of everything in the window
findings.py  hints, and what makes the figures suspect
report.py    the profile; listing.py: the bundles as text; timeline.py: the bundles in time
"""
