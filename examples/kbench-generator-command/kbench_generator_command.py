"""Generator `command`: asks a program of yours, whatever model it talks to."""

import json
import shlex
import subprocess
from dataclasses import asdict

from kbench import Completion, Generator, hookimpl
from kbench.core.errors import ConfigError, ServerError


class Command(Generator):
    """The program reads the request as JSON ("messages", "sample", "seed", …) and prints the completion."""

    name = "command"

    def __init__(self, program=""):
        if not program:
            raise ConfigError("the generator `command` needs its program")
        self.argv = shlex.split(program)

    def generate(self, request):
        question = json.dumps(asdict(request)).encode()
        try:
            done = subprocess.run(self.argv, input=question, capture_output=True, timeout=600, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise ServerError(f"{error}; it said: {getattr(error, 'stderr', None)!r}") from error
        return Completion(done.stdout.decode(errors="replace"), model=self.argv[0])


@hookimpl
def kbench_register_generators():
    return [Command]
