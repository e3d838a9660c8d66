"""The differences between written and stored objects."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.controlplane.dry_run.field_changes import field_changes


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
