"""Calls the runtime's operations directly, without a kernel: what property tests compare with their oracles."""

from __future__ import annotations

import functools
import struct
from collections.abc import Sequence

import numpy as np
import wasmtime

from kbench.backends.aie.sim.library import operations_module

#: Names of kinds.h, in its order.
KINDS = (
    *("none", "i4", "u4", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bf16", "f32"),
    *("ci16", "ci32", "cbf16", "cf32", "acc32", "acc64", "accf32", "cacc64", "caccf32", "mask", "bfp16"),
)


class BrokenRule(Exception):
    """The operation found a limit of the device broken."""


class Operations:
    """One instance of the module of all operations."""

    def __init__(self) -> None:
        config = wasmtime.Config()
        wasmtime._ffi.wasmtime_config_cranelift_nan_canonicalization_set(config.ptr(), True)
        engine = wasmtime.Engine(config)
        self.store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, operations_module().read_bytes())
        linker = wasmtime.Linker(engine)
        i32 = wasmtime.ValType.i32()
        linker.define_func("kb", "fail", wasmtime.FuncType([i32] * 5, []), self._fail)
        self.exports = linker.instantiate(self.store, module).exports(self.store)
        self.memory = self.exports["memory"]
        self._free = self.exports["__heap_base"].value(self.store) + 64 & -64

    def _fail(self, what: int, place: int, x: int, y: int, z: int) -> None:
        text = bytes(self.memory.read(self.store, x, x + 400)).partition(b"\0")[0].decode() if what == 8 else str(what)
        raise BrokenRule(text)

    def set_state(self, rounding: int = 0, saturation: int = 0) -> None:
        at = self.exports["kbrt_state"].value(self.store)
        self.memory.write(self.store, struct.pack("<II", rounding, saturation), at)

    def set_poison(self, byte: int) -> None:
        self.memory.write(self.store, struct.pack("<I", byte), self.exports["kbrt_poison"].value(self.store))

    def call(
        self, name: str, kinds: Sequence[str], operands: Sequence[np.ndarray | int], result: np.dtype | str, lanes: int
    ) -> np.ndarray:
        """`lanes` elements of dtype `result`: what operation `name` gives. `kinds`: of the result, then of operands (at
        most three). An operand is an array of lanes as they travel, or a constant, which goes as an i32."""
        arrays = [np.ascontiguousarray(np.asarray(o, np.int32 if isinstance(o, int) else None)) for o in operands]
        kind = sum(KINDS.index(k) << 8 * i for i, k in enumerate(kinds))
        out = np.dtype(result)
        shapes = [(lanes, out.itemsize * 8)] + [(a.size, a.dtype.itemsize * 8) for a in arrays]
        places, at = [], self._free + 4096
        for array in arrays:
            self.memory.write(self.store, array.tobytes(), at)
            places.append(at)
            at += array.nbytes + 127 & -64
        flat = [n for shape in shapes for n in shape]
        self.memory.write(self.store, struct.pack(f"<Iii{len(flat)}i", kind, 0, len(arrays), *flat), self._free)
        self.memory.write(self.store, struct.pack(f"<{len(places)}I", *places), self._free + 2048)
        self.exports[f"kbrt_{name}"](self.store, self._free, at, self._free + 2048)
        return np.frombuffer(bytes(self.memory.read(self.store, at, at + lanes * out.itemsize)), out)


@functools.cache
def operations() -> Operations:
    return Operations()
