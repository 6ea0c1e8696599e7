"""Operators of NPUKernelBench: names, arguments, dtypes, published shapes as there; models, draws, tolerances ours."""
