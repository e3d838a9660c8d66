"""The trees of the API server: decoded objects, and their JSON.

A decoded object is a tree of dicts and lists in which quantities are `Quantity`, what is somebody else's is
`Opaque`, and what Go cannot tell from absent is absent: nulls, empty maps, and the zero of a field that is
not a pointer, be it a struct; a quantity that is not a pointer is always there. An empty list stays, because
the server tells it from none in places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dra_conform.kube.json_writing import encode_json
from dra_conform.kube.quantity import Quantity

Tree = dict[str, Any]
"""A decoded object or a part of one."""


class SharedTree(Tree):
    """A part that several objects have, with its defaults and its JSON. None of it is written to.

    `valid`: it was found so for an object that was new.
    """

    def __init__(self, tree: Tree, json: Tree) -> None:
        super().__init__(tree)
        self.json = json
        self.valid = False


class StoredMetadata(Tree):
    """Metadata as the API server has admitted and stored it: valid, its own JSON, and not written to."""

    __slots__ = ()


class SpelledQuantity(Quantity):
    """A quantity with the decimal places of its suffix: 1.37 tells `1000m` from `1` in some places."""

    __slots__ = ("places",)
    places: int

    def __init__(self, amount: Quantity, places: int) -> None:
        super().__init__(amount.nano, amount.format)
        object.__setattr__(self, "places", places)


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """A value stored as it is, such as the parameters of a driver; compared by its JSON."""

    value: Any

    @property
    def json(self) -> bytes:
        """The value as text."""
        return encode_json(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque) and self.json == other.json

    __hash__ = None  # type: ignore[assignment]


def encode(value: Any) -> Any:
    """The JSON of a tree: quantities as their canonical text, empty lists left out."""
    if isinstance(value, SharedTree):
        return value.json
    if isinstance(value, StoredMetadata):
        return value
    if isinstance(value, dict):
        return {
            name: item if type(item) is str else encode(item)  # as most are
            for name, item in value.items()
            if item != []
        }
    if isinstance(value, list):
        return [item if type(item) is str else encode(item) for item in value]
    if isinstance(value, Quantity):
        return str(value)
    return value.value if isinstance(value, Opaque) else value
