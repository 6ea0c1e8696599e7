"""The device rules that the simulator enforces: the `rule` of a finding, what it means, and its severity.

`error`: the result would be wrong, or the kernel would hang or be killed, on the device; the run ends there.
`warning`: harmless on the device, or harmless as long as nothing else relies on it; the run goes on.

Sources are pages of the AscendC documentation of the asc-devkit repository (2026-07-30), below `api/SIMD-API`.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    severity: str
    text: str
    source: str


RULES: dict[str, Rule] = {
    "E1": Rule("warning", "DataCopy moves whole 32-byte blocks; a longer count is rounded down", "DataCopy"),
    "E2": Rule("error", "operands in UB start at a multiple of 32 bytes", "general constraints"),
    "E4": Rule("error", "an operand lies in the memory that the instruction can reach", "general constraints"),
    "E5": Rule("error", "the data type is one that the instruction takes on this architecture", "each API's page"),
    "E6": Rule("error", "the pair of types and the rounding mode of a Cast exist", "Cast"),
    "E7": Rule("error", "repeatTime and strides fit their 8 or 16 bits; larger ones wrap", "high-dimensional tiling"),
    "E8": Rule("warning", "the mask has no more lanes than a repeat; on the device the rest is ignored", "mask"),
    "E9": Rule(
        "error or warning", "the count fits the tensor; beyond it a warning, beyond its memory an error", "general"
    ),
    "E10": Rule("error", "repeats and strides stay in the memory of the operand", "high-dimensional tiling"),
    "E11": Rule("error or warning", "source and destination overlap wholly or not at all", "general constraints"),
    "E12": Rule("warning", "the destination's block stride is not 0", "high-dimensional tiling"),
    "E13": Rule("warning", "Compare works on multiples of 256 bytes; the rest is not computed", "Compare"),
    "E14": Rule("warning", "buffers fit UB; what is never touched beyond it is harmless", "TPipe::InitBuffer"),
    "E15": Rule("error", "a kernel has at most 64 buffers", "TPipe::InitBuffer"),
    "E16": Rule("error", "a queue position has at most 8 buffers or events in use", "AllocEventID"),
    "E17": Rule(
        "error or warning",
        "AllocTensor finds a free buffer: FreeTensor came before it; never freed is a warning",
        "TQue::AllocTensor",
    ),
    "E18": Rule("error", "DeQue finds a tensor: EnQue came before it", "TQue::DeQue"),
    "E19": Rule("error or warning", "a tensor goes Alloc, EnQue, DeQue, Free through one queue", "TQue"),
    "E20": Rule("error", "no more tensors are enqueued than the queue is deep", "TQue::EnQue"),
    "E21": Rule(
        "error",
        "a tensor that a copy filled is used after its EnQue and DeQue, or a flag; EnQue follows the last write",
        "TQue::DeQue",
    ),
    "E22": Rule(
        "error or warning",
        "operations of two pipes on the same bytes, one of them a write, are ordered by a flag, a queue or a barrier; "
        "a write that may overtake a read is a warning",
        "core-internal synchronisation",
    ),
    "E23": Rule(
        "error",
        "copies of one direction that write the same bytes have a PipeBarrier of their pipe between them",
        "PipeBarrier",
    ),
    "E25": Rule("error or warning", "every WaitFlag has its SetFlag, on the same pipes and event", "SetFlag/WaitFlag"),
    "E26": Rule("error or warning", "an event is not set again before it was waited for", "SetFlag/WaitFlag"),
    "E27": Rule("error or warning", "event ids are 0 to 7; 6 and 7 belong to the compiler", "SetFlag/WaitFlag"),
    "E29": Rule(
        "error or warning", "cross-core flags are 0 to 15, set at most 15 times before a wait", "CrossCoreSetFlag"
    ),
    "E30": Rule(
        "error or warning", "blocks that wait for each other all run: no more blocks than cores", "CrossCoreSetFlag"
    ),
    "E31": Rule("error", "the workspace of SyncAll is zeroed and has 32 bytes for each block", "SyncAll"),
    "E32": Rule("error", "SyncAll<false> waits for cores of both kinds: the kernel has both", "SyncAll"),
    "E33": Rule("error", "one TPipe is alive at a time", "TPipe"),
    "E34": Rule("error or warning", "queues and buffers need a live TPipe", "TPipe"),
    "E35": Rule(
        "error or warning",
        "accesses to global memory stay in the tensor; in its allocation a write is a warning, a read a note",
        "aclrtMalloc",
    ),
    "E36": Rule(
        "error or warning",
        "the index of GetValue and SetValue lies in the tensor; inside UB a warning",
        "LocalTensor::SetValue",
    ),
    "E37": Rule(
        "error",
        "what SetValue wrote to global memory is cleaned before others read it; a line of 64 bytes has one writer",
        "DataCacheCleanAndInvalid",
    ),
    "E38": Rule("error", "block lengths, counts and padding of DataCopyPad are in range", "DataCopyPad"),
    "E44": Rule(
        "error or warning",
        "the tiling data that the kernel reads is what the host wrote; short by less than 8 bytes is a warning",
        "GET_TILING_DATA",
    ),
    "E45": Rule("error", "kernel parameters and tiling data are not written", "precision FAQ"),
    "E46": Rule("error", "a launch has 1 to 65535 blocks", "kernel launch"),
    "E47": Rule("warning", "the workspace holds the part that the system uses", "workspace"),
    "E48": Rule("error or warning", "the kernel has a branch for the tiling key; for key 0 a warning", "tiling keys"),
    "E52": Rule("warning", "offsets of a gather are multiples of the element", "Gather"),
    "E53": Rule(
        "error or warning",
        "no output depends on what memory held before; a warning where only what nobody looks at does",
        "TQue::AllocTensor",
    ),
    "E54": Rule("warning", "the atomic mode is off when a kernel ends; the next one inherits it", "DisableDmaAtomic"),
    "E55": Rule("warning", "the mask does not count when a kernel ends; the next one inherits it", "InitSocState"),
    "E56": Rule(
        "warning", "sources lie in the domain of an advanced operation; elsewhere its result is invalid", "math"
    ),
    "E57": Rule(
        "error", "a shift's distance and a selection's mode are ones that the operation has", "ShiftLeft, Select"
    ),
    "E58": Rule(
        "error",
        "accesses of two blocks to the same bytes of global memory, one of which changes them, are ordered by a "
        "SyncAll or a cross-core flag",
        "SyncAll",
    ),
    "E59": Rule("error", "a kernel does without recursion at run time and without `new`", "limits of C++ (features)"),
    "E60": Rule("warning", "a format has as many conversions as arguments, of their types", "printf"),
}

_CUBE = "cube: the matrix side is not modelled"
#: Rows of the catalogue of mistakes that nothing here finds, and why.
UNSEEN: dict[str, str] = {
    "E3": _CUBE,
    "E24": _CUBE,
    "E28": "an event id that is fetched twice and set twice before a wait is told as E26",
    "E39": _CUBE,
    "E40": _CUBE,
    "E41": _CUBE,
    "E42": _CUBE,
    "E43": _CUBE,
    "E49": "of the vendor's twin: the device's compiler takes functions that differ in __gm__ only, which ours refuses",
    "E50": "of the device's code: jumps that are too far appear in its own instructions only",
    "E51": "of the device's code: the size of its instructions; a stack beyond 256 KiB ends as stack_overflow",
}
