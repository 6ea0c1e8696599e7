"""Makes `fake_plugin` importable here and, by way of sys.path, in worker processes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
