"""The benchmark's C++ between Python and the kernel call, interpreted on CPU tensors. Part of the sandboxed child.

`Aten` is the part of the tensor library that the wrappers use; `Wrapper` runs one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import cpp
import torch


class Refused(Exception):
    """The benchmark's own code cannot do what is asked; the message is for people."""


@dataclass(frozen=True)
class _Options:
    dtype: Any = torch.float32

    def change(self, given: Any) -> _Options:
        return given if isinstance(given, _Options) else _Options(given)


@dataclass(frozen=True)
class Scalar:
    """A number that the caller hands over as a scalar object."""

    value: Any


_TYPES = {
    "kFloat": torch.float32, "kFloat32": torch.float32, "kFloat64": torch.float64, "kDouble": torch.float64,
    "kHalf": torch.float16, "kFloat16": torch.float16, "kBFloat16": torch.bfloat16, "kBool": torch.bool,
    "kByte": torch.uint8, "kUInt8": torch.uint8, "kChar": torch.int8, "kInt8": torch.int8, "kShort": torch.int16,
    "kInt16": torch.int16, "kInt": torch.int32, "kInt32": torch.int32, "kLong": torch.int64, "kInt64": torch.int64,
    "kComplexFloat": torch.complex64,
    "Float": torch.float32, "Double": torch.float64, "Half": torch.float16, "BFloat16": torch.bfloat16,
    "Bool": torch.bool, "Byte": torch.uint8, "Char": torch.int8, "Short": torch.int16, "Int": torch.int32,
    "Long": torch.int64, "ComplexFloat": torch.complex64,
}  # fmt: skip


