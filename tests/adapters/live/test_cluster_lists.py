"""Listing of the objects of a cluster in pages, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dra_conform.adapters.light_api.http_server import LightServer
from dra_conform.adapters.live import cluster_lists
from dra_conform.adapters.live.api import Api
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.resources import RESOURCES, Address
from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.profile import Profile

CLAIMS = RESOURCES["ResourceClaim"].address("v1")


@pytest.fixture
def kubeconfig(tmp_path: Path) -> Iterator[Path]:
    server = LightServer(Profile.named("kubernetes-1.33"), seed=1)
    server.write_kubeconfig(tmp_path / "kubeconfig")
    for number in range(5):
        server.api.load(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceClaim",
                "metadata": {"name": f"c{number}", "namespace": "default"},
                "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}},
            }
        )
    yield tmp_path / "kubeconfig"
    server.close()


def test_all_pages_of_the_newest_served_version_are_read(
    kubeconfig: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_lists, "PAGE", 2)
    progress: list[tuple[str, int, int]] = []
    lists = cluster_lists.cluster_lists(kubeconfig, progress=lambda *report: progress.append(report))
    claims = [
        (path, [(item["apiVersion"], item["metadata"]["name"]) for item in json.loads(content)["items"]])
        for path, content in lists
        if "resourceclaims" in path
    ]
    path, version = "/apis/resource.k8s.io/v1beta2/resourceclaims", "resource.k8s.io/v1beta2"
    pages = [["c0", "c1"], ["c2", "c3"], ["c4"]]
    assert claims == [(path, [(version, name) for name in page]) for page in pages]
    assert [report for report in progress if report[0].endswith("resourceclaims")] == [
        ("reading resourceclaims", read, 5) for read in (2, 4, 5)
    ]


def test_a_cluster_that_does_not_answer_is_an_error(kubeconfig: Path) -> None:
    content = json.loads(kubeconfig.read_text("utf-8"))
    content["clusters"][0]["cluster"]["server"] = "http://127.0.0.1:9"
    kubeconfig.write_text(json.dumps(content), "utf-8")
    with pytest.raises(CannotStart, match="GET /apis/resource"):
        list(cluster_lists.cluster_lists(kubeconfig))


class _Pages(Api):
    """An API that gives prepared answers."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.queries: list[dict[str, str]] = []

    def get(self, address: Address, **query: str) -> Answer:
        self.queries.append(query)
        return self._answers.pop(0)


def _page(following: Any = "", *names: str) -> Answer:
    metadata = {"resourceVersion": "1", "continue": following}
    items = [{"metadata": {"name": name}} for name in names]
    return Answer(200, {"apiVersion": "resource.k8s.io/v1", "metadata": metadata, "items": items})


def _expired(following: str = "") -> Answer:
    return Answer(410, {"kind": "Status", "reason": "Expired", "metadata": {"continue": following}})


def test_an_expired_token_is_replaced_by_that_of_the_api_server() -> None:
    api = _Pages(_page("first", "c0"), _expired("later"), _page("", "c1"))
    pages = list(cluster_lists.pages_of(api, CLAIMS))
    assert [item["metadata"]["name"] for page in pages for item in page.items] == ["c0", "c1"]
    assert [query.get("continue") for query in api.queries] == [None, "first", "later"]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([_expired()], "Expired"),
        ([Answer(403, {"reason": "Forbidden", "message": "not allowed"})], "Forbidden: not allowed"),
        ([_page("again")] * 4, "more than 3 pages"),
    ],
)
def test_a_list_that_cannot_be_read_is_an_error(
    answers: list[Answer], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_lists, "MAX_PAGES", 3)
    with pytest.raises(CannotRun, match=message):
        list(cluster_lists.pages_of(_Pages(*answers), CLAIMS))


def test_a_token_of_the_wrong_type_ends_the_list() -> None:
    [page] = cluster_lists.pages_of(_Pages(_page(7, "c0")), CLAIMS)
    assert page.remaining == 0
