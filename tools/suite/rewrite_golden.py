"""Rewrite the keys of golden YAML in place, so that comments, layout and order stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import yaml
from former_words import Members, Words

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Edit = tuple[int, int, str]
"""Start and end of a replaced range of characters, and its replacement."""


@dataclass
class _Used:
    """The use of the columns of a case's table, by placeholder such as `<column>`."""

    values: dict[str, str] = field(default_factory=dict)
    """Types of columns whose cells are whole values."""
    keys: dict[str, Members] = field(default_factory=dict)
    """By column whose cells are keys, the possible members."""
    by_key: dict[str, str] = field(default_factory=dict)
    """By column whose cells are values of such a member, the column with its key."""


def rewrite_golden(text: str, words: Words) -> str:
    """Return the text of a golden file in the new words. Raises yaml.YAMLError."""
    return edited(text, golden_edits(text, words))


def golden_edits(text: str, words: Words) -> Iterator[Edit]:
    """Yield the edits of a golden file. Raises yaml.YAMLError."""
    for document in yaml.compose_all(text, Loader=_LOADER):
        root = _mapping(document)
        yield from _steps(root.get("given"), "given", words, _Used())
        for case in _items(root.get("cases")):
            yield from _case(case, words)


def given_edits(text: str, words: Words) -> Iterator[Edit]:
    """Yield the edits of a list of given steps. Raises yaml.YAMLError."""
    yield from _steps(yaml.compose(text, Loader=_LOADER), "given", words, _Used())


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with the edits applied."""
    for start, end, new in sorted(set(edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _case(case: yaml.Node, words: Words) -> Iterator[Edit]:
    members = _mapping(case)
    yield from _renamed(case, words.case)
    used = _Used()
    yield from _steps(members.get("given"), "given", words, used)
    for step in _items(members.get("acts") or members.get("steps")) or [case]:
        parts = _mapping(step)
        if "when" in parts:
            yield from _step(parts["when"], "when", words, used)
        yield from _steps(parts.get("then"), "then", words, used)
        for deviation in _items(parts.get("in")):
            yield from _steps(_mapping(deviation).get("then"), "then", words, used)
    table = _mapping(members.get("table"))
    columns = [f"<{column.value}>" for column in _items(table.get("columns"))]
    for row in _items(table.get("rows")):
        yield from _cells(dict(zip(columns, _items(row), strict=False)), words, used)


def _cells(row: Mapping[str, yaml.Node], words: Words, used: _Used) -> Iterator[Edit]:
    for column, cell in row.items():
        if column in used.values:
            yield from _value(cell, used.values[column], words, _Used())
        if column in used.keys:
            yield from _rename(cell, used.keys[column].names)
        key = used.by_key.get(column, "")
        if key in row:
            kind = used.keys[key].types.get(row[key].value)
            yield from _value(cell, kind, words, _Used()) if kind else ()


def _steps(node: yaml.Node | None, keyword: str, words: Words, used: _Used) -> Iterator[Edit]:
    for step in _items(node):
        yield from _step(step, keyword, words, used)


def _step(node: yaml.Node, keyword: str, words: Words, used: _Used) -> Iterator[Edit]:
    yield from _members(node, words.steps[keyword], words, used)


def _value(node: yaml.Node, kind: str, words: Words, used: _Used) -> Iterator[Edit]:
    """Yield the edits of a value, and record in `used` the type of each column with whole values."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _value(item, kind, words, used)
    elif isinstance(node, yaml.ScalarNode):
        used.values[str(node.value)] = kind
    elif kind.startswith("*"):
        for _, value in node.value:
            yield from _value(value, kind[1:], words, used)
    else:
        yield from _members(node, words.types[kind], words, used)


def _members(node: yaml.Node, members: Members, words: Words, used: _Used) -> Iterator[Edit]:
    if not isinstance(node, yaml.MappingNode):
        return
    yield from _renamed(node, members.names)
    for key, value in _mapping(node).items():
        if key.startswith("<"):
            used.keys[key] = members
            if isinstance(value, yaml.ScalarNode):
                used.by_key[value.value] = key
        if key in members.types:
            yield from _value(value, members.types[key], words, used)


def _renamed(node: yaml.Node, names: Mapping[str, str]) -> Iterator[Edit]:
    for key, _ in node.value:
        yield from _rename(key, names)


def _rename(node: yaml.Node, names: Mapping[str, str]) -> Iterator[Edit]:
    new = names.get(node.value) if isinstance(node, yaml.ScalarNode) else None
    if new is not None and new != node.value:
        yield node.start_mark.index, node.end_mark.index, new


def _mapping(node: yaml.Node | None) -> dict[str, yaml.Node]:
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


def _items(node: yaml.Node | None) -> list[yaml.Node]:
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []
