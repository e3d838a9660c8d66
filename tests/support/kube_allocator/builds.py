"""Builds of kube-scheduler's allocator, and requests to them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from dra_conform.kube.json_values import Json
from tests.support.go_builds import ROOT, Builds

__all__ = ["ROOT", "all_are_tested", "ask", "ask_once", "build", "chosen"]


_BUILDS = Builds("kube-allocator", "kube-allocator", "KUBE_ALLOCATOR_BUILDS")
chosen = _BUILDS.chosen
all_are_tested = _BUILDS.all_are_tested
build = _BUILDS.build


def ask(binary: Path, operation: str, questions: Iterable[Json]) -> Iterator[Json]:
    """Yield the answers to requests, each a JSON line, in their order."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run(
        [binary, operation], input=lines, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return (json.loads(line) for line in done.stdout.splitlines())


def ask_once(binary: Path, operation: str) -> Json:
    """Return the answer of an operation without input."""
    (answer,) = ask(binary, operation, ())
    return answer
