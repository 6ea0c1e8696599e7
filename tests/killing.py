"""A process that works on a run and is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def work_until_killed(folder: Path, records: int, how: str, before: str = "") -> None:
    """Work on a run in a process of its own, with `how` as `work`'s keyword arguments and the statements of `before`
    in front of it, and kill it as soon as so many records are on disk. It must not have ended by then."""
    code = (
        "import sys; from pathlib import Path; from kbench.core.runs.store import RunFolder; "
        f"from kbench.core.runs.session import work; {before}"
        f"work(RunFolder.open(Path(sys.argv[1])), watch=lambda record: None, {how})"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "-c", code, str(folder)], env=environment)
    while len((folder / "records.jsonl").read_bytes().splitlines()) < records:
        time.sleep(0.01)
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
