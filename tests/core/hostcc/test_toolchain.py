from __future__ import annotations

import pytest

from kbench.core.errors import ToolMissing
from kbench.core.hostcc import toolchain as module
from kbench.core.hostcc.toolchain import host_isa, target_flags, toolchain


def test_the_compiler_is_the_packages_own() -> None:
    tools = toolchain()
    assert tools.zig.name == "zig"
    assert "ziglang" in str(tools.zig)
    assert "0.17" in tools.identity
    assert host_isa() in tools.identity


def test_nothing_of_the_machine_is_read() -> None:
    flags = target_flags()
    assert "-nostdinc" in flags
    assert "-march=native" not in flags
    paths = [f for f in flags if f.startswith("/")]
    assert paths
    assert all("ziglang" in p or "kbench" in p for p in paths)


def test_a_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ToolMissing, match="pip install"):
        toolchain.__wrapped__()
