"""Random writes: creates, updates and updates of the status, of objects whole and broken."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random

from tests.kube_control_plane.writes.breaking import change
from tests.kube_control_plane.writes.claim_fields import (
    CLAIM,
    CLAIM_STATUS,
    CLASS,
    RULE,
    RULE_STATUS,
    TEMPLATE,
)
from tests.kube_control_plane.writes.pod_fields import POD, POD_STATUS
from tests.kube_control_plane.writes.shapes import Json, Shape
from tests.kube_control_plane.writes.slice_fields import SLICE
from tests.kube_control_plane.writes.values import METADATA
from tests.kube_control_plane.writes.versions import in_a_version

ADMIN = {"resource.kubernetes.io/admin-access": "true", "resource.k8s.io/admin-access": "true"}
NAMESPACES = [
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
    for name, labels in (("default", {}), ("admin", ADMIN), ("almost", dict.fromkeys(ADMIN, "false")))
]


@dataclass(frozen=True)
class Kind:
    """A kind with the shapes of its spec and, if it has one, of its status."""

    name: str
    spec: Shape
    status: Shape | None = None
    namespaced: bool = True


KINDS = (
    Kind("ResourceSlice", SLICE, namespaced=False),
    Kind("ResourceClaim", CLAIM, CLAIM_STATUS),
    Kind("ResourceClaimTemplate", TEMPLATE),
    Kind("DeviceClass", CLASS, namespaced=False),
    Kind("DeviceTaintRule", RULE, RULE_STATUS, namespaced=False),
    Kind("Pod", POD, POD_STATUS),
)
_WEIGHTS = (7, 7, 3, 2, 2, 2)


def writes(seed: int, minor: str, count: int) -> Iterator[Json]:
    """What is asked of the API server of a release; each question depends on the seed and its number only."""
    for number in range(count):
        yield write(Random(f"{seed}/{number}"), minor)


def write(random: Random, minor: str) -> Json:
    """One question."""
    [kind] = random.choices(KINDS, _WEIGHTS)
    whole = _whole(kind, random)
    how = random.random()
    if how < 0.4:
        broken = _changed(whole, kind, random, random.choice((0, 0, 1, 1, 1, 2, 3)))
        return {"verb": "create", "object": in_a_version(broken, random, minor)}
    old = _changed(whole, kind, random, random.choice((0, 0, 0, 0, 1)))
    old["metadata"] = deepcopy(whole["metadata"])  # the API server has never stored others
    if kind.status is not None and random.random() < 0.5:
        old["status"] = kind.status.make(random)
    new = deepcopy(old)
    if kind.status is not None and how < 0.75:
        if random.random() < 0.6:
            new["status"] = kind.status.make(random)
        new.setdefault("status", {})
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            change(new["status"], kind.status, random)
        ask = {"verb": "update", "subresource": "status"}
    else:
        new = _changed(new, kind, random, random.choice((0, 1, 1, 2, 3)))
        new["metadata"].pop("generateName", None)  # means nothing where there is a name
        ask = {"verb": "update"}
    return {**ask, "object": in_a_version(new, random, minor), "old": in_a_version(old, random, minor)}


def _whole(kind: Kind, random: Random) -> Json:
    made = {"kind": kind.name, "metadata": {"name": "x"}, "spec": kind.spec.make(random)}
    if random.random() < 0.1:
        made["metadata"] = METADATA.make(random)
    if kind.namespaced:
        made["metadata"]["namespace"] = random.choice(("default", "default", "admin", "almost"))
    return made


def _changed(whole: Json, kind: Kind, random: Random, times: int) -> Json:
    whole = deepcopy(whole)
    for _ in range(times):
        if random.random() < 0.05:
            change(whole["metadata"], METADATA, random)
        else:
            change(whole["spec"], kind.spec, random)
    return whole
