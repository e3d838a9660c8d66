"""Plugin fields: fields of devices, requests and allocation results that plugins add to the API.

Objects are decoded without them, as a release does that does not know the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dra_conform.kube.json_values import Json

Owner = Literal["device", "request", "result"]


@dataclass(frozen=True, slots=True)
class OwnField:
    """A field that a plugin adds to devices, to requests and subrequests, or to allocation results.

    `read` converts the cell of a data table to the value, and raises ValueError that says what is expected.
    """

    owner: Owner
    name: str
    read: Callable[[str], Json] = str


@dataclass(slots=True)
class OwnFields:
    """The fields of plugins, by owner (`device`, `request` or `result`) and name."""

    by_owner: dict[Owner, dict[str, OwnField]] = field(default_factory=dict)

    def add(self, own: OwnField) -> None:
        """Add a field."""
        self.by_owner.setdefault(own.owner, {})[own.name] = own

    def of(self, owner: Owner) -> Mapping[str, OwnField]:
        """Return the fields of an owner by name."""
        return self.by_owner.get(owner, {})


OWN_FIELDS = OwnFields()
"""The fields that all plugins add."""


def without_own_fields(kind: str, raw: Any) -> Any:
    """Return the body of an object of a kind without fields of plugins. Malformed parts are unchanged."""
    match kind:
        case "ResourceSlice":
            return _at(raw, ("spec", "devices"), _each(_without("device")))
        case "ResourceClaim":
            results = ("status", "allocation", "devices", "results")
            without_results = _at(raw, results, _each(_without("result")))
            return _at(without_results, ("spec", "devices", "requests"), _each(_request))
        case "ResourceClaimTemplate":
            return _at(raw, ("spec", "spec", "devices", "requests"), _each(_request))
    return raw


def _request(request: Any) -> Any:
    with_subrequests = _at(request, ("firstAvailable",), _each(_without("request")))
    return _at(with_subrequests, ("exactly",), _without("request"))


def _without(owner: Owner) -> Callable[[Any], Any]:
    own = OWN_FIELDS.of(owner)

    def without(raw: Any) -> Any:
        if not isinstance(raw, Mapping) or raw.keys().isdisjoint(own):
            return raw
        return {name: value for name, value in raw.items() if name not in own}

    return without


def _each(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda raw: [change(item) for item in raw] if isinstance(raw, (list, tuple)) else raw


def _at(raw: Any, path: tuple[str, ...], change: Callable[[Any], Any]) -> Any:
    """Return a value with a changed part."""
    if not path:
        return change(raw)
    if not isinstance(raw, Mapping) or path[0] not in raw:
        return raw
    return {**raw, path[0]: _at(raw[path[0]], path[1:], change)}
