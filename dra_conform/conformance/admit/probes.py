"""The questions of `adapter check`: a valid DeviceClass, and one with an invalid selector."""

from __future__ import annotations

from dra_conform.conformance.operation import Probe


def _probe(title: str, selector: dict[str, object]) -> Probe:
    written = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "any"},
        "spec": {"selectors": [selector]},
    }
    return Probe(title, {}, {"verb": "create", "object": written})


PROBES = (
    _probe("a valid DeviceClass", {"cel": {"expression": "true"}}),
    _probe("an invalid DeviceClass", {}),
)
