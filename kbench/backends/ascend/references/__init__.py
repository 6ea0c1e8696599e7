"""Solutions of the built-in tasks in AscendC, ours: multi-core, double-buffered, tiled on the host, for any shape."""

from __future__ import annotations

import functools
from importlib import resources

from kbench.backends.ascend.interface import kernel_name
from kbench.core.candidate import Candidate


@functools.cache
def load(task_name: str) -> Candidate | None:
    """The packaged solution of a task: kernel, host and its tiling header. None where there is none."""
    name = kernel_name(task_name)
    folder = resources.files(__name__) / name
    roles = {
        "op_kernel": f"op_kernel/{name}.cpp",
        "op_host": f"op_host/{name}.cpp",
        "tiling": f"op_host/{name}_tiling.h",
    }
    if not (folder / roles["op_kernel"]).is_file():
        return None
    files = {path: (folder / path).read_text(encoding="utf-8") for path in roles.values()}
    return Candidate(files=files, roles=roles, entry=name)
