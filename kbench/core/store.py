"""The run folder: manifest.json (the plan), records.jsonl (append-only), samples/ (texts by their hash)."""

from __future__ import annotations

import hashlib


def sha_of(text: str) -> str:
    """The name of a text in `samples/`; empty for an empty text."""
    return hashlib.sha256(text.encode()).hexdigest() if text else ""
