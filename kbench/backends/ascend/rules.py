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
    "E17": Rule("error", "AllocTensor finds a free buffer: FreeTensor came before it", "TQue::AllocTensor"),
    "E18": Rule("error", "DeQue finds a tensor: EnQue came before it", "TQue::DeQue"),
    "E19": Rule("error or warning", "a tensor goes Alloc, EnQue, DeQue, Free through one queue", "TQue"),
    "E20": Rule("error", "no more tensors are enqueued than the queue is deep", "TQue::EnQue"),
    "E21": Rule("error", "a tensor that a copy filled is used after its EnQue and DeQue, or a flag", "TQue::DeQue"),
    "E25": Rule("error", "every WaitFlag has its SetFlag, on the same pipes and event", "SetFlag/WaitFlag"),
    "E26": Rule("error or warning", "an event is not set again before it was waited for", "SetFlag/WaitFlag"),
    "E27": Rule("error or warning", "event ids are 0 to 7; 6 and 7 belong to the compiler", "SetFlag/WaitFlag"),
    "E29": Rule("error", "cross-core flags are 0 to 15, set at most 15 times before a wait", "CrossCoreSetFlag"),
    "E30": Rule("error", "blocks that wait for each other all run: no more blocks than cores", "CrossCoreSetFlag"),
    "E31": Rule("error", "the workspace of SyncAll is zeroed and has 32 bytes for each block", "SyncAll"),
    "E33": Rule("error", "one TPipe is alive at a time", "TPipe"),
    "E34": Rule("error or warning", "queues and buffers need a live TPipe", "TPipe"),
    "E35": Rule(
        "error or warning", "accesses to global memory stay in the tensor; its padding to 32 bytes is a warning", "GM"
    ),
    "E36": Rule("error", "the index of GetValue and SetValue lies in the tensor", "LocalTensor::SetValue"),
    "E38": Rule("error", "block lengths, counts and padding of DataCopyPad are in range", "DataCopyPad"),
    "E44": Rule("error", "the tiling data that the kernel reads is what the host wrote", "GET_TILING_DATA"),
    "E46": Rule("error", "a launch has 1 to 65535 blocks", "kernel launch"),
    "E47": Rule("warning", "the workspace holds the part that the system uses", "workspace"),
    "E53": Rule(
        "warning", "sources lie in the domain of an advanced operation; elsewhere its result is invalid", "math"
    ),
    "E52": Rule("warning", "offsets of a gather are multiples of the element", "Gather"),
}
