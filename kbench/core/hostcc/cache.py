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


class Cache:
    """Safe with many processes: an entry is made in a private folder and renamed into place; the first one wins."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def get(self, key: str) -> Path | None:
        """The finished folder of a key, or None where it is absent or damaged."""
        folder = self.root / key[:2] / key
        try:
            sizes: dict[str, int] = json.loads((folder / ENTRY).read_text())
            whole = all((folder / name).stat().st_size == size for name, size in sizes.items())
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
    """Moves a damaged entry away in one step; another process may do the same at the same time."""
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
def _cache_at(root: Path) -> Cache:
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as e:
        raise _unwritable(root, e) from e
    return Cache(root)


def default_cache() -> Cache:
    """The cache at KBENCH_CACHE_DIR, by default `~/.cache/kbench`. Raises ConfigError where it cannot be written."""
    named = os.environ.get("KBENCH_CACHE_DIR")
    return _cache_at(Path(named).expanduser().absolute() if named else Path.home() / ".cache" / "kbench")


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
