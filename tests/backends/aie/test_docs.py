"""The table of APIs in the backend's README is that of today's headers and tests."""

from __future__ import annotations

from kbench.backends.aie import docs


def test_the_table_of_apis_is_made_anew() -> None:
    assert docs.README.read_text() == docs.readme(), "python -m kbench.backends.aie.docs"


def test_a_device_has_what_the_other_lacks() -> None:
    assert docs.state("exp2", "npu1") == "no such name"
    assert docs.state("exp2", "npu2") == "modelled"
    assert docs.state("caccfloat", "npu1") == "modelled"
    assert docs.state("caccfloat", "npu2") == "no such name"


def test_an_operation_without_a_meaning_is_unsupported_with_its_family() -> None:
    assert docs.state("fft_dit_r2_stage", "npu1") == "unsupported"
    assert docs.state("vector::push", "npu1") == "modelled"


def test_nothing_internal_is_listed() -> None:
    for target in docs.TARGETS:
        names = docs.declared(target)
        assert not [n for n in names if n.split("::")[0] in ("detail", "kbaie") or n.startswith("KB_")]
