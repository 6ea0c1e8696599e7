"""The advanced library's elementwise operations: bits against exact results, forms, buffers, worst numerics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kbench.core.errors import RunError
from tests.backends.ascend.sim import kernels
from tests.backends.ascend.sim.adv_steps import AdvMachine, AdvStep, Values

special = pytest.importorskip("scipy.special")


def gated(x: Values, t: Values) -> Values:
    return x / (1 + np.exp(t))


# Exact functions in double, and the documented domain of the sources.
CURVES: dict[str, tuple[Callable[[Values], Values], float, float]] = {
    "Acos": (np.arccos, -1, 1),
    "Acosh": (np.arccosh, 1, 65504),
    "Asin": (np.arcsin, -1, 1),
    "Asinh": (np.arcsinh, -65504, 65504),
    "Atan": (np.arctan, -np.inf, np.inf),
    "Cos": (np.cos, -65504, 65504),
    "Cosh": (np.cosh, -np.inf, np.inf),
    "Digamma": (special.digamma, 2.0**-24, np.inf),
    "Erf": (special.erf, -np.inf, np.inf),
    "Erfc": (special.erfc, -np.inf, np.inf),
    "Exp": (np.exp, -np.inf, np.inf),
    "Lgamma": (special.gammaln, -1e4, np.inf),
    "Log": (np.log, -np.inf, np.inf),
    "Log2": (np.log2, -np.inf, np.inf),
    "Log10": (np.log10, -np.inf, np.inf),
    "Sin": (np.sin, -65504, 65504),
    "Sinh": (np.sinh, -np.inf, np.inf),
    "Tan": (np.tan, -65504, 65504),
    "Tanh": (np.tanh, -np.inf, np.inf),
}
HALVES = np.arange(65536, dtype=np.uint16).view(np.float16)


@pytest.fixture(scope="module")
def adv(tmp_path_factory: pytest.TempPathFactory) -> AdvMachine:
    return AdvMachine.build(tmp_path_factory.mktemp("adv"))


def same(got: Values, want: Values) -> Values:
    """Equal bits, any NaN for a NaN; a zero's sign is another test's."""
    return (got == want) | (np.isnan(got) & np.isnan(want))


def test_every_half(adv: AdvMachine) -> None:
    results, _ = adv.run([AdvStep(name, HALVES) for name in CURVES])
    for (name, (exact, low, high)), got in zip(CURVES.items(), results, strict=True):
        x = HALVES.astype(np.float64)
        with np.errstate(all="ignore"):
            want = exact(x).astype(np.float16)
        inside = ((x >= low) & (x <= high)) | np.isnan(x)
        wrong = inside & ~same(got, want)
        assert not wrong.any(), (name, HALVES[wrong][:4], got[wrong][:4], want[wrong][:4])
        assert (got[np.isnan(got)].view(np.uint16) == 0x7E00).all(), name


# Sources near whose results lies the middle of two floats, with the results to 60 digits, rounded: a double's last
# places decide none of them.
HARD: dict[str, list[tuple[float, float]]] = {
    "Acos": [
        (-0.935804009437561, 2.781329393386841),
        (0.0014673625119030476, 1.5693289041519165),
        (0.8507535457611084, 0.5533789396286011),
    ],
    "Acosh": [
        (68.5600357055664, 4.920803546905518),
        (73.44573211669922, 4.989647388458252),
        (20.949398040771484, 3.734687089920044),
    ],
    "Asin": [
        (-0.07695414870977402, -0.07703030109405518),
        (-0.48869284987449646, -0.5105909109115601),
        (-0.11388929188251495, -0.1141369491815567),
    ],
    "Asinh": [
        (-80.79676055908203, -5.085122585296631),
        (-53.41981506347656, -4.671416759490967),
        (64.76325988769531, 4.863945484161377),
    ],
    "Atan": [
        (83.08184051513672, 1.5587605237960815),
        (-91.88288879394531, -1.5599133968353271),
        (57.114261627197266, 1.5532894134521484),
    ],
    "Cos": [
        (-32.142066955566406, 0.7477426528930664),
        (0.0008802615921013057, 0.9999995827674866),
        (43.71731948852539, 0.9650983214378357),
    ],
    "Cosh": [
        (-84.66898345947266, 2.952856117704786e36),
        (0.7910175919532776, 1.3295115232467651),
        (-74.01786041259766, 6.9906628760950335e31),
    ],
    "Digamma": [
        (3.5062541274662327e21, 49.60883712768555),
        (2.5003082159435706e22, 51.57328796386719),
        (69.12616729736328, 4.228682518005371),
    ],
    "Erf": [
        (5.4118647123932015e-36, 6.106635037871871e-36),
        (-0.39802759885787964, -0.426494300365448),
        (-2.4748786910298152e-18, -2.792601659443577e-18),
    ],
    "Erfc": [
        (0.00176516966894269, 0.9980081915855408),
        (-2.88555645942688, 1.999955177307129),
        (5.700159549713135, 7.552256401398077e-16),
    ],
    "Exp": [
        (-20.201826095581055, 1.6844510231095455e-09),
        (-6.532272815704346, 0.0014556936221197248),
        (3.3554582595825195, 28.658735275268555),
    ],
    "Lgamma": [
        (9.353028495338472e32, 7.007141219751965e34),
        (70.85275268554688, 229.8125762939453),
        (74.16486358642578, 243.9774932861328),
    ],
    "Log": [
        (88.98310089111328, 4.488446235656738),
        (76.33939361572266, 4.335189342498779),
        (23.09559440612793, 3.1396420001983643),
    ],
    "Log10": [
        (64.58509826660156, 1.810132384300232),
        (9.570058504340673e-13, -12.019084930419922),
        (1093634.0, 6.038872241973877),
    ],
    "Log2": [
        (67.41401672363281, 6.074976921081543),
        (493.1423645019531, 8.945859909057617),
        (1.743525155908163e-20, -65.63655090332031),
    ],
    "Sin": [
        (4.455557823181152, -0.9671998023986816),
        (1.4255367517471313, 0.9894683361053467),
        (0.02802063338458538, 0.028016967698931694),
    ],
    "Sinh": [
        (71.46554565429688, 5.445805222751424e30),
        (35.574737548828125, 1408906710482944.0),
        (-34.4365234375, -451400559493120.0),
    ],
    "Tan": [
        (27.803726196289062, -0.5087306499481201),
        (97.6959228515625, 0.3165283501148224),
        (-86.95989990234375, 1.5736069679260254),
    ],
    "Tanh": [
        (6.879572868347168, 0.9999978542327881),
        (-1.4238086938858032, -0.8903907537460327),
        (-2.34055495262146, -0.9816327691078186),
    ],
}


def test_floats(adv: AdvMachine) -> None:
    rng = np.random.default_rng(20)
    steps = []
    for name, (_, low, high) in CURVES.items():
        bits = rng.integers(0, 1 << 32, 1 << 14, dtype=np.uint32).view(np.float32)
        near = rng.uniform(max(low, -100), min(high, 100), 1 << 14).astype(np.float32)
        hard = np.array([x for x, _ in HARD.get(name, [])], np.float32)
        values = np.concatenate([hard, bits, near])
        steps.append(AdvStep(name, values[(values >= low) & (values <= high)]))
    results, _ = adv.run(steps)
    for step, got in zip(steps, results, strict=True):
        with np.errstate(all="ignore"):
            want = CURVES[step.op][0](step.x.astype(np.float64))
            rounded = want.astype(np.float32)
            # The oracle's own error: a unit of double, more where its value is a small difference.
            slack = np.abs(want) * 2.0**-48 + (2.0**-48 if step.op in ("Lgamma", "Digamma") else 0)
            close = (want - slack).astype(np.float32) <= got
            close &= got <= (want + slack).astype(np.float32)
        wrong = ~(close | same(got, rounded))
        assert not wrong.any(), (step.op, step.x[wrong][:4], got[wrong][:4], want[wrong][:4])
        for i, (_, value) in enumerate(HARD.get(step.op, [])):
            assert got[i] == np.float32(value), (step.op, step.x[i], got[i])


def test_zeros_keep_their_sign_and_edges_are_exact(adv: AdvMachine) -> None:
    odd = ["Asin", "Asinh", "Atan", "Erf", "Sin", "Sinh", "Tan", "Tanh"]
    for dtype in (np.float16, np.float32):
        zeros = np.array([0.0, -0.0] * 8, dtype)
        results, _ = adv.run([AdvStep(name, zeros) for name in odd])
        for name, got in zip(odd, results, strict=True):
            assert np.array_equal(np.signbit(got), np.signbit(zeros)), name
        x = np.array([0, -0.0, np.inf, -np.inf, np.nan, -1, -2, 1, 2], dtype)
        (lgamma, digamma, atanh, log), result = adv.run([AdvStep(n, x) for n in ("Lgamma", "Digamma", "Atanh", "Log")])
        inf, nan = np.inf, np.nan
        assert same(lgamma, np.array([inf, inf, inf, inf, nan, inf, inf, 0, 0], dtype)).all()
        assert same(digamma[:7], np.array([-inf, inf, inf, nan, nan, nan, nan], dtype)).all()
        assert same(atanh[[0, 2, 5, 7, 8]], np.array([0, nan, -inf, inf, nan], dtype)).all()
        assert same(log[:5], np.array([-inf, -inf, inf, nan, nan], dtype)).all()
        assert {f.rule for f in result.findings} == {"E56"}


def test_rounding_signs_limits_and_bits(adv: AdvMachine) -> None:
    rng = np.random.default_rng(3)
    for dtype in (np.float16, np.float32):
        x = np.concatenate([rng.normal(0, 30, 500), np.arange(-20, 20) / 4, [0, -0.0, np.inf, -np.inf, np.nan, 1e4]])
        x = x.astype(dtype)
        y = np.roll(x, 7)
        one = dtype(1.5)
        wide = x.astype(np.float32)
        with np.errstate(all="ignore"):
            quotient = np.trunc(wide / y.astype(np.float32)) * y.astype(np.float32)
            cases = [
                (AdvStep("Ceil", x), np.ceil(x)),
                (AdvStep("Floor", x), np.floor(x)),
                (AdvStep("Round", x), np.rint(x)),
                (AdvStep("Trunc", x), np.trunc(x)),
                (AdvStep("Frac", x), x - np.trunc(x)),
                (AdvStep("Sign", x), np.nan_to_num(np.sign(x))),
                (AdvStep("ClampMax", x, scalar=1.5), np.minimum(x, one)),
                (AdvStep("ClampMin", x, scalar=1.5), np.maximum(x, one)),
                (AdvStep("Fmod", x, y), (wide - quotient).astype(dtype)),
                (AdvStep("Axpy", x, scalar=2.5, form=1), (wide * np.float32(2.5) + np.float32(1.5)).astype(dtype)),
                (AdvStep("ReGlu", x, y), (wide * np.maximum(y, dtype(0)).astype(np.float32)).astype(dtype)),
            ]
        results, _ = adv.run([step for step, _ in cases])
        for (step, want), got in zip(cases, results, strict=True):
            assert same(got, want).all(), (step.op, dtype)
        for got in results[:4]:
            assert not np.signbit(got[got == 0]).any()
    words = rng.integers(0, 1 << 16, 999, dtype=np.uint16)
    (got,), _ = adv.run([AdvStep("Xor", words, words[::-1].copy())])
    assert np.array_equal(got, words ^ words[::-1])


def test_powers(adv: AdvMachine) -> None:
    rng = np.random.default_rng(5)
    edges = np.array([0, -0.0, 1, -1, 2, -2, 0.5, 3, -3, np.inf, -np.inf, np.nan, 1e30, -1e-30, 2.5, 0.25, 1024])
    x, y = (m.reshape(-1).astype(np.float32) for m in np.meshgrid(edges, edges))
    x = np.concatenate([x, rng.uniform(0, 9, 4000), np.arange(1, 4097)]).astype(np.float32)
    y = np.concatenate([y, rng.uniform(-9, 9, 4000), np.full(4096, 2)]).astype(np.float32)
    steps = [AdvStep("Power", x, y), AdvStep("PowerTo", x, scalar=2.5), AdvStep("PowerOf", y, scalar=3.0)]
    with np.errstate(all="ignore"):
        steps += [AdvStep("Power", x.astype(np.float16), y.astype(np.float16))]
    results, _ = adv.run(steps)
    with np.errstate(all="ignore"):
        h, k = x.astype(np.float16).astype(np.float64), y.astype(np.float16).astype(np.float64)
        pairs = [(x, y), (x, np.float64(2.5)), (np.float64(3), y), (h, k)]
        wants = [np.power(a.astype(np.float64), b.astype(np.float64)) for a, b in pairs]
        for got, want in zip(results, wants, strict=True):
            assert same(got, want.astype(got.dtype)).all()
    base = np.repeat(np.arange(-4, 5, dtype=np.int32), 12)
    exponent = np.tile(np.array([0, 1, 2, 3, 5, 31, 32, 33, -1, -2, -3, 20], np.int32), 9)
    (got,), _ = adv.run([AdvStep("Power", base, exponent)])
    with np.errstate(all="ignore"):
        up = [pow(int(b), int(abs(e)), 1 << 32) for b, e in zip(base, exponent, strict=True)]
        powers = np.array(up, np.uint32).view(np.int32)
    want = np.where(exponent >= 0, powers, np.where(np.abs(powers) == 1, powers, 0))
    assert np.array_equal(got, want)


def test_activations(adv: AdvMachine) -> None:
    rng = np.random.default_rng(8)
    x = np.concatenate([rng.normal(0, 4, 3000), [0, -0.0, 80, -80, 100, -100]]).astype(np.float32)
    y = np.roll(x, 11)
    a, b = x.astype(np.float64), y.astype(np.float64)
    with np.errstate(all="ignore"):
        cases = [
            (AdvStep("Sigmoid", x), gated(np.ones_like(a), -a)),
            (AdvStep("Silu", x), gated(a, -a)),
            (AdvStep("Swish", x, scalar=1.25), gated(a, -1.25 * a)),
            (AdvStep("FasterGelu", x), gated(a, -1.702 * a)),
            (AdvStep("Gelu", x), gated(a, -1.5957691216057308 * (a + 0.044715 * a**3))),
            (AdvStep("SwiGLU", x, y, scalar=1.25), a * gated(b, -1.25 * b)),
            (AdvStep("GeGLU", x, y), a * gated(b, -0.0713548162726 * b * (22.363860002236 + b * b))),
        ]
        results, _ = adv.run([step for step, _ in cases])
        for (step, want), got in zip(cases, results, strict=True):
            tiny = np.abs(want) < 1e-30  # the float exponential overflows: 0
            wrong = ~(same(got, want.astype(np.float32)) | (tiny & (np.abs(got) < 1e-30)))
            assert not wrong.any(), (step.op, x[wrong][:4], got[wrong][:4], want[wrong][:4])


def test_halves_are_worked_on_in_half_where_the_library_does(adv: AdvMachine) -> None:
    x = np.concatenate([np.linspace(-20, 20, 801), [0, 60, -60]]).astype(np.float16)
    one = np.float16(1)

    def up(v: Values) -> Values:
        return np.exp(v.astype(np.float64)).astype(np.float16)

    with np.errstate(all="ignore"):
        sigmoid = one / (up(-x) + one)
        silu = x / (up(-x) + one)
        faster = x / (up(x * np.float16(-1.702)) + one)
        fast = x * (one / (up(x * np.float16(-1.702)) + one))
        precise = (x / (1 + np.exp(-1.702 * x.astype(np.float64)))).astype(np.float16)
    steps = [AdvStep("Sigmoid", x), AdvStep("Silu", x), AdvStep("FasterGelu", x), AdvStep("FasterGelu", x, form=8)]
    results, _ = adv.run([*steps, AdvStep("FasterGelu", x, form=4)])
    for got, want in zip(results, (sigmoid, silu, faster, fast, precise), strict=True):
        assert same(got, want).all()


def test_every_form_gives_the_same(adv: AdvMachine) -> None:
    rng = np.random.default_rng(9)
    whole = [*(n for n in CURVES if n not in ("Acosh", "Digamma", "Lgamma", "Exp")), "Trunc", "Frac", "Sign", "Sigmoid"]
    two = ["Fmod", "GeGLU", "SwiGLU", "Power", "PowerTo", "PowerOf"]
    counted = ["Digamma", "Lgamma", "Exp", "Ceil", "Floor", "Round", "ClampMax", "ClampMin", "Gelu", "FasterGelu"]
    steps = []
    for dtype in (np.float16, np.float32):
        x = rng.uniform(0.01, 0.98, 100).astype(dtype)
        y = x[::-1].copy()
        for name in [*whole, *two]:
            steps += [AdvStep(name, x, y, scalar=0.5, form=form) for form in (0, 1, 2, 3)]
        for name in [*counted, "FasterGeluV2", "ReGlu"]:
            steps += [AdvStep(name, x, y, scalar=0.5, form=form) for form in (0, 1, 0, 1)]
        steps += [AdvStep("Acosh", x + dtype(1), form=form) for form in (0, 1, 2, 3)]
    results, _ = adv.run(steps)
    for i in range(0, len(steps), 4):
        for other in results[i + 1 : i + 4]:
            assert np.array_equal(results[i], other), steps[i].op
        assert not np.isnan(results[i]).any(), steps[i].op


def test_at_the_bound(adv: AdvMachine) -> None:
    """Under worst numerics results lie that many units away, both ways; exact cases and exact operations stay."""
    x = np.concatenate([np.linspace(0.03, 0.98, 4000), [0, 1, np.inf, np.nan]])
    units = {"BasicExp": (1, 1), "Ln": (1, 1), "Sqrt": (1, 1), "Div": (1, 1)}
    units |= {"Rsqrt": (2, 1 << 13), "Reciprocal": (2, 1 << 13), "Log": (1, 512), "Ceil": (0, 0)}
    for column, (dtype, word) in enumerate(((np.float16, np.int16), (np.float32, np.int32))):
        values = x.astype(dtype)
        steps = [AdvStep(name, values, np.full_like(values, 3)) for name in units]
        exact, _ = adv.run(steps)
        worst, _ = replace(adv, numerics="worst").run(steps)
        for (name, bound), a, b in zip(units.items(), exact, worst, strict=True):
            moved = b.view(word).astype(np.int64) - a.view(word)
            assert np.abs(moved).max() <= bound[column], name
            kept = ~np.isfinite(a) | (a == 0) | (np.abs(a) == 1)
            assert (moved[kept] == 0).all(), name
            if bound[column]:
                ways = [(moved == s * bound[column]).mean() for s in (1, -1)]
                assert min(ways) > 0.3, (name, ways)
    # The library computes these halves in float: 512 of 8192 units there, so a few halves change, both ways.
    halves = np.linspace(-3, 3, 4001).astype(np.float16)
    (exact,), _ = adv.run([AdvStep("Sin", halves)])
    (worst,), _ = replace(adv, numerics="worst").run([AdvStep("Sin", halves)])
    moved = worst.view(np.int16).astype(np.int64) - exact.view(np.int16)
    assert set(moved) == {-1, 0, 1}
    assert 0.02 < (moved != 0).mean() < 0.2


_ONE = "TPipe p; TBuf<> b; p.InitBuffer(b, 8192); LocalTensor<float> s = b.Get<float>(); s.SetSize(64);"
_TMP = "LocalTensor<uint8_t> t = b.GetWithOffset<uint8_t>({bytes}, 4096); LocalTensor<float> d = s[512];"
RULES = [
    # body, rule (empty: allowed), words of the message
    (f"{_ONE} {_TMP.format(bytes=512)} Acos(d, s, t, 64);", "", ""),
    (f"{_ONE} {_TMP.format(bytes=480)} Acos(d, s, t, 64);", "E9", "expected at least 512 bytes, got 480"),
    (f"{_ONE} {_TMP.format(bytes=512)} Acos(d, s, t[16], 64);", "E2", "sharedTmpBuffer"),
    (f"{_ONE} Tan(s[512], s, s.ReinterpretCast<uint8_t>(), 64);", "E9", "got 256"),
    (f"{_ONE} s.SetSize(2048); Tanh(s[512], s, s.ReinterpretCast<uint8_t>(), 64);", "E11", "overlaps src"),
    ("TPipe p; TBuf<> b; p.InitBuffer(b, 196608 - 480); LocalTensor<float> s = b.Get<float>(); Acos(s[512], s, 64);",
     "E14", "expected at least 512 bytes, got 480"),
    ("TPipe p; TBuf<> b; p.InitBuffer(b, 196608 - 512); LocalTensor<float> s = b.Get<float>(); Acos(s[512], s, 64);",
     "", ""),
    (f"{_ONE} Cosh(s[512], s, 4096000);", "E10", "Cosh"),
]  # fmt: skip


def test_the_rules_of_temporary_buffers(tmp_path: Path) -> None:
    probe = kernels.build([body for body, _, _ in RULES], tmp_path)
    for i, (body, rule, words) in enumerate(RULES):
        if not rule:
            assert not [f for f in probe.run(i, blocks=1).findings if f.severity == "error"], body
            continue
        with pytest.raises(RunError, match=words) as caught:
            probe.run(i, blocks=1)
        assert caught.value.findings[-1].rule == rule, body


def test_temporaries_and_given_up_sources_hold_nothing_afterwards(tmp_path: Path) -> None:
    given = "Duplicate(s, 0.5f, 64); Duplicate(s[1024], 0.5f, 256);"
    out = "DataCopy(yg, s, 64); DataCopy(yg[64], s[1024], 64);"
    bodies = [
        f"{_ONE} s.SetSize(2048); {given} Sin(s[512], s, s[1024].ReinterpretCast<uint8_t>(), 64); {out}",
        f"{_ONE} s.SetSize(2048); {given} Sin<float, true>(s[512], s, s[1024].ReinterpretCast<uint8_t>(), 64); {out}",
    ]
    probe = kernels.build(bodies, tmp_path)
    for i, kept in enumerate((True, False)):
        values = probe.run(i, n=128, blocks=1).outputs[0].view(np.float32)
        assert (values[:64] == 0.5).all() == kept
        assert not (values[64:] == 0.5).any()


def test_a_source_is_read_before_an_overlapping_result_is_written(tmp_path: Path) -> None:
    """As the device does it piece by piece; a published kernel relies on it. It stays a warning."""
    body = (
        f"{_ONE} s.SetSize(2048); LocalTensor<uint8_t> t = b.GetWithOffset<uint8_t>(512, 4096); DataCopy(s, xg, 64); "
        "PipeBarrier<PIPE_ALL>(); Ceil(s[8], s, t, 64); PipeBarrier<PIPE_ALL>(); DataCopy(yg, s[8], 64);"
    )
    x = np.linspace(-9, 9, 64).astype(np.float32)
    result = kernels.build([body], tmp_path).run(0, n=64, blocks=1, x=x)
    assert np.array_equal(result.outputs[0].view(np.float32)[:64], np.ceil(x))
    assert any(f.rule == "E11" and f.severity == "warning" for f in result.findings)
