"""Describe the difference of two answers in a line without the numbers of the request."""

from __future__ import annotations

import re

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity
from dra_conform.quota import is_counted

NOTHING = Quantity(0)
_NUMBER = re.compile(r"\d+")


def usage_difference(ours: Json, real: Json) -> str:
    """Return the difference of the used quantities of quotas that the built-in supports."""
    if real["status"] != "ok":
        return f"Kubernetes answers {real['status']}: {real['message'][:80]}"
    return _differing(
        ours["used"], {name: quantity for name, quantity in real["used"].items() if is_counted(name)}
    )


def footprint_difference(ours: Json, real: Json) -> str:
    """Return the difference of the reasons or of the counted resources, those of claims by name."""
    if real["status"] != "ok":
        return f"Kubernetes answers {real['status']}: {_NUMBER.sub('N', real['message'])[:100]}"
    if (ours["outcome"], ours.get("reason")) != (real["outcome"], real.get("reason")):
        return f"{ours.get('reason', 'counted')}, expected {real.get('reason', 'counted')}"
    if ours["outcome"] == "refused":
        return ""
    return _differing(ours["resources"], real["resources"]) or _shares(ours["claims"], real["claims"])


def _shares(ours: list[Json], real: list[Json]) -> str:
    mine, theirs = ({share["claim"]: share for share in shares} for shares in (ours, real))
    if sorted(mine) != sorted(theirs):
        return "other claims"
    for name, share in mine.items():
        other = theirs[name]
        if sorted(share["containers"] or ()) != sorted(other["containers"] or ()):
            return "other containers"
        wrong = _differing(share["resources"], other["resources"])
        both = {**share.get("overhead", {}), **other.get("overhead", {})}
        for besides in both:
            wrong = wrong or _differing(
                share.get("overhead", {}).get(besides, {}), other.get("overhead", {}).get(besides, {})
            )
        if wrong:
            return f"of a claim {wrong}"
    return ""


def _differing(ours: dict[str, str], real: dict[str, str]) -> str:
    """Return the sorts of names whose quantities differ."""
    mine, theirs = ({name: Quantity.parse(text) for name, text in answer.items()} for answer in (ours, real))
    wrong = [name for name in {**mine, **theirs} if mine.get(name, NOTHING) != theirs.get(name, NOTHING)]
    return f"quantities of {', '.join(sorted(map(_sort, wrong)))}" if wrong else ""


def _sort(name: str) -> str:
    return re.sub(r"(gpu|fast|nic|plain)\b", "CLASS", name)
