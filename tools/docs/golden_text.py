"""Write golden cases as YAML: flow style for values that fit on a line, block style for others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

import yaml

from dra_conform.kube.json_values import Json

WIDTH = 110
"""Characters of a line. A longer value is written in block style."""
_ORDER = ("case", "title", "requirements", "profiles", "given", "when", "then", "in", "steps")


def golden_text(head: str, cases: Sequence[Mapping[str, Json]]) -> str:
    """Return the text of a golden file: its head up to `cases:`, then its cases separated by blank lines."""
    return "\n".join([head, "\n\n".join("\n".join(_case(case)) for case in cases), ""])


def _case(case: Mapping[str, Json]) -> Iterator[str]:
    prefix = "  - "
    for key in sorted(case, key=_ORDER.index):
        yield from _member(prefix, key, case[key])
        prefix = "    "


def _member(prefix: str, key: str, value: Json) -> Iterator[str]:
    """Yield the lines of a key with its value, all but the first indented by the width of the prefix."""
    line = f"{prefix}{_flow(key)}: {_flow(value)}"
    if len(line) > WIDTH and isinstance(value, dict | list):
        yield f"{prefix}{_flow(key)}:"
        yield from _block(" " * (len(prefix) + 2), value)
    elif len(line) > WIDTH and isinstance(value, str) and len(value) > WIDTH // 2:
        yield from _folded(f"{prefix}{_flow(key)}: ", value)
    else:
        yield line


def _block(indent: str, value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _member(indent, key, item)
        return
    for item in value:
        line = f"{indent}- {_flow(item)}"
        if len(line) <= WIDTH:
            yield line
            continue
        if isinstance(item, str):
            yield from _folded(f"{indent}- ", item)
            continue
        first = f"{indent}- "
        for number, (key, inner) in enumerate(item.items()):
            yield from _member(first if number == 0 else f"{indent}  ", key, inner)


def _folded(prefix: str, text: str) -> Iterator[str]:
    """Yield the lines of a long string in quotes, with line breaks that YAML removes."""
    width = WIDTH - len(prefix) - 2
    written = json.dumps(text, ensure_ascii=False)[1:-1]
    parts = re.findall(rf"(?:\\.|[^\\]){{1,{width}}}", written)
    indent = " " * len(prefix)
    yield f'{prefix}"{parts[0]}\\'
    yield from (f"{indent}{part}\\" for part in parts[1:-1])
    yield f'{indent}{parts[-1]}"'


def _flow(value: Json) -> str:
    text: str = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, width=1_000_000, allow_unicode=True
    )
    return text.removesuffix("\n").removesuffix("\n...")
