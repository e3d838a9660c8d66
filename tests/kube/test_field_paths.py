"""Fields of plain objects by path: reading, replacing, removing, and malformed paths."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.kube.field_paths import ABSENT, field_at, parts_of, with_field

OBJECT: dict[str, Any] = {
    "spec": {"devices": [{"name": "a", "capacity": {"dra.example.com/bw": {"value": "1"}}}], "unset": None}
}


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("spec", ("spec",)),
        ("spec.devices[0].name", ("spec", "devices", "0", "name")),
        ("spec.capacity[dra.example.com/bw].value", ("spec", "capacity", "dra.example.com/bw", "value")),
        ("a[][0]", ("a", "", "0")),
    ],
)
def test_parts(path: str, parts: tuple[str, ...]) -> None:
    assert parts_of(path) == parts


@pytest.mark.parametrize(
    "path", ["", ".", "spec..devices", "spec.", "spec[0", "spec/devices", "0", "spec.0", "a b"]
)
def test_malformed_paths(path: str) -> None:
    with pytest.raises(ValueError, match="is not a path, expected a path such as"):
        parts_of(path)


@pytest.mark.parametrize("read", [parts_of, lambda path: with_field({}, path, 1)])
def test_a_path_has_at_most_100_parts(read: Any) -> None:
    read("a" + ".a" * 99)
    with pytest.raises(ValueError, match="has 101 parts, expected at most 100"):
        read("a" + ".a" * 100)


def test_ranges_select_at_most_10000_fields() -> None:
    with pytest.raises(ValueError, match=r"names 10001 fields, expected at most 10000"):
        with_field({}, "spec.devices[0..10000].name", "a")
    with pytest.raises(ValueError, match=r"names 1000000 fields, expected at most 10000"):
        with_field({}, "spec.devices[0..999].taints[0..999].key", "a")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spec.devices[0].name", "a"),
        ("spec.devices[name=a].capacity[dra.example.com/bw].value", "1"),
        ("spec.devices[name=b].name", ABSENT),
        ("spec.devices[size=a].name", ABSENT),
        ("spec.devices[0].capacity[dra.example.com/bw]", {"value": "1"}),
        ("spec.devices[1]", ABSENT),
        ("spec.devices[x]", ABSENT),
        ("spec.devices[0].name.more", ABSENT),
        ("spec.unset", ABSENT),
        ("spec.missing.member", ABSENT),
    ],
)
def test_the_value_at_a_path(path: str, value: object) -> None:
    assert field_at(OBJECT, path) == value


def test_the_representation_of_absent() -> None:
    assert repr(ABSENT) == "absent"


@pytest.mark.parametrize(
    ("path", "new", "expected"),
    [
        ("spec.name", "b", {"spec": {"name": "b", "items": [1, 2]}}),
        ("spec.name", None, {"spec": {"items": [1, 2]}}),
        ("spec.items[0]", 5, {"spec": {"name": "a", "items": [5, 2]}}),
        ("spec.items[0]", None, {"spec": {"name": "a", "items": [2]}}),
        ("spec.items[2]", 3, {"spec": {"name": "a", "items": [1, 2, 3]}}),
        ("spec.more.of[bw]", "1", {"spec": {"name": "a", "items": [1, 2], "more": {"of": {"bw": "1"}}}}),
        ("spec.missing", None, {"spec": {"name": "a", "items": [1, 2]}}),
        ("spec.missing.inner", None, {"spec": {"name": "a", "items": [1, 2]}}),
        ("spec.list[0].name", "x", {"spec": {"name": "a", "items": [1, 2], "list": [{"name": "x"}]}}),
        ("spec", {"x": 1}, {"spec": {"x": 1}}),
    ],
)
def test_a_copy_with_another_field(path: str, new: object, expected: object) -> None:
    value = {"spec": {"name": "a", "items": [1, 2]}}
    assert with_field(value, path, new) == expected
    assert value == {"spec": {"name": "a", "items": [1, 2]}}


@pytest.mark.parametrize(
    "path", ["spec.name.more", "spec.items[3]", "spec.items[x]", "spec.items.first", "spec.list[1].name"]
)
def test_a_path_that_does_not_fit_the_object(path: str) -> None:
    with pytest.raises(ValueError, match="does not exist at"):
        with_field({"spec": {"name": "a", "items": [1, 2]}}, path, 1)


@pytest.mark.parametrize(
    ("path", "new", "expected"),
    [
        ("items[0..2]", {"name": "d#"}, {"items": [{"name": "d0"}, {"name": "d1"}, {"name": "d2"}]}),
        ("more[0..1].name", "n#", {"items": ["a"], "more": [{"name": "n0"}, {"name": "n1"}]}),
        ("items[1..2]", ["x", 1], {"items": ["a", ["x", 1], ["x", 1]]}),
        ("labels[a9..10]", "b#", {"items": ["a"], "labels": {"a9": "b9", "a10": "b10"}}),
        ("items[0]", "#", {"items": ["#"]}),
    ],
)
def test_a_range_selects_a_field_for_each_number(path: str, new: object, expected: object) -> None:
    assert with_field({"items": ["a"]}, path, new) == expected
