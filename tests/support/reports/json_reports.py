"""JSON reports that runs wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def without_times(path: Path) -> Any:
    """Return a report without times."""
    return json.loads(re.sub(r'"(seconds|started)": [^,\n]*', r'"\1": 0', path.read_text("utf-8")))
