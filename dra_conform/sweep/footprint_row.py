"""Rows of sweeps about node resource usage: the quantities of one resource that parts of a pod request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from dra_conform.kube.json_values import Json
from dra_conform.sweep.quantities import MILLI, NANO, SCALES, WrittenQuantity, written

FOOTPRINT_FACTORS = ("parts", "scale", "quantity")
"""The factors of a row about node resource usage. A sweep combines their value classes."""

Units = Mapping[str, int]
"""Quantities of the parts of a pod, in units of a scale."""

INIT, SIDECAR, LATER_INIT, FIRST, SECOND = "init", "sidecar", "later-init", "first", "second"
"""The containers of the pod in order: two init containers with a sidecar between, two app containers."""

MAPPED, PER_POD, PER_CONTAINER = "mapped", "per pod", "per container"
"""The node resource usage of a ResourceClaim: its mapping, its overhead per pod, and its overhead per
container."""

CLAIM_PARTS = (MAPPED, PER_POD, PER_CONTAINER)
POD_LEVEL, OVERHEAD = "pod-level", "overhead"
CLAIM_CONTAINERS = (FIRST, SECOND)

SHAPES: Mapping[str, Callable[[int], Units]] = MappingProxyType(
    {
        "app containers": lambda x: {FIRST: 2, SECOND: x},
        "init": lambda x: {INIT: x, FIRST: 2, SECOND: 3},
        "sidecar": lambda x: {SIDECAR: x, FIRST: 2},
        "init before sidecar": lambda x: {INIT: x, SIDECAR: 3, FIRST: 2},
        "init after sidecar": lambda x: {LATER_INIT: x, SIDECAR: 3, FIRST: 2},
        "claim": lambda x: {FIRST: 2, MAPPED: x},
        "claim and init": lambda x: {INIT: 5, FIRST: 2, MAPPED: x},
        "claim only": lambda x: {MAPPED: x},
        "pod-level": lambda x: {FIRST: 2, POD_LEVEL: x},
        "pod-level and claim": lambda x: {MAPPED: x, POD_LEVEL: 5},
        "overhead": lambda x: {FIRST: 2, OVERHEAD: x},
        "pod-level and overhead": lambda x: {FIRST: 2, POD_LEVEL: 5, OVERHEAD: x},
        "all parts": lambda x: {INIT: 9, SIDECAR: 1, LATER_INIT: x, FIRST: 1, MAPPED: x, OVERHEAD: 1},
    }
)  # fmt: skip
"""The requesting parts of a pod by value class. One of them has the varying quantity."""

OF_1_37: Mapping[str, Callable[[int], Units]] = MappingProxyType(
    {
        "claim overhead per pod": lambda x: {FIRST: 2, MAPPED: 1, PER_POD: x},
        "claim overhead per container": lambda x: {FIRST: 2, MAPPED: 1, PER_CONTAINER: x},
        "claim overhead and init": lambda x: {INIT: 5, PER_POD: 1, PER_CONTAINER: x},
    }
)
"""The value classes with parts that only releases since 1.37 have."""

QUANTITIES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "0": (0, 0),
        "1n": (0, 1),
        "2": (2, 0),
        "5-1n": (5, -1),
        "5-1m": (5, -MILLI),
        "5": (5, 0),
        "5+1n": (5, 1),
        "5+1m": (5, MILLI),
        "5+1": (5, NANO),
        "9": (9, 0),
        "1000": (1000, 0),
    }
)
"""The varying quantity by value class: units of the scale, and additional nano-units."""


@dataclass(frozen=True, slots=True, eq=False)
class FootprintRow:
    """A row: the quantities of one resource by part of the pod."""

    parts: Mapping[str, WrittenQuantity]
    policy_class: str
    scale: str
    value_class: str

    @property
    def classes(self) -> tuple[str, str, str]:
        """The value class of each factor of `FOOTPRINT_FACTORS`."""
        return (self.policy_class, self.scale, self.value_class)

    @property
    def family(self) -> str:
        """The parts of the pod that request the resource, by which differences are grouped."""
        return ", ".join(self.parts)

    def complexity(self) -> tuple[int, int]:
        """Return the number of parts and of characters of the row, by which the simplest row is found."""
        return len(self.parts), sum(len(part.text) for part in self.parts.values())

    def texts(self) -> dict[str, str | None]:
        """Return the quantities as written, by part of the pod."""
        return {name: self.parts[name].text if name in self.parts else None for name in PARTS}


def is_stored(row: FootprintRow, *, of_1_37: bool) -> bool:
    """Whether API servers store the row as it is.

    They round quantities of requests, limits and overhead up to whole milli-units, and releases before 1.37
    also those of claims in the status of a pod.
    """
    exact = CLAIM_PARTS if of_1_37 else ()
    return all(quantity.nano % MILLI == 0 for part, quantity in row.parts.items() if part not in exact)


PARTS = (
    *(INIT, SIDECAR, LATER_INIT, FIRST, SECOND),
    *(MAPPED, PER_POD, PER_CONTAINER, POD_LEVEL, OVERHEAD),
)
"""All parts of a pod."""


def footprint_rows(*, of_1_37: bool) -> Iterator[FootprintRow]:
    """Yield every shape in every scale with every quantity that is not negative."""
    shapes = {**SHAPES, **(OF_1_37 if of_1_37 else {})}
    for scale in SCALES:
        for name, shape in shapes.items():
            for value_class, (units, more) in QUANTITIES.items():
                parts = {
                    part: written(count * scale.nano, scale.suffix) for part, count in shape(units).items()
                }
                for part, count in shape(units).items():
                    if more and count == units and shape(units + 1)[part] != count:
                        parts[part] = written(count * scale.nano + more, scale.suffix)
                if all(quantity.nano >= 0 for quantity in parts.values()):
                    yield FootprintRow(parts, name, scale.name, value_class)


def resource(number: int) -> str:
    """Return the resource of a row: huge pages, which containers, claims, and pods can request."""
    return f"hugepages-{number + 1}Ki"


def pod_of(rows: Sequence[tuple[int, FootprintRow]], *, of_1_37: bool) -> Json:
    """Return a pod that requests one resource for each of the rows, given by number."""
    amounts: dict[str, dict[str, str]] = {part: {} for part in PARTS}
    for number, row in rows:
        for part, quantity in row.parts.items():
            amounts[part][resource(number)] = quantity.text
    spec: dict[str, Json] = {
        "initContainers": [
            _container(INIT, amounts),
            {**_container(SIDECAR, amounts), "restartPolicy": "Always"},
            _container(LATER_INIT, amounts),
        ],
        "containers": [_container(FIRST, amounts), _container(SECOND, amounts)],
    }
    if amounts[POD_LEVEL]:
        spec["resources"] = {"requests": amounts[POD_LEVEL]}
    if amounts[OVERHEAD]:
        spec["overhead"] = amounts[OVERHEAD]
    pod: dict[str, Json] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default"},
        "spec": spec,
    }
    claim = _claim_status(amounts, of_1_37=of_1_37)
    if claim:
        used = {"resourceClaimName": "c", "containers": list(CLAIM_CONTAINERS), **claim}
        pod["status"] = {"nodeAllocatableResourceClaimStatuses": [used]}
    return pod


def _container(name: str, amounts: Mapping[str, Mapping[str, str]]) -> dict[str, Json]:
    requests = {"resources": {"requests": dict(amounts[name])}} if amounts[name] else {}
    return {"name": name, "image": "i", **requests}


def _claim_status(amounts: Mapping[str, Mapping[str, str]], *, of_1_37: bool) -> dict[str, Json]:
    if not of_1_37:
        return {"resources": dict(amounts[MAPPED])} if amounts[MAPPED] else {}
    overhead: dict[str, dict[str, str]] = {}
    for part, field in ((PER_POD, "perPod"), (PER_CONTAINER, "perContainer")):
        for name, text in amounts[part].items():
            overhead.setdefault(name, {"name": name})[field] = text
    mapping = [{"name": name, "quantity": text} for name, text in amounts[MAPPED].items()]
    return {
        **({"mapping": mapping} if mapping else {}),
        **({"overhead": list(overhead.values())} if overhead else {}),
    }
