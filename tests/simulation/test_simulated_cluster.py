"""Scenarios as a whole: reproducible observations, and unsupported actions."""

from __future__ import annotations

import copy
from functools import partial
from itertools import count

import pytest

from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation import SimulatedCluster, Unsettled
from dra_conform.simulation.parts import NotSimulated, Parts, allocate
from dra_conform.simulation.simulated_cluster import run_scenario
from tests.support.simulation.scenarios import (
    CLASS,
    SETTLE,
    claim,
    create,
    delete,
    node,
    observations_of,
    pod,
    settled,
    shared,
    slice_on,
    template,
)

SETUP = {
    "nodes": [node("n")],
    "deviceClasses": [CLASS],
    "resourceSlices": [slice_on("n", shared("d"))],
    "resourceClaimTemplates": [template("t", "4G")],
}
SCENARIO = {
    "components": {},
    "actions": [
        *(create(pod(name, templates=["t"])) for name in "abc"),
        SETTLE,
        delete("Pod", "a"),
        SETTLE,
    ],
}
DOCUMENTS = Profile.named("kep")


def test_equal_scenarios_give_equal_observations_and_do_not_change_their_input() -> None:
    setup, scenario = copy.deepcopy((SETUP, SCENARIO))
    cluster = SimulatedCluster(Parts(), DOCUMENTS)
    assert cluster.run(setup, scenario) == cluster.run(setup, scenario)
    assert (setup, scenario) == (SETUP, SCENARIO)


def test_another_seed_gives_other_names() -> None:
    first, second = (SimulatedCluster(Parts(), DOCUMENTS, seed).run(SETUP, SCENARIO) for seed in (0, 1))
    assert first != second


def test_shared_allocations_of_a_device_have_distinct_share_ids() -> None:
    observed = SimulatedCluster(Parts(), DOCUMENTS).run(SETUP, SCENARIO)[3]
    ids = [
        one["status"]["allocation"]["devices"]["results"][0]["shareID"]
        for one in observed["objects"]["resourceClaims"]
        if "status" in one
    ]
    assert len(set(ids)) == len(ids) == 2


def test_an_unsupported_action_makes_the_answer_unsupported() -> None:
    assert run_scenario(SETUP, {"actions": []}, DOCUMENTS) == {"outcome": "observed", "observations": []}
    assert run_scenario({}, {"actions": [{"do": "dance"}]}, DOCUMENTS)["status"] == "unsupported"


def test_an_unknown_action_is_not_simulated() -> None:
    with pytest.raises(NotSimulated, match="unknown action 'dance', expected one of create, update"):
        observations_of([], {"do": "dance"})


def test_a_cluster_without_a_steady_state_raises_unsettled() -> None:
    """The API server stores a new message each time instead of the phase that the kubelet writes."""
    writes = count()

    def forgetful(objects: Json, ask: Json, profile: Profile) -> Json:
        raw = {**ask["object"], "status": {"message": f"write {next(writes)}"}}
        return {"outcome": "admitted", "object": raw, "warnings": []}

    with pytest.raises(Unsettled, match="reaches no steady state within 200 rounds"):
        settled([node("n")], create(pod("p")), parts=Parts(admission=forgetful))


def test_a_claim_of_the_setup_is_stored_without_admission() -> None:
    """Objects of the setup are not validated."""
    impossible = {**claim("c", count=-1), "status": {"reservedFor": []}}
    [observed] = observations_of([impossible], {"do": "get", "of": {"kind": "ResourceClaim", "name": "c"}})
    assert observed["object"]["spec"]["devices"]["requests"][0]["exactly"]["count"] == -1


def test_requests_and_log_are_observed_only_if_a_scenario_asks_for_them() -> None:
    cluster = SimulatedCluster(Parts(), DOCUMENTS)
    observed = cluster.run(SETUP, {**SCENARIO, "requests": True, "log": 7})[3]
    assert {"component": "scheduler", "verb": "create", "resource": "pods/binding", "count": 2} in (
        observed["requests"]
    )
    assert any("Allocating one device" in entry["line"] for entry in observed["log"])
    assert not cluster.run(SETUP, SCENARIO)[3].keys() & {"requests", "log", "metrics"}


def test_the_log_of_another_allocator_is_not_observed() -> None:
    parts = Parts(allocator=partial(allocate))  # A function of its own, as that of an adapter.
    observed = SimulatedCluster(parts, DOCUMENTS).run(SETUP, {**SCENARIO, "requests": True, "log": 7})[3]
    assert "log" not in observed
    assert observed["requests"]


def test_objects_are_listed_by_fields_of_their_spec() -> None:
    setup = [node("n"), slice_on("n", shared("d")), slice_on("m", shared("d"))]
    for spec, expected in (
        ({"nodeName": "n"}, ["slice-n"]),
        ({"driver": "dra.example.com"}, ["slice-m", "slice-n"]),
        ({"driver": "dra.example.com", "nodeName": "m"}, ["slice-m"]),
        ({"driver": "other.example.com"}, []),
    ):
        [observed] = observations_of(setup, {"do": "list", "kind": "ResourceSlice", "spec": spec})
        assert observed["outcome"] == "found"
        assert sorted(raw["metadata"]["name"] for raw in observed["object"]["items"]) == expected


def test_the_log_says_why_a_pod_without_its_claim_is_pending() -> None:
    setup = {**SETUP, "pods": []}
    scenario = {"actions": [create(pod("p", "missing")), SETTLE], "log": 7}
    [entry] = SimulatedCluster(Parts(), DOCUMENTS).run(setup, scenario)[-1]["log"]
    assert "default/p" in entry["line"]
    assert "missing" in entry["line"]
