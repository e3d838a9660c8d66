"""Random hostile scenarios, which try to change objects of others on a cluster.

`python -m tests.support.adapters.live.hostile_scenarios --count 10000` runs that many on a recording cluster.
"""

from __future__ import annotations

import argparse
import copy
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.live_scenarios import LiveScenarios
from dra_conform.adapters.live.resources import RESOURCES
from dra_conform.conformance.verdict import BUG_REPORT_REQUEST, unexpected_error_message
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import COLLECTIONS
from dra_conform.kube.profile import Profile
from tests.support.adapters.live.recording_cluster import RecordingCluster, foreign_objects
from tests.support.adapters.live.scripted_server import serving

RUN_ID = "run"
_THREADS = 48
PROFILE = Profile.named("kubernetes-1.37")

_NAMES = [
    "c", "gpu", "rule", "slice", "worker", "kube-system", "default", "web", "", ".", "..", "*", "a b", "x?dryRun=All",
    "../../../../../../api/v1/namespaces/kube-system", "..%2f..%2fkube-system", "%2e%2e/%2e%2e/gpu", "a/b", "a#b",
    "dra-conform-run-1.stolen", "stolen", "\u0000", "x\r\nHost: other", "-", "A" * 300, "../deviceclasses/gpu",
]  # fmt: skip
_SUBRESOURCES = ["", "", "", "status", "proxy", "finalize", "../..", "token", "binding"]
_VERSIONS = ["v1", "v1", "v1beta1", "..", "v1/../../../api/v1", "", "v1alpha3"]
_OWNERS = [
    {"apiVersion": "v1", "kind": "Node", "name": "worker", "uid": "foreign-3", "blockOwnerDeletion": True},
    {"apiVersion": "v1", "kind": "Namespace", "name": "kube-system", "uid": "foreign-0"},
    {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "x", "uid": "x", "blockOwnerDeletion": True},
    {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"},
    "x",
]
_SPECS: dict[str, list[Json]] = {
    "Node": [{}, {"providerID": "aws:///i-1"}, {"taints": None}, None, "x"],
    "Namespace": [{}, {"finalizers": ["kubernetes"]}],
    "DeviceClass": [
        {},
        None,
        {"extendedResourceName": "nvidia.com/gpu"},
        {"selectors": None},
        {"selectors": [{"cel": {"expression": "true"}}]},
        {"selectors": "x"},
        {"config": [{"opaque": {"driver": "gpu.nvidia.com", "parameters": {}}}]},
    ],
    "ResourceSlice": [
        {"driver": "gpu.nvidia.com", "nodeName": "worker", "pool": {"name": "worker"}, "devices": []},
        {"driver": "", "allNodes": True, "devices": [{"name": "d", "basic": {"allNodes": True}}]},
        {"allNodes": True},
        {"driver": "d", "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [{"key": "x"}]}]}},
        {"driver": "d", "nodeSelector": {"nodeSelectorTerms": "x"}},
        {
            "driver": ["gpu.nvidia.com"],
            "perDeviceNodeSelection": True,
            "devices": [{"name": "d", "allNodes": True}],
        },
    ],
    "DeviceTaintRule": [
        {"deviceSelector": {}, "taint": {"key": "k", "effect": "NoExecute"}},
        {"deviceSelector": {"driver": None}, "taint": {"key": "k", "effect": "NoExecute"}},
        {"deviceSelector": {"driver": "gpu.nvidia.com"}, "taint": {"key": "k", "effect": "NoExecute"}},
        {"deviceSelector": None},
        {"deviceSelector": {"pool": "worker", "driver": ""}},
    ],
    "ResourceQuota": [{"hard": {"pods": "0"}}],
    "ResourceClaimTemplate": [
        {"metadata": {"ownerReferences": _OWNERS[:1]}, "spec": {"devices": {"requests": []}}},
        {"spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}},
    ],
    "ResourceClaim": [{"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}],
    "Pod": [
        {"containers": [{"name": "c", "image": "i"}], "nodeName": "worker"},
        {"containers": [{"name": "c", "image": "i"}], "nodeSelector": None, "tolerations": None},
        {"containers": [], "nodeSelector": "x"},
        None,
    ],
}
_HARMLESS: dict[str, list[Json]] = {
    "DeviceClass": [{"selectors": [{"cel": {"expression": "device.driver == 'd'"}}]}, {}],
    "ResourceSlice": [
        {"driver": "d", "nodeName": "worker", "pool": {"name": "p"}, "devices": [{"name": "d"}]}
    ],
    "DeviceTaintRule": [{"deviceSelector": {"driver": "d"}, "taint": {"key": "k", "effect": "NoExecute"}}],
    "ResourceQuota": [{"hard": {"pods": "1"}}],
    "ResourceClaimTemplate": [{"spec": {"devices": {"requests": []}}}],
    "ResourceClaim": [{"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}}],
    "Pod": [{"containers": [{"name": "c", "image": "i"}]}],
}
_STATUSES: list[Json] = [
    {
        "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 1}},
    },
    {"allocation": {"devices": {"results": [{"driver": "gpu.nvidia.com", "pool": "worker", "device": "d"}]}}},
    {"devices": [{"driver": "gpu.nvidia.com", "pool": "worker", "device": "d"}]},
    {},
]


def hostile_scenario(rng: random.Random) -> tuple[dict[str, list[Json]], dict[str, Json]]:
    """Return the objects and the `ask` of a random scenario.

    A scenario ends at its first rejected action. In a third of them nearly everything is hostile; in the others little
    is, so that hostile actions come after actions that were run.
    """
    author = _Author(rng, rng.choice([1.0, 0.1, 0.03]))
    objects: dict[str, list[Json]] = {}
    for one in [author.object() for _ in range(rng.randrange(3))]:
        objects.setdefault(COLLECTIONS.get(one["kind"], "others"), []).append(one)
    return objects, {"actions": [author.action() for _ in range(rng.randrange(1, 9))]}


class _Author:
    """A generator of objects and actions; `malice` from 0 to 1 is the share of hostile values."""

    def __init__(self, rng: random.Random, malice: float) -> None:
        self._rng = rng
        self._malice = malice

    def _does(self, chance: float) -> bool:
        return self._rng.random() < chance * self._malice

    def object(self) -> Json:
        rng = self._rng
        kind = rng.choice([*RESOURCES])
        if self._does(0.03):
            kind = rng.choice(["ClusterRole", "ValidatingWebhookConfiguration"])
        group = RESOURCES[kind].group if kind in RESOURCES else "rbac.authorization.k8s.io"
        version = rng.choice(_VERSIONS) if self._does(0.1) else "v1"
        metadata: Json = {"generateName" if self._does(0.2) else "name": self._name()}
        if self._does(0.2):
            metadata["namespace"] = self._name()
        if self._does(0.15):
            metadata["ownerReferences"] = [rng.choice(_OWNERS)]
        if self._does(0.2):
            metadata["labels"] = rng.choice(
                [None, "x", {}, {"dra-conform/run": "other", "dra-conform/scenario": None}]
            )
        if self._does(0.2):
            metadata["finalizers"] = ["example.com/hold"]
        if self._does(0.1):
            metadata["uid"] = rng.choice(["foreign-1", "u"])
        raw = {"apiVersion": f"{group}/{version}".removeprefix("/"), "kind": kind}
        raw["metadata"] = rng.choice([None, "x", []]) if self._does(0.03) else metadata
        if not self._does(0.1):
            specs = _SPECS if self._does(0.5) else _HARMLESS
            raw["spec"] = copy.deepcopy(rng.choice(specs.get(kind, [{}])))
        if self._does(0.2):
            raw["status"] = copy.deepcopy(rng.choice(_STATUSES))
        return raw

    def _name(self) -> str:
        return self._rng.choice(_NAMES if self._does(0.3) else _NAMES[: 8 if self._does(1) else 5])

    def action(self) -> Json:
        rng = self._rng
        raw = self.object()
        of = {"kind": rng.choice([*RESOURCES]), "name": self._name()}
        if self._does(0.3):
            of["namespace"] = self._name()
        action: Json = rng.choice(
            [
                {"do": "create", "object": raw},
                {"do": "update", "object": raw},
                {
                    "do": "apply",
                    "object": raw,
                    "manager": rng.choice(["m", "m&force=true", ""]),
                    "force": True,
                },
                {"do": "delete", "of": of, "force": rng.random() < 0.5},
                {"do": "get", "of": of, "version": rng.choice(_VERSIONS) if self._does(0.3) else "v1"},
                {
                    "do": "patch",
                    "of": of,
                    "patch": {name: raw.get(name) for name in ("metadata", "spec", "status")},
                },
                {"do": "patch", "of": {**of, "kind": raw["kind"]}, "patch": {"spec": raw.get("spec")}},
                {"do": "change", "of": of, "fields": {"spec": raw.get("spec"), "metadata.labels": None}},
            ]
        )
        if action["do"] in ("update", "apply", "patch", "change") and self._does(0.3):
            action["subresource"] = rng.choice(_SUBRESOURCES)
        if self._does(0.02):
            action["user"] = {"name": "system:admin", "groups": ["system:masters"]}
        return action


@contextmanager
def recorded_run() -> Iterator[tuple[RecordingCluster, LiveScenarios]]:
    """Return a recording cluster with an open run on it."""
    cluster = RecordingCluster()
    with serving(cluster.answer) as endpoint:
        scenarios_on_cluster = LiveScenarios(endpoint, run=RUN_ID)
        scenarios_on_cluster.open()
        yield cluster, scenarios_on_cluster


def run_scenario(scenarios_on_cluster: LiveScenarios, scenario: tuple[Json, Json]) -> str:
    """Run a scenario; return why it was rejected, empty if it ran. Malformed objects may raise any exception."""
    objects, ask = scenario
    try:
        scenarios_on_cluster.run(objects, ask, PROFILE)
    except CannotRun as why:
        return str(why)
    except Exception as error:
        return unexpected_error_message(error, "running the scenario")
    return ""


def foreign_writes(cluster: RecordingCluster) -> list[str]:
    """Return every write that changed objects of others or could affect them."""
    found = [f"as {user}" for user in cluster.users]
    for method, path, body in cluster.writes:
        parts = path.strip("/").split("/")
        rest = parts[2:] if parts[0] == "api" else parts[3:]
        metadata = body.get("metadata") or {}
        name = rest[1] if len(rest) > 1 else str(metadata.get("name") or metadata.get("generateName"))
        if (
            not name.startswith((f"dra-conform-{RUN_ID}-", f"dra-conform-{RUN_ID}."))
            and name != f"dra-conform-{RUN_ID}"
        ):
            found.append(f"{method} {path} {name}")
        found += [f"{method} {path}: {one}" for one in _reaches(body, rest[0] if len(rest) < 4 else rest[2])]
    objects = foreign_objects()
    found += [f"changed {path}" for path, one in objects.items() if cluster.objects.get(path) != one]
    return found


def _reaches(value: Json, plural: str) -> Iterator[str]:
    """Yield references to devices, nodes or resources of others in a body, independent of the guard's code."""
    text = str(value)
    if "nvidia.com" in text and f"dra-conform-{RUN_ID}" not in text:
        yield text
    if isinstance(value, list):
        for item in value:
            yield from _reaches(item, plural)
    for name, item in value.items() if isinstance(value, dict) else ():
        if name in ("nodeName", "driver", "deviceClassName") and isinstance(item, str) and item:
            if not _is_own(item):
                yield f"{name} {item}"
        elif (name == "allNodes" and item and plural == "resourceslices") or (
            name in ("providerID", "addresses", "daemonEndpoints") and item and plural == "nodes"
        ):
            yield f"{name} {item}"
        elif name == "deviceSelector" and isinstance(item, dict) and plural == "devicetaintrules":
            if not item.get("driver"):
                yield "a rule about every device"
        elif name == "ownerReferences" and isinstance(item, list):
            owners = [one for one in item if isinstance(one, dict) and one.get("kind") != "Pod"]
            yield from (f"owner {one}" for one in owners if not _is_own(str(one.get("name"))))
        yield from _reaches(item, plural)


def _is_own(name: str) -> bool:
    return name.startswith((f"dra-conform-{RUN_ID}-", f"dra-conform-{RUN_ID}."))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with recorded_run() as (cluster, scenarios_on_cluster):
        scenarios = [hostile_scenario(rng) for _ in range(arguments.count)]
        with ThreadPoolExecutor(_THREADS) as pool:
            answers = Counter(pool.map(partial(run_scenario, scenarios_on_cluster), scenarios))
        left = scenarios_on_cluster.close()
        found = foreign_writes(cluster)
    malformed = sum(number for answer, number in answers.items() if BUG_REPORT_REQUEST in answer)
    declined = answers.total() - answers[""] - malformed
    print(f"{arguments.count} scenarios: {answers['']} run, {malformed} malformed, {declined} declined")
    print(f"{len(cluster.writes)} writes, {len(found)} beyond the run's own")
    print("\n".join([*found[:20], *left[:5]]))
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
