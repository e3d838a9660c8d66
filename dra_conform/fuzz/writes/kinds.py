"""The written kinds, with the shapes of spec and status."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from random import Random

from dra_conform.fuzz.writes.breaking import change
from dra_conform.fuzz.writes.claim_fields import (
    CLAIM,
    CLAIM_STATUS,
    CLASS,
    POD,
    POD_STATUS,
    RULE,
    RULE_STATUS,
    TEMPLATE,
)
from dra_conform.fuzz.writes.shapes import Json, Shape
from dra_conform.fuzz.writes.slice_fields import SLICE
from dra_conform.fuzz.writes.values import METADATA

ADMIN = {"resource.kubernetes.io/admin-access": "true", "resource.k8s.io/admin-access": "true"}
NAMESPACES = [
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
    for name, labels in (("default", {}), ("admin", ADMIN), ("almost", dict.fromkeys(ADMIN, "false")))
]


@dataclass(frozen=True)
class WrittenKind:
    """A kind with the shapes of its spec and of its status, if it has one."""

    name: str
    spec: Shape
    status: Shape | None = None
    namespaced: bool = True


KINDS = (
    WrittenKind("ResourceSlice", SLICE, namespaced=False),
    WrittenKind("ResourceClaim", CLAIM, CLAIM_STATUS),
    WrittenKind("ResourceClaimTemplate", TEMPLATE),
    WrittenKind("DeviceClass", CLASS, namespaced=False),
    WrittenKind("DeviceTaintRule", RULE, RULE_STATUS, namespaced=False),
    WrittenKind("Pod", POD, POD_STATUS),
)


def changed(whole: Json, kind: WrittenKind, random: Random, times: int) -> Json:
    """Return a copy of an object with `times` changes."""
    whole = deepcopy(whole)
    for _ in range(times):
        if random.random() < 0.05:
            change(whole["metadata"], METADATA, random)
        else:
            change(whole["spec"], kind.spec, random)
    return whole
