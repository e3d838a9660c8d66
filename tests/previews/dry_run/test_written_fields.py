"""Fields of written objects: error paths of the API server in every version, and differences from stored objects."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator
from typing import Any

import pytest

from dra_conform.kube.json_values import Json
from dra_conform.previews.dry_run.written_fields import Change, field_changes, place_of, removed_fields

LONG = "a" * 70 + ".example.com/" + "b" * 40
OBJECT = {
    "metadata": {"labels": {"a.b/c": "d"}},
    "spec": {
        "devices": [{"name": "x", "basic": {"attributes": {"e.com/a.b": {"int": 1}, "e.com/a": {"int": 1}, LONG: {}}}}],
        "spec": {"devices": {"requests": [{"name": "r", "count": 0}, {"name": "q", "exactly": {"adminAccess": True}}]}},
    },
}  # fmt: skip
BASIC = ("spec", "devices", 0, "basic")
REQUESTS = ("spec", "spec", "devices", "requests")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("metadata.labels", ("metadata", "labels")),
        ("metadata.labels[a.b/c]", ("metadata", "labels", "a.b/c")),
        ("metadata.namespace", ("metadata",)),
        ("spec.pool.name", ("spec",)),
        ("spec.devices[0].name", ("spec", "devices", 0, "name")),
        ("spec.devices[3].name", ("spec", "devices")),
        ("spec.devices[0].attributes[e.com/a.b].int", (*BASIC, "attributes", "e.com/a.b", "int")),
        ("spec.devices[0].basic.attributes[e.com/a].int", (*BASIC, "attributes", "e.com/a", "int")),
        ("spec.devices[0].basic.attributes.e.com/a.b.bogus", (*BASIC, "attributes", "e.com/a.b")),
        (f"spec.devices[0].attributes[{LONG[:47]}...{LONG[-46:]}]", (*BASIC, "attributes", LONG)),
        ("spec.spec.devices.requests[0].exactly.count", (*REQUESTS, 0, "count")),
        ("spec.spec.devices.requests[0].exactly", (*REQUESTS, 0)),
        ("spec.devices.requests[1].adminAccess", ("spec", "devices")),
        ("kind", ()),
        ("", ()),
    ],
)
def test_a_path_leads_to_the_written_field(path: str, place: tuple[str | int, ...]) -> None:
    assert place_of(path, OBJECT) == place


class _LargeMap(UserDict[str, Json]):
    """A map that cannot be iterated."""

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("an object may have as many errors as keys")


def test_a_large_map_is_not_searched_for_each_path() -> None:
    labels = _LargeMap()
    labels.data |= {"a.b/c": {"d": 1}, "a": 1}
    for path, place in (
        ("labels[a.b/c].d", ("labels", "a.b/c", "d")),
        ("labels.a.b/c.d", ("labels", "a.b/c", "d")),
        ("labels[a]", ("labels", "a")),
        ("labels.no.key", ("labels",)),
        (f"labels{'.a' * 1000}", ()),
    ):
        assert place_of(path, {"labels": labels}) == place


def test_claim_paths_lead_to_fields_of_a_template() -> None:
    template = {"spec": {"spec": {"devices": {"requests": [{"exactly": {"adminAccess": True}}]}}}}
    place = ("spec", "spec", "devices", "requests", 0, "exactly", "adminAccess")
    assert place_of("spec.devices.requests[0].adminAccess", template) == place


@pytest.mark.parametrize(
    ("written", "stored", "changes"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": {"b": [1]}}, {"a": {"b": [1], "c": 0}, "d": "x"}, [("added", ("d",), None, "x")]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}]}, [("added", ("a", 0, "c"), None, 2)]),
        ({"a": [1, 2]}, {"a": [1]}, [("dropped", ("a", 1), 2, None)]),
        ({"a": [1]}, {"a": [1, 2]}, [("added", ("a", 1), None, 2)]),
        ({"a": {"b": 1}}, {}, [("dropped", ("a",), {"b": 1}, None)]),
        ({"a": None, "b": {}, "c": {"d": []}, "e": "", "f": False}, {}, []),
        ({"a": 0}, {"a": 1}, [("added", ("a",), None, 1)]),
        ({"a": "1024Mi"}, {"a": "1Gi"}, [("changed", ("a",), "1024Mi", "1Gi")]),
        ({"a": 1.5, "b": 2}, {"a": "1.5", "b": "2"}, []),
        ({"a": {"b": 1}}, {"a": "x"}, [("changed", ("a",), {"b": 1}, "x")]),
    ],
)
def test_changes(written: Any, stored: Any, changes: list[Any]) -> None:
    found = field_changes(written, stored)
    assert [(one.change, one.path, one.written, one.stored) for one in found] == changes


@pytest.mark.parametrize(
    ("old", "written", "stored", "removed"),
    [
        ({"a": 1, "b": {"c": "x"}}, {"a": 1}, {"a": 1}, [("b",)]),
        pytest.param(
            {"a": [{"name": "x", "b": 1}, {"name": "y", "c": 2}]},
            {"a": [{"name": "y"}, {"name": "x", "b": 1}]},
            {"a": [{"name": "y"}, {"name": "x", "b": 1}]},
            [("a", 0, "c")],
            id="an item that has moved",
        ),
        pytest.param(
            {"a": [{"name": "x", "b": 1}, {"name": "y", "c": 2}]},
            {"a": [{"name": "x"}]},
            {"a": [{"name": "x", "b": 1}]},
            [("a", 1)],
            id="an item",
        ),
        pytest.param(
            {"a": [{"name": "x", "b": 1}, {"name": "x"}]},
            {"a": [{"name": "x"}]},
            {"a": [{"name": "x"}]},
            [],
            id="items of one name",
        ),
        pytest.param({"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1}]}, {"a": [{"b": 1}]}, [], id="without names"),
        pytest.param({"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}}, [], id="the stored value is kept"),
        pytest.param({"a": {"b": 1}}, {"a": {"b": 1}}, {"a": {}}, [], id="a dropped field is written"),
        pytest.param({"a": 0, "b": [], "c": None}, {}, {}, [], id="zero values"),
        pytest.param(
            {"a": [{"b": 1}, {"c": 1}]},
            {"a": [{"c": 1}]},
            {"a": [{"c": 1}]},
            [],
            id="a shorter list without names",
        ),
        pytest.param(
            {"metadata": {"managedFields": [1]}}, {"metadata": {}}, {"metadata": {}}, [], id="metadata"
        ),
    ],
)
def test_an_update_removes_fields(old: Any, written: Any, stored: Any, removed: list[Any]) -> None:
    found = list(removed_fields(old, written, stored))
    assert [change.path for change in found] == removed
    assert {change.change for change in found} <= {Change.REMOVED}
