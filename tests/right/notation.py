"""Equal values in another form: quantities in thousandths, and members of objects in reverse order."""

from __future__ import annotations

from dra_conform.kube.json_values import Json

_QUANTITIES = frozenset(
    {
        "capacity",
        "consumedCapacity",
        "counters",
        "hard",
        "limits",
        "requests",
        "resources",
        "used",
        "allocatable",
    }
)
"""The fields whose content has quantities; device requests are a list and thus not meant."""


def thousandths(quantity: str) -> str:
    """Return an equal quantity, a whole number in thousandths."""
    return f"{quantity}000m" if quantity.isdigit() and quantity != "0" else quantity


def in_thousandths(value: Json) -> Json:
    """Return an object with equal quantities in another notation."""
    if isinstance(value, list):
        return [in_thousandths(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _amounts(inner) if name in _QUANTITIES and isinstance(inner, dict) else in_thousandths(inner)
        for name, inner in value.items()
    }


def _amounts(value: Json) -> Json:
    if isinstance(value, dict):
        return {
            name: thousandths(inner) if isinstance(inner, str) and name != "name" else _amounts(inner)
            for name, inner in value.items()
        }
    return value


def reversed_members(value: Json) -> Json:
    """Return an equal object with the members in reverse order."""
    if isinstance(value, dict):
        return {name: reversed_members(inner) for name, inner in reversed(value.items())}
    return [reversed_members(item) for item in value] if isinstance(value, list) else value
