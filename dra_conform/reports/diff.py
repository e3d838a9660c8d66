"""The diff of the expected and the actual result, as YAML lines marked `-` (expected) and `+` (actual)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

import yaml

from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.json_values import Json
from dra_conform.kube.printable import one_line, printable
from dra_conform.reports.plain import plain

Path = tuple[str | int, ...]
MAX_LINES = 2000
"""The most lines of a diff; an implementation can answer with any number of entries."""


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

    A diff of more than `MAX_LINES` lines has only lines that differ, and no paths. `with_paths` costs some
    milliseconds for each result.
    """
    if result.actual is None:
        return Diff(())
    align = OPERATIONS[result.case.operation].align
    expected, actual = align(result.case, result.profile, plain(result.expected), plain(result.actual))
    lines = tuple(islice(_merge(expected, actual), MAX_LINES + 1))
    if len(lines) > MAX_LINES:
        changed = (line for line in _merge(expected, actual) if line.mark != " ")
        return Diff((*islice(changed, MAX_LINES), Line(" ", "# further lines are left out")))
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


def _merge(expected: Json, actual: Json) -> Iterator[Line]:
    if not _nests(expected) and expected == actual and type(expected) is type(actual):
        yield from _lines(" ", expected)
    elif isinstance(expected, Mapping) and isinstance(actual, Mapping) and expected and actual:
        yield from _merge_mappings(expected, actual)
    elif isinstance(expected, list) and isinstance(actual, list) and expected and actual:
        yield from _merge_lists(expected, actual)
    else:
        yield from _lines("-", expected)
        yield from _lines("+", actual)


def _merge_mappings(expected: Mapping[str, Json], actual: Mapping[str, Json]) -> Iterator[Line]:
    for key in [*expected, *(key for key in actual if key not in expected)]:
        if key not in actual:
            yield from _entry("-", key, expected[key])
        elif key not in expected:
            yield from _entry("+", key, actual[key])
        elif _nests(expected[key]) and type(expected[key]) is type(actual[key]) and _nests(actual[key]):
            inner = _merge(expected[key], actual[key])
            yield Line(" ", f"{_scalar(key)}:")
            yield from inner if isinstance(expected[key], list) else _indented(inner)
        elif expected[key] == actual[key] and type(expected[key]) is type(actual[key]):
            yield from _entry(" ", key, expected[key])
        else:
            yield from _entry("-", key, expected[key])
            yield from _entry("+", key, actual[key])


def _merge_lists(expected: list[Json], actual: list[Json]) -> Iterator[Line]:
    for index in range(max(len(expected), len(actual))):
        if index >= len(actual):
            yield from _item(_lines("-", expected[index]))
        elif index >= len(expected):
            yield from _item(_lines("+", actual[index]))
        else:
            yield from _item(_merge(expected[index], actual[index]))


def _nests(value: Json) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _lines(mark: str, value: Json) -> Iterator[Line]:
    if isinstance(value, dict) and value:
        for key, entry in value.items():
            yield from _entry(mark, key, entry)
    elif isinstance(value, list) and value:
        for entry in value:
            yield from _item(_lines(mark, entry))
    else:
        yield Line(mark, _scalar(value))


def _entry(mark: str, key: str, value: Json) -> Iterator[Line]:
    if not _nests(value):
        yield Line(mark, f"{_scalar(key)}: {_scalar(value)}")
        return
    inner = _lines(mark, value)
    yield Line(mark, f"{_scalar(key)}:")
    yield from inner if isinstance(value, list) else _indented(inner)


def _item(lines: Iterator[Line]) -> Iterator[Line]:
    """Mark lines as one list item.

    If the first line has mark `-`, the line with mark `+` that replaces it gets the dash too.
    """
    first = next(lines)
    yield replace(first, text=f"- {first.text}")
    for index, line in enumerate(lines):
        opens = index == 0 and (first.mark, line.mark) == ("-", "+")
        yield replace(line, text=f"{'- ' if opens else '  '}{line.text}")


def _indented(lines: Iterator[Line]) -> Iterator[Line]:
    return (replace(line, text=f"  {line.text}") for line in lines)


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
