"""The ResourceSlices that publish the devices and counter sets of a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.kube.json_values import Json

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
    nodes_of_pools: dict[tuple[str, str], str] = {}
    for item in published:
        if item.kind == "devices":
            nodes_of_pools.setdefault(
                (item.driver, item.pool), item.node or (EVERYWHERE if item.on else node)
            )
    grouped: dict[tuple[str, str, int, str, str], list[Published]] = {}
    for item in published:
        suffix = "slice" if item.kind == "devices" else "counters"
        default = node if item.kind == "devices" else nodes_of_pools.get((item.driver, item.pool), node)
        selection = "" if item.on else item.node or default
        slice_key = (
            item.driver,
            item.pool,
            item.generation,
            item.slice or f"{item.pool}-{suffix}",
            selection,
        )
        grouped.setdefault(slice_key, []).append(item)
    sizes: dict[tuple[str, str, int], int] = {}
    for driver, pool, generation, *_ in grouped:
        sizes[driver, pool, generation] = sizes.get((driver, pool, generation), 0) + 1
    ambiguous = len({slice_key[3] for slice_key in grouped}) < len(grouped)
    slices = []
    for (driver, pool, generation, name, selection), members in grouped.items():
        count = declared.get((driver, pool), sizes[driver, pool, generation])
        spec = {
            "driver": driver,
            "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
            **(node_choice(selection) if selection else {"perDeviceNodeSelection": True}),
            **_contents(members),
        }
        slice_name = name
        if ambiguous:
            slice_name = "-".join(
                (name, driver, *_words(selection or "each"), *_words(_generation(generation)))
            )
        metadata = {"name": slice_name}
        slices.append(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceSlice",
                "metadata": metadata,
                "spec": spec,
            }
        )
    return slices


def node_choice(selection: str) -> dict[str, Json]:
    """Return the API fields of a node name, `*` for all nodes, or labels such as `zone=a, disk=ssd`."""
    if selection == EVERYWHERE:
        return {"allNodes": True}
    if "=" not in selection:
        return {"nodeName": selection}
    labels = [part.strip().partition("=") for part in selection.split(",")]
    expressions = [{"key": key, "operator": "In", "values": [value]} for key, _, value in labels]
    return {"nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": expressions}]}}


def _contents(members: Iterable[Published]) -> dict[str, Json]:
    contents: dict[str, list[Json]] = {}
    for item in members:
        contents.setdefault(item.kind, []).append(_body(item))
    return contents


def _body(item: Published) -> dict[str, Json]:
    return {**item.body, **(node_choice(item.on) if item.on else {})}


def _generation(generation: int) -> str:
    return "" if generation == 1 else f"g{generation}"


def _words(text: str) -> Iterable[str]:
    word = "".join(letter if letter.isalnum() else "-" for letter in text.replace(EVERYWHERE, "all"))
    return (word.strip("-"),) if word.strip("-") else ()
