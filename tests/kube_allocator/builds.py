"""The builds of the real allocator, and questions put to them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = ROOT / "tools" / "kube-allocator" / "bin"

Json = Any


_REQUIRED = os.environ.get("KUBE_ALLOCATOR_BUILDS", "").split()
"""Builds that must be there; tests then use these and no others. Without it, tests use what is there."""


def chosen(releases: Iterable[str]) -> list[str]:
    """Those of the releases that are to be tested."""
    return [release for release in releases if not _REQUIRED or release in _REQUIRED]


def build(release: str) -> Path:
    """The build of a release; skips the test, with the reason, where there is none and none is required."""
    path = BIN / f"kube-allocator-{release}"
    if not path.exists():
        why = "run `make kube-allocator`" if shutil.which("go") else "there is no Go on this machine"
        end = pytest.fail if _REQUIRED else pytest.skip
        end(f"{path.name} is not built: {why}")
    return path


def ask(binary: Path, operation: str, questions: Iterable[Json]) -> Iterator[Json]:
    """The answers to questions, one JSON line each, in their order."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run(
        [binary, operation], input=lines, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return (json.loads(line) for line in done.stdout.splitlines())


def ask_once(binary: Path, operation: str) -> Json:
    """The answer of an operation that takes no questions."""
    (answer,) = ask(binary, operation, ())
    return answer
