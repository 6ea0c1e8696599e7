"""Running one program on a backend: what `kbench exec` does."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kbench.core.backend import Settings
from kbench.core.errors import ConfigError, unknown_name
from kbench.core.plugins import registry
from kbench.core.program import ProgramRun


def execute(
    source: Path,
    arguments: Sequence[str],
    folder: Path,
    *,
    defines: Sequence[str] = (),
    plugins: Sequence[str] = (),
    backend: str | None = None,
    target: str | None = None,
    sandbox: str = "auto",
    timeout_s: float = 60.0,
    poison: int = 0xFF,
    numerics: str = "exact",
) -> ProgramRun:
    """Build and run the program of `source` in `folder`, on the named backend or the one that reads such a source.

    Raises:
        ConfigError: no such backend, or none that takes this kind of source.
        CompileError, RunError: the program is at fault.
        UnsupportedApi, HarnessError: we are.
    """
    known = registry(plugins=plugins, collect=True).backends
    if backend is not None and backend not in known:
        raise unknown_name("backend", backend, known)
    fit = [b for b in known.values() if source.suffix in b.program_suffixes]
    chosen = known[backend] if backend is not None else fit[0] if fit else None
    if chosen is None:
        taken = ", ".join(sorted({s for b in known.values() for s in b.program_suffixes}))
        raise ConfigError(f"{source}: no backend runs programs of this kind; there are: {taken or 'none'}")
    runner = chosen()
    settings = Settings(target or runner.default_target, sandbox=sandbox, run_timeout_s=timeout_s, numerics=numerics)
    runner.check_settings(settings)
    with tempfile.TemporaryDirectory(prefix="kbench-") as scratch:
        program = replace(
            runner.read_program(source, folder, arguments), defines=tuple(defines), poison=poison, numerics=numerics
        )
        return runner.run_program(program, settings, Path(scratch))