class Aten(cpp.Host):
    """Tensors, options and scalars as the wrapper sees them. `launch` receives the kernel call's arguments."""

    def __init__(self, launch: Callable[[str, list[Any]], None]) -> None:
        self.launch = launch
        self.zeroed: list[Any] = []

    def _zero(self, tensor: Any) -> Any:
        """Fill with zeros, and remember it: the kernel finds them there."""
        self.zeroed.append(tensor)
        return tensor.zero_()

    def _fill(self, tensor: Any, value: Any) -> Any:
        return self._zero(tensor) if value == 0 else tensor.fill_(value)

    def name(self, name: str) -> Any:
        space, _, last = name.rpartition("::")
        if last in _TYPES and space:
            return _TYPES[last]
        return name  # the name of a function, of an exception, of the kernel call

    def call(self, name: str, arguments: list[Any]) -> Any:
        if name == "EXEC_NPU_CMD":
            return self.launch(str(arguments[0]), arguments[1:])
        last = name.rpartition("::")[2]
        return getattr(self, f"_call_{last}", self._unknown(name))(*arguments)

    def _unknown(self, name: str) -> Callable[..., Any]:
        def fail(*arguments: Any) -> Any:
            raise KeyError(name)

        return fail

    def make(self, kind: str, arguments: list[Any] | None) -> Any:
        bare = kind.replace("const ", "").strip(" &*")
        if arguments is None:
            return None
        if bare in ("c10::Scalar", "at::Scalar"):
            return Scalar(item(arguments[0]))
        if bare.startswith(("at::ArrayRef", "at::TensorList", "at::IntArrayRef", "torch::IntArrayRef")):
            return list(arguments[0])
        if bare in ("at::Tensor", "torch::Tensor", "std::runtime_error", "std::string"):
            return arguments[0] if arguments else None
        raise KeyError(kind)

    def _call_Tensor(self, *arguments: Any) -> Any:
        return arguments[0] if arguments else None

    def _call_TensorList(self, items: Any) -> Any:
        return items

    _call_IntArrayRef = _call_TensorList
    _call_ConvertType = _call_TensorList

    def _call_Scalar(self, value: Any) -> Scalar:
        return Scalar(item(value))

    def _call_ConvertTensorToAclScaler(self, tensor: Any) -> Scalar:
        return Scalar(item(tensor))

    _call_ConvertTensorToScalar = _call_ConvertTensorToAclScaler

    def _call_TensorOptions(self, *given: Any) -> _Options:
        return _Options(given[0]) if given else _Options()

    def _call_dtype(self, dtype: Any) -> _Options:
        return _Options(dtype)

    def _call_empty(self, sizes: Any, options: Any = None) -> Any:
        shape = tuple(sizes) if isinstance(sizes, list | tuple) else (sizes,)
        return torch.empty(shape, dtype=_Options().change(options).dtype if options is not None else torch.float32)

    def _call_zeros(self, sizes: Any, options: Any = None) -> Any:
        return self._zero(self._call_empty(sizes, options))

    def _call_empty_like(self, tensor: Any, options: Any = None) -> Any:
        dtype = tensor.dtype if options is None else _Options().change(options).dtype
        return torch.empty(tuple(tensor.shape), dtype=dtype)

    def _call_zeros_like(self, tensor: Any, options: Any = None) -> Any:
        return self._zero(self._call_empty_like(tensor, options))

    def _call_infer_size(self, a: Any, b: Any) -> list[int]:
        return list(torch.broadcast_shapes(tuple(a), tuple(b)))

    def _call_ceil(self, value: float) -> int:
        return math.ceil(value)

    def _call_TORCH_CHECK(self, condition: Any, *words: Any) -> None:
        if not condition:
            raise cpp.CppError("TORCH_CHECK: " + "".join(str(w) for w in words))

    def method(self, value: Any, name: str, template: str, arguments: list[Any]) -> Any:
        if name in ("has_value", "value", "value_or"):
            return self._optional(value, name, arguments)
        if isinstance(value, _Options):
            return value if name == "device" else _Options(arguments[0])
        if isinstance(value, torch.Tensor):
            return self._tensor(value, name, arguments)
        raise KeyError(name)

    def _optional(self, value: Any, name: str, arguments: list[Any]) -> Any:
        if name == "has_value":
            return value is not None
        if value is None and name == "value":
            raise cpp.CppError("value() of an absent optional")
        return arguments[0] if value is None else value

    def _tensor(self, tensor: Any, name: str, arguments: list[Any]) -> Any:
        simple: dict[str, Callable[..., Any]] = {
            "sizes": lambda: list(tensor.shape),
            "size": lambda i: int(tensor.shape[i]),
            "dim": lambda: tensor.dim(),
            "numel": lambda: tensor.numel(),
            "options": lambda: _Options(tensor.dtype),
            "scalar_type": lambda: tensor.dtype,
            "dtype": lambda: tensor.dtype,
            "device": lambda: None,
            "defined": lambda: True,
            "item": lambda: item(tensor),
            "cpu": lambda: tensor,
            "contiguous": lambda: tensor.contiguous(),
            "accessor": lambda: tensor.tolist(),
            "data_ptr": lambda: cpp.Pointer(tensor.flatten().tolist()),
            "zero_": lambda: self._zero(tensor),
            "fill_": lambda v: self._fill(tensor, v),
            "sum": lambda: tensor.sum(),
            "narrow": lambda *a: tensor.narrow(*a),
            "to": lambda d: tensor.to(d.dtype if isinstance(d, _Options) else d),
        }
        return simple[name](*arguments)


def item(value: Any) -> Any:
    return value.reshape(-1)[0].item() if isinstance(value, torch.Tensor) else value


class Wrapper:
    """The benchmark's C++ between Python and the kernel call."""

    def __init__(self, source: str) -> None:
        self.program = cpp.read_program(source)
        body = self.program.functions["PYBIND11_MODULE"].body
        names = [body[i + 1].text for i in range(len(body) - 1) if body[i].text == "&" and body[i + 1].kind == "name"]
        known = [n for n in names if n in self.program.functions]
        if not known:
            raise Refused("the wrapper binds no function that it defines")
        self.function = known[0]
        self.zeroed: list[Any] = []
        self.returned: Any = None

    def call(self, launch: Callable[[str, list[Any]], None], arguments: Iterable[Any]) -> Any:
        kinds = [p.type for p in self.program.functions[self.function].parameters]
        given = [_passed(a, kinds[i] if i < len(kinds) else "") for i, a in enumerate(arguments)]
        library = Aten(launch)
        self.zeroed = library.zeroed
        self.returned = cpp.Interpreter(self.program, library).call(self.function, given)
        return self.returned


def _passed(value: Any, kind: str) -> Any:
    """An argument as the binding converts it: tuples to vectors, a tensor of one element to the number asked for."""
    if isinstance(value, torch.Tensor) and kind.split() and kind.split()[0] in ("double", "float", "int64_t", "bool"):
        return item(value)
    return list(value) if isinstance(value, tuple) else value
