"""The built-in answer to `usage`: plain objects and a question in, the body of a `result` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.quota import QuotaRules, UsageCounter

Json = Any
Objects = Mapping[str, Sequence[Json]]


def counter_of(objects: Objects, profile: Profile, columns: ColumnUse = ColumnUse.BY_SIZE) -> UsageCounter:
    """The counter of a cluster; raises DecodeErrors."""
    classes, claims, pods = (
        tuple(map(decode, objects.get(name, ()))) for name in ("deviceClasses", "resourceClaims", "pods")
    )
    return UsageCounter(classes, claims, pods, QuotaRules.of(profile), columns)


def count_usage(
    objects: Objects, ask: Mapping[str, Json], profile: Profile, columns: ColumnUse = ColumnUse.BY_SIZE
) -> dict[str, Json]:
    """The body of a result; raises DecodeErrors."""
    used = counter_of(objects, profile, columns).of_namespace(ask["namespace"])
    return {"outcome": "counted", "used": {name: str(amount) for name, amount in sorted(used.items())}}
