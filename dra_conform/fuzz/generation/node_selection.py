"""Random node selection of ResourceSlices and devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.fuzz.generation.chance import Choose

Json = Any
NodeSelection = Mapping[str, Json]
"""The node selection of a slice or a device, in the form of the API."""

PER_DEVICE: NodeSelection = {"perDeviceNodeSelection": True}
EVERYWHERE: NodeSelection = {"allNodes": True}

_REQUIREMENTS: tuple[Json, ...] = (
    {"key": "zone", "operator": "In", "values": ["a"]},
    {"key": "zone", "operator": "In", "values": ["b"]},
    {"key": "zone", "operator": "In", "values": ["b", "a"]},
    {"key": "zone", "operator": "NotIn", "values": ["b"]},
    {"key": "disk", "operator": "Exists"},
    {"key": "disk", "operator": "DoesNotExist"},
)


def node_selection(choose: Choose, nodes: Sequence[str]) -> NodeSelection:
    """Choose the first node most often, otherwise all nodes, nodes with some labels, or the last node."""
    kind = choose((*("here",) * 7, "every", "every", "chosen", "chosen", "named", "there"))
    match kind:
        case "every":
            return EVERYWHERE
        case "chosen":
            return _selected({"matchExpressions": [choose(_REQUIREMENTS)]})
        case "named":
            name = {"key": "metadata.name", "operator": "In", "values": [choose(tuple(nodes))]}
            return _selected({"matchFields": [name]})
        case "there":
            return {"nodeName": nodes[-1]}
        case _:
            return {"nodeName": nodes[0]}


def _selected(term: Json) -> NodeSelection:
    return {"nodeSelector": {"nodeSelectorTerms": [term]}}
