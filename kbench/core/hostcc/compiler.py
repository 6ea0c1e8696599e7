"""Turns C++ into freestanding static executables: trusted libraries once, candidates in the sandbox."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from kbench.core.errors import HarnessError
from kbench.core.hostcc import symbols
from kbench.core.hostcc.cache import content_key, default_cache
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.hostcc.toolchain import FREESTANDING, support_sources, target_flags, toolchain
from kbench.core.record import Finding
