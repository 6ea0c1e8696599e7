"""A generator for tests of the loop: it follows a script, and writes down every request that it gets.

`script` is a JSON file: task → sample → list of what it does at each attempt. A word is a behaviour of the
candidates of `fake_plugin`; `text:…` is a completion as it stands; `!NAME` raises (`!server`, `!config`, `!bug` …).
Requests are appended to `log`, one JSON line each, when they come in.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from kbench import Completion, Generator, Request, hookimpl
from kbench.core.errors import ConfigError, GenerateError, HarnessError, ServerError

_LOCK = threading.Lock()


class Scripted(Generator):
    """Follows a script."""

    name = "scripted"

    def __init__(self, script: str, log: str, down: str = "", delay: str = "0", batch: str = "1", cached: str = ""):
        self.script, self.log, self.down, self.delay = Path(script), Path(log), Path(down or "nowhere"), float(delay)
        self.batch, self.cached = int(batch), bool(cached)
        self.current = self.most = 0

    def identity(self):
        return {"script": str(self.script)} if self.cached else None

    def generate(self, request: Request) -> Completion:
        with _LOCK:
            self.current += 1
            self.most = max(self.most, self.current)
        try:
            return self._answer(request)
        finally:
            with _LOCK:
                self.current -= 1

    def generate_batch(self, requests: Sequence[Request]):
        self._note({"batch": len(requests)})
        return super().generate_batch(requests)

    def _answer(self, request: Request) -> Completion:
        facts = {"task": request.task, "sample": request.sample, "attempt": request.attempt}
        roles = [m.role for m in request.messages]
        self._note({**facts, "seed": request.sample_seed, "roles": roles, "last": request.messages[-1].content})
        time.sleep(self.delay)
        if self.down.exists():
            raise ServerError("the server is gone")
        steps = json.loads(self.script.read_text())[request.task][str(request.sample)]
        step = steps[request.attempt]
        match step:
            case "!server":
                raise ServerError("the key is refused")
            case "!harness":
                raise HarnessError("the line broke")
            case "!config":
                raise ConfigError("no such answer")
            case "!exit":
                raise SystemExit(3)
            case "!bug":
                raise KeyError("a bug of the plugin")
            case "!context":
                raise GenerateError("3000 tokens, at most 2048", outcome="context_limit")
            case "!long" if len(request.messages) > 4:
                raise GenerateError("too long", outcome="context_limit")
        word = "good" if step == "!long" else step
        text = word.removeprefix("text:") if word.startswith("text:") else answer(word)
        return Completion(
            text, usage={"output_tokens": 7}, model="scripted-1", reasoning="hm" if word == "good" else ""
        )

    def _note(self, facts) -> None:
        with _LOCK, self.log.open("a") as file:
            file.write(json.dumps(facts) + "\n")


def answer(behavior: str) -> str:
    return f"```c\nvoid kernel() {{}} // {behavior}\n```"


@hookimpl
def kbench_register_generators():
    return [Scripted]
