"""matchAttribute and distinctAttribute: conditions over all devices chosen for the requests they cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence, Set
from typing import ClassVar, Protocol

from dra_conform.allocator.inventory import NodeDevices
from dra_conform.kube.resource import DeviceAttribute

Attribute = tuple[str, frozenset[Hashable], bool]
"""The type of an attribute, its values, and whether it is a list. A single value is a set of one; the set is
empty for an empty list and where no value is known."""

_SINGLE = (("int", "int_"), ("bool", "bool_"), ("string", "string"), ("version", "version"))
_LISTS = (("int", "ints"), ("bool", "bools"), ("string", "strings"), ("version", "versions"))
_NONE: frozenset[Hashable] = frozenset()


class ConstraintState(Protocol):
    """One constraint during a search. `attribute` is its qualified name, `word` what it is called."""

    word: ClassVar[str]
    attribute: str

    @property
    def forgets(self) -> bool:
        """Whether `remove` does not bring back what was known before."""
        ...

    @property
    def used(self) -> Set[tuple[str, Hashable]] | None:
        """The types and values that no further device may have; None where values need not differ."""
        ...

    def covers(self, request: str, subrequest: str) -> bool:
        """Whether devices for this request, or this subrequest of it, must comply."""
        ...

    def add(self, request: str, value: Attribute) -> bool:
        """Take a device's value in; False, and nothing changed, where it does not comply."""
        ...

    def remove(self, request: str, value: Attribute) -> None:
        """Undo the latest `add` that was not undone yet."""
        ...

    def at_most(self, values: Sequence[Attribute]) -> int:
        """No more devices than this, of those with these values, can comply together from now on."""
        ...


class _CoveredRequests:
    """Which requests: all if none is named; a name covers all subrequests, `name/subrequest` only one.

    With `lists` a list counts as the set of its values; else nothing is known of it.
    """

    def __init__(self, attribute: str, requests: tuple[str, ...], *, lists: bool) -> None:
        self.attribute = attribute
        self._lists = lists
        self._requests = frozenset(requests)

    def covers(self, request: str, subrequest: str) -> bool:
        names = self._requests
        return not names or request in names or (subrequest != "" and f"{request}/{subrequest}" in names)

    def _known(self, value: Attribute) -> tuple[str, frozenset[Hashable]]:
        kind, members, is_list = value
        return (kind, members) if self._lists or not is_list else ("unknown", _NONE)


class MatchAttribute(_CoveredRequests):
    """matchAttribute: one type, and a value that all devices have. The first device sets them.

    With `stays`, what a device narrowed them to remains when it is taken back (`list_intersection_stays`).
    """

    word: ClassVar[str] = "match"
    used = None

    @property
    def forgets(self) -> bool:
        return self._stays and self._lists

    def __init__(
        self, attribute: str, requests: tuple[str, ...], *, lists: bool, stays: bool = False
    ) -> None:
        super().__init__(attribute, requests, lists=lists)
        self._stays = stays
        self._common: list[tuple[str, frozenset[Hashable]]] = []

    def add(self, request: str, value: Attribute) -> bool:
        kind, members = self._known(value)
        if not self._common:
            if self._lists and not members:
                return False
            self._common.append((kind, members))
            return True
        common, narrowed = self._common[-1][0], self._common[-1][1] & members
        if kind != common or not narrowed:
            return False
        if self._stays:
            self._common = [(kind, narrowed)] * len(self._common)
        self._common.append((kind, narrowed))
        return True

    def remove(self, request: str, value: Attribute) -> None:
        self._common.pop()

    def at_most(self, values: Sequence[Attribute]) -> int:
        known = map(self._known, values)
        if self._common:
            common, wanted = self._common[-1]
            return sum(kind == common and bool(members & wanted) for kind, members in known)
        counted = Counter((kind, member) for kind, members in known for member in members or (None,))
        return max(counted.values(), default=0)


class DistinctAttribute(_CoveredRequests):
    """distinctAttribute: no two devices have a type and value in common (KEP-5075/constraint/distinct-*)."""

    word: ClassVar[str] = "distinct"
    forgets = False

    def __init__(self, attribute: str, requests: tuple[str, ...], *, lists: bool) -> None:
        super().__init__(attribute, requests, lists=lists)
        self._used: set[tuple[str, Hashable]] = set()
        self._count = 0

    @property
    def used(self) -> Set[tuple[str, Hashable]]:
        return self._used

    def add(self, request: str, value: Attribute) -> bool:
        kind, members = self._known(value)
        if not members and (self._lists or self._count):
            return False
        mine = {(kind, member) for member in members}
        if mine & self._used:
            return False
        self._used |= mine
        self._count += 1
        return True

    def remove(self, request: str, value: Attribute) -> None:
        kind, members = self._known(value)
        self._used -= {(kind, member) for member in members}
        self._count -= 1

    def at_most(self, values: Sequence[Attribute]) -> int:
        found = {self._known(value) for value in values}
        return sum(not any((kind, one) in self._used for one in members) for kind, members in found)


class DistinctAttributeByRequest(_CoveredRequests):
    """distinctAttribute of releases up to 1.36: a request remembers only its latest value.

    With `never_equal` the values of two devices are never the same, only those of two shares of one (1.34).
    `forgets` is false where each request that it covers takes one device.
    """

    word: ClassVar[str] = "distinct"

    def __init__(
        self,
        attribute: str,
        requests: tuple[str, ...],
        *,
        lists: bool,
        forgets: bool,
        never_equal: bool = False,
    ) -> None:
        super().__init__(attribute, requests, lists=lists)
        self.forgets = forgets
        self._never_equal = never_equal
        self._values: dict[str, Attribute] = {}

    @property
    def used(self) -> Set[tuple[str, Hashable]] | None:
        if self._never_equal:
            return None
        known = map(self._known, self._values.values())
        return {(kind, member) for kind, members in known for member in members}

    def add(self, request: str, value: Attribute) -> bool:
        if self._values and not self._known(value)[1]:
            return False
        if any(self._equal(value, used) for used in self._values.values()):
            return False
        self._values[request] = value
        return True

    def _equal(self, value: Attribute, used: Attribute) -> bool:
        if self._never_equal:
            return value is used
        (kind, members), (other, others) = self._known(value), self._known(used)
        return kind == other and bool(members & others)

    def remove(self, request: str, value: Attribute) -> None:
        self._values.pop(request, None)

    def at_most(self, values: Sequence[Attribute]) -> int:
        return len(values)


def attribute_of(devices: NodeDevices, index: int, name: str) -> Attribute | None:
    """A device's attribute by qualified name; a bare name on the device belongs to its driver's domain."""
    attributes = devices.devices[index].attributes
    found = attributes.get(name)
    if found is None:
        domain, _, bare = name.partition("/")
        if bare and domain == devices.keys[index][0]:
            found = attributes.get(bare)
    return None if found is None else _typed(found)


def told(value: Attribute) -> str:
    """The value in words, such as `int 1` or `strings a, b`."""
    kind, members, is_list = value
    return f"{kind}{'s' if is_list else ''} {', '.join(sorted(map(_text, members)))}"


def _text(member: Hashable) -> str:
    return str(member).lower() if isinstance(member, bool) else str(member)


def _typed(attribute: DeviceAttribute) -> Attribute:
    for kind, field in _LISTS:
        values = getattr(attribute, field)
        if values:
            return (kind, frozenset(values), True)
    for kind, field in _SINGLE:
        value = getattr(attribute, field)
        if value is not None:
            return (kind, frozenset((value,)), False)
    return ("unknown", _NONE, False)
