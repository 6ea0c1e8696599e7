"""A content cache on disk: a key names what an entry was made from, so none goes stale and any may be deleted."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from kbench.core.errors import ConfigError

ENTRY = ".entry.json"  # written last: sizes of the files, so that a torn or emptied entry is seen and rebuilt


OBJECT_BYTES = 1 << 30  # a trainer compiles millions of candidates
_BETWEEN_PRUNINGS = 64  # entries that a process makes before it looks at the size of a limited cache
_KEPT = 0.75  # of the limit, after a pruning


class Cache:
    """Safe with many processes: an entry is made in a private folder and renamed into place; the first one wins.

    `limit_bytes`: about how large it may become; then the entries that were not used for longest go."""

    def __init__(self, root: Path, limit_bytes: int | None = None) -> None:
        self.root = root
        self.limit_bytes = limit_bytes
        self._made = 0

    def get(self, key: str) -> Path | None:
        """The finished folder of a key, or None where it is absent or damaged."""
        folder = self.root / key[:2] / key
        try:
            sizes: dict[str, int] = json.loads((folder / ENTRY).read_text())
            whole = all((folder / name).stat().st_size == size for name, size in sizes.items())
            if whole and self.limit_bytes is not None:
                os.utime(folder / ENTRY)
        except (OSError, ValueError, AttributeError):
            return None
        return folder if whole else None

    def build(self, key: str, make: Callable[[Path], None]) -> Path:
        """The folder of a key; where it is absent, `make(empty folder)` fills it. What `make` raises passes through,
        and leaves nothing behind."""
        found = self.get(key)
        if found is not None:
            return found
        folder = self.root / key[:2] / key
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            work = Path(tempfile.mkdtemp(prefix=f".{key[:8]}-", dir=folder.parent))
        except OSError as e:
            raise _unwritable(self.root, e) from e
        try:
            make(work)
            try:
                _seal(work)
            except OSError as e:
                raise _unwritable(self.root, e) from e
            return self._publish(key, work, folder)
        finally:
            shutil.rmtree(work, ignore_errors=True)
            self._made += 1
            if self.limit_bytes is not None and self._made % _BETWEEN_PRUNINGS == 0:
                self.prune(self.limit_bytes)

    def prune(self, limit_bytes: int) -> None:
        """Removes the entries that were not used for longest where all are more than `limit_bytes`."""
        entries = []
        for entry in self.root.glob(f"??/*/{ENTRY}"):
            with contextlib.suppress(OSError, ValueError):
                entries.append((entry.stat().st_mtime, sum(json.loads(entry.read_text()).values()), entry.parent))
        total = sum(size for _, size, _ in entries)
        if total <= limit_bytes:
            return
        for _, size, folder in sorted(entries):
            if total <= limit_bytes * _KEPT:
                break
            _set_aside(folder)
            total -= size

    def _publish(self, key: str, work: Path, folder: Path) -> Path:
        for _ in range(100):
            try:
                os.rename(work, folder)
                return folder
            except OSError:
                found = self.get(key)  # another process was first
                if found is not None:
                    return found
                _set_aside(folder)
        raise ConfigError(f"cannot replace the damaged cache entry {folder}; delete it (KBENCH_CACHE_DIR={self.root})")


def _seal(work: Path) -> None:
    sizes = {p.relative_to(work).as_posix(): p.stat().st_size for p in sorted(work.rglob("*")) if p.is_file()}
    (work / ENTRY).write_text(json.dumps(sizes))


def _set_aside(folder: Path) -> None:
    """Moves an entry away in one step; another process may do the same at the same time."""
    with contextlib.suppress(OSError):
        grave = Path(tempfile.mkdtemp(prefix=".damaged-", dir=folder.parent))
        try:
            os.rename(folder, grave / "entry")
        finally:
            shutil.rmtree(grave, ignore_errors=True)


def _unwritable(root: Path, error: OSError) -> ConfigError:
    reason = error.strerror or str(error)
    return ConfigError(f"cannot write to the cache {root}: {reason}; set KBENCH_CACHE_DIR to a folder that is writable")


@functools.cache
def _cache_at(root: Path, limit_bytes: int | None = None) -> Cache:
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as e:
        raise _unwritable(root, e) from e
    return Cache(root, limit_bytes)


def _root() -> Path:
    """`KBENCH_CACHE_DIR`, else the place that the XDG base directory specification (0.8) gives to caches: a relative
    `XDG_CACHE_HOME` is none."""
    named = os.environ.get("KBENCH_CACHE_DIR")
    if named:
        return Path(named).expanduser().absolute()
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "kbench"


def default_cache() -> Cache:
    """The cache at KBENCH_CACHE_DIR, by default `kbench` in `XDG_CACHE_HOME` or `~/.cache`.

    Raises:
        ConfigError: it cannot be written.
    """
    return _cache_at(_root())


def object_cache() -> Cache:
    """What was compiled of candidates, in the default cache's folder `objects`; it keeps to OBJECT_BYTES."""
    return _cache_at(_root() / "objects", OBJECT_BYTES)


def content_key(*parts: str | bytes | Path) -> str:
    """One key for all parts, in order. A path stands for its content: a file's bytes, or every file below a folder."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            _hash_path(digest, part)
        else:
            data = part.encode() if isinstance(part, str) else part
            digest.update(b"t%d:" % len(data) + data)
    return digest.hexdigest()


def _hash_path(digest: hashlib._Hash, path: Path) -> None:
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    for file in files:
        data = file.read_bytes()
        name = file.relative_to(path).as_posix() if path.is_dir() else ""
        digest.update(f"f{name}\0{len(data)}:".encode() + data)
