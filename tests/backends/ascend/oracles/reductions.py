"""Reductions inside data blocks, pairs and repeats, and over whole tensors.

Pages: ReduceDataBlock, ReduceRepeat, ReducePairElem, ReduceSum, ReduceMax, ReduceMin and the boundary values. A sum is
a binary tree over neighbours; lanes that a mask leaves out count as +0 in a sum that others take part in (their place
in the tree), and not at all in a maximum. A NaN is the result wherever one takes part; among equal values the lowest
index counts, and the first of both zeros. ReduceSum over a count adds the repeats in order, over repeats it is a tree.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests.backends.ascend.oracles.lanes import BLOCK, Call, Image, Places, put, take
from tests.backends.ascend.oracles.numbers import DTYPES, Values, doubles, saturated, to_float

Lanes = npt.NDArray[np.float64]


def tree(values: Lanes, dtype: str, saturate: bool = False) -> float:
    """The sum of neighbours, level by level, each rounded to the type."""
    level = values
    while len(level) > 1:
        if len(level) % 2:
            level = np.append(level, 0.0)
        with np.errstate(all="ignore"):
            total = to_float(level[::2] + level[1::2], dtype)
        level = doubles(saturated(total, dtype) if saturate else total)
    return float(level[0])


def extreme(values: Lanes, lanes: Places, name: str) -> tuple[float, int]:
    """The greatest or least value and its lane; a NaN wins, the first one."""
    nans = np.flatnonzero(np.isnan(values))
    if len(nans):
        return float("nan"), int(lanes[nans[0]])
    best = int(np.argmax(values) if name == "MAX" else np.argmin(values))
    return float(values[best]), int(lanes[best])


def _value(x: float, dtype: str) -> Values:
    return to_float(np.array([x]), dtype)


def _kept(call: Call, x: float) -> float:
    """A result as the saturation mode keeps it."""
    dtype = call.src[0].dtype
    return float(doubles(saturated(_value(x, dtype), dtype))[0]) if call.saturate else x


def _index(i: int, dtype: str) -> Values:
    """An index as raw bits in an element's place."""
    unsigned = np.uint16 if DTYPES[dtype].itemsize == 2 else np.uint32
    return np.array([i], unsigned).view(DTYPES[dtype])


def _spread(call: Call, image: Image, repeat: int, on: Places) -> Lanes:
    """A whole repeat with +0 in the lanes that take no part."""
    out = np.zeros(call.lanes)
    out[on] = doubles(take(image, call.places(call.src[0], repeat, on), call.src[0].dtype))
    return out


def data_blocks(call: Call, image: Image) -> None:
    """One result for each block with an enabled lane, eight places a repeat; dst's stride counts eight results."""
    dtype, per = call.src[0].dtype, BLOCK // DTYPES[call.src[0].dtype].itemsize
    size = DTYPES[dtype].itemsize
    for repeat, on in enumerate(call.enabled()):
        whole = _spread(call, image, repeat, on)
        for block in dict.fromkeys((on // per).tolist()):
            mine = on[on // per == block]
            if call.mode == "SUM":
                value = tree(whole[block * per : (block + 1) * per], dtype, call.saturate)
            else:
                value = _kept(call, extreme(whole[mine], mine, call.mode)[0])
            at = call.dst.at + (repeat * call.dst.repeat * 8 + block) * size
            put(image, np.array([at]), _value(value, dtype))


def pairs(call: Call, image: Image) -> None:
    """Sums of neighbouring lanes; a pair without an enabled lane leaves its place alone. dst's stride: 128 bytes."""
    dtype = call.src[0].dtype
    size = DTYPES[dtype].itemsize
    for repeat, on in enumerate(call.enabled()):
        whole = _spread(call, image, repeat, on)
        for pair in dict.fromkeys((on // 2).tolist()):
            at = call.dst.at + repeat * call.dst.repeat * 128 + pair * size
            put(image, np.array([at]), _value(tree(whole[2 * pair : 2 * pair + 2], dtype, call.saturate), dtype))


def repeats(call: Call, image: Image) -> None:
    """One result for each repeat: `mode` is SUM, or MAX or MIN with an order. dst's stride counts results."""
    dtype = call.src[0].dtype
    name, _, order = call.mode.partition(" ")
    for repeat, on in enumerate(call.enabled()):
        whole = _spread(call, image, repeat, on)
        if name == "SUM":
            results: list[Values] = [_value(tree(whole, dtype, call.saturate), dtype)]
        else:
            best, lane = extreme(whole[on], on, name)
            results = _ordered(_kept(call, best), lane, dtype, order)
        unit = sum(r.itemsize for r in results)
        at = call.dst.at + repeat * call.dst.repeat * unit
        for result in results:
            put(image, np.array([at]), result)
            at += result.itemsize


def _ordered(value: float, index: int, dtype: str, order: str) -> list[Values]:
    match order:
        case "VALUE_INDEX":
            return [_value(value, dtype), _index(index, dtype)]
        case "INDEX_VALUE":
            return [_index(index, dtype), _value(value, dtype)]
        case "ONLY_VALUE":
            return [_value(value, dtype)]
        case "ONLY_INDEX":
            return [np.array([index], np.uint32)]
    raise ValueError(order)


def whole_sum(call: Call, image: Image) -> None:
    """Every repeat a tree; then in order (count) or a tree over the repeats (mask)."""
    dtype = call.src[0].dtype
    parts = [tree(_spread(call, image, r, on), dtype, call.saturate) for r, on in enumerate(call.enabled())]
    if not parts:
        return
    if call.form == "count":
        total = parts[0]
        for part in parts[1:]:
            total = tree(np.array([total, part]), dtype, call.saturate)
    else:
        while len(parts) > 1:
            lanes = call.lanes
            parts = [
                tree(np.pad(part, (0, lanes - len(part))), dtype, call.saturate)
                for part in (np.array(parts[i : i + lanes]) for i in range(0, len(parts), lanes))
            ]
        total = parts[0]
    put(image, np.array([call.dst.at]), _value(total, dtype))


def whole_extreme(call: Call, image: Image) -> None:
    """The extreme of the repeats' extremes, and with `extra` its index: repeat · lanes + lane."""
    dtype = call.src[0].dtype
    values, at = [], []
    for repeat, on in enumerate(call.enabled()):
        mine = doubles(take(image, call.places(call.src[0], repeat, on), dtype))
        value, index = extreme(mine, repeat * call.lanes + on, call.mode)
        values.append(_kept(call, value))
        at.append(index)
    if not values:
        return
    value, index = extreme(np.array(values), np.array(at), call.mode)
    put(image, np.array([call.dst.at]), _value(value, dtype))
    if call.extra:
        put(image, np.array([call.dst.at + DTYPES[dtype].itemsize]), _index(index, dtype))
