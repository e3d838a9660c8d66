"""Which fields the suite writes: `python -m tests.kube_control_plane.fields_hit`.

For each field of the tables of random writes, a case of operation admit that is stored with it, and one that
is refused for what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dra_conform.conformance.admit.answer import Admission
from dra_conform.conformance.case import Case
from dra_conform.conformance.suite.loading import load_suite
from dra_conform.kube.versions import to_v1
from tests.kube_control_plane.writes.random_writes import KINDS
from tests.kube_control_plane.writes.shapes import Choice, Entries, Items, Shape, Struct

Json = Any
_ITEM = re.compile(r"\[[^\]]*\]")


def fields(shape: Shape, path: str) -> Iterator[str]:
    """The paths of all fields of a shape; `[]` is each item of a list and each value of a map."""
    match shape:
        case Struct() | Choice():
            for name, inner in shape.fields().items():
                yield f"{path}.{name}"
                yield from fields(inner, f"{path}.{name}")
        case Items(item=inner) | Entries(item=inner):
            yield from fields(inner, f"{path}[]")


def known() -> list[str]:
    """`Kind:path` of every field, once."""
    found = (
        f"{kind.name}:{path}"
        for kind in KINDS
        for part, shape in (("spec", kind.spec), ("status", kind.status))
        if shape is not None
        for path in fields(shape, part)
    )
    return list(dict.fromkeys(found))


def hit(cases: list[Case]) -> tuple[dict[str, str], dict[str, str]]:
    """By field the first case that is stored with it, and the first that is refused for it in some profile."""
    stored: dict[str, str] = {}
    refused: dict[str, str] = {}
    for case in cases:
        written = case.ask["object"]
        [act] = case.acts
        if act.expectation.outcome is Admission.ADMITTED:
            for path in _written(to_v1(dict(written)), ""):
                stored.setdefault(f"{written['kind']}:{path}", case.id)
        for expectation in (act.expectation, *(departure.expectation for departure in act.departures)):
            for error in expectation.errors:
                path = _ITEM.sub("[]", error.path or "")
                refused.setdefault(f"{written['kind']}:{path}", case.id)
    return stored, refused


def _written(value: Json, path: str) -> Iterator[str]:
    """The paths in an object, each with `[]` and, since maps are not told from structs, with names."""
    if isinstance(value, dict):
        for name, inner in value.items():
            for place in (f"{path}.{name}".removeprefix("."), f"{path}[]"):
                yield place
                yield from _written(inner, place)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _written(inner, f"{path}[]")


def main() -> None:
    """Print the table, and how many fields have no case."""
    stored, refused = hit([case for case in load_suite().cases if case.operation == "admit"])
    names = known()
    for name in names:
        print(f"{name:100} {stored.get(name, '-'):70} {refused.get(name, '-')}")
    print(
        f"{len(names)} fields: {sum(name not in stored for name in names)} are in no object that is stored,"
        f" {sum(name not in refused for name in names)} in no refusal,"
        f" {sum(name not in stored and name not in refused for name in names)} in neither"
    )


if __name__ == "__main__":
    main()
