"""What a device lacks, and what the API has no meaning for, is a compile error at the candidate's line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kbench.backends.aie.sim.build import build_kernel
from kbench.core.errors import CompileError
from kbench.core.hostcc.compiler import Source
from kbench.core.hostcc.sandbox import sandbox

HEAD = """#include <aie_api/aie.hpp>
template <class T> void use(const T &);
extern aie::vector<int16, 16> a16; extern aie::vector<int16, 32> b16; extern aie::vector<int32, 16> a32;
extern aie::vector<bfloat16, 16> f; extern aie::vector<float, 16> g; extern aie::vector<cint16, 8> c;
"""
EVERYWHERE = {
    "a vector of 64 bits": "use(aie::zeros<int16, 4>());",
    "24 elements": "aie::vector<int16, 24> v; use(v);",
    "an element type that there is not": "aie::vector<double, 8> v; use(v);",
    "an accumulator of the first generation": "aie::accum<acc80, 8> a; use(a);",
    "a sum of two types": "use(aie::add(a16, a32));",
    "a sum of two sizes": "use(aie::add(a16, b16));",
    "a mask of another size": "use(aie::select(a16, a16, aie::mask<32>()));",
    "bits of floats": "use(aie::bit_and(f, f));",
    "order of complex numbers": "use(aie::lt(c, c));",
    "a product of an integer and a float": "use(aie::mul(a16, g));",
    "a shape that there is not": "aie::mmul<4, 4, 8, int8, int8> m; use(m);",
    "a load of another type": "aie::vector<int16, 16> v = aie::load_v<16>((float *)nullptr); use(v);",
    "a store of another type": "aie::store_v((int32 *)nullptr, a16);",
    "a function of the first generation": "use(aie::sin(1.0f));",
    "the real part of a real number": "use(aie::real(a16));",
    "more than the whole": "use(a16.extract<32>(0));",
    "five sums at once": "use(aie::reduce_add_v(a16, a16, a16, a16, a16));",
    "saturation of floats": "use(aie::saturating_add(f, f));",
    "a table of three banks": "aie::lut<3, int16> l(1, nullptr); use(l);",
    "a value of another type": "use(aie::add(a16, 1.5f));",
}
ONLY = {
    "npu1": {
        "tanh": "use(aie::tanh(g));",
        "exp2": "use(aie::exp2(g));",
        "block floating point": "aie::block_vector<bfp16ebs8, 64> v; use(v);",
        "a shape of npu2": "aie::mmul<8, 2, 8, int8, int16> m; use(m);",
    },
    "npu2": {
        "complex floats": "aie::vector<cfloat, 8> v; use(v);",
        "their accumulators": "aie::accum<caccfloat, 8> a; use(a);",
        "a shape of npu1": "aie::mmul<4, 4, 4, int16, int16> m; use(m);",
        "another shape of npu1": "aie::mmul<4, 8, 4, int8, int8> m; use(m);",
    },
}
PART = 12  # fewer than the errors after which the compiler stops


@pytest.mark.parametrize("device", ONLY)
def test_each_is_refused_at_its_line(device: str, tmp_path: Path) -> None:
    cases = {**EVERYWHERE, **ONLY[device]}
    names = list(cases)
    accepted = []
    for at in range(0, len(names), PART):
        part = names[at : at + PART]
        bodies = [f"void f{i}() {{ {cases[name]} }}" for i, name in enumerate(part)]
        text = HEAD + "\n".join([*bodies, 'extern "C" void kernel() {}', ""])
        with pytest.raises(CompileError) as told:
            build_kernel(Source({"main.cc": '#include "kernel.cc"\n', "kernel.cc": text}, "main.cc"), "kernel", device,
                         sandbox=sandbox("auto"), timeout_s=60.0, workdir=tmp_path / str(at))  # fmt: skip
        lines = {int(n) for n in re.findall(r"kernel\.cc:(\d+)", told.value.log)}
        accepted += [name for i, name in enumerate(part) if HEAD.count("\n") + 1 + i not in lines]
    assert accepted == []
