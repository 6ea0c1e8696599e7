"""What the benchmark's Python imports and a CPU has not: stubs, and random integers. Part of the sandboxed child."""

from __future__ import annotations

import importlib.util
import signal
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from typing import Any, ClassVar

import torch


class Inert(types.ModuleType):
    """A module of which every attribute is a function that returns its first argument."""

    __path__: ClassVar[list[str]] = []

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)  # torch asks `find_spec` of modules, which refuses one without

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *a, **k: a[0] if a else None


def install_stubs() -> None:
    for name in ("torch_npu", "torch_npu.contrib", "torch_npu.contrib.transfer_to_npu"):
        sys.modules[name] = Inert(name)
    sys.modules["torch_npu.contrib"].transfer_to_npu = sys.modules["torch_npu.contrib.transfer_to_npu"]
    sys.modules["torch_npu"].contrib = sys.modules["torch_npu.contrib"]
    if importlib.util.find_spec("pandas") is None:
        sys.modules["pandas"] = Inert("pandas")
    sys.modules["kernel_gen_ops"] = Kernels("kernel_gen_ops")


#: Integers of `randn` where the benchmark asks for them, which only an NPU grants, lie within ± this.
INTEGER_RANGE = 9


def shim_random(name: str) -> None:
    """`torch.rand` and `randn` with an integer dtype: `rand` gives 0 or 1, `randn` −9 … 9 (0 … 9 where unsigned)."""
    original = getattr(torch, name)

    def draw(*size: Any, dtype: Any = None, **options: Any) -> Any:
        if dtype is None or dtype.is_floating_point or dtype.is_complex:
            return original(*size, dtype=dtype, **options)
        shape = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
        if name == "rand" or dtype == torch.bool:
            return torch.randint(0, 2, shape, **options).to(dtype)
        low = 0 if dtype == torch.uint8 else -INTEGER_RANGE
        return torch.randint(low, INTEGER_RANGE + 1, shape, **options).to(dtype)

    setattr(torch, name, draw)


class _TooLong(Exception):
    """A computation that is only nice to have takes too long."""


@contextmanager
def at_most(cpu_s: float) -> Iterator[None]:
    """Raise `_TooLong` in the body after so much processor time."""

    def late(signum: int, frame: Any) -> None:
        raise _TooLong

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Row(dict[str, Any]):
    """One row of the benchmark's table, as its Python expects it: by key, by `.get`, by attribute."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Kernels(types.ModuleType):
    """`kernel_gen_ops`: every function is the current task's wrapper."""

    launch: Callable[[str, list[Any]], None] | None = None
    wrapper: Any = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._call

    def _call(self, *arguments: Any) -> Any:
        assert self.launch is not None
        return self.wrapper.call(self.launch, arguments)
