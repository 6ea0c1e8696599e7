"""What the AIE API's operations give, in NumPy, from the vendor's pages: the headers' documentation and tables, and
where they are silent the public descriptions of the machine. Nothing here looks at the simulator: a test holds it to
numpy and ml_dtypes.

Elements of the integer types travel as int64, bfloat16 and float as their own NumPy types, a complex vector as an array
with a last axis of two. Where a page leaves a result open, the oracle says so (`UNDEFINED`, a tolerance, or no oracle).
"""
