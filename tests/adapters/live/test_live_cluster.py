"""A shared cluster: scenarios run with the printed permissions and its gates, and leave it unchanged."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import resources
from itertools import islice
from pathlib import Path

import pytest
import yaml

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.programs import NotBuilt
from dra_conform.adapters.live.api import Api
from dra_conform.adapters.live.endpoint import Endpoint
from dra_conform.adapters.live.live_cluster import LiveCluster, gate_conflict
from dra_conform.adapters.live.live_scenarios import LiveScenarios
from dra_conform.adapters.live.resources import RESOURCES, SERVICE_ACCOUNTS, Resource
from dra_conform.adapters.live.scenario_names import ScenarioNames
from dra_conform.adapters.live.scenario_namespace import ScenarioNamespace
from dra_conform.adapters.live.scenario_setup import create_setup
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.adapters.live.write_guards import EveryWrite
from dra_conform.cli import exits, main
from dra_conform.conformance.case import Case
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import CannotStart
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from tests.support.adapters.live.hostile_scenarios import RUN_ID, hostile_scenario, run_scenario
from tests.support.adapters.live.whole_store import everything

VERSION = "v1.37.1"
PROFILE = "kubernetes-1.37"
SCENARIOS = (
    "dra/claim-lifetime/generated-claim-freed-then-deleted",
    "dra/published-changes/change-reaches-all-slices",
    "dra/tainted-devices-in-use/successor-pod-stays-pending",
    "kep-5075/release/release-frees-too-little",
)
_RBAC = "rbac.authorization.k8s.io"
_RESOURCES = {
    "ClusterRole": Resource("ClusterRole", _RBAC, "clusterroles", namespaced=False),
    "ClusterRoleBinding": Resource("ClusterRoleBinding", _RBAC, "clusterrolebindings", namespaced=False),
    "Namespace": RESOURCES["Namespace"],
    "ServiceAccount": SERVICE_ACCOUNTS,
}

_CLAIM = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}
_SLICE = {"driver": "gpu.example.com", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}
_OF_OTHERS: list[tuple[str, str, Json]] = [
    ("DeviceClass", "gpu", {"extendedResourceName": "example.com/gpu"}),
    ("DeviceClass", f"dra-conform-{RUN_ID}-1.stolen", {}),
    ("ResourceSlice", "slice", {**_SLICE, "allNodes": True, "devices": [{"name": "d"}]}),
    (
        "DeviceTaintRule",
        "rule",
        {"taint": {"key": "k", "effect": "NoSchedule"}, "deviceSelector": {"driver": "x.com"}},
    ),
    ("ResourceQuota", "quota", {"hard": {"pods": "10"}}),
    ("ResourceClaimTemplate", "template", {"spec": _CLAIM}),
    ("ResourceClaim", "claim", _CLAIM),
]

pytestmark = [pytest.mark.live, pytest.mark.slow]


@pytest.fixture(scope="module")
def plane() -> Iterator[ControlPlane]:
    try:
        found = ControlPlane(VERSION)
    except NotBuilt as error:
        pytest.skip(str(error))
    try:
        found.begin(Profile.named(PROFILE), {})
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module")
def administrator(plane: ControlPlane) -> Iterator[Api]:
    api = Api(plane.endpoint, EveryWrite())
    yield api
    api.close()


@pytest.fixture(scope="module")
def kubeconfig(plane: ControlPlane, administrator: Api, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the kubeconfig of the account that `dra-conform permissions` prints."""
    text = (resources.files("dra_conform.adapters") / "live" / "permissions.yaml").read_text("utf-8")
    for one in yaml.safe_load_all(text):
        namespace = one["metadata"].get("namespace", "")
        assert administrator.create(_RESOURCES[one["kind"]].address("v1", namespace), one).accepted
    return _kubeconfig(plane, administrator, tmp_path_factory.mktemp("kube"), "dra-conform")


def _kubeconfig(plane: ControlPlane, administrator: Api, folder: Path, namespace: str) -> Path:
    asked = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    name = "dra-conform" if namespace == "dra-conform" else "default"
    path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token"
    header = {"Accept": "application/json", "Content-Type": "application/json"}
    with administrator._opened("POST", path, asked, {}, header) as response:
        token = response.json()["status"]["token"]
    ca = plane.endpoint.configuration.ssl_ca_cert
    cluster = {"server": plane.endpoint.server, "certificate-authority": str(ca)}
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": {"token": token}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    written = folder / "kubeconfig"
    written.write_text(json.dumps(content))
    return written


@pytest.fixture(scope="module")
def objects_of_others(administrator: Api) -> None:
    """Objects of others that a hostile scenario tries to change."""
    served = ServedVersions(administrator)
    for kind, name, spec in _OF_OTHERS:
        resource = RESOURCES[kind]
        version = served.newest(kind)
        namespace = {"namespace": "default"} if resource.namespaced else {}
        raw = {
            "apiVersion": f"{resource.group}/{version}".removeprefix("/"),
            "kind": kind,
            "metadata": {"name": name, **namespace},
            "spec": spec,
        }
        answer = administrator.create(resource.address(version, "default"), raw)
        assert answer.accepted, answer.message


@pytest.fixture
def untouched(administrator: Api, kubeconfig: Path, objects_of_others: None) -> Iterator[None]:
    """Check that the stored objects are unchanged afterwards, once a new control plane has created its own objects."""
    before: Json = None
    while before != (now := everything(administrator)):
        before = now
        time.sleep(2)
    yield
    after = everything(administrator)
    assert sorted(after) == sorted(before)
    assert [key for key in before if after[key] != before[key]] == []


