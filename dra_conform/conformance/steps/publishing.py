"""The ResourceSlices that publish the devices and counter sets of a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Any

EVERYWHERE = "*"


@dataclass(frozen=True, slots=True)
class Published:
    """A device or a counter set, and its ResourceSlice.

    `kind`: the field of the slice, `devices` or `sharedCounters`.
    `node`: the nodes of the slice: a name, `*`, labels such as `zone=a`, or empty for the default.
    `on`: the same for a device in a slice with `perDeviceNodeSelection`.
    """

    kind: str
    driver: str
    pool: str
    body: Mapping[str, Json]
    slice: str = ""
    node: str = ""
    on: str = ""
    generation: int = 1

    @property
    def identity(self) -> tuple[str, str, str, int]:
        return (self.driver, self.pool, str(self.body["name"]), self.generation)


def slices_of(
    published: Sequence[Published], declared: Mapping[tuple[str, str], int], node: str
) -> list[dict[str, Json]]:
    """Return a ResourceSlice for each driver, pool, generation, slice and node selection, in order.

    Counter sets have their own slices, unless they name the slice of devices. `resourceSliceCount` is the
    number of slices in a generation, or the one in `declared`. `node` is the default node of devices; counter
    sets are by default on the node of the first device of their pool.
    """
    homes: dict[tuple[str, str], str] = {}
    for one in published:
        if one.kind == "devices":
            homes.setdefault((one.driver, one.pool), one.node or (EVERYWHERE if one.on else node))
    grouped: dict[tuple[str, str, int, str, str], list[Published]] = {}
    for one in published:
        suffix = "slice" if one.kind == "devices" else "counters"
        default = node if one.kind == "devices" else homes.get((one.driver, one.pool), node)
        where = "" if one.on else one.node or default
        place = (one.driver, one.pool, one.generation, one.slice or f"{one.pool}-{suffix}", where)
        grouped.setdefault(place, []).append(one)
    sizes: dict[tuple[str, str, int], int] = {}
    for driver, pool, generation, *_ in grouped:
        sizes[driver, pool, generation] = sizes.get((driver, pool, generation), 0) + 1
    ambiguous = len({place[3] for place in grouped}) < len(grouped)
    made = []
    for (driver, pool, generation, name, where), members in grouped.items():
        count = declared.get((driver, pool), sizes[driver, pool, generation])
        spec = {
            "driver": driver,
            "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
            **(node_choice(where) if where else {"perDeviceNodeSelection": True}),
            **_contents(members),
        }
        unique = name
        if ambiguous:
            unique = "-".join((name, driver, *_words(where or "each"), *_words(_generation(generation))))
        metadata = {"name": unique}
        made.append(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceSlice",
                "metadata": metadata,
                "spec": spec,
            }
        )
    return made


def node_choice(where: str) -> dict[str, Json]:
    """Return the API fields of a node name, `*` for all nodes, or labels such as `zone=a, disk=ssd`."""
    if where == EVERYWHERE:
        return {"allNodes": True}
    if "=" not in where:
        return {"nodeName": where}
    labels = [part.strip().partition("=") for part in where.split(",")]
    expressions = [{"key": key, "operator": "In", "values": [value]} for key, _, value in labels]
    return {"nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": expressions}]}}


def _contents(members: Iterable[Published]) -> dict[str, Json]:
    found: dict[str, list[Json]] = {}
    for one in members:
        found.setdefault(one.kind, []).append(_body(one))
    return found


def _body(one: Published) -> dict[str, Json]:
    return {**one.body, **(node_choice(one.on) if one.on else {})}


def _generation(generation: int) -> str:
    return "" if generation == 1 else f"g{generation}"


def _words(text: str) -> Iterable[str]:
    word = "".join(letter if letter.isalnum() else "-" for letter in text.replace(EVERYWHERE, "all"))
    return (word.strip("-"),) if word.strip("-") else ()
