"""Plugins are found by name; one that fails is named, with the way to go on without it."""

from __future__ import annotations

import sys
import textwrap

import pytest

from kbench.core.errors import ConfigError
from kbench.core.plugins import BUILT_IN, plugin_manager, registry

WITHOUT_OURS = tuple(f"no:{name}" for name in BUILT_IN)
HOOKIMPL = "from kbench.core.hookspecs import hookimpl\nfrom kbench.core.backend import Backend\n"


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def write(name, body, imports=HOOKIMPL):
        (tmp_path / f"{name}.py").write_text(imports + textwrap.dedent(body))
        made.append(name)
        return name

    yield write
    for name in made:
        sys.modules.pop(name, None)


def found(*plugins, **more):
    return registry(use_entry_points=False, plugins=(*WITHOUT_OURS, *plugins), **more)


BACKEND = """
class B(Backend):
    name = "{name}"
    {more}

@hookimpl
def kbench_register_backends():
    return [B]
"""


def test_ours_are_registered_like_any_other():
    known = registry(use_entry_points=False, plugins=["no:ascend"])
    assert {"reference", "replay"} <= set(known.generators)
    assert {"quick", "npukernelbench"} <= set(known.suites)
    assert "npukernelbench" in known.suite_kinds


def test_a_module_may_be_named(plugin):
    assert list(found(plugin("mine", BACKEND.format(name="b", more=""))).backends) == ["b"]


def test_two_plugins_of_one_name(plugin):
    one = plugin("one", BACKEND.format(name="b", more=""))
    two = plugin("two", BACKEND.format(name="b", more=""))
    with pytest.raises(ConfigError, match=r"backend 'b' is claimed by two plugins, '(one|two)' and '(one|two)'"):
        found(one, two)
    assert list(found(one, two, f"no:{two}").backends) == ["b"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("import nonexistent_module", "does not import: ModuleNotFoundError: No module named 'nonexistent_module'"),
        ("@hookimpl\ndef kbench_register_backend(): return []", "does not fit: unknown hook 'kbench_register_backend'"),
        (
            "@hookimpl\ndef kbench_register_backends(): return 1 / 0",
            "fails to register its backends: ZeroDivisionError",
        ),
        (
            "@hookimpl\ndef kbench_register_backends(): return [object]",
            "fails to register its backends: TypeError: expected classes with a name, got <class 'object'>",
        ),
        (
            "@hookimpl\ndef kbench_register_suites(): return ['mine']",
            "fails to register its suites: TypeError: expected pairs of a name and a function, got 'mine'",
        ),
        ("raise SystemExit(3)", "does not import: SystemExit: 3"),
        (BACKEND.format(name="b", more="api_version = 99"), "is built for plugin API 99; this kbench has 1"),
        (BACKEND.format(name="", more=""), "registers a backend without a name"),
    ],
)
def test_a_plugin_that_fails_is_named(plugin, body, message):
    name = plugin("sick", body)
    with pytest.raises(ConfigError) as caught:
        found(name)
    assert message in str(caught.value)
    assert "'sick'" in str(caught.value)
    assert "kbench --plugin no:sick" in str(caught.value)
    assert not found(name, "no:sick").backends


def test_the_doctor_sees_every_problem(plugin):
    sick, well = plugin("sick", "import nonexistent_module"), plugin("well", BACKEND.format(name="b", more=""))
    known = found(sick, well, collect=True)
    assert list(known.backends) == ["b"]
    assert len(known.problems) == 1


class FakeEntryPoint:
    name, value = "shop", "shop.plugin"
    dist = type("Dist", (), {"name": "kbench-shop", "version": "1.2"})

    def load(self):
        raise ImportError("libshop.so is missing")


def test_an_installed_plugin_that_fails_names_its_package(monkeypatch):
    monkeypatch.setattr("kbench.core.plugins.entry_points", lambda group: [FakeEntryPoint()])
    with pytest.raises(
        ConfigError, match=r"plugin 'shop' \(package kbench-shop 1\.2\) does not import: ImportError: libshop"
    ):
        plugin_manager(plugins=WITHOUT_OURS)
    plugin_manager(plugins=(*WITHOUT_OURS, "no:shop"))
