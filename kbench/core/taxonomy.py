"""Stages and classes of failure: the vocabulary of every record.

`OUTCOMES` maps a class to the stage that gives it and to one sentence for people. A class is either the candidate's
fault (it counts) or ours (`stage == "harness"`: shown, never scored as the candidate's).
"""

from __future__ import annotations

from typing import NamedTuple

STAGES = ("generate", "extract", "compile", "run", "check", "done")


class Outcome(NamedTuple):
    stage: str
    meaning: str


OUTCOMES: dict[str, Outcome] = {
    "passed": Outcome("done", "compiled, ran and was right on every case that ran"),
    # the model's answer
    "context_limit": Outcome("generate", "the prompt is longer than the model can read"),
    "only_reasoning": Outcome("extract", "the model reasoned and gave no answer"),
    "diff": Outcome("extract", "the completion is a diff of parts, not the files that were asked for"),
    "repetition": Outcome("extract", "the completion repeats itself until its limit"),
    "no_code": Outcome("extract", "the completion holds no code"),
    "missing_part": Outcome("extract", "a source file that the track asks for is missing"),
    "missing_symbol": Outcome("extract", "no kernel function of the asked name"),
    "empty_response": Outcome("extract", "the completion is empty"),
    "truncated": Outcome("extract", "the completion stops in the middle"),
    "refusal": Outcome("extract", "the model declined"),
    # the compiler
    "compile_error": Outcome("compile", "the compiler rejects the source"),
    "unknown_api": Outcome("compile", "the source uses an API name that does not exist"),
    "missing_include": Outcome("compile", "an included file does not exist"),
    "forbidden_include": Outcome("compile", "the source includes or embeds a file outside the sandbox"),
    "inline_assembly": Outcome("compile", "inline assembly is not part of the kernel language"),
    "forbidden_symbol": Outcome("compile", "the object needs a symbol that kernels may not use"),
    "link_error": Outcome("compile", "the objects do not link (no kernel entry, or a name defined twice)"),
    "compile_timeout": Outcome("compile", "the compiler did not end in its time"),
    "compile_memory": Outcome("compile", "the compiler ran out of its memory"),
    "template_limit": Outcome("compile", "template or constexpr evaluation exceeds the compiler's limit"),
    "source_limit": Outcome("compile", "the source is larger than the limit"),
    "registration_error": Outcome("compile", "the host side does not register the operator that the task asks for"),
    # the machine
    "tiling_failed": Outcome("run", "the candidate's tiling function failed or asked for an impossible launch"),
    "crash": Outcome("run", "the candidate crashed"),
    "stack_overflow": Outcome("run", "the candidate ran out of its stack"),
    "timeout": Outcome("run", "the candidate did not end in its time"),
    "deadlock": Outcome("run", "every block waits for something that cannot happen"),
    "memory_limit": Outcome("run", "the candidate asked for more memory than it may have"),
    "output_limit": Outcome("run", "the candidate printed more than it may"),
    "forbidden_syscall": Outcome("run", "the candidate called the operating system (files, processes, network)"),
    "rule_violation": Outcome("run", "a documented rule of the device is broken: the result would be wrong or hang"),
    "out_of_bounds": Outcome("run", "an access outside its buffer"),
    "tampered": Outcome("run", "the candidate changed the simulator's own state"),
    # the answer
    "unwritten": Outcome("check", "part of an output was never written"),
    "wrong_values": Outcome("check", "an output differs from the reference by more than its tolerance"),
    "nonfinite": Outcome("check", "NaN or infinity where the reference has none, or the reverse"),
    "wrong_shape": Outcome("check", "an output has the wrong number, shape or dtype"),
    "input_modified": Outcome("check", "an input that is not in-place was changed"),
    # ours
    "unsupported": Outcome("harness", "the source uses a real device API that is not modelled"),
    "harness_error": Outcome("harness", "kbench or its machine failed"),
}

HARNESS_OUTCOMES = frozenset(name for name, o in OUTCOMES.items() if o.stage == "harness")


def is_harness(outcome: str) -> bool:
    """True where the outcome is kbench's fault, so that it never counts as the candidate's."""
    return outcome in HARNESS_OUTCOMES
