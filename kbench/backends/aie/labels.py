"""What a look at a source for the tile shows: vector code, and the dialect of the other compiler."""

from __future__ import annotations

import re

#: Operations on vectors: of the AIE API, on its iterators, or on native vector types (`v16int32`).
_VECTORS = re.compile(
    r"\baie::(?:vector|accum|mmul|load_v|load_unaligned_v|begin_\w*vector\w*|sliding_mul\w*)\b|\bv\d+(?:acc\w+|[a-z]+\d+)\b"
)
#: Chess's pragmas mean nothing to Peano: kernels that count on them are scheduled otherwise, and models that see them
#: write them. `chess_storage` and the like are no C++ to Peano at all.
_CHESS = re.compile(r"\bchess_\w+|\b__chess_|\[\[chess::")


def labels_of(source: str) -> frozenset[str]:
    """`vectorised`; `chess` and `foreign` where it speaks to AMD's compiler, which this backend does not use."""
    found = {"vectorised"} if _VECTORS.search(source) else set()
    return frozenset(found | ({"chess", "foreign"} if _CHESS.search(source) else set()))
