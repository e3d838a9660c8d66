"""The options of lists: pages with every object once in the order of its key, and selectors."""

from __future__ import annotations

import pytest

from dra_conform.adapters.light_api.list_options import BadPage, BadSelector, page_of, selection

ITEMS = [{"metadata": {"name": f"c{number}", "namespace": "b" if number % 2 else "a"}} for number in range(5)]


def test_pages_have_every_object_once() -> None:
    query = {"limit": "2"}
    pages = []
    while True:
        items, metadata = page_of(ITEMS, query, 7)
        pages.append([item["metadata"]["name"] for item in items])
        assert metadata["resourceVersion"] == "7"
        if "continue" not in metadata:
            break
        assert metadata["remainingItemCount"] == 5 - sum(map(len, pages))
        query = {"limit": "2", "continue": metadata["continue"]}
    assert pages == [["c0", "c2"], ["c4", "c1"], ["c3"]]


def test_a_list_without_limit_is_one_page() -> None:
    assert page_of(ITEMS, {}, 7) == (ITEMS, {"resourceVersion": "7"})


@pytest.mark.parametrize("query", [{"limit": "many"}, {"continue": "?"}, {"continue": "_w=="}])
def test_a_malformed_query_is_rejected(query: dict[str, str]) -> None:
    with pytest.raises(BadPage):
        page_of(ITEMS, query, 7)


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
