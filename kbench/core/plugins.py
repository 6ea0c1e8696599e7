"""Finds backends, generators and suites, once, at start.

A plugin is a module with hook implementations (`hookspecs.py`), installed in the entry-point group `kbench`, or named
by `--plugin MODULE`. kbench's own are registered in the same way. Nothing that fails is passed over: a plugin that does
not import, claims a taken name, implements an unknown hook or was built for another API is an error that names it, and
`--plugin no:NAME` goes on without it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import pluggy

from kbench.core import hookspecs
from kbench.core.backend import API_VERSION, Backend
from kbench.core.errors import ConfigError
from kbench.core.generator import Generator
from kbench.core.hookspecs import PROJECT
from kbench.core.preset import Preset
from kbench.core.suite import Suite, SuiteLoader

#: name → module of the plugins that kbench brings.
BUILT_IN = {
    "aie": "kbench.backends.aie",
    "ascend": "kbench.backends.ascend",
    "generators": "kbench.generators",
    "task_specs": "kbench.task_specs",
    "importers": "kbench.importers",
}


@dataclass
class Registry:
    """Everything that plugins offer, by name. `problems` is filled only where the caller asked to collect them."""

    backends: dict[str, type[Backend]] = field(default_factory=dict)
    generators: dict[str, type[Generator]] = field(default_factory=dict)
    suites: dict[str, SuiteLoader] = field(default_factory=dict)
    suite_kinds: dict[str, Callable[[Path], Suite]] = field(default_factory=dict)
    presets: dict[str, Preset] = field(default_factory=dict)
    templates: dict[str, Path] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def plugin_manager(
    *, use_entry_points: bool = True, plugins: Sequence[str] = (), report: Callable[[ConfigError], None] | None = None
) -> pluggy.PluginManager:
    """A manager with the built-in plugins, the installed ones and those of `plugins`.

    Args:
        plugins: modules to load besides, and `no:NAME` for those to leave out.
        report: takes each problem and goes on; without it the first one is raised.

    Raises:
        ConfigError: a plugin does not import or implements a hook that does not exist.
    """
    left_out = {p.removeprefix("no:") for p in plugins if p.startswith("no:")}
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    sources: list[tuple[str, str, Callable[[], Any]]] = [
        (name, f"part of kbench, module {module}", _importer(module)) for name, module in BUILT_IN.items()
    ]
    if use_entry_points:
        sources += [(e.name, f"package {_package(e)}", e.load) for e in entry_points(group=PROJECT)]
    sources += [(p, f"--plugin {p}", _importer(p)) for p in plugins if not p.startswith("no:")]
    for name, origin, load in sources:
        if name in left_out:
            continue
        try:
            _register(manager, name, origin, load)
        except ConfigError as problem:
            if report is None:
                raise
            report(problem)
    return manager


def _importer(module: str) -> Callable[[], Any]:
    return lambda: importlib.import_module(module)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _register(manager: pluggy.PluginManager, name: str, origin: str, load: Callable[[], Any]) -> None:
    if manager.has_plugin(name):
        raise ConfigError(f"two plugins are called {name!r}; the second is from {origin}. {_without(name)}")
    try:
        plugin = load()
    except (Exception, SystemExit) as error:  # a module that exits must not end the command without a word
        cause = f"{type(error).__name__}: {error}"
        raise ConfigError(f"plugin {name!r} ({origin}) does not import: {cause}. {_without(name)}") from error
    try:
        manager.register(plugin, name=name)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        manager.unregister(name=name)
        raise ConfigError(f"plugin {name!r} ({origin}) does not fit: {error}. {_without(name)}") from error


def _without(name: str) -> str:
    return f"Repair or uninstall it, or go on without it: kbench --plugin no:{name} …"


def registry(*, use_entry_points: bool = True, plugins: Sequence[str] = (), collect: bool = False) -> Registry:
    """What all plugins offer.

    Args:
        collect: put problems into `Registry.problems` instead of raising the first (for `kbench doctor`).

    Raises:
        ConfigError: as `plugin_manager`; or two plugins claim one name; or a class is of another API version.
    """
    found = Registry()

    def report(problem: ConfigError) -> None:
        if not collect:
            raise problem
        found.problems.append(str(problem))

    manager = plugin_manager(use_entry_points=use_entry_points, plugins=plugins, report=report)
    owners: dict[tuple[str, str], str] = {}
    shelves: dict[str, dict[str, Any]] = {
        "backend": found.backends,
        "generator": found.generators,
        "suite": found.suites,
        "suite_kind": found.suite_kinds,
        "preset": found.presets,
        "template": found.templates,
    }
    for kind, shelf in shelves.items():
        for plugin, name, thing in _offers(manager, kind, report):
            try:
                _claim(owners, kind, name, plugin)
                _same_api(kind, name, plugin, thing)
            except ConfigError as problem:
                report(problem)
                continue
            shelf[name] = thing
    return found


def _offers(
    manager: pluggy.PluginManager, kind: str, report: Callable[[ConfigError], None]
) -> Iterable[tuple[str, str, Any]]:
    """(plugin, name, class or loader) of one kind, from each plugin that implements its hook."""
    hook = getattr(manager.hook, f"kbench_register_{kind}s")
    for implementation in hook.get_hookimpls():
        plugin = implementation.plugin_name
        try:
            offered = [_named(kind, thing) for thing in implementation.function()]
        except Exception as error:
            cause = f"{type(error).__name__}: {error}"
            report(ConfigError(f"plugin {plugin!r} fails to register its {kind}s: {cause}. {_without(plugin)}"))
            continue
        for name, thing in offered:
            yield plugin, name, thing


def _named(kind: str, thing: Any) -> tuple[str, Any]:
    """(name, class, loader, preset or folder) of one thing that a hook returned."""
    if kind.startswith("suite"):
        match thing:
            case (str(suite), loader) if callable(loader):
                return suite, loader
        raise TypeError(f"expected pairs of a name and a function, got {thing!r:.80}")
    if kind == "template":
        match thing:
            case (str(templates), Path() as folder):
                return templates, folder
        raise TypeError(f"expected pairs of a name and a folder (Path), got {thing!r:.80}")
    if kind == "preset":
        if isinstance(thing, Preset):
            return thing.name, thing
        raise TypeError(f"expected Preset objects, got {thing!r:.80}")
    name = getattr(thing, "name", None)
    if not isinstance(thing, type) or not isinstance(name, str):
        raise TypeError(f"expected classes with a name, got {thing!r:.80}")
    return name, thing


def _claim(owners: dict[tuple[str, str], str], kind: str, name: str, plugin: str) -> None:
    if not name:
        raise ConfigError(f"plugin {plugin!r} registers a {kind} without a name. {_without(plugin)}")
    first = owners.setdefault((kind, name), plugin)
    if first != plugin:
        raise ConfigError(f"{kind} {name!r} is claimed by two plugins, {first!r} and {plugin!r}. {_without(plugin)}")


def _same_api(kind: str, name: str, plugin: str, thing: Any) -> None:
    theirs = getattr(thing, "api_version", API_VERSION)
    if theirs != API_VERSION:
        raise ConfigError(
            f"{kind} {name!r} of plugin {plugin!r} is built for plugin API {theirs}; this kbench has {API_VERSION}. "
            + _without(plugin)
        )
