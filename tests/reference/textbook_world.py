"""Inventory of the textbook allocator: pools, devices with their taints, and access from nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dra_conform import cel
from dra_conform.kube.codec import convert
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device as ApiDevice

NANO = 10**9
LISTS = ("ints", "strings", "bools", "versions")
_SEEN = ("name", "attributes", "capacity", "allowMultipleAllocations")


def amount(text: Json) -> Fraction:
    """Return the exact value of a quantity."""
    return Fraction(Quantity.parse(str(text)).nano, NANO)


def text_of(value: Fraction) -> str:
    """Return an exact value as a quantity in nano units, which need not be canonical."""
    scaled = value * NANO
    assert scaled.denominator == 1
    return f"{scaled.numerator}n"


@dataclass(eq=False)
class Pool:
    """Newest generation of a pool with all its slices, on any node."""

    driver: str
    name: str
    slices: list[Json]
    devices: list[Device] = field(default_factory=list)

    def sets(self) -> list[Json]:
        return [
            counter_set for item in self.slices for counter_set in item["spec"].get("sharedCounters") or ()
        ]

    def valid(self, *, counters: bool = True) -> bool:
        """Return whether device names and counter sets are unique, and consumed counters are declared."""
        names = [device.name for device in self.devices]
        if not counters:
            return len(set(names)) == len(names)
        declared = {counter_set["name"]: counter_set.get("counters") or {} for counter_set in self.sets()}
        entries = [entry for device in self.devices for entry in device.entries]
        drawn = [
            entry["counterSet"] in declared
            and set(entry.get("counters") or {}) <= set(declared[entry["counterSet"]])
            for entry in entries
        ]
        return len(set(names)) == len(names) and len(declared) == len(self.sets()) and all(drawn)


@dataclass(eq=False)
class Device:
    """Published device."""

    pool: Pool
    spec: Json
    body: Mapping[str, Json]
    taints: list[Json] = field(default_factory=list)

    @property
    def driver(self) -> str:
        return self.pool.driver

    @property
    def name(self) -> str:
        return str(self.body["name"])

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.pool.driver, self.pool.name, self.name)

    @property
    def shared(self) -> bool:
        return bool(self.body.get("allowMultipleAllocations"))

    @property
    def capacity(self) -> Mapping[str, Json]:
        return self.body.get("capacity") or {}

    @property
    def entries(self) -> Sequence[Json]:
        """Return its entries of consumesCounters."""
        return self.body.get("consumesCounters") or ()

    def groups(self) -> dict[str, list[str]]:
        """Return its compatibility groups by consumed counter set."""
        return {entry["counterSet"]: list(entry.get("compatibilityGroups") or ()) for entry in self.entries}

    def attribute(self, name: str) -> Json | None:
        attributes = self.body.get("attributes") or {}
        domain, _, bare = name.partition("/")
        return attributes.get(name) or (attributes.get(bare) if domain == self.driver else None)

    def source(self) -> Json:
        """Return the object with the node selection of the device: its slice, or the device itself."""
        return self.body if self.spec.get("perDeviceNodeSelection") else self.spec


def reaches(source: Json, node: Node) -> bool:
    if source.get("nodeName"):
        return bool(source["nodeName"] == node.metadata.name)
    if source.get("allNodes"):
        return True
    selector = source.get("nodeSelector")
    return bool(selector) and selects(selector, node)


class SelectorError(ValueError):
    """A NodeSelector with an unknown operator, or with values that the operator does not take."""


def selects(selector: Json, node: Node) -> bool:
    """Whether a term of a NodeSelector has requirements and all of them hold; raises SelectorError."""
    name = {"metadata.name": node.metadata.name}
    terms = [
        [_holds(item, node.metadata.labels, _LABEL_VALUES) for item in term.get("matchExpressions") or ()]
        + [_holds(item, name, {"In": 1, "NotIn": 1}) for item in term.get("matchFields") or ()]
        for term in selector.get("nodeSelectorTerms") or ()
    ]
    return any(term and all(term) for term in terms)


_LABEL_VALUES = {"In": None, "NotIn": None, "Exists": 0, "DoesNotExist": 0, "Gt": 1, "Lt": 1}
"""How many values an operator takes, None for one or more."""


def _holds(requirement: Json, values: Mapping[str, str], taken: Mapping[str, int | None]) -> bool:
    operator, wanted = requirement["operator"], requirement.get("values") or []
    if operator not in taken or (len(wanted) != taken[operator] and not (taken[operator] is None and wanted)):
        raise SelectorError(f"{operator} with {len(wanted)} values")
    if len(taken) == 2 and requirement["key"] not in values:
        raise SelectorError(f"there is no field {requirement['key']}")
    value = values.get(requirement["key"])
    if operator in ("Gt", "Lt"):
        if not _INTEGER.match(wanted[0]):
            raise SelectorError(f"{operator} with {wanted[0]}")
        if value is None or not _INTEGER.match(value):
            return False
        return int(value) > int(wanted[0]) if operator == "Gt" else int(value) < int(wanted[0])
    return {
        "In": value in wanted,
        "NotIn": value not in wanted,
        "Exists": value is not None,
        "DoesNotExist": value is None,
    }[str(operator)]


_INTEGER = re.compile(r"[-+]?[0-9]+\Z")


def pools_of(slices: Sequence[Json]) -> Iterator[Pool]:
    """Yield the pools by driver and name, each with its slices by name."""
    by_key: dict[tuple[str, str], list[Json]] = {}
    for item in slices:
        by_key.setdefault((item["spec"]["driver"], item["spec"]["pool"]["name"]), []).append(item)
    for (driver, name), members in sorted(by_key.items()):
        newest = max(item["spec"]["pool"].get("generation", 0) for item in members)
        current = [item for item in members if item["spec"]["pool"].get("generation", 0) == newest]
        pool = Pool(driver, name, sorted(current, key=lambda item: str(item["metadata"]["name"])))
        pool.devices = [
            Device(pool, item["spec"], body, list(body.get("taints") or ()))
            for item in pool.slices
            for body in item["spec"].get("devices") or ()
        ]
        yield pool


def selected(device: Device, selectors: Sequence[Json], *, sharing: bool = True) -> bool:
    """Return whether all CEL selectors match. Raises what an expression raises."""
    body = {name: value for name, value in device.body.items() if name in _SEEN}
    if not sharing:
        body.pop("allowMultipleAllocations", None)
    view = cel.device_of(device.driver, convert(body, ApiDevice))
    return all(cel.compile(selector["cel"]["expression"]).evaluate(view) for selector in selectors)