def cases(suite: LoadedSuite) -> list[Case]:
    found = [case for case in suite.cases if case.id in SCENARIOS]
    assert len(found) == len(SCENARIOS)
    return found


@pytest.mark.usefixtures("untouched")
def test_scenarios_run_with_the_printed_permissions(kubeconfig: Path, shipped_suite: LoadedSuite) -> None:
    cluster = LiveCluster("cluster:test", kubeconfig)
    asked = cases(shipped_suite)
    events = list(run(cluster, shipped_suite.as_suite(), asked, settings=Settings(PROFILE)))
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    assert [(one.case.id, one.detail) for one in results if one.verdict is not Verdict.PASS] == []
    assert cluster.warnings == []


@pytest.mark.usefixtures("untouched")
def test_an_interrupted_run_removes_its_objects(kubeconfig: Path, shipped_suite: LoadedSuite) -> None:
    cluster = LiveCluster("cluster:test", kubeconfig)
    events = run(cluster, shipped_suite.as_suite(), cases(shipped_suite), settings=Settings(PROFILE))
    list(islice(events, 2))
    events.close()  # as when Ctrl-C is pressed
    assert cluster.warnings == []


@pytest.mark.usefixtures("untouched")
def test_hostile_scenarios_leave_the_objects_of_others_alone(
    kubeconfig: Path,
) -> None:
    scenarios_on_cluster = LiveScenarios(Endpoint.of_kubeconfig(kubeconfig, ""), run=RUN_ID)
    scenarios_on_cluster.open()
    scenarios = [hostile_scenario(random.Random(number)) for number in range(40)]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(partial(run_scenario, scenarios_on_cluster), scenarios))
    assert "" in answers
    assert scenarios_on_cluster.close() == []


@pytest.mark.usefixtures("untouched")
def test_cleanup_removes_the_objects_of_a_crashed_run(
    plane: ControlPlane,
    kubeconfig: Path,
    shipped_suite: LoadedSuite,
    capsys: pytest.CaptureFixture[str],
) -> None:
    api = Api(plane.endpoint, EveryWrite())
    for number, case in enumerate(cases(shipped_suite)):
        names = ScenarioNames(f"crashed{number % 2}", "1", [case.objects, case.ask])
        if number < 2:
            create_setup(
                ScenarioNamespace(api, ServedVersions(api), names), case.objects, Profile.named(PROFILE)
            )
    pod_address = RESOURCES["Pod"].address("v1", "dra-conform-crashed1-1-default", "p")
    assert api.patch(pod_address, {"metadata": {"finalizers": ["example.com/hold"]}}).accepted
    command = ["cleanup", "--kubeconfig", str(kubeconfig)]
    assert main([*command, "--run", "another"]) == exits.OK
    assert capsys.readouterr().out == "there is nothing to remove\n"
    assert main([*command, "--run", "crashed0"]) == exits.OK
    removed = capsys.readouterr().out
    assert "removed Namespace dra-conform-crashed0-1-default\n" in removed
    assert "crashed1" not in removed
    assert api.get(RESOURCES["Namespace"].address("v1", name="dra-conform-crashed1-1-default")).accepted
    assert main(command) == exits.OK
    assert "removed Node dra-conform-crashed1-1.node-1\n" in capsys.readouterr().out
    api.close()


def test_an_account_without_rights_cannot_start(
    plane: ControlPlane, administrator: Api, shipped_suite: LoadedSuite, tmp_path: Path
) -> None:
    kubeconfig = _kubeconfig(plane, administrator, tmp_path, "default")
    cluster = LiveCluster("cluster:test", kubeconfig)
    with pytest.raises(CannotStart, match="cannot create the namespace"):
        cluster.start(shipped_suite.as_suite())
    cluster.close()


P = Profile.named("kubernetes-1.37")
SHARED = {
    "resourceSlices": [
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "spec": {"devices": [{"allowMultipleAllocations": True}]},
        }
    ]
}
ASK: Json = {"actions": []}


@pytest.mark.parametrize(
    ("objects", "profile", "on", "message"),
    [
        ({}, P, {}, ""),
        (SHARED, P, {"DRAConsumableCapacity": True}, ""),
        (
            SHARED,
            P,
            {"DRAConsumableCapacity": False},
            "DRAConsumableCapacity is off in this cluster, the scenario needs it on",
        ),
        (SHARED, P, {}, "DRAConsumableCapacity is off in this cluster"),
        (
            SHARED,
            P.with_gates({"DRAConsumableCapacity": False}),
            {"DRAConsumableCapacity": True},
            "is on in this cluster, the scenario needs it off",
        ),
        ({}, P, {"DRAConsumableCapacity": False, "DRAListTypeAttributes": True}, ""),
        (
            {},
            P.with_gates({"DRAListTypeAttributes": True}),
            {},
            "DRAListTypeAttributes is off in this cluster",
        ),
        (SHARED, Profile.named("kep"), {"DRAConsumableCapacity": True}, ""),
    ],
)
def test_gate_conflicts(objects: Json, profile: Profile, on: dict[str, bool], message: str) -> None:
    found = gate_conflict(objects, ASK, profile, on)
    assert message in found
    assert bool(message) == bool(found)
