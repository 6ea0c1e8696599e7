"""Generators with one fault each, under the kit. Not collected: test_testing.py runs it and looks at what fails."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from kbench.core.errors import HarnessError
from kbench.core.generator import Completion, Generator, Request
from kbench.testing import ANSWERS, GeneratorConformance


@dataclass
class Scripted(Generator):
    """Answers from a script, and counts."""

    name: str = "scripted"
    calls: int = 0
    closed: bool = False
    seen: dict[int, str] = field(default_factory=dict)

    def generate(self, request: Request) -> Completion:
        self.calls += 1
        if request.task != "ScaleAndAdd":
            return self.missing(request)
        return Completion(ANSWERS[request.sample])

    def missing(self, request: Request) -> Completion:
        raise HarnessError(f"no completion for task {request.task!r}")


class OldApi(Scripted):
    api_version = 0


class NotAName(Scripted):
    name = "my generator"

    def __init__(self) -> None:
        super().__init__("my generator")


class UsageNotJson(Scripted):
    def generate(self, request: Request) -> Completion:
        return Completion(super().generate(request).text, usage={"tokens": object()})


class IgnoresSample(Scripted):
    def generate(self, request: Request) -> Completion:
        super().generate(request)
        return Completion(ANSWERS[0])


class AsciiOnly(Scripted):
    def generate(self, request: Request) -> Completion:
        return Completion(super().generate(request).text.encode("ascii", "ignore").decode())


class ChangesRequest(Scripted):
    def generate(self, request: Request) -> Completion:
        completion = super().generate(request)
        request.messages.append(request.messages[0])  # type: ignore[attr-defined]
        return completion


class LosesOneOfABatch(Scripted):
    def generate_batch(self, requests):
        return [self.generate(request) for request in requests][1:]


class SortsItsBatch(Scripted):
    def generate_batch(self, requests):
        return [self.generate(request) for request in sorted(requests, key=lambda r: r.sample)]


class IdentityNotJson(Scripted):
    def identity(self):
        return {"model": object()}


class AnotherIdentityEachTime(Scripted):
    def identity(self):
        self.calls += 1
        return {"calls": self.calls}


class TellsItsKey(Scripted):
    def identity(self):
        import os

        os.environ["SCRIPTED_API_KEY"] = "a-key-that-nobody-may-see"
        return {"key": os.environ["SCRIPTED_API_KEY"]}


class EmptyWhenMissing(Scripted):
    def missing(self, request: Request) -> Completion:
        return Completion("")


class KeyErrorWhenMissing(Scripted):
    def missing(self, request: Request) -> Completion:
        raise KeyError(request.task)


class ClosesOnce(Scripted):
    def close(self) -> None:
        if self.closed:
            raise RuntimeError("already closed")
        self.closed = True


class SharedState(Scripted):
    """Keeps the request between two steps: another thread's may come between them."""

    def generate(self, request: Request) -> Completion:
        import time

        self.current = request
        time.sleep(0.01)
        return super().generate(self.current)


def _kit(generator: type[Scripted]) -> type[GeneratorConformance]:
    class Kit(GeneratorConformance):
        @pytest.fixture
        def generator(self) -> Generator:
            return generator()

    Kit.__name__ = Kit.__qualname__ = f"Test{generator.__name__}"
    return Kit


for _class in (Scripted, *Scripted.__subclasses__()):
    globals()[f"Test{_class.__name__}"] = _kit(_class)
