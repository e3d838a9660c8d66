"""Requests for the objects of a scenario, with the names that they have on the cluster."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.scenario_names import ScenarioNames
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.kube.json_values import Json

SLICE = {
    "kind": "ResourceSlice",
    "metadata": {"name": "s"},
    "spec": {"driver": "dra.example.com", "nodeName": "left"},
}
NAMES = ScenarioNames("run", "1", [SLICE])


def listed_by(spec: dict[str, str], answer: Answer) -> tuple[Answer, list[Json]]:
    """Return the answer to a list in the scenario, and the requests."""
    asked: list[Json] = []

    def get(address: object, **query: str) -> Answer:
        asked.append((str(address), query))
        return answer

    api: Json = SimpleNamespace(get=get)
    served: Json = SimpleNamespace(newest=lambda _: "v1")
    return ScenarioNamespace(api, served, NAMES).listed_by("ResourceSlice", spec), asked


def test_a_list_has_a_field_selector_with_names_on_the_cluster() -> None:
    on_cluster = Answer(200, {"kind": "ResourceSliceList", "items": [NAMES.on_cluster(SLICE)]})
    answer, [(path, query)] = listed_by({"driver": "dra.example.com", "nodeName": "left"}, on_cluster)
    assert path == "/apis/resource.k8s.io/v1/resourceslices"
    assert query["fieldSelector"] == (
        f"spec.driver={NAMES.name('dra.example.com')},spec.nodeName={NAMES.name('left')}"
    )
    assert query["labelSelector"].endswith(f"={NAMES.scenario_id}")
    [found] = answer.body["items"]
    assert (found["metadata"]["name"], found["spec"]) == ("s", SLICE["spec"])


@pytest.mark.parametrize("code", [400, 404])
def test_a_list_that_is_rejected_is_returned_as_it_is(code: int) -> None:
    rejected = Answer(code, {"kind": "Status", "message": "field label not supported"})
    assert listed_by({"driver": "dra.example.com"}, rejected)[0] == rejected
