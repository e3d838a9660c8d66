"""A story as a whole: always the same, and what cannot be told."""

from __future__ import annotations

import copy
from itertools import count
from typing import Any

import pytest

from dra_conform.controlplane.parts import NotSimulated, Parts
from dra_conform.controlplane.running_scenarios import tell
from dra_conform.controlplane.simulation import SimulatedCluster, Unsettled
from dra_conform.kube.profile import Profile
from tests.support.controlplane.simulation.stories import (
    CLASS,
    SETTLE,
    claim,
    create,
    delete,
    node,
    pod,
    settled,
    shared,
    slice_on,
    template,
    told,
)

Json = Any
GIVEN = {
    "nodes": [node("n")],
    "deviceClasses": [CLASS],
    "resourceSlices": [slice_on("n", shared("d"))],
    "resourceClaimTemplates": [template("t", "4G")],
}
STORY = {
    "components": {},
    "actions": [
        *(create(pod(name, templates=["t"])) for name in "abc"),
        SETTLE,
        delete("Pod", "a"),
        SETTLE,
    ],
}
DOCUMENTS = Profile.named("kep")


def test_equal_stories_give_equal_observations_and_change_nothing() -> None:
    given, story = copy.deepcopy((GIVEN, STORY))
    cluster = SimulatedCluster(Parts(), DOCUMENTS)
    assert cluster.run(given, story) == cluster.run(given, story)
    assert (given, story) == (GIVEN, STORY)


def test_another_seed_gives_other_names() -> None:
    first, second = (SimulatedCluster(Parts(), DOCUMENTS, seed).run(GIVEN, STORY) for seed in (0, 1))
    assert first != second


def test_shares_of_one_device_have_ids_of_their_own() -> None:
    found = SimulatedCluster(Parts(), DOCUMENTS).run(GIVEN, STORY)[3]
    ids = [
        one["status"]["allocation"]["devices"]["results"][0]["shareID"]
        for one in found["objects"]["resourceClaims"]
        if "status" in one
    ]
    assert len(set(ids)) == len(ids) == 2


def test_an_answer_is_told_or_unsupported() -> None:
    assert tell(GIVEN, {"actions": []}, DOCUMENTS) == {"outcome": "told", "observations": []}
    assert tell({}, {"actions": [{"do": "dance"}]}, DOCUMENTS)["status"] == "unsupported"


def test_an_action_that_is_not_known_is_not_simulated() -> None:
    with pytest.raises(NotSimulated, match="unknown action 'dance', expected one of create, update"):
        told([], {"do": "dance"})


def test_a_cluster_that_never_rests_is_said_not_to_settle() -> None:
    """Here the phase that the kubelet writes is never stored, but something else is each time."""
    writes = count()

    def forgetful(objects: Json, ask: Json, profile: Profile) -> Json:
        raw = {**ask["object"], "status": {"message": f"write {next(writes)}"}}
        return {"outcome": "admitted", "object": raw, "warnings": []}

    with pytest.raises(Unsettled, match="reaches no steady state within 200 rounds"):
        settled([node("n")], create(pod("p")), parts=Parts(admission=forgetful))


def test_a_given_claim_is_stored_as_it_is_written() -> None:
    """Given objects are trusted: what no client could write is there all the same."""
    impossible = {**claim("c", count=-1), "status": {"reservedFor": []}}
    [found] = told([impossible], {"do": "get", "of": {"kind": "ResourceClaim", "name": "c"}})
    assert found["object"]["spec"]["devices"]["requests"][0]["exactly"]["count"] == -1
