"""Generator `command`: a program that reads a question as JSON and writes the model's answer."""

import json
import shlex
import subprocess

from kbench import Completion, Generator, hookimpl
from kbench.core.errors import ConfigError, ServerError


class Command(Generator):
    """Answers with what a program writes, say command="llm -m NAME"."""

    name = "command"

    def __init__(self, command=""):
        if not command:
            raise ConfigError("the command generator needs a program: --generator-option command='PROGRAM ARGUMENT …'")
        self.command = shlex.split(command)

    def generate(self, request):
        messages = [{"role": m.role, "content": m.content} for m in request.messages]
        question = {"messages": messages, "task": request.task, "sample": request.sample, "seed": request.sample_seed}
        done = subprocess.run(self.command, input=json.dumps(question).encode(), capture_output=True)
        if done.returncode:
            raise ServerError(f"{self.command[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
        return Completion(done.stdout.decode(errors="replace"), model=self.command[0])


@hookimpl
def kbench_register_generators():
    return [Command]
