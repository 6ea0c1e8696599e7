"""Assembles and runs kernels for the parent, one request after another, inside the sandbox: a program of its own, which
imports nothing of kbench. Every run has a store, a memory and fuel of its own: nothing of one is seen by the next.

    arguments  the runtime's module, the same compiled, the folders of the packages wasmtime and llvmlite
    request    length (8 bytes), then a line of JSON, then bytes
    answer     the same

To assemble: `ir` (bytes of LLVM's text that follow) → `error` (LLVM's words, or nothing), then the object file.
To run: `module` (bytes of it that follow, 0 for the last one), `first` (functions to call before), `entry`,
`arguments` (["buffer", i] or [type, value]), `buffers` ([bytes, initial bytes that follow, writable]), `fuel`,
`stack`, `poisons` (one run for each), `globals` (address and number of the table of the kernel's variables), `counts`
(address and number of the blocks' counters), `marks` (address of their copies at event0 and event1, or null) → `runs`,
each with `fault` ([what, place, x, y, z]), `text`, `trap`, `places` (addresses of the buffers), `frames` (numbers of
the kernel's functions), `hot` (the block that ran most often), `fuel` (used), `suspect` (the place of the first read of
what nothing wrote), `outputs` (bytes that follow), and behind those the counters and what `marks` names.
"""

import ctypes
import importlib.util
import json
import struct
import sys

LENGTH = struct.Struct("<Q")
ALIGNMENT, GAP = 64, 4096
MOST_MEMORY = 1 << 20
MOST_TABLE = 1 << 16
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals"
#: Faults whose x is the address of a text.
TOLD = 8


def load(name, package):
    """A package from its own folder: the folder around that one, where a plain import would look, is not visible."""
    file = f"{package}/__init__.py"
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[package])
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def configured(wasmtime):
    """wasmtime's configuration: the same bits on every host, one thread, and no more address space than is of use."""
    config = wasmtime.Config()
    config.consume_fuel = True
    config.parallel_compilation = False
    config.wasm_relaxed_simd = False
    config.wasm_threads = False
    config.max_wasm_stack = 1 << 19
    wasmtime._ffi.wasmtime_config_cranelift_nan_canonicalization_set(config.ptr(), True)
    wasmtime._ffi.wasmtime_config_memory_reservation_set(config.ptr(), 1 << 21)
    wasmtime._ffi.wasmtime_config_memory_guard_size_set(config.ptr(), 1 << 16)
    wasmtime._ffi.wasmtime_config_memory_reservation_for_growth_set(config.ptr(), 0)
    return config


def main():
    module, code, wasmtime, llvmlite = sys.argv[1:]
    machine, assembler = Machine(load("wasmtime", wasmtime), module, code), Assembler(llvmlite)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while True:
        head = source.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return
        line, _, data = source.read(LENGTH.unpack(head)[0]).partition(b"\n")
        ask = json.loads(line)
        answer, blobs = assembler.answer(data) if "ir" in ask else machine.answer(ask, data)
        text = json.dumps(answer).encode() + b"\n"
        target.write(LENGTH.pack(len(text) + sum(map(len, blobs))) + text + b"".join(blobs))
        target.flush()


class Assembler:
    """LLVM: the IR is optimised already, so that all that is left is to choose instructions."""

    def __init__(self, package):
        self.package = package
        self.llvm = None

    def answer(self, data):
        if self.llvm is None:
            load("llvmlite", self.package)
            self.llvm = importlib.import_module("llvmlite.binding")
            self.llvm.initialize_all_targets()
            self.llvm.initialize_all_asmprinters()
            target = self.llvm.Target.from_triple("wasm32-unknown-unknown")
            self.machine = target.create_target_machine(cpu="mvp", features=FEATURES, opt=2)
        try:
            with self.llvm.parse_assembly(data.decode()) as module:
                return {"error": ""}, [self.machine.emit_object(module)]
        except RuntimeError as error:
            return {"error": str(error)[:2000]}, []


class Fault(Exception):
    """The runtime found a rule broken, and told what."""


