"""A YAML and JSON reader that gives the same values as Kubernetes, with the line of each value.

It rejects duplicate keys, recursive or too many aliases, nesting deeper than MAX_DEPTH, scalars longer than
MAX_SCALAR, and tags. Every problem is an InputError with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any

import yaml

from dra_conform.kube.errors import InputError
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.json_text import UnsupportedJSONError, looks_like_json, read_json
from dra_conform.kube.scalars import Number, resolve

Path = tuple[str | int, ...]
"""Path of a value in a document: keys of maps and indices of lists."""

_Place = tuple[yaml.Node, int]
"""A node with its line, or with that of its key."""

MAX_DEPTH = 100
MAX_SCALAR = 1_000_000
MAX_ALIASED = 100_000
"""The largest number of nodes that aliases may add to a document."""

_NUL = "\x00"
_INDICATORS = re.compile(rf"[-?: \t]{{{MAX_DEPTH}}}")
"""The number of leading indicators and blanks of a line from which nesting counts as too deep."""

_STR = "tag:yaml.org,2002:str"
_TAGS = {
    str: _STR,
    int: "tag:yaml.org,2002:int",
    bool: "tag:yaml.org,2002:bool",
    Number: "tag:yaml.org,2002:float",
    type(None): "tag:yaml.org,2002:null",
}
_SCALAR_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "timestamp", "merge", "value")
)


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML document: its plain value, file and first line, and a function that returns its root node."""

    value: Any
    file: str
    line: int
    root: Callable[[], yaml.Node | None] = field(repr=False, compare=False)
    _values: dict[int, dict[str, _Place]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """The values of each map in which a line was looked up, by their keys; the id of its node is the key."""

    def line_of(self, path: Path) -> int:
        """Return the line of the value at a path, or of its nearest parent that exists."""
        node, line = self.root() if path else None, self.line
        for part in path:
            child = None if node is None else self._child(node, part)
            if child is None:
                break
            node, line = child
        return line

    def _child(self, node: yaml.Node, part: str | int) -> _Place | None:
        if isinstance(node, yaml.MappingNode) and isinstance(part, str):
            if id(node) not in self._values:
                self._values[id(node)] = {
                    key.value: (value, key.start_mark.line + 1) for key, value in node.value
                }
            return self._values[id(node)].get(part)
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            item: yaml.Node = node.value[part]
            return item, item.start_mark.line + 1
        return None

    def error(self, path: Path, message: str) -> InputError:
        """Return an error at a path of this document, with file and line."""
        return InputError(self.file, self.line_of(path), written(path), message)


def written(path: Path) -> str:
    """Return a path as Kubernetes writes it: `spec.devices[2].capacity[example.com/memory].value`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part.replace("_", "").replace("-", "").isalnum():
            text += f".{part}" if text else part
        else:
            text += f"[{part}]"
    return text


def parse_yaml(text: str, file: str) -> tuple[Document, ...]:
    """Return the documents of a YAML or JSON string, without empty documents; raises InputError."""
    with without_garbage_collection():
        if looks_like_json(text):
            try:
                value = read_json(text, MAX_DEPTH, MAX_SCALAR)
            except UnsupportedJSONError:
                pass  # The YAML reader reports the error, or accepts what is valid only in YAML.
            else:
                line = text.count("\n", 0, text.index("{")) + 1
                return (Document(value, file, line, cache(lambda: _composed(text))),)
        return tuple(_documents(text, file))


def _composed(text: str) -> yaml.Node | None:
    """Return the root node of a JSON string; None if it is not YAML, such as escaped surrogate pairs."""
    with without_garbage_collection():
        try:
            node: yaml.Node | None = yaml.compose(text, Loader=yaml.CSafeLoader)
        except yaml.YAMLError:
            return None
    return node


def _documents(text: str, file: str) -> Iterator[Document]:
    if _NUL in text:
        line = text[: text.index(_NUL)].count("\n") + 1
        raise InputError(file, line, "", "contains a NUL byte, expected text")
    try:
        _check_depth(text, file)
        nodes = _Nodes(text)
        for number, node in enumerate(yaml.compose_all(text, Loader=yaml.CSafeLoader)):
            value = _Builder(file).value(node, 0)
            if value is not None:
                yield Document(value, file, node.start_mark.line + 1, partial(nodes.of, number))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(part for part in (error.context, error.problem) if part)
        if mark is not None and text[mark.index : mark.index + 1] == "\t":
            problem = "the line is indented with a tab, expected spaces"
        raise InputError(file, mark.line + 1 if mark else None, "", f"not YAML: {problem}") from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise InputError(file, None, "", f"not YAML: {str(error).splitlines()[0]}") from None


class _Nodes:
    """The nodes of a string, parsed again when the line of a value is needed.

    Nodes take far more memory than values, and most input has no error.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def of(self, number: int) -> yaml.Node:
        """Return the root node of a document by its number, from 0."""
        return self._composed[number]

    @cached_property
    def _composed(self) -> list[yaml.Node]:
        with without_garbage_collection():
            return list(yaml.compose_all(self._text, Loader=yaml.CSafeLoader))


def _check_depth(text: str, file: str) -> None:
    """Raise InputError for too deep nesting, before the recursive composer reads the string."""
    depth = 0
    for token in yaml.parse(text, Loader=yaml.CSafeLoader) if _might_be_deep(text) else ():
        if isinstance(token, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                line = token.start_mark.line + 1 if token.start_mark else None
                raise InputError(file, line, "", f"nested deeper than {MAX_DEPTH} levels, expected fewer")
        elif isinstance(token, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            depth -= 1


def _might_be_deep(text: str) -> bool:
    flow = text.count("[") + text.count("{") > MAX_DEPTH
    return flow or _INDICATORS.search(text) is not None


class _Builder:
    """Converts the YAML nodes of one document to plain values, within limits of size and depth."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._open: set[int] = set()
        self._sizes: dict[int, int] = {}
        self._aliased = 0

    def value(self, node: yaml.Node, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise self._error(node, f"nested deeper than {MAX_DEPTH} levels, expected fewer")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        self._enter(node)
        if isinstance(node, yaml.SequenceNode):
            built: Any = [self.value(item, depth + 1) for item in node.value]
        elif isinstance(node, yaml.MappingNode):
            built = self._mapping(node, depth)
        self._open.discard(id(node))
        return built

    def _enter(self, node: yaml.Node) -> None:
        if id(node) in self._open:
            raise self._error(node, "an alias refers to a node that contains it, expected no recursion")
        if id(node) in self._sizes:
            self._aliased += 1 + len(node.value)
            if self._aliased > MAX_ALIASED:
                raise self._error(node, f"aliases expand to more than {MAX_ALIASED} nodes, expected fewer")
        self._sizes[id(node)] = 1
        self._open.add(id(node))
        if node.tag not in ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            raise self._error(node, f"the tag {node.tag!r} is not supported, expected no tag")

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        if len(node.value) > MAX_SCALAR:
            length = f"a string of {len(node.value)} characters"
            raise self._error(node, f"{length}, expected at most {MAX_SCALAR}")
        if node.tag not in _SCALAR_TAGS:
            raise self._error(node, f"the tag {node.tag!r} is not supported, expected no tag")
        value = node.value if node.style else resolve(node.value)
        tag = _TAGS[type(value)]
        if node.tag != tag and (node.style or node.tag != _implicit(node.value)):
            raise self._error(node, f"the tag {node.tag!r} is not supported, expected no tag")
        return value

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        built: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._error(key_node, "a list or map as a key, expected a string")
            key = key_node.value
            if key == "<<" and not key_node.style:
                merged.update(self._merged(value_node, depth))
                continue
            if key in built:
                raise self._error(key_node, f"duplicate key {key!r}, expected each key once")
            built[key] = self.value(value_node, depth + 1)
        return {**merged, **built} if merged else built

    def _merged(self, node: yaml.Node, depth: int) -> dict[str, Any]:
        value = self.value(node, depth + 1)
        parts = value if isinstance(value, list) else [value]
        if not all(isinstance(part, dict) for part in parts):
            raise self._error(node, "wrong value of a merge key <<, expected a map or a list of maps")
        merged: dict[str, Any] = {}
        for part in reversed(parts):
            merged.update(part)
        return merged

    def _error(self, node: yaml.Node, message: str) -> InputError:
        return InputError(self._file, node.start_mark.line + 1, "", message)


def _implicit(text: str) -> str:
    """Return the tag of an unquoted scalar in PyYAML; a node with another tag has it written explicitly."""
    candidates = yaml.SafeLoader.yaml_implicit_resolvers.get(text[:1], ())
    return next((tag for tag, pattern in candidates if pattern.match(text)), _STR)
