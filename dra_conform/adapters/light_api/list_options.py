"""The options of lists: field and label selectors, also of watches and deletions, and paging with `limit` and
`continue`."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from dra_conform.kube.json_values import Json


class BadPage(ValueError):  # noqa: N818 - it reads as what it is
    """`limit` or `continue` is malformed."""


def page_of(
    items: Sequence[Json], query: Mapping[str, str], revision: int
) -> tuple[Sequence[Json], dict[str, Json]]:
    """Return the requested page of a list and its metadata; raise BadPage.

    A continue token has the key of the last object of its page. Later pages show the present objects, while
    those of a real API server show the objects at the time of the first page.
    """
    metadata: dict[str, Json] = {"resourceVersion": str(revision)}
    if "limit" not in query and "continue" not in query:
        return items, metadata
    try:
        limit = int(query.get("limit") or 0)
        after = base64.b64decode(query.get("continue", ""), b"-_", validate=True).decode()
    except ValueError as error:
        raise BadPage(f"limit or continue is malformed: {error}") from None
    rest = sorted((item for item in items if _key(item) > after), key=_key)
    if not 0 < limit < len(rest):
        return rest, metadata
    metadata["continue"] = base64.urlsafe_b64encode(_key(rest[limit - 1]).encode()).decode()
    metadata["remainingItemCount"] = len(rest) - limit
    return rest[:limit], metadata


def _key(item: Json) -> str:
    metadata = item["metadata"]
    return f"{metadata.get('namespace', '')}/{metadata['name']}"


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
