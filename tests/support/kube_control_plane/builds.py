"""Builds of the real API server's admission, and writes to them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dra_conform.kube.profile import Profile
from tests.support.adapter_process import AdapterProcess
from tests.support.go_builds import Builds

Json = dict[str, Any]

RELEASES = ("v1.33.13", "v1.34.4", "v1.35.4", "v1.36.3", "v1.37.1")
ALL_VERSIONS = ("--runtime-config", "v1beta1,v1beta2,v1alpha3")
"""The option with which a release serves all versions."""

_BUILDS = Builds("kube-control-plane", "kube-admission", "KUBE_CONTROL_PLANE_BUILDS")
chosen = _BUILDS.chosen
build = _BUILDS.build


class Admission(AdapterProcess):
    """Running build. `on` and `off` are profiles with the gates of device taints on and off."""

    def __init__(self, process: subprocess.Popen[str], release: str) -> None:
        super().__init__(process)
        self.release = release
        self.minor = release[1:].rpartition(".")[0]
        gates = {"DRADeviceTaints": True, "DRADeviceTaintRules": True}
        self.configured = self.say(
            type="configure",
            profiles={
                "on": self.profile(gates),
                "off": self.profile(dict.fromkeys(gates, False)),
            },
        )

    def profile(self, gates: dict[str, bool]) -> Json:
        """Return the release's profile for `configure`, with DRA on and other gates set."""
        profile = Profile.named(f"kubernetes-{self.minor}")
        profile = profile.with_gates({"DynamicResourceAllocation": True, **gates})
        return {"name": profile.name, "kubernetes": profile.release, "gates": dict(profile.gates)}

    def run(self, ask: Json, *, profile: str = "on", operation: str = "admit", **objects: Any) -> Json:
        """Return the result of a write."""
        result: Json = self.ask(operation, profile, objects, ask)
        return result

    def create(self, written: Json, *, profile: str = "on", **objects: Any) -> Json:
        return self.run({"verb": "create", "object": written}, profile=profile, **objects)

    def update(self, old: Json, written: Json, *, profile: str = "on", **ask: Any) -> Json:
        return self.run({"verb": "update", "old": old, "object": written, **ask}, profile=profile)


@contextmanager
def running(release: str, *options: str) -> Iterator[Admission]:
    """Start a build of a release."""
    command: list[str | Path] = [build(release), *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        admission = Admission(process, release)
        yield admission
        admission.end()
