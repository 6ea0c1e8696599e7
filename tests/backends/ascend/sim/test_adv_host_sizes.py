"""Host sizes of the elementwise library operations, against the documented factors."""

from __future__ import annotations

from pathlib import Path

from .host_demo import build, host_source, tile

# Buffers for halves, for floats, and for floats whose source may be destroyed: min = factor * 256, max = factor times
# the operand's bytes.
FACTORS = {
    "Acos": (6, 2, 2), "Asin": (6, 2, 2), "Asinh": (3, 3, 3), "Atan": (12, 5, 5), "Atanh": (4, 1, 1),
    "Ceil": (2, 1, 1), "Cos": (8, 3, 2), "Cosh": (6, 2, 2), "Digamma": (16, 7, 6), "Erf": (8, 3, 3),
    "Erfc": (16, 7, 7), "Floor": (2, 0, 0), "Fmod": (8, 1, 1), "Frac": (4, 0, 0), "GeGLU": (4, 0, 0),
    "Lgamma": (26, 8, 7), "Sign": (3, 3, 3), "Sin": (8, 3, 2), "Sinh": (4, 1, 1), "Tan": (10, 4, 4),
    "Tanh": (4, 1, 1), "Trunc": (2, 1, 1), "Xor": (1, 1, 1), "Sigmoid": (1, 1, 1), "Axpy": (4, 0, 0),
    "Log": (0, 0, 0), "Log10": (0, 0, 0),
}  # fmt: skip
OTHERS = [
    ("AscendC::GetAcoshMaxMinTmpSize(n, 2, false, most, least);", "4000 512"),
    ("AscendC::GetExpMaxMinTmpSize(n, 4, true, most, least);", "8000 512"),
    ("AscendC::GetExpMaxMinTmpSize(n, 2, false, most, least);", "16000 1024"),
    ("AscendC::GetLog2MaxMinTmpSize(n, 2, false, most, least);", "4000 256"),
    ("AscendC::GetGeluMaxMinTmpSize(n, 2, most, least);", "12000 768"),
    ("AscendC::GetReGluMaxMinTmpSize(n, 2, false, most, least);", "12000 1536"),
    ("AscendC::GetClampMaxMinTmpSize(n, 4, false, most, least);", "1000 64"),
    ("AscendC::GetSwiGLUMaxMinTmpSize(n, 2, most, least, false);", "12000 1536"),
    ("AscendC::GetSwishTmpSize(n, 4, false, most, least);", "0 0"),
    ("AscendC::GetRoundMaxMinTmpSize(platform, n, 2, false, most, least);", "2000 256"),
    ("AscendC::GetPowerMaxMinTmpSize(n, n, false, 4, false, most, least);", "16256 1280"),
    ("AscendC::GetPowerMaxMinTmpSize(n, one, false, 2, false, most, least);", "28256 2048"),
    ("AscendC::GetPowerMaxMinTmpSize(one, n, true, 4, false, most, least);", "28000 1792"),
    ("AscendC::GetPowerTmpBufferFactorSize(true, true, false, 4, most, least);", "4 256"),
    ("AscendC::GetAtanTmpBufferFactorSize(2, most, least);", "12 0"),
    ("AscendC::GetExpTmpBufferFactorSize(2, most, least);", "8 0"),
]


def test_sizes(tmp_path: Path) -> None:
    lines = [
        "const ge::Shape n({10, 100});",
        "const ge::Shape one({1});",
        "const auto platform = *platform_ascendc::PlatformAscendCManager::GetInstance();",
        "uint32_t most = 0, least = 0;",
    ]
    wanted = []
    for name, factors in FACTORS.items():
        for factor, size, reuse in zip(factors, (2, 4, 4), ("false", "false", "true"), strict=True):
            lines.append(f"AscendC::Get{name}MaxMinTmpSize(n, {size}, {reuse}, most, least);")
            lines.append(r'printf("%u %u\n", most, least);')
            wanted.append(f"{factor * 1000 * size} {factor * 256}")
    for call, want in OTHERS:
        lines += [call, r'printf("%u %u\n", most, least);']
        wanted.append(want)
    body = "\n".join([*lines, "context->SetBlockDim(1);", "return ge::GRAPH_SUCCESS;"])
    tiling = tile(build(host_source(body), tmp_path))
    assert tiling.stdout.splitlines() == wanted
