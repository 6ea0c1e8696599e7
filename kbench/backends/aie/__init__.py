"""The AIE tile of AMD's NPUs: kernels of the AIE API for AIE2 (npu1) and AIE2P (npu2)."""

from __future__ import annotations

from kbench.core.backend import Backend
from kbench.core.hookspecs import hookimpl


@hookimpl
def kbench_register_backends() -> list[type[Backend]]:
    from kbench.backends.aie.backend import AieBackend

    return [AieBackend]
