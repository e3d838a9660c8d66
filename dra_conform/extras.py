"""The optional dependencies of dra-conform."""

from __future__ import annotations

import re
import shlex
from importlib import metadata

_REQUIREMENT = re.compile(r"(?P<requirement>[^;]*[^; ])\s*;\s*extra == ['\"](?P<extra>[^'\"]+)['\"]")


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, however dra-conform was installed."""
    try:
        declared = metadata.requires("dra-conform") or []
    except metadata.PackageNotFoundError:
        declared = []
    matches = (_REQUIREMENT.fullmatch(line) for line in declared)
    packages = [match["requirement"] for match in matches if match and match["extra"] == extra]
    if not packages:
        return f"the extra {extra!r} of dra-conform"
    return shlex.join(["pip", "install", *packages])
