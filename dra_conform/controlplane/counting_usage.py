"""The operation `usage`: count quota usage, and return the body of a `result`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota import UsageCounter

Json = Any
Objects = Mapping[str, Sequence[Json]]


def counter_of(objects: Objects, profile: Profile, columns: ColumnUse = ColumnUse.BY_SIZE) -> UsageCounter:
    """Return the usage counter for the objects of a cluster; raise DecodeErrors."""
    classes, claims, pods = (
        tuple(map(decode, objects.get(name, ()))) for name in ("deviceClasses", "resourceClaims", "pods")
    )
    return UsageCounter(classes, claims, pods, QuotaSwitches.of(profile), columns)


def count_usage(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, columns: ColumnUse = ColumnUse.BY_SIZE
) -> dict[str, Json]:
    """Count the quota usage of the namespace `ask["namespace"]`, and return the body of a `result`.

    Raises DecodeErrors.
    """
    used = counter_of(objects, profile, columns).of_namespace(ask["namespace"])
    return {"outcome": "counted", "used": {name: str(quantity) for name, quantity in sorted(used.items())}}
