"""The page of JSON Schemas: every property of every file and message, with its meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from dra_conform.kube.json_values import Json

HEAD = """# Schemas

You want to look up a field of a file or a message. These tables are generated from the JSON Schemas;
`dra-conform schema NAME` prints one. [The adapter protocol](../adapter-protocol.md) and [the format of
cases](../golden-format.md) explain how they are used.
"""

_DEEPEST = 4


def schemas_page(folder: Path) -> str:
    """Return the page with a chapter for each schema in the folder and its subfolders."""
    paths = sorted(folder.rglob("*.schema.json"), key=lambda one: (len(one.parts), one))
    return "\n".join([HEAD, *(line for path in paths for line in _schema(path, folder))]) + "\n"


def _schema(path: Path, folder: Path) -> Iterator[str]:
    schema = json.loads(path.read_text("utf-8"))
    name = str(path.relative_to(folder)).removesuffix(".schema.json")
    yield from (f"## `{name}`", "", _escaped(str(schema.get("description", ""))), "")
    definitions = schema.get("$defs", {})
    rows = [*_rows(schema, definitions, "")]
    for key, definition in definitions.items():
        rows += _rows(definition, definitions, key) if "properties" in definition and not rows else ()
    if rows:
        yield from ("| property | type | meaning |", "|---|---|---|", *rows, "")
    for key, definition in definitions.items():
        inner = [*_rows(definition, definitions, "")]
        if inner:
            yield from (f"### `{name}`: {key}", "", _escaped(str(definition.get("description", ""))), "")
            yield from ("| property | type | meaning |", "|---|---|---|", *inner, "")


def _rows(schema: Json, definitions: Mapping[str, Json], prefix: str, depth: int = 0) -> Iterator[str]:
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return
    required = set(schema.get("required", ()))
    for name, subschema in schema.get("properties", {}).items():
        if not isinstance(subschema, Mapping):
            continue
        path = f"{prefix}{name}"
        meaning = str(subschema.get("description", "")) or _of_reference(subschema, definitions)
        needed = ", required" if name in required else ""
        yield f"| `{path}`{needed} | {_type(subschema)} | {_escaped(meaning)} |"
        yield from _rows(subschema, definitions, f"{path}.", depth + 1)
        if isinstance(subschema.get("items"), Mapping):
            yield from _rows(subschema["items"], definitions, f"{path}[].", depth + 1)


def _of_reference(schema: Json, definitions: Mapping[str, Json]) -> str:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    return str(definitions.get(name, {}).get("description", ""))


def _type(schema: Json) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"][:8]) + (
            ", …" if len(schema["enum"]) > 8 else ""
        )
    kind = schema.get("type", "any" if "oneOf" not in schema and "anyOf" not in schema else "one of several")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("|", "\\|").replace("\n", " ")
