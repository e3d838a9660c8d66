"""Simpler names: the usual driver, and numbers without gaps."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from dra_conform.conformance.steps.given import DRIVER

Json = Any

_NUMBERED = (
    *(("d", 1), ("r", 0), ("s", 0), ("c", 0), ("h", 0)),
    *(("node-", 1), ("pool-", 1), ("set-", 1), ("rule-", 0)),
)
"""Prefixes of names, with the number of the first name."""


def rename(whole: Json) -> None:
    """Give a single driver its usual name, and number names in order of appearance, in place."""
    slices = whole["objects"].get("resourceSlices", [])
    drivers = {resource_slice["spec"]["driver"] for resource_slice in slices}
    for number, resource_slice in enumerate(slices, 1):
        resource_slice["metadata"]["name"] = f"slice-{number}"
    text = msgspec.json.encode(whole).decode()
    if len(drivers) == 1:
        text = text.replace(f'"{drivers.pop()}"', f'"{DRIVER}"')
    for prefix, first in _NUMBERED:
        pattern = re.compile(rf"\b{prefix}([0-9]{{1,2}})\b")
        order = {name: str(first + at) for at, name in enumerate(dict.fromkeys(pattern.findall(text)))}
        text = pattern.sub(lambda match, p=prefix, o=order: p + o[match[1]], text)  # type: ignore[misc] # defaults bind the loop's names
    whole.clear()
    whole.update(msgspec.json.decode(text))
