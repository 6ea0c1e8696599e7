"""What attacks aim at, and what must be as it was afterwards."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path

import pytest

SECRET = "int swordfish_7413;"


@dataclass
class Bait:
    secret: Path
    sibling: Path
    victim: Path
    server: socket.socket

    def fill(self, text: str) -> str:
        places = {
            "secret": self.secret,
            "sibling": self.sibling,
            "victim": self.victim,
            "port": self.server.getsockname()[1],
        }
        for name, value in places.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def assert_untouched(self) -> None:
        assert self.victim.read_text() == "untouched"
        assert {p.name for p in self.victim.parent.iterdir()} == {"secret", "sibling.cpp", "victim"}
        with pytest.raises(TimeoutError):
            self.server.accept()
