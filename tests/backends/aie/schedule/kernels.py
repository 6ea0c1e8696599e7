"""Small loops by hand, in machine operations."""

from __future__ import annotations

from kbench.backends.aie.sim.schedule.program import Block, Function, Loop, Memory, Operation

Op = Operation


def at(root: str, offset: int | None, step: int | None, size: int = 32, distinct: bool = True) -> Memory:
    return Memory(root, size, offset, step, distinct)


def loop(body: list[Operation], trips: int | None, **options: object) -> Function:
    """entry → loop → exit, which returns; the source promises the trips, if it says nothing else."""
    options.setdefault("min_trips", trips)
    inner = Loop("loop", ("loop",), counted=True, trips=trips, **options)  # type: ignore[arg-type]
    blocks = (
        Block("entry", (), ("loop",)),
        Block("loop", tuple(body), ("loop", "exit")),
        Block("exit", (Op("ret", (), ("lr",)),)),
    )
    return Function("kernel", blocks, (inner,))


def straight(body: list[Operation]) -> Function:
    """One block that returns."""
    return Function("kernel", (Block("entry", (*body, Op("ret", (), ("lr",)))),))


def scale(distinct: bool = True) -> list[Operation]:
    """c = a * f of 32 int16: two loads, a product, two narrowing stores."""
    return [
        Op("vld", ("x.l",), ("pa",), at("a", 0, 64, distinct=distinct)),
        Op("vld", ("x.h", "pa"), ("pa",), at("a", 32, 64, distinct=distinct)),
        Op("vmul", ("cm",), ("x.l|x.h", "f", "conf")),
        Op("vst.srs", (), ("cm", "s", "pc"), at("c", 0, 64, distinct=distinct)),
        Op("vst.srs", ("pc",), ("cm", "s", "pc"), at("c", 32, 64, distinct=distinct)),
    ]


def scalar(operation: str = "add", target: str = "r1", distinct: bool = True) -> list[Operation]:
    """c = f(a) of one int32."""
    return [
        Op("lda", ("r0", "pa"), ("pa",), at("a", 0, 4, 4, distinct)),
        Op(operation, (target,), ("r0", "r2")),
        Op("st", ("pc",), (target, "pc"), at("c", 0, 4, 4, distinct)),
    ]


def absolute(distinct: bool) -> list[Operation]:
    """c = |a| of four int8, unrolled."""
    body: list[Operation] = []
    for k in range(4):
        body.append(Op("lda.s8", (f"r{k}",), ("pa",), at("a", k, 4, 1, distinct)))
        body.append(Op("abs", (f"q{k}",), (f"r{k}",)))
        body.append(Op("st.s8", (), (f"q{k}", "pc"), at("c", k, 4, 1, distinct)))
    return [*body, Op("padd", ("pa",), ("pa",)), Op("padd", ("pc",), ("pc",))]


def accumulate(operation: str) -> list[Operation]:
    """acc += a * b."""
    return [
        Op("vld", ("w", "pa"), ("pa",), at("a", 0, 32)),
        Op(operation, ("next",), ("acc", "w", "b", "conf")),
    ]