class Machine:
    def __init__(self, wasmtime, module, code):
        self.w = wasmtime
        self.engine = wasmtime.Engine(configured(wasmtime))
        try:
            runtime = wasmtime.Module.deserialize_file(self.engine, code)
        except wasmtime.WasmtimeError:  # compiled on another processor
            runtime = wasmtime.Module.from_file(self.engine, module)
        linker = wasmtime.Linker(self.engine)
        i32 = wasmtime.ValType.i32()
        linker.define_func("kb", "fail", wasmtime.FuncType([i32] * 5, []), self.fail)
        self.runtime = linker.instantiate_pre(runtime)
        self.module, self.imports = None, ()
        self.places = {}  # of the runtime's variables: the same in each instance
        self.current = None

    def fail(self, what, place, x, y, z):
        text = self.current.text(x & 0xFFFFFFFF) if what == TOLD else ""
        self.current.faults.append((what, place, x & 0xFFFFFFFF, y & 0xFFFFFFFF, z, text))
        raise Fault

    def answer(self, ask, data):
        if ask["module"]:
            self.module = self.w.Module(self.engine, data[: ask["module"]])
            self.imports = [(wanted.name, wanted.type) for wanted in self.module.imports]
        at, inputs = ask["module"], []
        for _, given, _ in ask["buffers"]:
            inputs.append(data[at : at + given])
            at += given
        runs, blobs = [], []
        for poison in ask["poisons"]:
            store = self.w.Store(self.engine)
            try:
                facts, outputs = self.run(store, ask, inputs, poison)
            finally:
                store.close()  # now: memories are large, and nothing else lets go of them soon
            runs.append(facts)
            blobs += outputs
            if facts["trap"]:
                break
        return {"runs": runs}, blobs

    def run(self, store, ask, inputs, poison):
        store.set_limits(memory_size=MOST_MEMORY, table_elements=MOST_TABLE, instances=2, memories=1, tables=2)
        store.set_fuel(ask["fuel"])
        facts = {"fault": None, "text": "", "trap": "", "frames": [], "hot": -1, "suspect": 0, "outputs": []}
        run = self.current = Run(self, store)
        facts["places"] = places = run.prepare(ask, inputs, poison)
        try:
            run.call(self.module, self.imports, ask, places)
        except self.w.Trap as trap:
            code = trap.trap_code
            facts["trap"] = code.name if code is not None else "FAULT"
            facts["frames"] = [frame.func_index for frame in trap.frames[:64] if frame.func_name is None]
        except (self.w.WasmtimeError, Fault) as error:
            facts["trap"] = "FAULT" if run.faults else str(error)
        if run.faults:
            facts["fault"], facts["text"] = run.faults[0][:5], run.faults[0][5]
        facts["fuel"] = ask["fuel"] - store.get_fuel()
        if facts["trap"]:
            facts["hot"] = run.hottest(*ask["counts"])
            return facts, []
        facts["suspect"] = struct.unpack("<i", run.read(run.at("kbrt_suspect"), 4))[0]
        buffers = zip(places, ask["buffers"], strict=True)
        outputs = [run.read(at, size) for at, (size, _, writable) in buffers if writable]
        facts["outputs"] = [len(o) for o in outputs]
        return facts, [*outputs, *run.counters(*ask["counts"], ask["marks"])]


class Run:
    """An instance of the runtime, its memory, and what the host puts there."""

    def __init__(self, machine, store):
        self.w, self.store, self.places = machine.w, store, machine.places
        self.faults = []
        self.instance = machine.runtime.instantiate(store)
        self.memory = self.export("memory")

    def export(self, name):
        """One export by its name: the runtime has hundreds, and looking at each would take longer than a run."""
        ffi, text = self.w._ffi, name.encode()
        item = ffi.wasmtime_extern_t()
        found = ctypes.byref(self.instance._instance), ctypes.create_string_buffer(text), len(text), ctypes.byref(item)
        if not ffi.wasmtime_instance_export_get(self.store._context(), *found):
            raise KeyError(name)
        return self.w._extern.wrap_extern(item)

    def at(self, name):
        if name not in self.places:
            self.places[name] = self.export(name).value(self.store)
        return self.places[name]

    def read(self, at, size):
        return bytes(self.memory.read(self.store, at, at + size))

    def write(self, at, data):
        self.memory.write(self.store, data, at)

    def text(self, at):
        return self.read(at, min(400, self.memory.data_len(self.store) - at)).partition(b"\0")[0].decode("latin-1")

    def prepare(self, ask, inputs, poison):
        """Fills memory with poison where nothing else is, and puts the buffers in; returns where they lie."""
        start = self.at("__heap_base") + GAP
        low, high = self.at("__stack_low"), self.at("__stack_high")
        self.write(low, bytes([poison]) * (high - low))
        places, table, at = [], b"", start
        for (size, _, writable), data in zip(ask["buffers"], inputs, strict=True):
            at = -(-at // ALIGNMENT) * ALIGNMENT
            places.append(at)
            self.write(at, data + bytes([poison]) * (size - len(data)))
            table += struct.pack("<III", at, size, writable)
            at += size + GAP
        self.write(self.at("kbrt_buffers"), table)
        where, count = ask["globals"]
        words = {"buffer_count": len(places), "poison": poison, "stack_bytes": ask["stack"]}
        words |= {"globals": where, "global_count": count, "blocks": ask["counts"][1]}
        for name, word in words.items():
            self.write(self.at(f"kbrt_{name}"), struct.pack("<I", word))
        return places

    def call(self, module, imports, ask, places):
        kernel = self.kernel(module, imports).exports(self.store)
        for name in ask["first"]:
            kernel[name](self.store)
        values = [places[value] if kind == "buffer" else value for kind, value in ask["arguments"]]
        kernel[ask["entry"]](self.store, *values)

    def kernel(self, module, imports):
        """The kernel's instance: what it imports is the runtime's, but for a table of its own."""
        found = []
        for name, kind in imports:
            if name == "__linear_memory":
                found.append(self.memory)
            elif name == "__indirect_function_table":
                # The object counts its functions, which begin at index 1: 0 is the null pointer.
                limits = self.w.Limits(kind.limits.min + 1, None)
                found.append(self.w.Table(self.store, self.w.TableType(self.w.ValType.funcref(), limits), None))
            else:
                found.append(self.export(name))
        return self.w.Instance(self.store, module, found)

    def counters(self, at, blocks, marks):
        """The counters of blocks, and two of {site, counters} where the program has events."""
        yield self.read(at, 8 * blocks)
        if marks is not None:
            yield self.read(marks, 16 * (blocks + 1))

    def hottest(self, at, blocks):
        counts = struct.unpack(f"<{blocks}Q", self.read(at, 8 * blocks))
        return max(range(blocks), key=counts.__getitem__) if blocks else -1


if __name__ == "__main__":
    main()
