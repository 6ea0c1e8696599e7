"""Which files of a candidate are compiled as its host side."""

from __future__ import annotations

from kbench.backends.ascend.sim.host_sources import host_sources


def test_sources_beside_and_below_the_main_one() -> None:
    files = dict.fromkeys(["op_host/add.cpp", "op_host/more/a.cc", "op_host/add.h", "op_kernel/add.cpp"], "")
    assert host_sources(files, "op_host/add.cpp") == (["op_host/add.cpp", "op_host/more/a.cc"], ())


def test_without_folders_other_roles_are_left_out() -> None:
    files = dict.fromkeys(["host.cpp", "kernel.cpp", "tiling.cpp", "op_kernel/x.cpp"], "")
    assert host_sources(files, "host.cpp", ["host.cpp", "kernel.cpp"]) == (["host.cpp", "tiling.cpp"], ())


def test_the_aclnn_layer_is_skipped_also_through_headers() -> None:
    files = {
        "h/main.cpp": '#include "aclnn/aclnn_base.h"\n',
        "h/direct.cpp": "#include <opdev/op_log.h>\n",
        "h/through.cpp": '#include "own/layer.h"\n',
        "h/own/layer.h": '#include "../own/layer.h"\n#  include "aclnn_kernels/cast.h"\n',
        "h/plain.cpp": '#include "register/op_def_registry.h"\n',
    }
    assert host_sources(files, "h/main.cpp") == (["h/main.cpp", "h/plain.cpp"], ("h/direct.cpp", "h/through.cpp"))
