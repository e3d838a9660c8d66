"""A note on fields of pods that kube-scheduler acts on and the simulation does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def notes_on_fields(pods: Iterable[Json]) -> Iterator[str]:
    """Yield a note with the fields that pods use and the simulation ignores."""
    counts = Counter(field for pod in pods for field in dict.fromkeys(_fields(pod["spec"])))
    if counts:
        named = ", ".join(f"{field} ({counted(count, 'pod')})" for field, count in sorted(counts.items()))
        yield f"note: not simulated, so a cluster can decide otherwise about these pods: {named}"


def _fields(spec: Json) -> Iterator[str]:
    for name in ("podAffinity", "podAntiAffinity"):
        if field_at(spec, f"affinity.{name}.{_REQUIRED}") not in (ABSENT, [], ()):
            yield name
    constraints = _maps(spec.get("topologySpreadConstraints"))
    if any(constraint.get("whenUnsatisfiable") != "ScheduleAnyway" for constraint in constraints):
        yield "topologySpreadConstraints"
    containers = (*_maps(spec.get("initContainers")), *_maps(spec.get("containers")))
    if any(port.get("hostPort") for container in containers for port in _maps(container.get("ports"))):
        yield "hostPort"
    volumes = _maps(spec.get("volumes"))
    if any("persistentVolumeClaim" in volume or "ephemeral" in volume for volume in volumes):
        yield "volumes of PersistentVolumeClaims"
    if spec.get("priority") or spec.get("priorityClassName"):
        yield "preemption by priority"
    if spec.get("runtimeClassName"):
        yield "runtimeClassName"


def _maps(value: object) -> list[Mapping[str, Json]]:
    """Return the items of a list that are maps; these fields are not validated."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, (list, tuple)) else []
