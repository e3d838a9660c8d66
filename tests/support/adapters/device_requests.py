"""Requests for tests: a claim for one device."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.allocate.operation import Allocate
from dra_conform.conformance.implementation import Request
from dra_conform.kube.profile import Profile


def request(number: int, *, devices: int, operation: str = "allocate", **more: Any) -> Request:
    """Return the request `number` with that many devices; `more` are additional fields of its `ask`."""
    probe = Allocate.probes[0]
    resource_slice = probe.objects["resourceSlices"][0]
    spec = {**resource_slice["spec"], "devices": [{"name": f"device-{n}"} for n in range(devices)]}
    objects = {**probe.objects, "resourceSlices": ({**resource_slice, "spec": spec},)}
    return Request(number, f"case-{number}", operation, Profile.named("kep"), objects, {**probe.ask, **more})
