"""The control plane builds that tests may start."""

from __future__ import annotations

from tests.support.go_builds import Builds

RELEASES = ("v1.34.4", "v1.35.4", "v1.36.3", "v1.37.1")

_BUILDS = Builds("kube-control-plane", "kube", "KUBE_CONTROL_PLANES")
chosen = _BUILDS.chosen
build = _BUILDS.build
build_faulty_scheduler = Builds("kube-control-plane", "kube-faulty-scheduler", "KUBE_CONTROL_PLANES").build
