"""What two answers differ in, in a line without the numbers of the question."""

from __future__ import annotations

import re
from typing import Any

from dra_conform.kube.quantity import Quantity
from dra_conform.quota import is_counted

Json = Any

NOTHING = Quantity(0)
_NUMBER = re.compile(r"\d+")


def usage_difference(ours: Json, real: Json) -> str:
    """By quota name, of those that the built-in knows."""
    if real["status"] != "ok":
        return f"really {real['status']}: {real['message'][:80]}"
    return _differing(ours["used"], {name: one for name, one in real["used"].items() if is_counted(name)})


def footprint_difference(ours: Json, real: Json) -> str:
    """The refusal, or all that is counted; what a claim brings by name and not in order."""
    if real["status"] != "ok":
        return f"really {real['status']}: {_NUMBER.sub('N', real['message'])[:100]}"
    if (ours["outcome"], ours.get("reason")) != (real["outcome"], real.get("reason")):
        return f"{ours.get('reason', 'counted')}, really {real.get('reason', 'counted')}"
    if ours["outcome"] == "refused":
        return ""
    return _differing(ours["resources"], real["resources"]) or _shares(ours["claims"], real["claims"])


def _shares(ours: list[Json], real: list[Json]) -> str:
    mine, theirs = ({one["claim"]: one for one in several} for several in (ours, real))
    if sorted(mine) != sorted(theirs):
        return "other claims"
    for name, one in mine.items():
        other = theirs[name]
        if sorted(one["containers"] or ()) != sorted(other["containers"] or ()):
            return "other containers"
        wrong = _differing(one["resources"], other["resources"])
        both = {**one.get("overhead", {}), **other.get("overhead", {})}
        for besides in both:
            wrong = wrong or _differing(
                one.get("overhead", {}).get(besides, {}), other.get("overhead", {}).get(besides, {})
            )
        if wrong:
            return f"of a claim {wrong}"
    return ""


def _differing(ours: dict[str, str], real: dict[str, str]) -> str:
    """The sorts of names whose amounts differ."""
    mine, theirs = ({name: Quantity.parse(text) for name, text in answer.items()} for answer in (ours, real))
    wrong = [name for name in {**mine, **theirs} if mine.get(name, NOTHING) != theirs.get(name, NOTHING)]
    return f"amounts of {', '.join(sorted(map(_sort, wrong)))}" if wrong else ""


def _sort(name: str) -> str:
    return re.sub(r"(gpu|fast|nic|plain)\b", "CLASS", name)
