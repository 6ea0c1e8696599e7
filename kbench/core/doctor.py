"""What works on this machine, what does not, and what to install."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence

from kbench import __version__
from kbench.core.backend import Probe
from kbench.core.errors import HarnessError, ToolMissing
from kbench.core.plugins import Registry


def probes(known: Registry, backends: Sequence[str] = ()) -> list[Probe]:
    """Every component: kbench's own, then those of each backend (all of them where none is named).

    Plugins that failed are in `known.problems` and are shown as broken; nothing is raised.
    """
    found = [Probe("kbench", "ok", f"{__version__}, Python {sys.version.split()[0]}, {platform.platform()}")]
    found += [Probe("plugin", "broken", problem) for problem in known.problems]
    found += [_probe("compiler", _compiler), _probe("cache", _cache)]
    found += [_probe(f"sandbox {mode}", _sandbox(mode)) for mode in ("auto", "bwrap", "seccomp")]
    for name in backends or sorted(known.backends):
        found += _backend_probes(name, known)
    return found


def _probe(component: str, ask: Callable[[], str]) -> Probe:
    try:
        return Probe(component, "ok", ask())
    except ToolMissing as error:
        return Probe(component, "missing", str(error))
    except HarnessError as error:
        return Probe(component, "unavailable", str(error))
    except Exception as error:  # a doctor goes on to the next organ
        return Probe(component, "broken", f"{type(error).__name__}: {error}")


def _compiler() -> str:
    from kbench.core.hostcc.toolchain import toolchain

    return toolchain().identity


def _cache() -> str:
    from kbench.core.hostcc.cache import default_cache

    return str(default_cache().root)


def _sandbox(mode: str) -> Callable[[], str]:
    def ask() -> str:
        from kbench.core.hostcc.sandbox import sandbox

        return f"works: {sandbox(mode).mode}"

    return ask


def _backend_probes(name: str, known: Registry) -> list[Probe]:
    try:
        return [
            Probe(f"{name} {p.component}", p.status, p.detail, p.fix, p.device_tested)
            for p in known.backends[name]().doctor()
        ]
    except Exception as error:
        return [Probe(name, "broken", f"{type(error).__name__}: {error}")]
