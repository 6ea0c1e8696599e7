"""`kbench rag …`: examples for prompts, indexed and looked up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kbench.cli import plugins
from kbench.cli.console import make_console
from kbench.cli.errors import OUR_ERROR, errors_told
from kbench.cli.given import split
from kbench.cli.options import BackendOption, JsonOption, RunArgument, SuiteOption, TargetOption

rag_commands = typer.Typer(no_args_is_help=True, help="Examples for prompts: index a corpus, and look things up in it.")


@rag_commands.command("index")
def rag_index(
    out: Annotated[Path, typer.Argument(help="File for the index.")],
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders or files with kernels and documents.")] = None,
    backend: Annotated[
        list[str] | None,
        typer.Option("--backend", help="Accelerator that the folders are for; whose solutions [all]. May be repeated."),
    ] = None,
    target: Annotated[str, typer.Option("--target", help="Chip that the folders are for [any].")] = "",
    references: Annotated[
        bool, typer.Option("--references", help="Also the known solutions of the suites' tasks.")
    ] = False,
    suite: Annotated[
        list[str] | None,
        typer.Option("--suite", help="Suites whose solutions [every one]. May be repeated."),
    ] = None,
    embedder: Annotated[
        str,
        typer.Option(
            "--embedder",
            help="none (BM25 alone), minilm, sentence-transformers:NAME, server:MODEL@URL [minilm where installed].",
        ),
    ] = "auto",
) -> None:
    """Index kernels, documents and known solutions, cut by function, for --generator rag."""
    with errors_told():
        from kbench.generators.rag.commands import Corpus, index

        console = make_console()
        given = tuple(folders or ()), tuple(backend or ()), target, references, tuple(suite or ())
        tell = lambda line: console.print(line, markup=False, highlight=False, soft_wrap=True)  # noqa: E731
        made = index(out, Corpus(*given), plugins.known(), embedder, tell)
        facts, by = made.meta, made.embedder or "BM25 alone"
        typer.echo(f"{out}: {facts['passages']} passages, {facts['chunks']} chunks, {by}, digest {made.digest[:16]}")
        made.close()


@rag_commands.command("query")
def rag_query(
    index: Annotated[Path, typer.Argument(help="An index.")],
    text: Annotated[str, typer.Argument(help="What to look for.")] = "",
    task: Annotated[str, typer.Option("--task", help="Instead: what a model asked for this task would be shown.")] = "",
    suite: SuiteOption = None,
    backend: BackendOption = None,
    target: TargetOption = None,
    count: Annotated[int, typer.Option("--count", min=1, help="Passages.")] = 2,
    kinds: Annotated[list[str] | None, typer.Option("--kinds", help="code, doc, comma-separated [code].")] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="Labels to have, comma-separated [any].")] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help="Labels not to have, comma-separated [foreign].")
    ] = None,
    withheld: Annotated[bool, typer.Option("--withheld", help="Also what may not be shown, and why.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Also the texts.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look something up: what is found, by what, and how near each comes to a known solution of the task."""
    with errors_told():
        from kbench.generators.rag import commands

        question = commands.Question(text, task, suite or "", backend or "", target or "")
        filters = {"kinds": kinds, "only": only, "without": without}
        chosen = {name: tuple(split(values)) for name, values in filters.items() if values is not None}
        found = commands.query(index, question, plugins.known(), count=count, **chosen)
        if as_json:
            facts = found.facts()
            for hit, (_, shown) in zip(facts["shown"], commands.sources(found), strict=True):
                hit["text"] = shown
            typer.echo(json.dumps(facts, ensure_ascii=False))
            return
        make_console(stderr=False).print(commands.table(found, withheld=withheld))
        for source, shown in commands.sources(found) if show else ():
            typer.echo(f"--- {source}\n{shown}")


@rag_commands.command("audit")
def rag_audit(
    run: RunArgument,
    index: Annotated[Path, typer.Argument(help="The index that the run was shown examples from.")],
    as_json: JsonOption = False,
) -> None:
    """Judge anew what the prompts of a run showed; the exit status is 1 where something may not have been shown."""
    with errors_told():
        from dataclasses import asdict

        from kbench.generators.rag.audit import audit

        found = list(audit(run, index, plugins.known()))
        wrong = [one for one in found if one.wrong]
        for one in wrong:
            typer.echo(f"{one.task} sample {one.sample}: {one.source}: {one.wrong}", err=True)
        nearest = max(found, key=lambda one: one.verdict.share, default=None)
        if as_json:
            typer.echo(json.dumps([asdict(one) for one in found]))
        elif nearest is not None:
            near = f"{nearest.source} holds {nearest.verdict.share:.0%} of {nearest.verdict.solution}"
            typer.echo(f"{len(found)} examples shown, {len(wrong)} that may not be; the nearest: {near}")
    raise typer.Exit(OUR_ERROR if wrong else 0)
