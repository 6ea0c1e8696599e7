"""Work on a run: a new one, planned, or one that is taken up again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from kbench.cli.console import make_console, making_ready
from kbench.cli.errors import INTERRUPTED
from kbench.cli.given import campaign_options
from kbench.cli.progress import watched

if TYPE_CHECKING:
    from kbench.core.runs.manifest import Manifest
    from kbench.core.runs.store import RunFolder

DEFAULT_RUNS = Path("runs")


class Workers(NamedTuple):
    """How much goes on at once: worker processes, and requests to a model (None: as many as the generator takes)."""

    jobs: int
    concurrency: int | None

    @classmethod
    def given(cls, jobs: int | None, concurrency: int | None) -> Workers:
        """As many processes as the machine takes, where none are given.

        Raises:
            ConfigError: less than one of either.
        """
        from kbench.core.errors import ConfigError
        from kbench.core.runs.pool import default_jobs

        if concurrency is not None and concurrency < 1:
            raise ConfigError(f"--concurrency {concurrency}: at least one request is needed")
        if jobs is not None and jobs < 1:
            raise ConfigError(f"--jobs {jobs}: at least one worker is needed")
        return cls(default_jobs() if jobs is None else jobs, concurrency)


def planned(out: Path | None, options: dict[str, Any]) -> RunFolder:
    """A new run, in `out` or a folder of its own below `runs/`."""
    from kbench.core.runs.campaign import plan
    from kbench.core.runs.store import RunFolder, new_run_path

    manifest = plan(campaign_options(options))
    _prepare(manifest)
    return RunFolder.create(out or new_run_path(DEFAULT_RUNS, manifest), manifest)


def resumed(out: Path | None, options: dict[str, Any]) -> RunFolder:
    """The run in `out`, or the latest below `runs/`; its plan and `options` agree."""
    from kbench.core.errors import ConfigError
    from kbench.core.runs.resume import require_same
    from kbench.core.runs.store import RunFolder, latest_run_path

    path = out or latest_run_path(DEFAULT_RUNS)
    if path is None:
        raise ConfigError(f"--resume: no run in {DEFAULT_RUNS}/; say which with --out DIR")
    folder = RunFolder.open(path)
    require_same(folder.manifest, options)
    _prepare(folder.manifest)
    return folder


def _prepare(manifest: Manifest) -> None:
    from kbench.core.runs.campaign import prepare

    with making_ready():
        prepare(manifest)


def work(folder: RunFolder, workers: Workers, *, retry_harness: bool) -> None:
    """Ask for and judge what the run lacks, and tell how far it is."""
    from kbench.core.runs.session import missing
    from kbench.core.runs.session import work as work_on

    console, attempts = make_console(), folder.manifest.attempts_each
    todo = len(missing(folder, retry_harness=retry_harness))
    what = "attempts" if attempts == 1 else f"samples (up to {attempts} attempts each)"
    console.print(
        f"run {folder.path}: {todo} of {folder.manifest.planned} {what} to do, {workers.jobs} worker(s)",
        highlight=False,
    )
    torn = folder.torn()
    if torn:
        console.print(
            f"note: the last record was half written ({len(torn)} characters): its attempt runs again", style="yellow"
        )
    if not todo:
        return
    try:
        with watched(console, todo, asks=_asks(folder.manifest)) as watch:
            work_on(
                folder,
                **workers._asdict(),
                watch=watch.judged,
                asked=watch.asked,
                retry_harness=retry_harness,
            )
    except KeyboardInterrupt:
        console.print(f"stopped; go on with: kbench run --resume --out {folder.path}", style="yellow")
        raise typer.Exit(INTERRUPTED) from None


def _asks(manifest: Manifest) -> bool:
    """Whether answers take time and cost something: a bar of their own tells of them."""
    from kbench.core.plugins import registry

    kind = registry(plugins=manifest.plugins).generators.get(manifest.generator)
    return not (kind and kind.free)
