"""The plugins that the command line names, and what all plugins offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbench.core.plugins import Registry

#: What --plugin gave, which stands before the command: set once, when parsing starts.
chosen: list[str] = []


def known(*, collect: bool = False) -> Registry:
    """What there is by name; with `collect`, plugins that fail are listed in it rather than raised."""
    from kbench.core.plugins import registry

    return registry(plugins=chosen, collect=collect)
