"""Runs modules for the parent, one request after another, inside the sandbox: a program of its own, which imports
nothing of kbench. Every run has a store, a memory and fuel of its own, so that nothing of one is seen by the next.

    request   length (8 bytes), then a line of JSON, then bytes: the module (unless it is the last one again), inputs
    answer    length, then a line of JSON, then bytes: of each run its outputs

Fields of a request: `module` (bytes of it that follow, 0 for the last one), `entry`, `arguments` (["buffer", i] or
[type, value]), `buffers` ([bytes, initial bytes that follow, writable]), `fuel`, `stack`, `poisons` (one run for each),
`counts` (how many blocks count). Of an answer: `runs`, each with `fault` ([what, place, x, y, z]), `text`, `trap`,
`frames`, `hot` (the block that ran most often), `fuel` (used), `suspect` (the place of the first read of what nothing
wrote), `outputs` (bytes that follow).
"""

import importlib.util
import json
import struct
import sys

LENGTH = struct.Struct("<Q")
ALIGNMENT, GAP = 64, 4096
STACK_TOP = 1 << 16


def load(package):
    """wasmtime from its own folder: the folder around that one, where a plain import would look, is not visible."""
    file = f"{package}/__init__.py"
    spec = importlib.util.spec_from_file_location("wasmtime", file, submodule_search_locations=[package])
    module = sys.modules["wasmtime"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    machine = Machine(load(sys.argv[1]))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while True:
        head = source.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return
        request = source.read(LENGTH.unpack(head)[0])
        line, _, data = request.partition(b"\n")
        answer, blobs = machine.answer(json.loads(line), data)
        text = json.dumps(answer).encode() + b"\n"
        target.write(LENGTH.pack(len(text) + sum(map(len, blobs))) + text + b"".join(blobs))
        target.flush()


class Fault(Exception):
    pass


class Machine:
    def __init__(self, wasmtime):
        self.w = wasmtime
        config = wasmtime.Config()
        config.consume_fuel = True
        config.parallel_compilation = False
        config.wasm_relaxed_simd = False
        config.wasm_threads = False
        config.max_wasm_stack = 1 << 19
        wasmtime._ffi.wasmtime_config_cranelift_nan_canonicalization_set(config.ptr(), True)
        self.engine = wasmtime.Engine(config)
        self.module = None

    def answer(self, ask, data):
        if ask["module"]:
            self.module = self.w.Module(self.engine, data[: ask["module"]])
        at, inputs = ask["module"], []
        for _, given, _ in ask["buffers"]:
            inputs.append(data[at : at + given])
            at += given
        runs, blobs = [], []
        for poison in ask["poisons"]:
            facts, outputs = self.run(ask, inputs, poison)
            runs.append(facts)
            blobs += outputs
        return {"runs": runs}, blobs

    def run(self, ask, inputs, poison):
        store = self.w.Store(self.engine)
        try:
            return self.run_in(store, ask, inputs, poison)
        finally:
            store.close()  # now, for its memory's address space is large

    def run_in(self, store, ask, inputs, poison):
        store.set_limits(memory_size=1 << 20, instances=1, memories=1, tables=2)
        store.set_fuel(ask["fuel"])
        faults = []
        run = Run(self.w, store, self.module, faults)
        facts = {"fault": None, "text": "", "trap": "", "frames": [], "hot": -1}
        places = run.prepare(ask, inputs, poison)
        try:
            run.call(ask, places)
        except self.w.Trap as trap:
            code = trap.trap_code
            facts["trap"] = code.name if code is not None else "FAULT"
            facts["frames"] = [frame.func_name or "" for frame in trap.frames[:8]]
        except (self.w.WasmtimeError, Fault) as error:
            facts["trap"] = "FAULT" if faults else str(error)
        if faults:
            facts["fault"] = faults[0][:5]
            facts["text"] = faults[0][5]
        facts["fuel"] = ask["fuel"] - store.get_fuel()
        if facts["trap"]:
            facts["hot"] = run.hottest(ask["counts"])
            facts["outputs"] = []
            return facts, []
        facts["suspect"] = struct.unpack("<i", run.read(run.at("kbrt_suspect"), 4))[0]
        outputs = [
            run.read(at, size) for at, (size, _, writable) in zip(places, ask["buffers"], strict=False) if writable
        ]
        facts["outputs"] = [len(o) for o in outputs]
        return facts, outputs


class Run:
    """One instance: its memory, and what the host puts there."""

    def __init__(self, wasmtime, store, module, faults):
        self.store = store
        i32 = wasmtime.ValType.i32()

        def fail(what, place, x, y, z):
            text = self.text(x & 0xFFFFFFFF) if what == 8 else ""
            faults.append((what, place, x & 0xFFFFFFFF, y & 0xFFFFFFFF, z, text))
            raise Fault

        linker = wasmtime.Linker(store.engine)
        linker.define_func("kb", "fail", wasmtime.FuncType([i32] * 5, []), fail)
        self.exports = linker.instantiate(store, module).exports(store)
        self.memory = self.exports["memory"]

    def at(self, name):
        return self.exports[name].value(self.store)

    def read(self, at, size):
        return bytes(self.memory.read(self.store, at, at + size))

    def write(self, at, data):
        self.memory.write(self.store, data, at)

    def text(self, at):
        return self.read(at, min(400, self.memory.data_len(self.store) - at)).partition(b"\0")[0].decode("latin-1")

    def prepare(self, ask, inputs, poison):
        """Fills memory with poison where nothing else is, and puts the buffers in; returns where they lie."""
        start = self.at("__heap_base") + GAP
        self.write(start, bytes([poison]) * (self.memory.data_len(self.store) - start))
        self.write(0, bytes([poison]) * STACK_TOP)
        places, table, at = [], b"", start
        for (size, _, writable), data in zip(ask["buffers"], inputs, strict=False):
            at = -(-at // ALIGNMENT) * ALIGNMENT
            places.append(at)
            self.write(at, data)
            table += struct.pack("<III", at, size, writable)
            at += size + GAP
        self.write(self.at("kbrt_buffers"), table)
        self.write(self.at("kbrt_buffer_count"), struct.pack("<I", len(places)))
        self.write(self.at("kbrt_poison"), struct.pack("<I", poison))
        self.write(self.at("kbrt_stack_bytes"), struct.pack("<I", ask["stack"]))
        return places

    def call(self, ask, places):
        if "__wasm_call_ctors" in self.exports:
            self.exports["__wasm_call_ctors"](self.store)
        values = [places[value] if kind == "buffer" else value for kind, value in ask["arguments"]]
        self.exports[ask["entry"]](self.store, *values)

    def hottest(self, blocks):
        if not blocks:
            return -1
        counts = struct.unpack(f"<{blocks}Q", self.read(self.at("kb_counts"), 8 * blocks))
        return max(range(blocks), key=counts.__getitem__)


if __name__ == "__main__":
    main()
