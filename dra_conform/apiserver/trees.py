"""Trees: decoded objects and their JSON form.

A tree consists of dicts and lists with `Quantity` and `Opaque` values. Values that Go does not distinguish
from absent ones are absent: null, empty maps, and zero values of fields that are not pointers. A quantity
that is not a pointer is always present. Empty lists are kept, since the API server distinguishes some of
them from absent lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dra_conform.kube.json_values import encode_json
from dra_conform.kube.quantity import Quantity

Tree = dict[str, Any]
"""A decoded object or a part of it."""


class SharedTree(Tree):
    """An immutable part of several objects with its defaults and its JSON form.

    `valid`: it was validated in a new object without errors.
    """

    def __init__(self, tree: Tree, json: Tree) -> None:
        super().__init__(tree)
        self.json = json
        self.valid = False


class StoredMetadata(Tree):
    """Immutable metadata that the API server has stored: it is valid and equal to its JSON form."""

    __slots__ = ()


class QuantityWithNotation(Quantity):
    """A quantity with the decimal places of its suffix, since 1.37 distinguishes `1000m` and `1` in
    validValues."""

    __slots__ = ("places",)
    places: int

    def __init__(self, amount: Quantity, places: int) -> None:
        super().__init__(amount.nano, amount.format)
        object.__setattr__(self, "places", places)


class OverflowingQuantity(Quantity):
    """An integer quantity that releases take for a fraction, because its milli-units overflow 64 bits."""

    __slots__ = ()

    def __init__(self, amount: Quantity) -> None:
        super().__init__(amount.nano, amount.format)


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """A JSON value without known structure, such as parameters of a driver."""

    value: Any

    @property
    def json(self) -> bytes:
        """The value as JSON."""
        return encode_json(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque) and self.json == other.json

    __hash__ = None  # type: ignore[assignment]


def encode(value: Any, exact: bool = True) -> Any:
    """Return the JSON form of a tree, with quantities as canonical strings and without empty lists.

    With `exact` false, quantities lose zeros as in releases: `1000E` is `1`.
    """
    if isinstance(value, SharedTree):
        return value.json
    if isinstance(value, StoredMetadata):
        return value
    if isinstance(value, dict):
        return {
            name: item if type(item) is str else encode(item, exact)  # Most values; this saves a call.
            for name, item in value.items()
            if item != []
        }
    if isinstance(value, list):
        return [item if type(item) is str else encode(item, exact) for item in value]
    if isinstance(value, Quantity):
        return str(value if exact else value.as_written_by_go())
    return value.value if isinstance(value, Opaque) else value
