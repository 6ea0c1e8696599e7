"""An interpreter for the small part of C++ in which benchmarks write their glue.

Two kinds of file are read with it, unmodified: an operator's registration (a class whose constructor describes inputs,
outputs and attributes) and the wrapper between Python and the kernel call (which allocates outputs and passes
arguments on). Interpreting them tells the kernel's interface for every case exactly, where reading them with regular
expressions would guess.

What the names mean (`torch::empty`, `this->Input`, …) is the `Host`'s business; this package knows the language only:
declarations, assignments, calls, `if`, `for`, `switch`, lambdas, initialiser lists, vectors and maps. Function bodies
are parsed when they are called, so that a file may hold any other C++ in functions that nobody calls.

It stands alone: the sandboxed child, which has no kbench, loads it too.
"""

from .interpreter import Host, Interpreter, Pointer
from .program import Function, Parameter, Program, read_program
from .syntax import unquote
from .tokens import CppError, Token, tokenize

__all__ = [
    "CppError",
    "Function",
    "Host",
    "Interpreter",
    "Parameter",
    "Pointer",
    "Program",
    "Token",
    "read_program",
    "tokenize",
    "unquote",
]
