"""Observations that are no API objects: scheduling results, prepared devices, events and metrics.

Each is asked for like a field of an object, by a path of words: `refusal on node-1` of a pod, `preparation`
of a claim, `growth` of a metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from dra_conform.conformance.cluster.references import found, key_of, reference
from dra_conform.kube.field_paths import ABSENT, field_at

Json = Any
Objects = Mapping[str, Sequence[Json]]

REFUSAL, PREPARATION, PREPARED, EVENT = "refusal", "preparation", "prepared", "event"
METRIC, GROWTH = "Metric", "growth"


class _Untold:
    """The value of what an implementation does not tell; it is right whatever is expected."""

    def __repr__(self) -> str:
        return "not told"


UNTOLD: Final = _Untold()


def is_told_beside(path: str) -> bool:
    """Whether a path means something that is told beside the objects."""
    return path.partition(" ")[0] in _READERS


def is_refusal(path: str) -> bool:
    """Whether a path means how a pod was refused."""
    return path.partition(" ")[0] == REFUSAL


def told_beside(
    objects: Objects, told: Mapping[str, Sequence[Json] | None], kind: str, name: str, path: str
) -> Json:
    """The value of such a path, ABSENT for nothing; `told` has the lists of the observation by name."""
    word, _, rest = path.partition(" ")
    of, reader = _READERS[word]
    several = told.get(of)
    if several is None:
        return UNTOLD
    if kind == METRIC:
        return reader(several, objects, name, rest)
    meant = reference(kind, name)
    one = found(objects, meant)
    key = key_of(one) if one is not None else f"{meant.get('namespace')}/{meant.get('name')}"
    return reader(several, objects, key, rest)


def _refusal(attempts: Sequence[Json], _: Objects, pod: str, rest: str) -> Json:
    """How a filter ended on a node for a pod the last time: its code; of a pod as a whole, of any phase."""
    node = rest.removeprefix("on ")
    phases = [one for attempt in attempts if attempt["pod"] == pod for one in attempt.get("phases", ())]
    if attempts and not any("phases" in attempt for attempt in attempts):
        return UNTOLD
    codes = [
        one["code"]
        for one in phases
        if one["code"] != "Success"
        and (node in one.get("nodes", ()) if node else one["phase"] != "PostFilter")
    ]
    return codes[-1] if codes else ABSENT


def _preparation(prepared: Sequence[Json], _: Objects, claim: str, __: str) -> Json:
    """The nodes on which a claim was prepared."""
    return sorted({one["node"] for one in prepared if one["claim"] == claim}) or ABSENT


def _prepared(prepared: Sequence[Json], objects: Objects, claim: str, rest: str) -> Json:
    """The devices that were prepared for a claim on a node; of shares, whether it is that of the claim."""
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
            yield device["device"] + (" as its share" if known else " as another share" if share else "")


def _event(events: Sequence[Json], _: Objects, pod: str, rest: str) -> Json:
    """Whether an event of a pod has this reason, and these words in its message where some are asked for."""
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
    """By how much all series of a metric together have grown that have these labels: `name{label=value}`."""
    name, __, rest = metric.partition("{")
    labels = dict(one.strip().split("=", 1) for one in rest.removesuffix("}").split(",") if one.strip())
    return sum(
        one["growth"]
        for one in metrics
        if one["name"] == name and labels.items() <= one.get("labels", {}).items()
    )


_READERS: Mapping[str, tuple[str, Callable[[Sequence[Json], Objects, str, str], Json]]] = {
    REFUSAL: ("attempts", _refusal),
    PREPARATION: ("prepared", _preparation),
    PREPARED: ("prepared", _prepared),
    EVENT: ("events", _event),
    GROWTH: ("metrics", _growth),
}
"""By the first word of the path: the list of the observation, and how a value is read from it."""
