"""How NPUEval asks its models, for any task on any backend.

The prompt is the file to fill in: a comment that describes the operator, shows a call and lists sizes and parameters;
then the includes and the empty function. The system prompt says NPUEval's rules in words of ours. Its settings are the
fixed seed and the temperature of its AIECoder, with the number of attempts that its authors report at most.
"""

from __future__ import annotations

from collections.abc import Sequence

from kbench.core.backend import Interface, Settings
from kbench.core.candidate import Candidate
from kbench.core.generator import Message, Sampling
from kbench.core.preset import Preset
from kbench.core.prompting.outline import outline
from kbench.core.prompting.prompt import Wording
from kbench.core.suite import SuiteTask
from kbench.core.task import Case


def ask(entry: SuiteTask, cases: Sequence[Case], interface: Interface, settings: Settings) -> list[Message]:
    """System prompt and the file to fill in; where an answer is several files, each in the form that names it."""
    files = {path: interface.scaffold.get(path, "").strip() for path in interface.files.values()}
    kernel = next(iter(files))
    files[kernel] = f"{_comment(outline(entry.task, cases), kernel)}\n{files[kernel]}\n"
    if len(files) == 1:
        user = files[kernel]
    else:
        user = (
            "\n".join(f'<file path="{path}">\n{text.rstrip() or "…"}\n</file>' for path, text in files.items()) + "\n"
        )
    if interface.host:
        user += f"\nThe host side, which is given:\n\n{interface.host.strip()}\n"
    return [Message("system", _system(interface, settings)), Message("user", user)]


def form(candidate: Candidate, interface: Interface) -> str:
    """An answer as the system prompt asks for it."""
    if len(interface.files) > 1:
        return Wording().answer(candidate, interface)
    (path,) = interface.files.values()
    return f"```{'python' if path.endswith('.py') else 'cpp'}\n{candidate.files[path].strip()}\n```\n"


def _comment(text: str, path: str) -> str:
    """The text as a comment of the file's language."""
    return f'"""\n{text}\n"""' if path.endswith(".py") else f"/*\n{text}\n*/"


def _system(interface: Interface, settings: Settings) -> str:
    whole = "in one fenced code block"
    if len(interface.files) > 1:
        whole = 'each file whole, in the form <file path="…">…</file>'
    rules = (
        f"A request asks for one kernel. Write its code, in {interface.language}.",
        "Answer with the code of that kernel and nothing else, with every header and import that it needs.",
        f"Give it complete, {whole}: nothing is added to it.",
        f"Keep the name that the request gives the function ({interface.entry}). No main, no example of its use, no "
        "explanation, no other code.",
    )
    head = f"You are the part of a system for {settings.target} that generates code."
    return f"{head}\n\n" + "".join(f"* {rule}\n" for rule in rules)


PRESET = Preset(
    name="npueval",
    about="NPUEval's prompt (the file to fill in), seed 42, temperature 0, up to 10 attempts",
    sampling=Sampling(seed=42, temperature=0.0, top_p=1.0, attempts=10),
    ask=ask,
    form=form,
)
