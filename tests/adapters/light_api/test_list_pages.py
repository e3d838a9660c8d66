"""Lists in pages: every object once, in the order of its key."""

from __future__ import annotations

import pytest

from dra_conform.adapters.light_api.list_pages import BadPage, page_of

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
