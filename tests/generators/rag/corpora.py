"""A small corpus and an embedder of its own for the tests of retrieval."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from kbench.core.likeness.words import words
from kbench.generators.rag.corpus import Chunk, Passage

LOOP = "void {name}({T} *in, {T} *out) {{\n    for (unsigned i = 0; i < 256; ++i)\n        out[i] = {body};\n}}\n"


def kernel(name: str, body: str, dtype: str = "float") -> str:
    return LOOP.format(name=name, body=body, T=dtype)


RELU = kernel("relu_float32", "in[i] > 0.0f ? in[i] : 0.0f")
LEAKY = kernel("leaky_relu_float32", "in[i] > 0.0f ? in[i] : 0.01f * in[i]")
NEGATE = kernel("negate_float32", "-in[i]")
EXP = kernel("exp_float32", "expf(in[i])")


def passage(task: str, text: str, about: str, **more: object) -> Passage:
    facts = {"kind": "code", "backend": "c", "suite": "s", "task": task, "about": f"{task}\n{about}", "role": "kernel"}
    facts |= more  # type: ignore[arg-type]
    return Passage(f"s/{task}/kernel.c", text=text, chunks=(Chunk(task, text),), **facts)  # type: ignore[arg-type]


def solutions() -> list[Passage]:
    return [
        passage("relu_float32", RELU, "Each element where it is positive, else 0."),
        passage("leaky_relu_float32", LEAKY, "Each element where it is positive, else 0.01 times it."),
        passage("negate_float32", NEGATE, "The negative of each element."),
        passage("exp_float32", EXP, "The exponential of each element."),
    ]


class Bag:
    """Vectors that count words: near where texts share some."""

    name = "bag"
    asked = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += len(texts)
        rows = np.zeros((len(texts), 64), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % 64] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
