"""Hostile scenarios leave the objects of other users on a real cluster byte for byte as they were."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.programs import NotBuilt
from dra_conform.adapters.live.api import Api
from dra_conform.adapters.live.live_scenarios import LiveScenarios
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.adapters.live.write_guards import EveryWrite
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.profile import Profile
from tests.support.adapters.live.hostile_scenarios import RUN_ID, hostile_scenario, run_scenario

pytestmark = [pytest.mark.live, pytest.mark.slow]

SCENARIOS = 80
_TOGETHER = 24
_QUIET_SECONDS = 6
_PROFILE = Profile.named("kubernetes-1.37")


def test_hostile_scenarios_leave_objects_of_others_unchanged(cluster: tuple[ControlPlane, Api]) -> None:
    plane, administrator = cluster
    for kind, name, spec in _foreign():
        _create(administrator, kind, name, spec)
    _allocate(administrator)
    before = _quiet(administrator)
    assert len(before) >= len(list(_foreign()))

    scenarios = LiveScenarios(plane.endpoint, run=RUN_ID)
    scenarios.open()
    rng = random.Random(1)
    drawn = [hostile_scenario(rng) for _ in range(SCENARIOS)]
    with ThreadPoolExecutor(_TOGETHER) as pool:
        answers = [*pool.map(partial(run_scenario, scenarios), [_taint_every_device(), *drawn])]
    left = scenarios.close()

    assert answers.count("") > SCENARIOS // 20
    after = _stored(administrator)
    assert {key: after.get(key) for key in before} == before
    assert [key for key in after if key not in before and f"dra-conform-{RUN_ID}" not in key] == []
    assert left == []


@pytest.fixture
def cluster() -> Iterator[tuple[ControlPlane, Api]]:
    """A control plane of 1.37 with all components, and its administrator."""
    try:
        plane = ControlPlane("v1.37.1")
    except NotBuilt as error:
        pytest.skip(str(error))
    try:
        plane.begin(_PROFILE, {})
        administrator = Api(plane.endpoint, EveryWrite())
        yield plane, administrator
        administrator.close()
    finally:
        plane.close()


def _taint_every_device() -> tuple[Json, Json]:
    """A scenario whose DeviceTaintRule would evict every Pod that uses a device, if its last write went out."""
    rule: Json = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "rule"},
        "spec": {"deviceSelector": {"driver": "d"}, "taint": {"key": "k", "effect": "NoExecute"}},
    }
    of = {"kind": "DeviceTaintRule", "name": "rule"}
    reach = {"spec": {"deviceSelector": {"driver": None}}}
    wait = {"do": "settle"}
    return {}, {
        "actions": [{"do": "create", "object": rule}, {"do": "patch", "of": of, "patch": reach}, wait]
    }


def _foreign() -> Iterator[tuple[str, str, Json]]:
    """Kind, name and spec of objects whose names hostile scenarios aim at."""
    driver = "gpu.nvidia.com"
    exactly = {"name": "r", "exactly": {"deviceClassName": "gpu"}}
    devices: Json = {"devices": {"requests": [exactly]}}
    yield "Namespace", "web", {}
    yield "Namespace", f"dra-conform-{RUN_ID}-1", {}
    yield "Node", "worker", {}
    yield "DeviceClass", "gpu", {"extendedResourceName": "nvidia.com/gpu"}
    yield "DeviceClass", f"dra-conform-{RUN_ID}-1.stolen", {}
    yield (
        "ResourceSlice",
        "slice",
        {
            "driver": driver,
            "nodeName": "worker",
            "pool": {"name": "worker", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "d"}],
        },
    )
    taint = {"key": "example.com/broken", "effect": "NoSchedule"}
    yield "DeviceTaintRule", "rule", {"deviceSelector": {"driver": driver, "device": "other"}, "taint": taint}
    yield "ResourceQuota", "gpu", {"hard": {"pods": "5"}}
    yield "ResourceClaim", "gpu", devices
    yield "ResourceClaim", "c", devices
    yield "ResourceClaimTemplate", "gpu", {"spec": devices}
    yield "Pod", "gpu", {"containers": [{"name": "c", "image": "i"}]}
    yield (
        "Pod",
        "web",
        {
            "nodeName": "worker",
            "containers": [{"name": "c", "image": "i"}],
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}],
        },
    )


def _create(administrator: Api, kind: str, name: str, spec: Json) -> None:
    resource = RESOURCES[kind]
    version = "v1beta2" if kind == "DeviceTaintRule" else "v1"
    raw = {
        "apiVersion": f"{resource.group}/{version}".removeprefix("/"),
        "kind": kind,
        "metadata": {"name": name},
        "spec": spec,
    }
    answer = administrator.create(resource.address(version, "default"), raw)
    assert answer.accepted, answer.message


def _allocate(administrator: Api) -> None:
    """Allocate the device to the ResourceClaim of the running Pod, so that a taint of the device would evict it."""
    pod = administrator.get(RESOURCES["Pod"].address("v1", "default", "web")).body
    result = {"request": "r", "driver": "gpu.nvidia.com", "pool": "worker", "device": "d"}
    claim = administrator.get(RESOURCES["ResourceClaim"].address("v1", "default", "gpu")).body
    claim["status"] = {
        "allocation": {"devices": {"results": [result]}},
        "reservedFor": [{"resource": "pods", "name": "web", "uid": pod["metadata"]["uid"]}],
    }
    pod["status"] = {**pod["status"], "phase": "Running"}
    for raw in (claim, pod):
        address = RESOURCES[raw["kind"]].address("v1", "default", raw["metadata"]["name"], "status")
        answer = administrator.replace(address, raw)
        assert answer.accepted, answer.message


def _stored(administrator: Api) -> dict[str, bytes]:
    """All objects of the kinds that scenarios write, as the API server sends them, by kind, namespace and name."""
    objects: dict[str, bytes] = {}
    for kind, resource in RESOURCES.items():
        version = "v1beta2" if kind == "DeviceTaintRule" else "v1"
        for raw in administrator.list(str(resource.address(version))).body["items"]:
            metadata = raw["metadata"]
            objects[f"{kind} {metadata.get('namespace', '')}/{metadata['name']}"] = encode_json(raw)
    return objects


def _quiet(administrator: Api) -> dict[str, bytes]:
    """The objects once controllers have left them alone for some seconds."""
    deadline = time.monotonic() + 120
    before = _stored(administrator)
    while time.monotonic() < deadline:
        time.sleep(_QUIET_SECONDS)
        now = _stored(administrator)
        if now == before:
            return now
        before = now
    raise AssertionError("the objects of others keep changing without a scenario")
