"""Builds of the real quota evaluators and of the scheduler's plugins, and requests to them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.adapter_process import AdapterProcess
from tests.support.go_builds import Builds

RELEASES = ("v1.36.3", "v1.37.1")

_BUILDS = Builds("kube-control-plane", "kube-parts", "KUBE_PARTS_BUILDS")
chosen = _BUILDS.chosen
build = _BUILDS.build


def minor_of(release: str) -> str:
    """Return the minor version, such as `1.37` of `v1.37.1`."""
    return release[1:].rpartition(".")[0]


@contextmanager
def running(release: str) -> Iterator[AdapterProcess]:
    """Start a build of a release."""
    with subprocess.Popen(
        [build(release)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        parts = AdapterProcess(process)
        yield parts
        parts.end()
