"""Kinds, fields and whole objects as steps write them: in sentences, tables and doc strings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dra_conform.conformance.steps.step import StepError, Table
from dra_conform.kube.field_paths import each_field, parts_of, with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.yaml import parse_yaml

_KIND_OF = {kind.lower() if kind in ("Pod", "Node", "Namespace") else kind: kind for kind in COLLECTIONS}

KINDS = "|".join(_KIND_OF)
"""The regular expression of a kind in a sentence."""


def kind_and_name(match: re.Match[str]) -> dict[str, str]:
    """Return the parameters `kind` and `name` from the match of a phrase that has both fields."""
    return {"kind": _KIND_OF[match["kind"]], "name": match["name"]}


def kind_in(match: re.Match[str]) -> str:
    """Return the kind from the match of a phrase with the field `kind`."""
    return _KIND_OF[match["kind"]]


_FROM_FIRST = re.compile(r"(?P<list>[^.\]]+(\.[^.\]]+)*)\[0\.\.\d+\]")
"""A range of all items of a list that is not nested in another list."""


def checked_path(path: str) -> str:
    """Return the path; raises StepError if it is malformed."""
    try:
        parts_of(path)
    except ValueError as error:
        raise StepError(str(error)) from None
    return path


def by_path(rows: Table) -> dict[str, Json]:
    """Return a table of fields and values as a map; raises StepError for other columns."""
    for row in rows:
        if row.keys() != {"field", "value"}:
            raise StepError(f"the table has the columns {', '.join(row)}, expected field and value")
    return {row["field"]: yaml_value(row["value"]) for row in rows}


def each_by_path(fields: Mapping[str, Json]) -> dict[str, Json]:
    """Expand ranges in paths, which are unknown to implementations; raises StepError.

    A range that begins with the first item becomes a list, because the order of additions is undefined.
    """
    fields_by_path: dict[str, Json] = {}
    try:
        for path, value in fields.items():
            expanded = dict(each_field(path, value))
            whole_list = _FROM_FIRST.fullmatch(path) if value is not None else None
            fields_by_path |= {whole_list["list"]: list(expanded.values())} if whole_list else expanded
    except ValueError as error:
        raise StepError(str(error)) from None
    return fields_by_path


def yaml_value(cell: str) -> Json:
    """Return the YAML value of a cell; an empty cell is null."""
    documents = parse_yaml(cell, "the value")
    return documents[0].value if documents else None


def one_document(text: str, what: str) -> Json:
    """Return the only YAML document of a string; raises StepError."""
    documents = parse_yaml(text, f"the {what}")
    if len(documents) != 1:
        raise StepError(f"has {len(documents)} YAML documents, expected one {what}")
    return documents[0].value


def with_fields(written: Json, fields: Mapping[str, Json]) -> Json:
    """Return an object with changed fields by path; null removes a field. Raises StepError."""
    try:
        for path, value in fields.items():
            written = with_field(written, path, value)
    except ValueError as error:
        raise StepError(str(error)) from None
    return written
