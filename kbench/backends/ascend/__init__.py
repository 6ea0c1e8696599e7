"""Huawei Ascend: AscendC kernels for Atlas A2 and A3."""

from __future__ import annotations

from kbench.core.backend import Backend
from kbench.core.hookspecs import hookimpl


@hookimpl
def kbench_register_backends() -> list[type[Backend]]:
    from kbench.backends.ascend.backend import AscendBackend

    return [AscendBackend]
