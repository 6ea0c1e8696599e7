"""Operators of NPUEval: names, arguments, sizes, tolerances as there; models and draws ours.

Every module holds `TASK` and `CASES`. The sizes are the operator's: its kernel is one call on whole buffers, and cases
differ in their inputs and in the values of runtime parameters. Where the published outputs show that a result was
rounded to bfloat16 in between, the model rounds there too, and the draws keep to inputs on which a wider computation
agrees within the tolerance.
"""
