"""Completions that are kept: a run's own, so that a resumed run asks nothing twice, and a cache by content.

The cache lies beside the compiler's (`KBENCH_CACHE_DIR`, folder `completions`). The key of an entry is everything that
an answer depends on: the generator with its identity, messages, sampling settings and seed, and the numbers of sample
and attempt, so that n samples stay n samples. Entries never go stale; any may be deleted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kbench.core.bench import Answer, messages_of, prompt_text
from kbench.core.candidate import Candidate
from kbench.core.generator import Completion, Generator, Request
from kbench.core.runs.store import sha_of, write_whole

_SCHEMA = 1


def facts_of(answer: Answer, keep: Callable[[str], str]) -> dict[str, Any]:
    """An answer as JSON, with `keep(text)` in the place of each long text."""
    done = answer.completion
    candidate = candidate_text(done.candidate) if done.candidate else ""
    return {
        "schema": _SCHEMA,
        "text": keep(done.text),
        "reasoning": keep(done.reasoning),
        "candidate": keep(candidate),
        "prompt": keep(prompt_text(answer.messages)),
        "finish_reason": done.finish_reason,
        "usage": dict(done.usage),
        "model": done.model,
        "retrieved": [dict(one) for one in done.retrieved],
        "template": answer.template,
        "cached": answer.cached,
        "seconds": round(answer.seconds, 6),
    }


def answer_of(facts: Mapping[str, Any], text: Callable[[str], str]) -> Answer:
    """The answer that `facts_of` told; `text` is the inverse of its `keep`."""
    candidate = text(facts["candidate"])
    completion = Completion(
        text=text(facts["text"]),
        candidate=candidate_of(candidate) if candidate else None,
        finish_reason=facts["finish_reason"],
        usage=facts["usage"],
        reasoning=text(facts["reasoning"]),
        model=facts["model"],
        retrieved=tuple(facts["retrieved"]),
    )
    prompt = messages_of(text(facts["prompt"]))
    return Answer(completion, prompt, facts["seconds"], facts["cached"], facts["template"])


def candidate_text(candidate: Candidate) -> str:
    """Source files as the text that is kept of them."""
    facts: dict[str, Any] = {"files": dict(candidate.files), "roles": dict(candidate.roles), "entry": candidate.entry}
    if candidate.notes:
        facts["notes"] = dict(candidate.notes)
    return json.dumps(facts, ensure_ascii=False, indent=1)


def candidate_of(text: str) -> Candidate:
    facts = json.loads(text)
    return Candidate(facts["files"], facts["roles"], facts.get("entry", ""))


class CompletionCache:
    """Answers by content, on disk. Safe with many threads and processes: an entry appears whole or not at all, and one
    that is damaged counts as absent."""

    def __init__(self, root: Path) -> None:
        self.root = root / "completions"

    def key(self, generator: Generator, request: Request) -> str | None:
        """The key of a request; None where the generator's answers may not be taken from a cache."""
        identity = generator.identity()
        if identity is None:
            return None
        sampling = {**asdict(request.sampling), "seed": request.seed, "attempts": None}
        facts = [
            _SCHEMA, generator.name, dict(identity), prompt_text(request.messages), sampling, request.sample,
            request.attempt,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def get(self, key: str) -> Answer | None:
        """The kept answer, marked as cached."""
        try:
            facts = json.loads(self._file(key).read_bytes().decode(errors="surrogatepass"))
            if facts["schema"] != _SCHEMA:
                return None
            return answer_of({**facts, "cached": True, "seconds": 0.0}, str)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer. A cache that cannot be written costs the answer's next use, never the run."""
        with contextlib.suppress(OSError):
            file = self._file(key)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, json.dumps(facts_of(answer, str), ensure_ascii=False), sync=False)

    def _file(self, key: str) -> Path:
        return self.root / key[:2] / f"{key[2:]}.json"


def keep_in(texts: dict[str, str]) -> Callable[[str], str]:
    """A `keep` that names each text by its hash and puts it into `texts`."""

    def keep(text: str) -> str:
        sha = sha_of(text)
        if sha:
            texts[sha] = text
        return sha

    return keep
