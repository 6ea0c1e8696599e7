"""What a model sees: rendered from the Task and the backend's Interface, with nothing left out.

Five templates word it: `system.j2`, `user.j2`, `answer.j2` (the form of an answer, for examples), `style-NAME.j2` (how
to answer) and `feedback.j2` (what a model is told after a failed attempt). Each is looked for in the user's folder or
the plugin's, then in the backend's, then here; a template of the user's may extend one of kbench's as `core/user.j2`,
and one of the backend's as `backend/user.j2`.
"""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbench.core.backend import Interface, Settings
from kbench.core.candidate import Candidate
from kbench.core.errors import ConfigError, unknown_name
from kbench.core.generator import Message
from kbench.core.prompting.outline import outline
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Shapes, Task

if TYPE_CHECKING:
    import jinja2

#: Raised when kbench's own words change, so that records of different prompts are not taken for the same.
VERSION = 2
DIRECT = "direct"
_CORE = str(Path(__file__).parent / "prompts")
_QUESTION = {"system.j2": "system", "user.j2": "user"}  # template → whose words
_PARTS = (*_QUESTION, "answer.j2", "feedback.j2")

#: (task, cases, interface, settings) → what a model is asked.
Ask = Callable[[SuiteTask, Sequence[Case], Interface, Settings], list[Message]]


@dataclass(frozen=True)
class Wording:
    """How kbench words what it asks.

    Args:
        style: `direct` (the files, nothing else), or the NAME of a template `style-NAME.j2`: `cot` asks the model to
            reason first.
        folder: templates that go before the backend's and kbench's own.
    """

    style: str = DIRECT
    folder: str = ""

    def messages(
        self, ask: Ask | None, entry: SuiteTask, cases: Sequence[Case], interface: Interface, settings: Settings
    ) -> list[Message]:
        """What a model is asked: by `ask` where a preset has words of its own, else by the templates.

        Raises:
            ConfigError: a template names what nobody gives; never rendered as an empty string.
        """
        facts = facts_of(entry, cases, interface, settings)
        if ask is None:
            render = partial(self.render, interface=interface, facts=facts)
            messages = [Message(role, render(name)) for name, role in _QUESTION.items()]
        else:
            messages = ask(entry, cases, interface, settings)
        if self.style != DIRECT:
            last = messages[-1]
            style = self.render(f"style-{self.style}.j2", interface, facts)
            messages[-1] = Message(last.role, f"{last.content.rstrip()}\n\n{style}")
        return messages

    def answer(self, candidate: Candidate, interface: Interface) -> str:
        """Files in the form that the prompt asks for: the asked ones first, then the candidate's own headers."""
        asked = [path for path in interface.files.values() if path in candidate.files]
        paths = [*asked, *(path for path in sorted(candidate.files) if path not in asked)]
        return self.render("answer.j2", interface, {"files": {path: candidate.files[path] for path in paths}})

    def render(self, name: str, interface: Interface, facts: Mapping[str, Any]) -> str:
        with _faults_told():
            return self._templates(interface).get_template(name).render(facts).strip() + "\n"

    def version(self, interface: Interface) -> str:
        """Which words these are: the number of kbench's own, and a hash of every template that takes part."""
        names = [*_PARTS, *([] if self.style == DIRECT else [f"style-{self.style}.j2"])]
        sources = "\0".join(self._sources(names, interface).values())
        return f"{VERSION}-{hashlib.sha256(sources.encode()).hexdigest()[:12]}"

    @property
    def folder_sha(self) -> str:
        """A hash of every template in the folder; empty for none."""
        if not self.folder:
            return ""
        digest = hashlib.sha256()
        for file in sorted(Path(self.folder).rglob("*.j2")):
            digest.update(
                f"{file.relative_to(self.folder).as_posix()}\0{len(file.read_bytes())}\0".encode() + file.read_bytes()
            )
        return digest.hexdigest()

    def check(self, interface: Interface, preset: str = "") -> None:
        """Refuse a folder or a style that is not there, and a template that nothing asks for: its name is misspelt, or
        the preset of this name words the prompt itself.

        Raises:
            ConfigError: it names what there is.
        """
        if self.folder and not list(Path(self.folder).glob("*.j2")):
            raise ConfigError(f"--templates {self.folder}: no template (*.j2) there; kbench's own are in {_CORE}")
        listed = self._templates(interface).list_templates()
        styles = [n.removeprefix("style-").removesuffix(".j2") for n in listed if n.startswith("style-")]
        if self.style not in (DIRECT, *styles):
            raise unknown_name("style of prompts", self.style, [DIRECT, *styles])
        if self.folder:
            asked = self._sources([*_PARTS, *(f"style-{style}.j2" for style in styles)], interface)
            for file in sorted(Path(self.folder).glob("*.j2")):
                if file.name not in asked:
                    raise unknown_name(f"template that anything asks for (--templates {self.folder})", file.name, asked)
                if preset and file.name in _QUESTION:
                    raise ConfigError(f"--templates {file}: not used, for --preset {preset} words the prompt itself")

    def _templates(self, interface: Interface) -> jinja2.Environment:
        return _environment((self.folder, interface.templates, _CORE))

    def _sources(self, names: Sequence[str], interface: Interface) -> dict[str, str]:
        """name → text of these templates, and then of those that they extend, include or import."""
        from jinja2 import meta

        templates, found, wanted = self._templates(interface), dict[str, str](), [*names]
        assert templates.loader is not None
        with _faults_told():
            for name in wanted:  # grows
                if name not in found:
                    found[name] = templates.loader.get_source(templates, name)[0]
                    referenced = meta.find_referenced_templates(templates.parse(found[name], name))
                    wanted += sorted({other for other in referenced if other})
        return found


