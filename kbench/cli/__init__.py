"""The command line: parses, calls core, prints. Tables and progress go to standard error, results to standard output.

One module for each command, of its name (`import_` and such, where Python has the word already). Nothing heavy is
imported at their heads: `kbench --help` must be as quick as the parser itself.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kbench.cli import plugins
from kbench.cli.compare import compare_command
from kbench.cli.doctor import doctor_command
from kbench.cli.errors import INTERRUPTED
from kbench.cli.exec_ import exec_command
from kbench.cli.extract import extract_command
from kbench.cli.import_ import import_command
from kbench.cli.list_ import list_command
from kbench.cli.profile import profile_command
from kbench.cli.prompt import prompt_command
from kbench.cli.rag import rag_commands
from kbench.cli.run import run_command
from kbench.cli.score import score_command
from kbench.cli.show import show_command

app = typer.Typer(
    name="kbench",
    help="Does the kernel compile, is it right, and how fast is it?",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    plugin: Annotated[
        list[str] | None,
        typer.Option("--plugin", "-p", help="Module of a plugin to load; no:NAME leaves one out. May be repeated."),
    ] = None,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Does the kernel compile, is it right, and how fast is it?"""
    plugins.chosen[:] = plugin or []
    if version:
        from kbench import __version__

        typer.echo(f"kbench {__version__}")
        raise typer.Exit


# In the order of the help.
app.command("run")(run_command)
app.command("list")(list_command)
app.command("show")(show_command)
app.command("prompt")(prompt_command)
app.command("exec")(exec_command)
app.command("profile")(profile_command)
app.command("score")(score_command)
app.command("extract")(extract_command)
app.command("compare")(compare_command)
app.command("import")(import_command)
app.command("doctor")(doctor_command)
app.add_typer(rag_commands, name="rag")


def main() -> None:
    """The program `kbench`: parses the command line and ends the process with its status."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
