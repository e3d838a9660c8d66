"""Field and label selectors."""

from __future__ import annotations

import pytest

from dra_conform.adapters.light_api.selectors import BadSelector, selection

OBJECT = {
    "metadata": {"name": "a", "labels": {"app": "web", "tier": "front", "empty": ""}},
    "spec": {"driver": "gpu.example.com", "nodeName": "n"},
}


@pytest.mark.parametrize(
    ("labels", "selected"),
    [
        ("", True),
        ("app=web", True),
        ("app==web", True),
        ("app!=web", False),
        ("app=web,tier!=back", True),
        ("app in (web, db)", True),
        ("app in (db),tier=front", False),
        ("app notin (db)", True),
        ("other notin (db)", True),
        ("other!=x", True),
        ("app", True),
        ("!app", False),
        ("!other", True),
        ("empty=", True),
        ("app notin (db,web), tier", False),
    ],
)
def test_labels(labels: str, selected: bool) -> None:
    assert selection("ResourceSlice", "", labels)(OBJECT) is selected


@pytest.mark.parametrize(
    ("fields", "selected"),
    [
        ("spec.driver=gpu.example.com", True),
        ("spec.driver=gpu.example.com,spec.nodeName!=n", False),
        ("metadata.name==a", True),
        ("metadata.namespace=", True),
    ],
)
def test_fields(fields: str, selected: bool) -> None:
    assert selection("ResourceSlice", fields, "")(OBJECT) is selected


@pytest.mark.parametrize(
    ("kind", "fields", "labels"),
    [
        ("ResourceClaim", "spec.driver=a", ""),
        ("ResourceSlice", "spec.driver", ""),
        ("ResourceSlice", "spec.driver in (a)", ""),
        ("ResourceSlice", "", "app in web"),
        ("ResourceSlice", "", "app=web=db"),
        ("ResourceSlice", "", ",app"),
    ],
)
def test_a_selector_that_a_server_rejects(kind: str, fields: str, labels: str) -> None:
    with pytest.raises(BadSelector):
        selection(kind, fields, labels)
