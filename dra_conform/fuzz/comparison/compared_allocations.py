"""The compared parts of an allocation: the choice of devices, and the other fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.codec import ConversionError, convert
from dra_conform.kube.core import Node
from dra_conform.kube.meta import NodeSelector, ObjectMeta
from dra_conform.kube.node_selectors import SelectorError, node_matches
from dra_conform.kube.quantity import Quantity, QuantityError

Json = Any

_FIELDS = (
    *("consumedCapacity", "shareID", "adminAccess", "compatibilityGroups"),
    *("tolerations", "bindingConditions", "bindingFailureConditions"),
)


@dataclass(frozen=True, slots=True)
class ComparedAllocations:
    """Allocations in a comparable form; absent, null and empty values are equal.

    `chosen` has request, driver, pool and device of each result, sorted, by claim. `written` has the other
    fields by name: fields of results in the order of `chosen`, configuration in its own order, and the names
    of the nodes that the node selector matches.
    """

    chosen: Mapping[str, Sequence[Json]]
    written: Mapping[str, Json]

    def parts(self, other: ComparedAllocations) -> frozenset[str]:
        """Return the names of the `written` fields that differ."""
        return frozenset(name for name, value in self.written.items() if other.written[name] != value)

    @staticmethod
    def of(allocations: Mapping[str, Json], nodes: Sequence[Json]) -> ComparedAllocations:
        """Convert the allocations of an answer by claim (`namespace/name`), with the nodes of the cluster."""
        typed = [Node(metadata=convert(node["metadata"], ObjectMeta)) for node in nodes]
        chosen: dict[str, list[Json]] = {}
        written: dict[str, list[Json]] = {name: [] for name in (*_FIELDS, "config", "nodeSelector")}
        for claim, allocation in sorted(allocations.items()):
            devices = allocation.get("devices") or {}
            results = sorted(
                (_place(result), list(_details(result))) for result in devices.get("results") or ()
            )
            chosen[claim] = [place for place, _ in results]
            for index, name in enumerate(_FIELDS):
                written[name].append([details[index] for _, details in results])
            written["config"].append([_config(entry) for entry in devices.get("config") or ()])
            written["nodeSelector"].append(_matched_nodes(allocation.get("nodeSelector"), typed))
        return ComparedAllocations(chosen, written)


def _place(result: Json) -> tuple[str, ...]:
    return result["request"], result["driver"], result["pool"], result["device"]


def _details(result: Json) -> Iterator[Json]:
    """Yield the values of `_FIELDS`: quantities as numbers, and for a share ID whether it is set."""
    yield sorted((name, _nano(text)) for name, text in (result.get("consumedCapacity") or {}).items())
    yield bool(result.get("shareID"))
    yield bool(result.get("adminAccess"))
    yield sorted((name, sorted(groups)) for name, groups in (result.get("compatibilityGroups") or {}).items())
    for name in _FIELDS[4:]:
        yield _text(result.get(name) or [])


def _config(entry: Json) -> tuple[Json, ...]:
    return entry.get("source"), list(entry.get("requests") or ()), _text(entry.get("opaque"))


def _matched_nodes(selector: Json, nodes: Sequence[Node]) -> list[str] | str:
    """Return the nodes that a selector matches. Without a selector these are all nodes.

    An invalid selector is returned as text.
    """
    if selector is None:
        return [node.metadata.name for node in nodes]
    try:
        typed: NodeSelector = convert(selector, NodeSelector)
        return [node.metadata.name for node in nodes if node_matches(typed, node)]
    except (ConversionError, SelectorError):
        return _text(selector)


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _nano(text: Json) -> int:
    try:
        return Quantity.parse(str(text)).nano
    except QuantityError:
        return -1
