"""The page of JSON Schemas: every property of every document and message, with what it means."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Json = Any

HEAD = """# Schemas

You want to look up a field of a file or a message. These tables are generated from the JSON Schemas;
`dra-conform schema NAME` prints one. [The adapter protocol](../adapter-protocol.md) and [the format of
cases](../golden-format.md) explain how they are used.
"""

_DEEPEST = 4


def schemas_page(folder: Path) -> str:
    """A chapter for each schema in the folder and those below."""
    found = sorted(folder.rglob("*.schema.json"), key=lambda one: (len(one.parts), one))
    return "\n".join([HEAD, *(line for path in found for line in _schema(path, folder))]) + "\n"


def _schema(path: Path, folder: Path) -> Iterator[str]:
    schema = json.loads(path.read_text("utf-8"))
    name = str(path.relative_to(folder)).removesuffix(".schema.json")
    yield from (f"## `{name}`", "", _escaped(str(schema.get("description", ""))), "")
    definitions = schema.get("$defs", {})
    rows = [*_rows(schema, definitions, "")]
    for key, one in definitions.items():
        rows += _rows(one, definitions, key) if "properties" in one and not rows else ()
    if rows:
        yield from ("| property | type | meaning |", "|---|---|---|", *rows, "")
    for key, one in definitions.items():
        inner = [*_rows(one, definitions, "")]
        if inner:
            yield from (f"### `{name}`: {key}", "", _escaped(str(one.get("description", ""))), "")
            yield from ("| property | type | meaning |", "|---|---|---|", *inner, "")


def _rows(schema: Json, definitions: Mapping[str, Json], prefix: str, depth: int = 0) -> Iterator[str]:
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return
    required = set(schema.get("required", ()))
    for name, one in schema.get("properties", {}).items():
        if not isinstance(one, Mapping):
            continue
        path = f"{prefix}{name}"
        meaning = str(one.get("description", "")) or _of_reference(one, definitions)
        needed = ", required" if name in required else ""
        yield f"| `{path}`{needed} | {_type(one)} | {_escaped(meaning)} |"
        yield from _rows(one, definitions, f"{path}.", depth + 1)
        if isinstance(one.get("items"), Mapping):
            yield from _rows(one["items"], definitions, f"{path}[].", depth + 1)


def _of_reference(one: Json, definitions: Mapping[str, Json]) -> str:
    name = str(one.get("$ref", "")).rpartition("/")[2]
    return str(definitions.get(name, {}).get("description", ""))


def _type(one: Json) -> str:
    if "$ref" in one:
        return str(one["$ref"]).rpartition("/")[2]
    if "const" in one:
        return f"`{one['const']}`"
    if "enum" in one:
        return ", ".join(f"`{value}`" for value in one["enum"][:8]) + (", …" if len(one["enum"]) > 8 else "")
    kind = one.get("type", "any" if "oneOf" not in one and "anyOf" not in one else "one of several")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("|", "\\|").replace("\n", " ")
