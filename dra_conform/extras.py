"""The optional dependencies of dra-conform."""

from __future__ import annotations

import importlib.util
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


def missing_client_error() -> str:
    """Return an error message if the optional Kubernetes client is not installed, otherwise empty."""
    missing = importlib.util.find_spec("kubernetes") is None
    message = f"the Kubernetes client is not installed, expected: {install_command('live')}"
    return message if missing else ""


def missing_grpc_error() -> str:
    """Return an error message if gRPC or protobuf, which are optional, are not installed, else empty."""
    # `find_spec` imports the parent of a module, and `google` may be missing.
    missing = importlib.util.find_spec("grpc") is None or importlib.util.find_spec("google") is None
    return f"gRPC is not installed, expected: {install_command('drivers')}" if missing else ""
