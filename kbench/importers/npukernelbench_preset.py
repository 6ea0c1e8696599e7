"""How the benchmark of AscendKernelGen (arXiv 2601.07160) asks its models, for any task on any backend.

One message of the user and no system prompt: the role; the description of the operator, the case (or all of them) and
the hardware; rules of the code and of the answer; the template to complete, `<kernel_impl>` where only the kernel is
asked for, else files under `====== path ======`. The words are ours, and long rows are not cut as the benchmark cuts
them. Temperature and length are those of its configuration (`base_config.yaml`, section `chat`); one request a sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kbench.core.backend import Interface, Settings
from kbench.core.candidate import Candidate
from kbench.core.generator import Message, Sampling
from kbench.core.preset import Preset
from kbench.core.prompting.prompt import Wording, facts_of
from kbench.core.suite import SuiteTask
from kbench.core.task import Case

_WORDS = Wording(folder=str(Path(__file__).parent / "prompts"))


def ask(entry: SuiteTask, cases: Sequence[Case], interface: Interface, settings: Settings) -> list[Message]:
    """The one message."""
    facts = facts_of(entry, cases, interface, settings)
    return [Message("user", _WORDS.render("akgen.j2", interface, facts))]


def form(candidate: Candidate, interface: Interface) -> str:
    """An answer as the message asks for it."""
    fenced = {path: f"```cpp\n{candidate.files[path].strip()}\n```\n" for path in interface.files.values()}
    if len(fenced) == 1:
        return f"<kernel_impl>\n{''.join(fenced.values())}</kernel_impl>\n"
    return "".join(f"====== {path} ======\n{text}" for path, text in fenced.items())


PRESET = Preset(
    name="akgen",
    about="AscendKernelGen's prompt (one message, think first), temperature 0.7, 16384 tokens, one attempt",
    sampling=Sampling(temperature=0.7, max_tokens=16384),
    ask=ask,
    form=form,
)
