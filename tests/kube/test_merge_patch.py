"""JSON merge patches."""

from __future__ import annotations

import pytest

from dra_conform.kube.json_values import Json
from dra_conform.kube.merge_patch import merge_patch


@pytest.mark.parametrize(
    ("value", "patch", "expected"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": ["c", None]}, {"a": ["c", None]}),
        ({"a": {"b": "c", "d": "e"}}, {"a": {"b": None, "f": 1}}, {"a": {"d": "e", "f": 1}}),
        ({"a": [1]}, {"a": {"b": {"c": None}}}, {"a": {"b": {}}}),
        ({"a": None}, {"b": 1}, {"a": None, "b": 1}),
        ({"a": "b"}, None, None),
    ],
)
def test_merge_patch(value: Json, patch: Json, expected: Json) -> None:
    """RFC 7396, appendix A has such examples."""
    assert merge_patch(value, patch) == expected
