"""Observations that are not API objects: scheduling failures, prepared devices, events and metrics.

Each has a path like a field of an object: `scheduling-failure on node-1` of a pod, `prepared-nodes` of a
ResourceClaim, `growth` of a metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from dra_conform.conformance.cluster.references import found, key_of, reference
from dra_conform.kube.field_paths import ABSENT, field_at

Json = Any
Objects = Mapping[str, Sequence[Json]]

SCHEDULING_FAILURE, PREPARED_NODES, PREPARED_DEVICES = (
    "scheduling-failure",
    "prepared-nodes",
    "prepared-devices",
)
EVENT = "event"
METRIC, GROWTH = "Metric", "growth"


class _NotReported:
    """The value of an observation that is not reported; it satisfies each expectation."""

    def __repr__(self) -> str:
        return "not reported"


NOT_REPORTED: Final = _NotReported()


def is_other_observation(path: str) -> bool:
    """Whether a path is that of an observation other than an object."""
    return path.partition(" ")[0] in _READERS


def is_scheduling_failure(path: str) -> bool:
    """Whether a path is that of a scheduling failure."""
    return path.partition(" ")[0] == SCHEDULING_FAILURE


def other_observation(
    objects: Objects, told: Mapping[str, Sequence[Json] | None], kind: str, name: str, path: str
) -> Json:
    """Return the value of such a path, ABSENT for none. `told` has the lists of the observation by name."""
    word, _, rest = path.partition(" ")
    of, reader = _READERS[word]
    several = told.get(of)
    if several is None:
        return NOT_REPORTED
    if kind == METRIC:
        return reader(several, objects, name, rest)
    meant = reference(kind, name)
    one = found(objects, meant)
    key = key_of(one) if one is not None else f"{meant.get('namespace')}/{meant.get('name')}"
    return reader(several, objects, key, rest)


def _refusal(attempts: Sequence[Json], _: Objects, pod: str, rest: str) -> Json:
    """Return the last failure code of the filters of a pod on a node; without a node, of any phase."""
    node = rest.removeprefix("on ")
    phases = [one for attempt in attempts if attempt["pod"] == pod for one in attempt.get("phases", ())]
    if attempts and not any("phases" in attempt for attempt in attempts):
        return NOT_REPORTED
    codes = [
        one["code"]
        for one in phases
        if one["code"] != "Success"
        and (node in one.get("nodes", ()) if node else one["phase"] != "PostFilter")
    ]
    return codes[-1] if codes else ABSENT


def _preparation(prepared: Sequence[Json], _: Objects, claim: str, __: str) -> Json:
    """Return the nodes on which devices of a ResourceClaim were prepared."""
    return sorted({one["node"] for one in prepared if one["claim"] == claim}) or ABSENT


def _prepared(prepared: Sequence[Json], objects: Objects, claim: str, rest: str) -> Json:
    """Return the devices prepared for a ResourceClaim on a node, each with whether its share ID matches."""
    allocated: Json = next((one for one in objects.get("resourceClaims", ()) if key_of(one) == claim), {})
    results = field_at(allocated, "status.allocation.devices.results")
    shares = {
        (one["driver"], one["pool"], one["device"], one["shareID"])
        for one in (() if results is ABSENT else results)
        if one.get("shareID")
    }
    return sorted(_described(prepared, claim, rest.removeprefix("on "), shares)) or ABSENT


def _described(prepared: Sequence[Json], claim: str, node: str, shares: set[Json]) -> Iterator[str]:
    for one in prepared:
        for device in one["devices"] if (one["claim"], one["node"]) == (claim, node) else ():
            share = device.get("shareID", "")
            known = (one["driver"], device["pool"], device["device"], share) in shares
            yield device["device"] + (
                " with its share ID" if known else " with another share ID" if share else ""
            )


def _event(events: Sequence[Json], _: Objects, pod: str, rest: str) -> Json:
    """Whether an event of a pod has this reason, and a message that contains the words, if there are some."""
    reason, __, words = rest.partition(" with ")
    return (
        any(
            f"{one.get('namespace') or 'default'}/{one['name']}" == pod
            and one["reason"] == reason
            and words.lower() in one.get("message", "").lower()
            for one in events
            if one["kind"] == "Pod"
        )
        or ABSENT
    )


def _growth(metrics: Sequence[Json], _: Objects, metric: str, __: str) -> int:
    """Return the total growth of all series of a metric with these labels: `name{label=value}`."""
    name, __, rest = metric.partition("{")
    labels = dict(one.strip().split("=", 1) for one in rest.removesuffix("}").split(",") if one.strip())
    return sum(
        one["growth"]
        for one in metrics
        if one["name"] == name and labels.items() <= one.get("labels", {}).items()
    )


_READERS: Mapping[str, tuple[str, Callable[[Sequence[Json], Objects, str, str], Json]]] = {
    SCHEDULING_FAILURE: ("attempts", _refusal),
    PREPARED_NODES: ("prepared", _preparation),
    PREPARED_DEVICES: ("prepared", _prepared),
    EVENT: ("events", _event),
    GROWTH: ("metrics", _growth),
}
"""The list of the observation and the reader of its value, by the first word of the path."""
