"""Backend `c`: a kernel is one function in plain C, compiled and called in kbench's sandbox."""

import tempfile
from pathlib import Path

from kbench import Backend, Build, Interface, Probe, RunResult, hookimpl
from kbench.core.hostcc.function import call_function, compile_function
from kbench.core.hostcc.signature import arguments_of, defines_of, signature_of
from kbench.core.hostcc.toolchain import toolchain

RULES = (
    "Plain C17 without the operating system: no I/O, no allocation, no assembly; <math.h> and memcpy are there.",
    "Each pointer is followed by its number of elements; arrays are dense, row-major and do not overlap.",
)


class CBackend(Backend):
    name = "c"
    targets = ("host",)

    def interface(self, entry, cases, settings):
        declared = signature_of(entry.task)
        scaffold = {"kernel.c": f"#include <stdint.h>\n\n{declared} {{\n}}\n"}
        return Interface("C", entry.task.name, {"kernel": "kernel.c"}, declared, scaffold, RULES, {"threads": "1"})

    def compile(self, candidate, entry, cases, settings, workdir):
        functions = {}
        for defines in {defines_of(case) for case in cases}:  # one build for each row of dtypes
            place = Path(tempfile.mkdtemp(dir=workdir))
            functions[defines] = compile_function(candidate, signature_of(entry.task), settings, place, defines=defines)
        findings = tuple(finding for function in functions.values() for finding in function.findings)
        return Build(workdir, findings, data=functions)

    def run(self, build, entry, case, inputs, settings):
        arguments = arguments_of(entry.task, case, inputs)
        outputs = call_function(build.data[defines_of(case)], arguments, settings)
        return RunResult(dict(zip((t.name for t in entry.task.outputs), outputs, strict=True)))

    def doctor(self):
        return [Probe("compile", "ok", toolchain().identity)]


@hookimpl
def kbench_register_backends():
    return [CBackend]
