"""Observations that are not API objects: scheduling failures, prepared devices, events, metrics, and the
write requests and the log of the scheduler.

Each has a path like a field of an object: `scheduling-failure on node-1` of a pod, `prepared-nodes` of a
ResourceClaim, `growth` of a metric, `more-write-requests for pods/status` of a component.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from dra_conform.conformance.object_references import find_object, key_of, reference
from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.json_values import Json

Objects = Mapping[str, Sequence[Json]]

SCHEDULING_FAILURE, PREPARED_NODES, PREPARED_DEVICES = (
    "scheduling-failure",
    "prepared-nodes",
    "prepared-devices",
)
EVENT = "event"
METRIC, GROWTH, INCREASE = "Metric", "growth", "increase"
COMPONENT, SCHEDULER, LOG = "Component", "scheduler", "log"
MORE_WRITES, NEW_WRITE_KINDS = "more-write-requests", "new-kinds-of-write-requests"


class _NotReported:
    """The value of an observation that is not reported; it satisfies each expectation."""

    def __repr__(self) -> str:
        return "not reported"


NOT_REPORTED: Final = _NotReported()


def is_other_observation(path: str) -> bool:
    """Whether a path is that of an observation other than an object."""
    return path.partition(" ")[0] in _READERS


def _is_of_components(kind: str) -> bool:
    """Whether an observation is about components, not about objects: metrics, write requests or a log."""
    return kind in (METRIC, COMPONENT)


def list_of(path: str) -> str:
    """Return the name of the list of a steady state that has the observations of a path."""
    return _READERS[path.partition(" ")[0]][0]


def is_scheduling_failure(path: str) -> bool:
    """Whether a path is that of a scheduling failure."""
    return path.partition(" ")[0] == SCHEDULING_FAILURE


def since(path: str, value: Json, earlier: Sequence[Json]) -> Json:
    """Return the value of a path that compares it with earlier states, oldest first; other values unchanged.

    Requests count beyond those of the previous state, and kinds of requests if no earlier state has them.
    """
    known = [one for one in earlier if one is not NOT_REPORTED and one is not ABSENT]
    match path.partition(" ")[0]:
        case word if word == NEW_WRITE_KINDS and value is ABSENT and not known:
            return NOT_REPORTED  # A component that has never sent a request was not observed.
        case _ if value is NOT_REPORTED or value is ABSENT:
            return value
        case word if word == MORE_WRITES:
            return max(value - known[-1], 0) if known else value
        case word if word == NEW_WRITE_KINDS:
            return [kind for kind in value if not any(kind in kinds for kinds in known)] or ABSENT
        case _:
            return value


def other_observation(
    objects: Objects,
    observations: Mapping[str, Sequence[Json] | None],
    kind: str,
    name: str,
    path: str,
) -> Json:
    """Return the value of a path of this module, ABSENT for none, NOT_REPORTED if its list is missing.

    `observations` has the lists of a steady state by name.
    """
    first_word, _, rest = path.partition(" ")
    list_name, reader = _READERS[first_word]
    entries = observations.get(list_name)
    if entries is None:
        return NOT_REPORTED
    if _is_of_components(kind):
        return reader(entries, objects, name, rest)
    ref = reference(kind, name)
    raw = find_object(objects, ref)
    key = key_of(raw) if raw is not None else f"{ref.get('namespace')}/{ref.get('name')}"
    return reader(entries, objects, key, rest)


def _scheduling_failure(attempts: Sequence[Json], _: Objects, pod: str, rest: str) -> Json:
    """Return the last failure code of a pod: of the filters on a node or, without a node, of any phase."""
    node = rest.removeprefix("on ")
    phases = [phase for attempt in attempts if attempt["pod"] == pod for phase in attempt.get("phases", ())]
    if attempts and not any("phases" in attempt for attempt in attempts):
        return NOT_REPORTED
    codes = [
        phase["code"]
        for phase in phases
        if phase["code"] != "Success"
        and (node in phase.get("nodes", ()) if node else phase["phase"] != "PostFilter")
    ]
    return codes[-1] if codes else ABSENT


def _prepared_nodes(prepared: Sequence[Json], _: Objects, claim: str, __: str) -> Json:
    """Return the nodes on which devices of a ResourceClaim were prepared."""
    return sorted({entry["node"] for entry in prepared if entry["claim"] == claim}) or ABSENT


def _prepared_devices(prepared: Sequence[Json], objects: Objects, claim: str, rest: str) -> Json:
    """Return the devices prepared for a ResourceClaim on a node, and whether the share ID of each matches.

    A kubelet may prepare a ResourceClaim several times, so a repeated call for a device counts once.
    """
    allocated: Json = next((raw for raw in objects.get("resourceClaims", ()) if key_of(raw) == claim), {})
    results = field_at(allocated, "status.allocation.devices.results")
    shares = {
        (result["driver"], result["pool"], result["device"], result["shareID"])
        for result in (() if results is ABSENT else results)
        if result.get("shareID")
    }
    return sorted(_described(prepared, claim, rest.removeprefix("on "), shares)) or ABSENT


def _described(prepared: Sequence[Json], claim: str, node: str, shares: set[Json]) -> Iterator[str]:
    called = {
        (entry["driver"], device["pool"], device["device"], device.get("shareID", ""))
        for entry in prepared
        if (entry["claim"], entry["node"]) == (claim, node)
        for device in entry["devices"]
    }
    for call in called:
        *_, device, share = call
        yield device + (" with its share ID" if call in shares else " with another share ID" if share else "")


def _event(events: Sequence[Json], _: Objects, pod: str, rest: str) -> Json:
    """Whether an event of a pod has this reason, if one is given, and a message that contains the words."""
    reason, __, words = rest.partition(" with ")
    return (
        any(
            f"{event.get('namespace') or 'default'}/{event['name']}" == pod
            and reason in ("", event["reason"])
            and words.lower() in event.get("message", "").lower()
            for event in events
            if event["kind"] == "Pod"
        )
        or ABSENT
    )


def _growth(metrics: Sequence[Json], _: Objects, metric: str, __: str) -> int:
    """Return the total growth of all series of a metric with these labels: `name{label=value}`."""
    name, __, rest = metric.partition("{")
    labels = dict(label.strip().split("=", 1) for label in rest.removesuffix("}").split(",") if label.strip())
    return sum(
        series["growth"]
        for series in metrics
        if series["name"] == name and labels.items() <= series.get("labels", {}).items()
    )


def _increase(metrics: Sequence[Json], objects: Objects, metric: str, rest: str) -> Json:
    """Whether all series of a metric with these labels have grown in sum."""
    return _growth(metrics, objects, metric, rest) > 0 or ABSENT


def _writes_for(requests: Sequence[Json], _: Objects, component: str, rest: str) -> int:
    """Return the number of write requests of a component for a resource, such as `pods/status`."""
    resource = rest.removeprefix("for ")
    own = _of_component(requests, component)
    return sum(entry["count"] for entry in own if entry["resource"] == resource)


def _write_kinds(requests: Sequence[Json], _: Objects, component: str, __: str) -> Json:
    """Return the verb and the resource of all write requests of a component."""
    kinds = {f"{entry['verb']} {entry['resource']}" for entry in _of_component(requests, component)}
    return sorted(kinds) or ABSENT


def _log(lines: Sequence[Json], _: Objects, component: str, rest: str) -> Json:
    """Whether one line of the log of a component contains all words of `at 7 with "A" and "B"`, ignoring
    case."""
    words = [word.lower() for word in logged_words(rest)]
    own = _of_component(lines, component)
    return any(all(word in entry["line"].lower() for word in words) for entry in own) or ABSENT


def log_path(verbosity: int, words: Sequence[str]) -> str:
    """Return the path of a line with all these words in a log of this verbosity."""
    return f"{LOG} at {verbosity} with {' and '.join(map(json.dumps, words))}"


def logged_words(path: str) -> list[str]:
    """Return the words of a path of `log_path`."""
    _, __, words = path.partition(" with ")
    return [json.loads(word) for word in re.findall(r'"(?:[^"\\]|\\.)*"', words)]


def verbosity_of(path: str) -> int:
    """Return the verbosity in a path of `log_path`, 0 for other paths."""
    match = re.match(rf"{LOG} at (\d+) ", path)
    return int(match[1]) if match else 0


def _of_component(entries: Sequence[Json], component: str) -> Iterator[Json]:
    return (entry for entry in entries if entry["component"] == component)


_READERS: Mapping[str, tuple[str, Callable[[Sequence[Json], Objects, str, str], Json]]] = {
    SCHEDULING_FAILURE: ("attempts", _scheduling_failure),
    PREPARED_NODES: ("prepared", _prepared_nodes),
    PREPARED_DEVICES: ("prepared", _prepared_devices),
    EVENT: ("events", _event),
    GROWTH: ("metrics", _growth),
    INCREASE: ("metrics", _increase),
    MORE_WRITES: ("requests", _writes_for),
    NEW_WRITE_KINDS: ("requests", _write_kinds),
    LOG: ("log", _log),
}
"""The list of the observation and the reader of its value, by the first word of the path."""
