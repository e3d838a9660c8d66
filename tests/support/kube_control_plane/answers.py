"""Answers to a write in a form in which those of the built-in and of the real API server are comparable."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from dra_conform.kube.json_values import Json

_FILLED_BY_SERVER = (
    "uid",
    "creationTimestamp",
    "resourceVersion",
    "generation",
    "managedFields",
    "deletionGracePeriodSeconds",
)
_OF_POD = ("resourceClaimStatuses", "extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses")
_ITEM = re.compile(r"\[[^\]]*\]")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True)
class Answer:
    """Answer to a write. `outcome` is `admitted`, the reason of a rejection, or `no question` if the old object is
    invalid."""

    outcome: str
    errors: frozenset[tuple[str, str]] = frozenset()
    stored: str = ""

    def against(self, real: Answer) -> str:
        """Return in a line how this answer differs from the real API server's."""
        if self.outcome != real.outcome:
            errors = _listed(self.errors or real.errors)
            return f"{self.outcome}, expected {real.outcome}: {errors}"
        if self.errors != real.errors:
            return f"too much: {_listed(self.errors - real.errors)}; missing: {_listed(real.errors - self.errors)}"
        return "stored: " + "; ".join(_paths(json.loads(self.stored), json.loads(real.stored)))


def of_real(answer: Mapping[str, Json], asked: str) -> Answer:
    """Return the answer of a build. `asked` is the request as JSON."""
    if answer["status"] == "failed":
        panics = answer["message"].startswith("the API server panics")
        return Answer("InternalError" if panics else "no question")
    return of_built_in(answer, asked)


def of_built_in(answer: Mapping[str, Json], asked: str) -> Answer:
    """Return the answer of the built-in."""
    if answer["outcome"] == "admitted":
        return Answer("admitted", stored=json.dumps(_comparable(answer["object"], asked), sort_keys=True))
    return Answer(
        answer["reason"], frozenset((error["path"], str(error["type"])) for error in answer["errors"])
    )


def _comparable(stored: Json, asked: str) -> Json:
    metadata = {name: value for name, value in stored["metadata"].items() if name not in _FILLED_BY_SERVER}
    if "generateName" in metadata and f'"{metadata.get("name")}"' not in asked:
        metadata["name"] = "generated"
    stored = {**stored, "metadata": metadata}
    if stored["kind"] == "Pod":
        stored = {**stored, "spec": _of_pod(stored["spec"])}
        status = stored.pop("status", None) or {}
        stored["status"] = {name: status[name] for name in _OF_POD if status.get(name)}
    return _plain(stored, asked)


def _of_pod(spec: Json) -> Json:
    """Return the compared fields of a pod: its claims and the containers that use them."""
    shown = {"resourceClaims": spec.get("resourceClaims")}
    for name in ("containers", "initContainers"):
        shown[name] = [
            {"name": item.get("name"), "claims": (item.get("resources") or {}).get("claims")}
            for item in spec.get(name) or []
        ]
    return shown


def _plain(value: Json, asked: str) -> Json:
    """Return the value without empty fields, and with times of the answer replaced.

    Go writes empty strings of required fields, and empty structs. Both are equal to an absent field.
    """
    if isinstance(value, dict):
        plain = {name: _plain(inner, asked) for name, inner in value.items()}
        return {name: inner for name, inner in plain.items() if inner not in (None, "", {}, [])}
    if isinstance(value, list):
        return [_plain(item, asked) for item in value]
    if isinstance(value, str) and _TIME.fullmatch(value) and value not in asked:
        return "now"
    return value


def _listed(errors: frozenset[tuple[str, str]]) -> str:
    return ", ".join(sorted({f"{_ITEM.sub('[]', path)} {kind}" for path, kind in errors})[:4]) or "-"


def _paths(ours: Json, real: Json, path: str = "") -> list[str]:
    if isinstance(ours, dict) and isinstance(real, dict):
        names = sorted(ours.keys() | real.keys())
        return [
            inner_path
            for name in names
            for inner_path in _paths(ours.get(name), real.get(name), f"{path}.{name}")
        ]
    if isinstance(ours, list) and isinstance(real, list) and len(ours) == len(real):
        return [
            inner_path for pair in zip(ours, real, strict=True) for inner_path in _paths(*pair, f"{path}[]")
        ]
    if ours == real:
        return []
    return [f"{path} {_short(ours)}, expected {_short(real)}"]


def _short(value: Json) -> str:
    return "absent" if value is None else json.dumps(value)[:60]
