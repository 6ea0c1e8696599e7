"""The AIE simulator: a candidate's IR, lowered to WebAssembly with checks, linked with the operations and run."""
