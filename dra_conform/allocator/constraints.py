"""matchAttribute and distinctAttribute: conditions over all devices chosen for the requests they cover."""

from __future__ import annotations

from typing import Any, Protocol

from dra_conform.allocator.inventory import Devices
from dra_conform.kube.resource import DeviceAttribute

Attribute = tuple[str, Any]
"""The type of an attribute and its value; the type is `unknown` where no value is set."""

LIST_TYPES = frozenset({"ints", "bools", "strings", "versions"})


class Constraint(Protocol):
    """One constraint during a search. `attribute` is its qualified name."""

    attribute: str

    def covers(self, request: str, alternative: str) -> bool:
        """Whether devices for this request, or this alternative of it, must comply."""
        ...

    def add(self, request: str, value: Attribute) -> bool:
        """Take a device's value in; False, and nothing changed, where it does not comply."""
        ...

    def remove(self, request: str, value: Attribute) -> None:
        """Undo the latest `add` that was not undone yet."""
        ...


class _Scope:
    """Which requests: all if none is named; a name covers all alternatives, `name/alternative` only one."""

    def __init__(self, attribute: str, requests: tuple[str, ...]) -> None:
        self.attribute = attribute
        self._requests = frozenset(requests)

    def covers(self, request: str, alternative: str) -> bool:
        names = self._requests
        return not names or request in names or (alternative != "" and f"{request}/{alternative}" in names)


class Match(_Scope):
    """matchAttribute: the same type and value everywhere. The first device sets them."""

    def __init__(self, attribute: str, requests: tuple[str, ...]) -> None:
        super().__init__(attribute, requests)
        self._reference: Attribute | None = None
        self._count = 0

    def add(self, request: str, value: Attribute) -> bool:
        if self._count == 0:
            self._reference = value
        elif value != self._reference or value[0] == "unknown":
            return False
        self._count += 1
        return True

    def remove(self, request: str, value: Attribute) -> None:
        self._count -= 1


class Distinct(_Scope):
    """distinctAttribute: no two devices with the same type and value (KEP-5075/constraint/distinct-*)."""

    def __init__(self, attribute: str, requests: tuple[str, ...]) -> None:
        super().__init__(attribute, requests)
        self._values: set[Attribute] = set()

    def add(self, request: str, value: Attribute) -> bool:
        if value in self._values:
            return False
        self._values.add(value)
        return True

    def remove(self, request: str, value: Attribute) -> None:
        self._values.remove(value)


class DistinctByRequest(_Scope):
    """distinctAttribute of releases up to 1.36: a request remembers only its latest value."""

    def __init__(self, attribute: str, requests: tuple[str, ...]) -> None:
        super().__init__(attribute, requests)
        self._values: dict[str, Attribute] = {}

    def add(self, request: str, value: Attribute) -> bool:
        if value in self._values.values():
            return False
        self._values[request] = value
        return True

    def remove(self, request: str, value: Attribute) -> None:
        self._values.pop(request, None)


def attribute_of(devices: Devices, index: int, name: str) -> Attribute | None:
    """A device's attribute by qualified name; a bare name on the device belongs to its driver's domain."""
    attributes = devices.devices[index].attributes
    found = attributes.get(name)
    if found is None:
        domain, _, bare = name.partition("/")
        if bare and domain == devices.keys[index][0]:
            found = attributes.get(bare)
    return None if found is None else _typed(found)


def _typed(attribute: DeviceAttribute) -> Attribute:
    for kind in ("int", "bool", "string", "version"):
        value = getattr(attribute, f"{kind}_" if kind in ("int", "bool") else kind)
        if value is not None:
            return (kind, value)
    for kind in sorted(LIST_TYPES):
        value = getattr(attribute, kind)
        if value is not None:
            return (kind, value)
    return ("unknown", None)
