"""The diff of the expected and the actual result, as YAML lines marked `-` (expected) and `+` (actual)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import yaml

from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.json_values import Json
from dra_conform.kube.printable import one_line, printable
from dra_conform.reports.plain import plain

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One YAML line.

    `mark` is `-` if only the expected result has it, `+` if only the actual result has it, otherwise a space.
    """

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """The merged lines of both results, and the paths that differ, such as `claims[default/c]`."""

    lines: tuple[Line, ...]
    paths: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(line.mark != " " for line in self.lines)

    def __str__(self) -> str:
        return "\n".join(f"{line.mark} {line.text}".rstrip() for line in self.lines)


def of(result: CaseResult, *, with_paths: bool = True) -> Diff:
    """Return the diff of a case result. It has no lines if there is no answer.

    `with_paths` costs some milliseconds for each result.
    """
    if result.actual is None:
        return Diff(())
    align = OPERATIONS[result.case.operation].align
    expected, actual = align(result.case, result.profile, plain(result.expected), plain(result.actual))
    lines = tuple(_merge(expected, actual))
    return Diff(lines, paths(expected, actual) if with_paths else ())


def paths(expected: Json, actual: Json) -> tuple[str, ...]:
    """Return the paths at which two results differ, sorted."""
    # The import of deepdiff takes a third of a second, so only runs with failures import it.
    from deepdiff import DeepDiff  # noqa: PLC0415

    difference = DeepDiff(_as_text(expected), _as_text(actual), view="tree", threshold_to_diff_deeper=0)
    changed = {tuple(level.path(output_format="list")) for group in difference.values() for level in group}
    return tuple(sorted({_path_text(path) for path in changed}))


def _as_text(value: Json) -> Json:
    """Return the value with each scalar as JSON text: to Python, and so to deepdiff, `false` equals 0."""
    if isinstance(value, Mapping):
        return {key: _as_text(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_as_text(entry) for entry in value]
    return json.dumps(value)


def _path_text(path: Sequence[str | int]) -> str:
    text = ""
    for part in path:
        if isinstance(part, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", part):
            text += f".{part}" if text else part
        else:
            text += f"[{one_line(str(part))}]"
    return text or "(the whole answer)"


def _merge(expected: Json, actual: Json) -> list[Line]:
    if not _nests(expected) and expected == actual and type(expected) is type(actual):
        return _lines(" ", expected)
    if isinstance(expected, Mapping) and isinstance(actual, Mapping) and expected and actual:
        return _merge_mappings(expected, actual)
    if isinstance(expected, list) and isinstance(actual, list) and expected and actual:
        return _merge_lists(expected, actual)
    return _lines("-", expected) + _lines("+", actual)


def _merge_mappings(expected: Mapping[str, Json], actual: Mapping[str, Json]) -> list[Line]:
    merged: list[Line] = []
    for key in [*expected, *(key for key in actual if key not in expected)]:
        if key not in actual:
            merged += _entry("-", key, expected[key])
        elif key not in expected:
            merged += _entry("+", key, actual[key])
        elif _nests(expected[key]) and type(expected[key]) is type(actual[key]) and _nests(actual[key]):
            inner = _merge(expected[key], actual[key])
            merged.append(Line(" ", f"{_scalar(key)}:"))
            merged += inner if isinstance(expected[key], list) else _indented(inner)
        elif expected[key] == actual[key] and type(expected[key]) is type(actual[key]):
            merged += _entry(" ", key, expected[key])
        else:
            merged += _entry("-", key, expected[key]) + _entry("+", key, actual[key])
    return merged


def _merge_lists(expected: list[Json], actual: list[Json]) -> list[Line]:
    merged: list[Line] = []
    for index in range(max(len(expected), len(actual))):
        if index >= len(actual):
            merged += _item(_lines("-", expected[index]))
        elif index >= len(expected):
            merged += _item(_lines("+", actual[index]))
        else:
            merged += _item(_merge(expected[index], actual[index]))
    return merged


def _nests(value: Json) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _lines(mark: str, value: Json) -> list[Line]:
    if isinstance(value, dict) and value:
        return [line for key, entry in value.items() for line in _entry(mark, key, entry)]
    if isinstance(value, list) and value:
        return [line for entry in value for line in _item(_lines(mark, entry))]
    return [Line(mark, _scalar(value))]


def _entry(mark: str, key: str, value: Json) -> list[Line]:
    if not _nests(value):
        return [Line(mark, f"{_scalar(key)}: {_scalar(value)}")]
    inner = _lines(mark, value)
    return [Line(mark, f"{_scalar(key)}:"), *(inner if isinstance(value, list) else _indented(inner))]


def _item(lines: list[Line]) -> list[Line]:
    """Mark lines as one list item.

    If the first line has mark `-`, the line with mark `+` that replaces it gets the dash too.
    """
    opening = {0}
    if len(lines) > 1 and lines[0].mark == "-" and lines[1].mark == "+":
        opening.add(1)
    return [
        replace(line, text=f"{'- ' if index in opening else '  '}{line.text}")
        for index, line in enumerate(lines)
    ]


def _indented(lines: list[Line]) -> list[Line]:
    return [replace(line, text=f"  {line.text}") for line in lines]


def _scalar(value: Json) -> str:
    if isinstance(value, str):
        return _text(value)
    return json.dumps(value)


@lru_cache(maxsize=4096)
def _text(value: str) -> str:
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9._/-]*", value) and value.lower() not in _WORDS:
        return value
    if printable(value) != value or "\n" in value or len(value) > 500:
        return json.dumps(printable(value[:500]) + ("..." if len(value) > 500 else ""), ensure_ascii=False)
    dumped: str = yaml.safe_dump(value, width=1_000_000, allow_unicode=True)
    return dumped.removesuffix("\n").removesuffix("\n...")


_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
