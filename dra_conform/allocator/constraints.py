"""The constraints matchAttribute and distinctAttribute over the devices chosen for their requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence, Set
from typing import ClassVar, Protocol

from dra_conform.allocator.node_devices import NodeDevices
from dra_conform.kube.resource import DeviceAttribute

Attribute = tuple[str, frozenset[Hashable], bool]
"""The type of an attribute, its set of values, and whether it is a list.

The set has one member for a single value. It is empty for an empty list and for an unknown type.
"""

_SINGLE = (("int", "int_"), ("bool", "bool_"), ("string", "string"), ("version", "version"))
_LISTS = (("int", "ints"), ("bool", "bools"), ("string", "strings"), ("version", "versions"))
_NONE: frozenset[Hashable] = frozenset()


class ConstraintState(Protocol):
    """The state of one constraint during a search.

    `attribute` is its qualified attribute name. `word` is its name in messages.
    """

    word: ClassVar[str]
    attribute: str

    @property
    def forgets(self) -> bool:
        """Whether `remove` may fail to restore the state before `add`, as in some releases."""
        ...

    @property
    def used(self) -> Set[tuple[str, Hashable]] | None:
        """The types and values that no further device may have; None if values need not be distinct."""
        ...

    def covers(self, request: str, subrequest: str) -> bool:
        """Whether the constraint applies to devices of this request or subrequest."""
        ...

    def add(self, request: str, value: Attribute) -> bool:
        """Add a device's value. Return False, and change nothing, if it violates the constraint."""
        ...

    def remove(self, request: str, value: Attribute) -> None:
        """Undo the latest `add` that was not undone yet."""
        ...

    def at_most(self, values: Sequence[Attribute]) -> int:
        """Return an upper bound for the number of devices with these values that can still be added."""
        ...


class _CoveredRequests:
    """The part that all kinds of constraints share: the attribute and the requests.

    Without requests it applies to all requests. A request name includes all its subrequests,
    `name/subrequest` only this subrequest. With `lists`, a list attribute counts as the set of its values;
    otherwise it counts as an unknown value.
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

    def _has_unknown(self, values: Sequence[Attribute]) -> bool:
        """Whether a value is a list without `lists`; the search then decides, since it may be an error."""
        return not self._lists and any(is_list for _, _, is_list in values)


class MatchAttribute(_CoveredRequests):
    """matchAttribute: all devices have values of one type and at least one common value.

    With `stays`, the intersection of list values is not restored by `remove` (`list_intersection_stays`).
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
        if self._has_unknown(values):
            return len(values)
        known = map(self._known, values)
        if self._common:
            common, wanted = self._common[-1]
            return sum(kind == common and bool(members & wanted) for kind, members in known)
        counted = Counter((kind, member) for kind, members in known for member in members or (None,))
        return max(counted.values(), default=0)


class DistinctAttribute(_CoveredRequests):
    """distinctAttribute: no two devices have a common value (KEP-5075/constraint/distinct-*)."""

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
        added = {(kind, member) for member in members}
        if added & self._used:
            return False
        self._used |= added
        self._count += 1
        return True

    def remove(self, request: str, value: Attribute) -> None:
        kind, members = self._known(value)
        self._used -= {(kind, member) for member in members}
        self._count -= 1

    def at_most(self, values: Sequence[Attribute]) -> int:
        if self._has_unknown(values):
            return len(values)
        known = {self._known(value) for value in values}
        return sum(not any((kind, member) in self._used for member in members) for kind, members in known)


class DistinctAttributeByRequest(_CoveredRequests):
    """distinctAttribute in releases up to 1.36: only the latest value of each request is remembered.

    With `never_equal` only two shared allocations of one device count as equal, not two devices (1.34).
    `forgets` is false if each request gets only one device.
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


def attribute_of(devices: NodeDevices, index: int, name: str, *, builds_differ: bool) -> Attribute | None:
    """Return a device's attribute by qualified name; a bare name on the device has its driver as domain.

    Without `builds_differ`, versions have no build metadata.
    """
    attributes = devices.devices[index].attributes
    attribute = attributes.get(name)
    if attribute is None:
        domain, _, bare = name.partition("/")
        if bare and domain == devices.keys[index][0]:
            attribute = attributes.get(bare)
    if attribute is None:
        return None
    return _typed(attribute) if builds_differ else _without_builds(_typed(attribute))


def describe(value: Attribute) -> str:
    """Return the type and the values for a message, such as `int 1` or `strings a, b`."""
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


def _without_builds(value: Attribute) -> Attribute:
    kind, members, is_list = value
    if kind != "version":
        return value
    return (kind, frozenset(str(version).partition("+")[0] for version in members), is_list)