@contextmanager
def _faults_told() -> Iterator[None]:
    """What is wrong with a template, by its file and line."""
    import jinja2

    try:
        yield
    except jinja2.TemplateSyntaxError as error:
        raise ConfigError(f"template {error.name}, line {error.lineno}: {error.message}") from error
    except jinja2.TemplateNotFound as error:
        raise ConfigError(f"no template {error.message!r}, which another one names") from error
    except jinja2.TemplateError as error:
        inside = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.endswith(".j2")]
        where = f"template {Path(inside[-1].filename).name}, line {inside[-1].lineno}: " if inside else ""
        raise ConfigError(f"{where}{error}") from error


def render_prompt(entry: SuiteTask, cases: Sequence[Case], interface: Interface, settings: Settings) -> list[Message]:
    """The messages that ask for a candidate, in kbench's own words: one case on static shapes, every case on dynamic
    ones. Raises ConfigError as `Wording.messages` does."""
    return Wording().messages(None, entry, cases, interface, settings)


@cache
def _environment(folders: tuple[str, ...]) -> jinja2.Environment:
    import jinja2  # here, so that listing names does not wait for it

    theirs, backend, core = (jinja2.FileSystemLoader(folder) if folder else None for folder in folders)
    named = {name: loader for name, loader in (("backend", backend), ("core", core)) if loader}
    plain = [loader for loader in (theirs, backend, core) if loader]
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader([*plain, jinja2.PrefixLoader(named)]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def facts_of(entry: SuiteTask, cases: Sequence[Case], interface: Interface, settings: Settings) -> dict[str, Any]:
    """What templates may name."""
    return {
        "task": entry.task,
        "cases": cases,
        "interface": interface,
        "settings": settings,
        "target": settings.target,
        "outputs": {case.name: _output_shapes(entry.task, case) for case in cases},
        "tolerances": _tolerances(entry.task, cases),
        "outline": partial(outline, entry.task, cases),
    }


def _output_shapes(task: Task, case: Case) -> dict[str, Shapes]:
    """Shapes of the pure outputs where they follow from the case alone; those that depend on values are left to the
    task's words."""
    try:
        shapes = task.out_shapes(case, {})
    except (KeyError, TypeError):
        return {}
    return {t.name: shapes[t.name] for t in task.outputs if t.role == "out" and t.name in shapes}


def _tolerances(task: Task, cases: Sequence[Case]) -> list[str]:
    lines: dict[str, None] = {}
    for output in task.outputs:
        if output.name in task.comparers:
            lines[f"{output.name}: by a comparison of its own"] = None
            continue
        for case in cases:
            dtype = task.dtype_of(output, case)
            allowed = task.tolerance_of(output.name, dtype, case)
            terms = f"{allowed.atol:g}", f"{allowed.rtol:g}·|expected|"
            size = f"the larger of {' and '.join(terms)}" if allowed.either else " + ".join(terms)
            lines[f"{output.name} ({dtype}): {'exact, bit for bit' if allowed.exact else size}"] = None
    return list(lines)
