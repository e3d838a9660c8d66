"""Allocators that lose a part of quantities, numbers and strings, such as fractions or exponents."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import ChangesRequest, FaultyAllocator, World
from tests.reference.textbook_world import amount, text_of

Text = Callable[[str], str]

_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_UUID = re.compile(r"(?i)(gpu-|mig-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _in_attributes(kind: str, change: Callable[[Any], Json]) -> ChangesRequest:
    """Change the attributes that have a single value of a type."""

    def change_request(world: World) -> None:
        for attribute in world.attributes:
            if kind in attribute:
                attribute[kind] = change(attribute[kind])

    return change_request


def _in_texts(change: Text) -> ChangesRequest:
    return _in_attributes("string", change)


def in_asked_amounts(change: Text) -> ChangesRequest:
    """Change the requested capacities."""

    def change_request(world: World) -> None:
        for request in world.exact_requests:
            requests = (request.get("capacity") or {}).get("requests") or {}
            for name, value in requests.items():
                requests[name] = change(str(value))

    return change_request


def _in_held(change: Text) -> ChangesRequest:
    def change_request(world: World) -> None:
        for result in world.existing_results:
            for name, value in (result.get("consumedCapacity") or {}).items():
                result["consumedCapacity"][name] = change(str(value))

    return change_request


def _in_counters(change: Text) -> ChangesRequest:
    """Change the values and the consumption of counters."""

    def change_request(world: World) -> None:
        sets = [counter_set for spec in world.specs for counter_set in spec.get("sharedCounters") or ()]
        for counter_set in (*sets, *world.entries):
            for counter in (counter_set.get("counters") or {}).values():
                counter["value"] = change(str(counter["value"]))

    return change_request


def _in_values(change: Text) -> ChangesRequest:
    """Change the capacities of devices."""

    def change_request(world: World) -> None:
        for capacity in world.capacities:
            capacity["value"] = change(str(capacity["value"]))

    return change_request


def _in_valid_values(change: Text) -> ChangesRequest:
    def change_request(world: World) -> None:
        for policy in world.policies:
            if policy.get("validValues"):
                policy["validValues"] = [change(str(value)) for value in policy["validValues"]]

    return change_request


def whole_units(text: str) -> str:
    return text_of(Fraction(ceil(amount(text))))


def _to_mebi(text: str) -> str:
    """Count memory in whole mebibytes."""
    found = amount(text)
    return text_of(Fraction(found // 2**20 * 2**20)) if found >= 2**20 else text


def _wrapped(text: str) -> str:
    found = amount(text)
    return text_of(found % 2**32) if found >= 2**32 else text


def _without_fraction(text: str) -> str:
    return re.sub(r"\.[0-9]+", "", text) or "0"


def _without_exponent(text: str) -> str:
    return re.sub(r"[eE][+-]?[0-9]+$", "", text)


def _milli_is_whole(text: str) -> str:
    return text.removesuffix("m")


def _rounded_milli(text: str) -> str:
    """Round thousandths to tenths."""
    found = amount(text)
    return text_of(Fraction(round(found * 10), 10)) if text.endswith("m") else text


def _label_parts(world: World) -> None:
    for node in world.nodes:
        labels = node["metadata"].get("labels") or {}
        node["metadata"]["labels"] = {key.rpartition("/")[2]: value for key, value in labels.items()}


def _same_domain(world: World) -> None:
    """Add the attributes without their domains."""
    for device in world.devices:
        names = list(device.get("attributes") or {})
        for name in names:
            device["attributes"].setdefault(name.rpartition("/")[2], device["attributes"][name])


def _as_bool(world: World) -> None:
    for attribute in world.attributes:
        if attribute.get("string", "").lower() in ("true", "false"):
            attribute["bool"] = attribute.pop("string").lower() == "true"


def _lists_of_one(world: World) -> None:
    for attribute in world.attributes:
        for kind in ("strings", "ints", "versions", "bools"):
            if attribute.get(kind):
                attribute[kind] = attribute[kind][:1]


OF_AMOUNTS = (
    FaultyAllocator("PCI addresses have no function", changes_request=_in_texts(lambda text: text.partition(".")[0] if _PCI.fullmatch(text) else text)),
    FaultyAllocator("PCI addresses have no domain", changes_request=_in_texts(lambda text: text[5:] if _PCI.fullmatch(text) else text)),
    FaultyAllocator("UUIDs are known by their first eight digits", changes_request=_in_texts(lambda text: text[: text.index("-", 4 if text[:1] in "GgMm" else 0)] if _UUID.fullmatch(text) else text)),
    FaultyAllocator("strings are known without what follows a blank", changes_request=_in_texts(lambda text: text.partition(" ")[0])),
    FaultyAllocator("strings are known without what follows a colon", changes_request=_in_texts(lambda text: text.partition(":")[0])),
    FaultyAllocator("strings of digits have no leading zeros", changes_request=_in_texts(lambda text: text.lstrip("0") or "0" if text.isdigit() else text)),
    FaultyAllocator("strings that say true are true", changes_request=_as_bool),
    FaultyAllocator("lists are their first value", changes_request=_lists_of_one),
    FaultyAllocator("versions are known without their pre-release", changes_request=_in_attributes("version", lambda text: re.sub(r"-[^+]*", "", text))),
    FaultyAllocator("versions are known by major and minor", changes_request=_in_attributes("version", lambda text: re.sub(r"^(\d+\.\d+)\.\d+", r"\1.0", text))),
    FaultyAllocator("whole numbers are of 32 bits", changes_request=_in_attributes("int", lambda number: (number + 2**31) % 2**32 - 2**31)),
    FaultyAllocator("thousandths that are asked for are whole", changes_request=in_asked_amounts(_milli_is_whole)),
    FaultyAllocator("fractions that are asked for are cut off", changes_request=in_asked_amounts(_without_fraction)),
    FaultyAllocator("exponents of what is asked for are cut off", changes_request=in_asked_amounts(_without_exponent)),
    FaultyAllocator("consumed capacity of existing allocations is rounded up to whole units", changes_request=_in_held(whole_units)),
    FaultyAllocator("consumed capacity of existing allocations is in whole mebibytes", changes_request=_in_held(_to_mebi)),
    FaultyAllocator("thousandths of counters are whole", changes_request=_in_counters(_milli_is_whole)),
    FaultyAllocator("fractions of counters are cut off", changes_request=_in_counters(_without_fraction)),
    FaultyAllocator("counters are of 32 bits", changes_request=_in_counters(_wrapped)),
    FaultyAllocator("thousandths of counters are tenths", changes_request=_in_counters(_rounded_milli)),
    FaultyAllocator("capacities are in whole mebibytes", changes_request=_in_values(_to_mebi)),
    FaultyAllocator("exponents of capacities are cut off", changes_request=_in_values(_without_exponent)),
    FaultyAllocator("valid values are rounded up to whole units", changes_request=_in_valid_values(whole_units)),
    FaultyAllocator("exponents of valid values are cut off", changes_request=_in_valid_values(_without_exponent)),
    FaultyAllocator("labels of nodes have no domain", changes_request=_label_parts),
    FaultyAllocator("attributes are there without their domains too", changes_request=_same_domain),
)  # fmt: skip
