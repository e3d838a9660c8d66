"""The fields of a written object whose feature gates are off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dra_conform.controlplane.apiserver import (
    claim_status,
    device_class,
    pod_status,
    resource_claim,
    resource_claim_template,
    resource_slice,
)
from dra_conform.controlplane.apiserver.gated_fields import GatedField
from dra_conform.kube.profile import Profile
from dra_conform.kube.yaml import Path

Json = Any

_GATED: Mapping[str, Sequence[GatedField]] = {
    "DeviceClass": device_class.GATED,
    "Pod": pod_status.GATED,
    "ResourceClaim": (*resource_claim.SPEC_GATED, *claim_status.GATED),
    "ResourceClaimTemplate": resource_claim_template.SPEC_GATED,
    "ResourceSlice": resource_slice.GATED,
}


def disabled_fields(written: Mapping[str, Json], profile: Profile) -> dict[Path, tuple[str, ...]]:
    """Return the fields that are dropped from a new object, by path, with the gates that are off."""
    disabled: dict[Path, tuple[str, ...]] = {}
    for field in _GATED.get(written["kind"], ()):
        off = tuple(gate for gate in field.gates if not profile.enabled(gate))
        if off and field.dropped_by(profile):
            steps = _steps(field, written["apiVersion"])
            disabled |= dict.fromkeys(_paths(written, steps, ()), off)
    return disabled


def _steps(field: GatedField, api_version: str) -> tuple[str, ...]:
    """Return the path elements of the field in an API version."""
    path = field.path
    if api_version.endswith("/v1beta1"):
        path = path.replace("spec.devices.*.", "spec.devices.*.basic.").replace(".exactly.", ".")
    return tuple(path.split("."))


def _paths(value: Json, steps: Sequence[str], place: Path) -> Iterator[Path]:
    if not steps:
        if value is not None:
            yield place
        return
    step, *rest = steps
    if step == "*":
        for key, item in _items(value):
            yield from _paths(item, rest, (*place, key))
    elif isinstance(value, Mapping) and step in value:
        yield from _paths(value[step], rest, (*place, step))


def _items(value: Json) -> Iterable[tuple[str | int, Json]]:
    if isinstance(value, Mapping):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()
