"""The isolation that scenarios need on one control plane, and the limit of concurrent scenarios."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from dra_conform.adapters.live.isolation import Isolation, isolation_of, run_concurrently
from dra_conform.conformance.implementation import Reply, Request, Status
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

PROFILE = Profile.named("kubernetes-1.37")
SETTLE = {"do": "settle"}
CREATE = {"do": "create", "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}}
RULE = {"kind": "DeviceTaintRule", "name": "r"}


def rule(selector: Json) -> Json:
    spec = {"deviceSelector": selector} if selector is not None else {}
    return {"kind": "DeviceTaintRule", "metadata": {"name": "r"}, "spec": spec}


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([CREATE], Isolation.ONLY_WRITES),
        ([CREATE, SETTLE], Isolation.OWN_OBJECTS),
        ([CREATE, {"do": "advance", "seconds": 12}], Isolation.OWN_OBJECTS),
        ([CREATE, SETTLE, {"do": "restart", "components": ["scheduler"]}], Isolation.WHOLE_CLUSTER),
        ([{"do": "restart", "components": ["apiserver"]}], Isolation.WHOLE_CLUSTER),
        ([{"do": "set-gates", "components": ["scheduler"], "gates": {}}], Isolation.WHOLE_CLUSTER),
        ([{"do": "create", "object": rule({"driver": "d"})}, SETTLE], Isolation.OWN_OBJECTS),
        ([{"do": "create", "object": rule({"device": "gpu-0"})}, SETTLE], Isolation.WHOLE_CLUSTER),
        ([{"do": "create", "object": rule({})}], Isolation.ONLY_WRITES),
        ([{"do": "create", "object": rule(None)}, SETTLE], Isolation.OWN_OBJECTS),
        ([{"do": "patch", "of": RULE, "patch": {"metadata": {"labels": {}}}}, SETTLE], Isolation.OWN_OBJECTS),
        ([{"do": "patch", "of": RULE, "patch": rule({"driver": None})}, SETTLE], Isolation.WHOLE_CLUSTER),
        (
            [{"do": "change", "of": RULE, "fields": {"spec.deviceSelector.driver": ""}}, SETTLE],
            Isolation.WHOLE_CLUSTER,
        ),
    ],
)
def test_isolation_of_scenarios(actions: list[Json], expected: Isolation) -> None:
    assert isolation_of({}, {"actions": actions}, PROFILE) is expected


def test_a_devicetaintrule_without_a_driver_needs_the_whole_cluster() -> None:
    assert (
        isolation_of({"deviceTaintRules": [rule({})]}, {"actions": [SETTLE]}, PROFILE)
        is Isolation.WHOLE_CLUSTER
    )
    assert (
        isolation_of({"deviceTaintRules": [rule({"driver": "d"})]}, {"actions": [SETTLE]}, PROFILE)
        is Isolation.OWN_OBJECTS
    )


def test_a_scenario_with_components_needs_the_whole_cluster() -> None:
    assert (
        isolation_of({}, {"actions": [SETTLE], "components": {"scheduler": {}}}, PROFILE)
        is Isolation.WHOLE_CLUSTER
    )


@pytest.mark.parametrize("observed", [{"metrics": ["a_total"]}, {"requests": True}, {"log": 7}])
def test_a_scenario_that_judges_components_needs_the_whole_cluster(observed: dict[str, Json]) -> None:
    assert isolation_of({}, {"actions": [SETTLE], **observed}, PROFILE) is Isolation.WHOLE_CLUSTER


def pool_slice(name: str, generation: int = 1, **content: Json) -> Json:
    pool = {"name": "pool-a", "generation": generation, "resourceSliceCount": 2}
    spec = {"driver": "gpu.example.com", "pool": pool, "nodeName": "node-1", **content}
    return {"kind": "ResourceSlice", "metadata": {"name": name}, "spec": spec}


COUNTERS = pool_slice("counters", sharedCounters=[{"name": "memory"}])
DEVICES = pool_slice("devices", devices=[{"name": "gpu-0"}])
OF_DEVICES = {"kind": "ResourceSlice", "name": "devices"}
WITHOUT_DEVICES = {"do": "delete", "of": OF_DEVICES}
WITH_DEVICES = {"do": "create", "object": DEVICES}


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([SETTLE], Isolation.OWN_OBJECTS),
        ([WITHOUT_DEVICES, WITH_DEVICES, SETTLE], Isolation.OWN_OBJECTS),
        ([SETTLE, WITHOUT_DEVICES], Isolation.OWN_OBJECTS),
        ([WITHOUT_DEVICES, SETTLE], Isolation.WHOLE_CLUSTER),
        ([WITHOUT_DEVICES, {"do": "advance", "seconds": 5}], Isolation.WHOLE_CLUSTER),
        (
            [WITHOUT_DEVICES, {"do": "delete", "of": {**OF_DEVICES, "name": "counters"}}, SETTLE],
            Isolation.OWN_OBJECTS,
        ),
        ([{"do": "update", "object": pool_slice("devices", 2)}, SETTLE], Isolation.OWN_OBJECTS),
        (
            [{"do": "update", "object": pool_slice("counters", 2, sharedCounters=[{}])}, SETTLE],
            Isolation.WHOLE_CLUSTER,
        ),
        (
            [{"do": "change", "of": OF_DEVICES, "fields": {"spec.pool.generation": 0}}, SETTLE],
            Isolation.WHOLE_CLUSTER,
        ),
        (
            [{"do": "patch", "of": OF_DEVICES, "patch": {"spec": {"pool": {"name": "b"}}}}, SETTLE],
            Isolation.WHOLE_CLUSTER,
        ),
        (
            [{"do": "change", "of": OF_DEVICES, "fields": {"metadata.labels[x=y].z": 1}}, SETTLE],
            Isolation.OWN_OBJECTS,
        ),
        (
            [{"do": "update", "object": {**COUNTERS, "spec": {"sharedCounters": 1}}}, SETTLE],
            Isolation.OWN_OBJECTS,
        ),
    ],
)
def test_an_incomplete_pool_with_shared_counters_needs_the_whole_cluster(
    actions: list[Json], expected: Isolation
) -> None:
    """Until 1.36, it makes requests of all scenarios with allocationMode All fail."""
    objects = {"resourceSlices": [COUNTERS, DEVICES]}
    assert isolation_of(objects, {"actions": actions}, Profile.named("kubernetes-1.36")) is expected
    assert isolation_of(objects, {"actions": actions}, PROFILE) is Isolation.OWN_OBJECTS


def requests(taken: list[int], count: int) -> Iterator[Request]:
    for number in range(count):
        taken.append(number)
        yield Request(number, f"story-{number}", "cluster", PROFILE, {}, {"actions": []})


def answered(request: Request) -> Reply:
    return Reply(request.id, Status.OK)


def unused() -> None:
    pytest.fail("no scenario needs to be interrupted")


def test_three_scenarios_run_at_a_time() -> None:
    """The barrier waits for three scenarios."""
    together = threading.Barrier(3)

    def run(request: Request) -> Reply:
        together.wait(10)
        return Reply(request.id, Status.OK)

    with ThreadPoolExecutor(3) as threads:
        replies = list(run_concurrently(threads, 3, requests([], 9), run, unused))
    assert sorted(one.id for one in replies) == list(range(9))


def test_requests_that_wait_run_besides() -> None:
    """The barrier waits for two requests that wait and for the only other one."""
    together = threading.Barrier(3)

    def run(request: Request) -> Reply:
        together.wait(10)
        return Reply(request.id, Status.OK)

    with ThreadPoolExecutor(3) as threads:
        waits = {0, 1, 3, 4}
        replies = run_concurrently(
            threads, 1, requests([], 6), run, unused, lambda request: request.id in waits
        )
        assert sorted(one.id for one in replies) == list(range(6))


def test_no_more_requests_are_read_than_run() -> None:
    taken: list[int] = []
    with ThreadPoolExecutor(2) as threads:
        replies = run_concurrently(threads, 2, requests(taken, 6), answered, unused)
        next(replies)
        assert len(taken) <= 3
        list(replies)
    assert len(taken) == 6


def test_closing_the_replies_interrupts_running_requests() -> None:
    interrupted = threading.Event()

    def run(request: Request) -> Reply:
        assert request.id == 0 or interrupted.wait(10)
        return answered(request)

    with ThreadPoolExecutor(2) as threads:
        replies = run_concurrently(threads, 2, requests([], 6), run, interrupted.set)
        assert next(replies).id == 0
        replies.close()
        assert interrupted.is_set()
