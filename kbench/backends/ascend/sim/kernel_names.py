"""Names of AscendC: those that the simulator's headers declare, and the documented ones that they do not."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

HERE = Path(__file__).parent
INCLUDE = HERE / "include"


# What these declare only answers `unsupported`: kernels that mention it compile.
DECLARED_ONLY = tuple(
    f"kernel_{name}.h"
    for name in (
        "operator_mm_intf", "operator_fixpipe_intf", "operator_conv2d_intf", "operator_gemm_intf",
        "struct_mm", "struct_fixpipe", "struct_conv2d", "struct_aipp",
    )
)  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Declared by the vendor's headers for other chips; on A2 and A3 a kernel that calls one does not compile, or the
# documentation says that it must not.
OTHER_CHIPS = _words(
    """
    AbsSub AllocMutexID Ands AtomicAdd AtomicCas AtomicExch AtomicMax AtomicMin BinaryConfig ClearSpr DataCopyL1ToUB
    DeInterleave Divs ExpSub FusedAbsSub FusedExpSub FusedMulsCast GetRuntimeUBSize GetSaturationStrategy
    GetScalarCacheMode GetSpr GetSsbufBaseAddr GetUBSizeInBytes GetUintDivMagicAndShift GetVecLen Interleave
    LoadData2DMxParams LoadDataUnzip LoadDataWithStride LoadUnzipIndex LoopModeParams MmadMx Mull MulsCast
    MultiCopyLoopInfo MultiCopyParams Mutex NdDmaConfig NdDmaDci Neg Dn2NzParams FixpipeParamsArch3510
    FixpipeParamsC310 Nd2NzParamsV2 NumericLimits Ors Prelu ReleaseMutexID ResetCtrlSpr ResetLoopModePara Scatter
    SetFixPipeAddr SetFixPipeClipRelu SetLoadDataRepeatWithStride SetLoopModePara SetSaturationStrategy
    SetScalarCacheMode Subs Truncate VectorPadding MaskReg RegTensor UnalignReg
    """
)

# Documented for A2 and A3 and not modelled: tensors with layouts, groups of cube cores, and the library in C.
_NOT_YET = _words(
    """
    CreateCubeResGroup CubeResGroupHandle GroupBarrier KfcWorkspace MakeTensorTrait TensorTrait
    is_tensorTrait is_tensorTrait_v
    """
)
_C_API = re.compile(r"asc_[a-z]\w+")


@functools.cache
def cube_calls() -> re.Pattern[str]:
    """Calls of functions that only cube cores have."""
    headers = (name for name in DECLARED_ONLY if "_operator_" in name)
    names = frozenset().union(*(declared_names((INCLUDE / name).read_text()) for name in headers)) - modelled_api()
    functions = sorted(name for name in names if not name.startswith(("CFG_", "LocalTensor", "GlobalTensor")))
    return re.compile(rf"\b({'|'.join(functions)})\s*[<(]")


@functools.cache
def _unmodelled() -> dict[str, list[str]]:
    lists: dict[str, list[str]] = json.loads((HERE / "unmodelled_apis.json").read_text())
    return lists


def unmodelled_api() -> frozenset[str]:
    """Documented names of AscendC without a meaning here, declared or not: never the candidate's mistake."""
    declared = frozenset().union(*(declared_names((INCLUDE / name).read_text()) for name in DECLARED_ONLY))
    return (frozenset(_unmodelled()["names"]) | declared | _NOT_YET) - modelled_api() - OTHER_CHIPS


def is_unmodelled(name: str) -> bool:
    """Whether this name, used in a kernel that does not compile, is documented and has no meaning here."""
    return name in unmodelled_api() or _C_API.fullmatch(name) is not None


def unmodelled_headers() -> frozenset[str]:
    """Documented headers that do not exist here. Kernels include more than they use: what they use decides."""
    return frozenset(name for name in _unmodelled()["headers"] if not (INCLUDE / name).exists())


@functools.cache
def modelled_api() -> frozenset[str]:
    """Names that the headers declare in namespace AscendC or as macros, and that mean something."""
    headers = (path for path in INCLUDE.rglob("*.h") if path.name not in DECLARED_ONLY)
    return frozenset().union(*(declared_names(path.read_text()) for path in headers))


# A macro's parameter, a return type, locals of headers.
_NOT_NAMES = frozenset({"Name", "float", "from", "int64_t", "legal", "operator", "raw", "type", "view"})


def _vendor_part(header: str) -> str:
    return re.sub(r"^namespace kb\b.*?^}  // namespace kb", "", header, flags=re.MULTILINE | re.DOTALL)


def declared_functions(header: str) -> frozenset[str]:
    """Functions of the vendor's that a header of ours declares, by KB_API or through a macro of ours."""
    text = _vendor_part(header)
    declared = r"^\s*(?:template <[^\n]*>\s*)?(?:KB_API|inline|constexpr)[^\n;={]*?\b(\w+)\("
    found = re.findall(declared, text, re.MULTILINE) + re.findall(r"^KB_\w+\((\w+)", text, re.MULTILINE)
    return frozenset(n for n in set(found) - _NOT_NAMES if not n[0].isdigit() and not n.lower().startswith("kb"))


def declared_names(header: str) -> frozenset[str]:
    """Names of the vendor's that a header of ours declares: functions, types, constants and macros."""
    text = _vendor_part(header)
    types = re.findall(r"^\s*(?:enum class|enum|struct|class|using)\s+(?!namespace\b)(\w+)", text, re.MULTILINE)
    macros = re.findall(r"^#define (\w+)", text, re.MULTILINE)
    constants = re.findall(r"^inline constexpr [\w:]+ (\w+)", text, re.MULTILINE)
    for values in re.findall(r"^enum \w+ \{([^}]*)\}", text, re.MULTILINE):
        constants += re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", values.strip())
    names = {*types, *macros, *constants} - _NOT_NAMES
    return declared_functions(header) | {n for n in names if not n.lower().startswith("kb")}


def _enumerators(header: str) -> frozenset[str]:
    """The values of the vendor's scoped enumerations."""
    bodies = re.findall(r"^enum class \w+(?: : \w+)? \{([^}]*)\}", _vendor_part(header), re.MULTILINE)
    return frozenset(re.findall(r"\b([A-Z][A-Z0-9_]*_\w+)\b", " ".join(bodies)))


def known_api() -> frozenset[str]:
    """Every name that exists: what a misspelt one is compared with."""
    values = (_enumerators(path.read_text()) for path in INCLUDE.rglob("*.h"))
    return modelled_api().union(unmodelled_api(), *values)
