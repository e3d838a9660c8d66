"""Unquoted scalars that YAML libraries read differently from the API server."""

from __future__ import annotations

import pytest

from dra_conform.kube.scalars import Number, in_flow, resolve
from dra_conform.kube.yaml import parse_yaml

PLAIN = [
    ("y", True), ("Yes", True), ("on", True), ("TRUE", True), ("n", False), ("off", False), ("yEs", "yEs"),
    ("", None), ("~", None), ("Null", None), ("nULL", "nULL"),
    ("0", 0), ("-7", -7), ("+7", 7), ("1_000", 1000), ("017", 15), ("0o17", 15), ("0x1F", 31), ("-0b11", -3),
    ("1.5", Number("1.5")), (".5", Number(".5")), ("5.", Number("5.")), ("1e3", Number("1e3")),
    ("08", Number("08")), ("1_0.5", Number("10.5")),
    ("0b_", "0b_"), ("0o_", "0o_"), ("0x_", "0x_"), ("._", "._"), ("+", "+"), ("-.", "-."), ("1e", "1e"),
    ("1:30", "1:30"), ("2001-01-01", "2001-01-01"), ("1.2.3", "1.2.3"), ("10Gi", "10Gi"), ("=", "="),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), PLAIN)
def test_plain(text: str, value: object) -> None:
    [document] = parse_yaml(f"- {text}\n", "f")
    assert document.value == [value]
    assert type(document.value[0]) is type(value)
    assert resolve(text) == value


@pytest.mark.parametrize("quoted", ["'yes'", '"yes"', "|-\n  yes", ">-\n  yes"])
def test_a_quoted_scalar_is_a_string(quoted: str) -> None:
    [document] = parse_yaml(f"a: {quoted}\n", "f")
    assert document.value == {"a": "yes"}


def test_written_keys_override_merged_keys() -> None:
    [document] = parse_yaml("a: &a {x: 1, y: 1}\nb: {<<: *a, y: 2}\nc: {<<: [{x: 3}, *a]}\n", "f")
    assert document.value["b"] == {"x": 1, "y": 2}
    assert document.value["c"] == {"x": 3, "y": 1}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gpu-0", "gpu-0"),
        ("dra.example.com/bw", "dra.example.com/bw"),
        ("10Gi", "10Gi"),
        ("2026-02-03T04:05:06Z", "2026-02-03T04:05:06Z"),
        ("two words", "two words"),
        ("1", "'1'"),
        ("1E3", "'1E3'"),
        ("True", "'True'"),
        ("", "''"),
        ("a: b", "'a: b'"),
        ("spec.devices[0]", "'spec.devices[0]'"),
        ('"it\'s" == x', "'\"it''s\" == x'"),
    ],
)
def test_a_string_is_quoted_if_needed(text: str, shown: str) -> None:
    assert in_flow(text) == shown
    [document] = parse_yaml(f"- [{shown}]\n", "f")
    assert document.value == [[text]]


def test_a_long_string_is_shortened() -> None:
    assert in_flow("x" * 10241) == f"'{'x' * 40}... and so on, 10241 characters'"
