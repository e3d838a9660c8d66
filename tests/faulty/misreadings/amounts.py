"""Allocators that lose a part of quantities, numbers and strings, such as fractions or exponents."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

from tests.faulty.misreadings.misreading import Misreading, Reads, World
from tests.reference.textbook_world import amount, text_of

Json = Any
Text = Callable[[str], str]

_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_UUID = re.compile(r"(?i)(gpu-|mig-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _in_attributes(kind: str, change: Callable[[Any], Json]) -> Reads:
    """Change the attributes that have a single value of a type."""

    def reads(world: World) -> None:
        for attribute in world.attributes:
            if kind in attribute:
                attribute[kind] = change(attribute[kind])

    return reads


def _in_texts(change: Text) -> Reads:
    return _in_attributes("string", change)


def in_asked_amounts(change: Text) -> Reads:
    """Change the requested capacities."""

    def reads(world: World) -> None:
        for request in world.asked:
            requests = (request.get("capacity") or {}).get("requests") or {}
            for name, value in requests.items():
                requests[name] = change(str(value))

    return reads


def _in_held(change: Text) -> Reads:
    def reads(world: World) -> None:
        for result in world.held:
            for name, value in (result.get("consumedCapacity") or {}).items():
                result["consumedCapacity"][name] = change(str(value))

    return reads


def _in_counters(change: Text) -> Reads:
    """Change the values and the consumption of counters."""

    def reads(world: World) -> None:
        sets = [counter_set for spec in world.specs for counter_set in spec.get("sharedCounters") or ()]
        for counter_set in (*sets, *world.entries):
            for counter in (counter_set.get("counters") or {}).values():
                counter["value"] = change(str(counter["value"]))

    return reads


def _in_values(change: Text) -> Reads:
    """Change the capacities of devices."""

    def reads(world: World) -> None:
        for capacity in world.capacities:
            capacity["value"] = change(str(capacity["value"]))

    return reads


def _in_valid_values(change: Text) -> Reads:
    def reads(world: World) -> None:
        for policy in world.policies:
            if policy.get("validValues"):
                policy["validValues"] = [change(str(value)) for value in policy["validValues"]]

    return reads


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
    Misreading("PCI addresses have no function", reads=_in_texts(lambda text: text.partition(".")[0] if _PCI.fullmatch(text) else text)),
    Misreading("PCI addresses have no domain", reads=_in_texts(lambda text: text[5:] if _PCI.fullmatch(text) else text)),
    Misreading("UUIDs are known by their first eight digits", reads=_in_texts(lambda text: text[: text.index("-", 4 if text[:1] in "GgMm" else 0)] if _UUID.fullmatch(text) else text)),
    Misreading("strings are known without what follows a blank", reads=_in_texts(lambda text: text.partition(" ")[0])),
    Misreading("strings are known without what follows a colon", reads=_in_texts(lambda text: text.partition(":")[0])),
    Misreading("strings of digits have no leading zeros", reads=_in_texts(lambda text: text.lstrip("0") or "0" if text.isdigit() else text)),
    Misreading("strings that say true are true", reads=_as_bool),
    Misreading("lists are their first value", reads=_lists_of_one),
    Misreading("versions are known without their pre-release", reads=_in_attributes("version", lambda text: re.sub(r"-[^+]*", "", text))),
    Misreading("versions are known by major and minor", reads=_in_attributes("version", lambda text: re.sub(r"^(\d+\.\d+)\.\d+", r"\1.0", text))),
    Misreading("whole numbers are of 32 bits", reads=_in_attributes("int", lambda number: (number + 2**31) % 2**32 - 2**31)),
    Misreading("thousandths that are asked for are whole", reads=in_asked_amounts(_milli_is_whole)),
    Misreading("fractions that are asked for are cut off", reads=in_asked_amounts(_without_fraction)),
    Misreading("exponents of what is asked for are cut off", reads=in_asked_amounts(_without_exponent)),
    Misreading("consumed capacity of existing allocations is rounded up to whole units", reads=_in_held(whole_units)),
    Misreading("consumed capacity of existing allocations is in whole mebibytes", reads=_in_held(_to_mebi)),
    Misreading("thousandths of counters are whole", reads=_in_counters(_milli_is_whole)),
    Misreading("fractions of counters are cut off", reads=_in_counters(_without_fraction)),
    Misreading("counters are of 32 bits", reads=_in_counters(_wrapped)),
    Misreading("thousandths of counters are tenths", reads=_in_counters(_rounded_milli)),
    Misreading("capacities are in whole mebibytes", reads=_in_values(_to_mebi)),
    Misreading("exponents of capacities are cut off", reads=_in_values(_without_exponent)),
    Misreading("valid values are rounded up to whole units", reads=_in_valid_values(whole_units)),
    Misreading("exponents of valid values are cut off", reads=_in_valid_values(_without_exponent)),
    Misreading("labels of nodes have no domain", reads=_label_parts),
    Misreading("attributes are there without their domains too", reads=_same_domain),
)  # fmt: skip
