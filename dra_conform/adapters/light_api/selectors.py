"""Field and label selectors of lists, watches and deletions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Json = Any

Selected = Callable[[Json], bool]
"""Whether an object is selected."""

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "Namespace": ("status.phase",),
    "Node": ("spec.unschedulable",),
    "Pod": (
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "status.phase",
        "status.nominatedNodeName",
    ),
    "ResourceSlice": ("spec.nodeName", "spec.driver"),
}
"""The fields of each kind that can be selected besides name and namespace."""

_COMMA = re.compile(r",(?![^(]*\))")
_EQUALS = re.compile(r"(?P<key>[^\s=!]+)\s*(?P<operator>==?|!=)\s*(?P<value>[^\s=!]*)")
_SET = re.compile(r"(?P<key>\S+)\s+(?P<operator>in|notin)\s*\((?P<values>[^()]*)\)")
_EXISTS = re.compile(r"(?P<absent>!?)\s*(?P<key>[^\s=!(),]+)")


class BadSelector(ValueError):  # noqa: N818 - it reads as what it is
    """A selector that is malformed, or names a field that cannot be selected."""


def selection(kind: str, fields: str, labels: str) -> Selected:
    """Return what selects objects of a kind by both selectors; raises BadSelector."""
    conditions = [*_field_conditions(kind, fields), *map(_label_condition, _requirements(labels))]
    return lambda raw: all(holds(raw) for holds in conditions)


def _requirements(text: str) -> list[str]:
    return [part.strip() for part in _COMMA.split(text)] if text.strip() else []


def _field_conditions(kind: str, text: str) -> Iterator[Selected]:
    known = ("metadata.name", "metadata.namespace", *_FIELDS.get(kind, ()))
    for part in _requirements(text):
        match = _EQUALS.fullmatch(part)
        if match is None:
            raise BadSelector(f"invalid field selector {part!r}, expected KEY=VALUE or KEY!=VALUE")
        if match["key"] not in known:
            raise BadSelector(
                f"field label not supported: {match['key']}, expected one of {', '.join(known)}"
            )
        yield _field_condition(match["key"], match["value"], equal=match["operator"] != "!=")


def _field_condition(path: str, value: str, *, equal: bool) -> Selected:
    return lambda raw: (_field(raw, path) == value) == equal


def _field(raw: Json, path: str) -> str:
    value = raw
    for name in path.split("."):
        value = (value or {}).get(name)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _label_condition(part: str) -> Selected:
    if match := _EQUALS.fullmatch(part):
        return _among(match["key"], {match["value"]}, among=match["operator"] != "!=")
    if match := _SET.fullmatch(part):
        values = {value.strip() for value in match["values"].split(",")}
        return _among(match["key"], values, among=match["operator"] == "in")
    if match := _EXISTS.fullmatch(part):
        key, absent = match["key"], bool(match["absent"])
        return lambda raw: (key in _labels(raw)) != absent
    raise BadSelector(f"invalid label selector {part!r}, expected for example KEY=VALUE or KEY in (A,B)")


def _among(key: str, values: set[str], *, among: bool) -> Selected:
    return lambda raw: (_labels(raw).get(key) in values) == among


def _labels(raw: Json) -> Mapping[str, str]:
    labels: Mapping[str, str] = raw["metadata"].get("labels") or {}
    return labels
