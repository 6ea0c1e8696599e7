"""Headers that each stand alone, all in one compilation: every header is a submodule, which sees what it includes
itself and nothing that another header has brought along. Stricter than compiling each one: macros and the standard
library's names count too, and warnings are not muted as those of system headers are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kbench.core.hostcc.compiler import CompileJob, Source, compile_object
from kbench.core.hostcc.sandbox import sandbox

_FLAGS = ("-Wall", "-Wextra", "-Werror", "-Xclang", "-emit-module", "-fmodules")
_APART = ("-fmodule-name=headers", "-fno-implicit-module-maps", "-Xclang", "-fmodules-local-submodule-visibility")


def compile_apart(include: Path, headers: Iterable[Path], workdir: Path, part: str = "kernel") -> None:
    """Raises CompileError, with the compiler's words, where a header below `include` needs what it does not include."""
    lines = [f'module h{i} {{ header "{header}" export * }}' for i, header in enumerate(headers)]
    text = "module headers {\n" + "\n".join(lines) + "\n}\n"
    source = Source({"module.modulemap": text}, "module.modulemap")
    job = CompileJob(source, includes=(include,), flags=(*_FLAGS, *_APART), part=part)
    compile_object(job, sandbox("auto"), 120, workdir)
