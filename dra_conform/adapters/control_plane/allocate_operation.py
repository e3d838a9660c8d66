"""The operation `allocate` on a control plane: the scheduler places a pod that uses the claims, or cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.host import ComponentFailed
from dra_conform.adapters.control_plane.initial_objects import (
    Objects,
    has_all,
    in_order,
    namespace,
    namespaces_of,
    node,
)
from dra_conform.adapters.control_plane.replaced_component import ReplacedFailed
from dra_conform.adapters.live.api import Api, Unreachable
from dra_conform.adapters.live.api_answers import Answer
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import RESOURCES, Address, version_of
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.cluster_state.components import APISERVER, SCHEDULER
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.versions import GROUP, from_v1, to_v1

_ADMIN_ACCESS = {"resource.k8s.io/admin-access": "true", "resource.kubernetes.io/admin-access": "true"}
"""Labels of each namespace, which allow admin access."""

_V1 = "resource.k8s.io/v1"
_DRIVER = "barrier.example.com"
"""The driver of devices for barrier pods, which no case requests."""
_BARRIER_DEVICES = 50
"""More than the barrier pods that the scheduler allocates before it has seen a DeviceTaintRule."""

_DRY_RUN = {"dryRun": "All"}
_POLLS = 1500
"""Polls for a result of the scheduler, half a minute on an idle machine."""
_OUTCOMES = {"Unschedulable": "unallocatable", "SchedulerError": "errored"}
"""The outcome for each reason of the condition PodScheduled."""

_ERRORS = {
    "device class ": "ClassNotFound",
    "invalid resource pools were encountered": "PoolInvalid",
}
"""The category of allocation errors, by a part of the scheduler's message."""


class Unanswered(Exception):  # noqa: N818 - it reads as what happened
    """The scheduler gives no result within the limit of polls."""


class AllocateOperation:
    """The operation `allocate` of a control plane that runs only an API server and a scheduler."""

    def __init__(self, plane: ControlPlane, api: Api) -> None:
        self._plane = plane
        self._store = plane.store
        self._api = api
        self._served = ServedVersions(api)
        self._numbers = count(1)

    def allocate(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        """Schedule a pod that uses the claims; return the body of the result.

        Raises CannotRun, also if the API server rejects an object of the setup.
        """
        self._run(profile)
        setup = in_order(objects)
        rules = [raw for raw in setup if raw["kind"] == "DeviceTaintRule"]
        try:
            try:
                self._wait_for_scheduler()
            except (ComponentFailed, ReplacedFailed):  # It ended because of an earlier call.
                self._run(profile)
            # From now on no removed pod of an earlier call is scheduled, which could have used the claims.
            self._create_setup(setup, ask["node"])
            barrier = self._wait_for_scheduler()
            for rule in rules:
                self._create(rule)
            if rules and AllocationSwitches.of(profile).features.device_taint_rules:
                self._wait_for_rules(rules, barrier)
            pod = _pod(objects.get("pods", ()), ask, f"asks-{next(self._numbers)}")
            answer = self._schedule(pod, ask["claims"])
            if any(map(_waits_for_driver, answer.get("allocations", {}).values())):
                self._plane.restart((SCHEDULER,))
            return answer
        finally:
            self._plane.empty()

    def _run(self, profile: Profile) -> None:
        """Run only the API server and the scheduler; one that has ended by itself starts again."""
        self._plane.run_only((APISERVER, SCHEDULER), profile)
        self._served.forget()

    def _create_setup(self, setup: Sequence[Json], asked_node: str) -> None:
        for name in namespaces_of(setup):
            self._store.put(("Namespace", "", name), namespace(name, _ADMIN_ACCESS))
        nodes = {raw["metadata"]["name"]: raw for raw in setup if raw["kind"] == "Node"}
        for name, raw in {asked_node: _named("v1", "Node", asked_node), **nodes}.items():
            self._store.put(("Node", "", name), node(raw))
        for raw in setup:
            if raw["kind"] not in ("Node", "Namespace", "Pod", "DeviceTaintRule"):
                self._create(raw)

    def _create(self, raw: Json) -> None:
        """Create an object and write its status, if it has one.

        Fields that the API server drops because a gate is off are stored nevertheless, as if the object had
        been written while the gate was on.
        """
        if raw["kind"] == "DeviceTaintRule":  # Not every release serves it as v1.
            raw = from_v1(to_v1(raw), f"{GROUP}/{self._served.newest(raw['kind'])}")
        resource, version, key = RESOURCES[raw["kind"]], version_of(raw), key_in(raw)
        without_status = {field: value for field, value in raw.items() if field != "status"}
        try:
            created = _checked(raw, self._api.create(resource.address(version, key[1]), without_status))
        except Unreachable as error:
            self._api.version()  # Raises Unreachable if the API server does not answer at all.
            message = f"the API server does not answer the write of {raw['kind']} {key[2]}: {error}"
            raise CannotRun(message) from None
        if raw.get("status"):
            address = resource.address(version, key[1], key[2], "status")
            written = {**created, "status": raw["status"]}
            created = _checked(raw, self._api.write("PUT", address, written, query=_DRY_RUN))
            if has_all(created, raw):  # Otherwise the scheduler could see what lacks fields.
                _checked(raw, self._api.replace(address, written))
        if not has_all(created, raw):
            self._store.put(key, {**raw, "metadata": created["metadata"]})

    def _wait_for_scheduler(self) -> str:
        """Wait until the scheduler has seen everything that was written so far.

        A barrier pod needs a node, DeviceClass, ResourceSlice and ResourceClaim that are newer than all other
        objects. The scheduler sees the objects of each kind in the order of their writes. Returns the name of
        the node, DeviceClass and pool.
        """
        name = f"barrier-{next(self._numbers)}"
        self._store.put(("Node", "", name), node(_named("v1", "Node", name)))
        pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
        devices = [{"name": f"device-{number}"} for number in range(_BARRIER_DEVICES)]
        spec = {"driver": _DRIVER, "nodeName": name, "pool": pool, "devices": devices}
        self._create({**_named(_V1, "ResourceSlice", name), "spec": spec})
        selectors = [{"cel": {"expression": f'device.driver == "{_DRIVER}"'}}]
        self._create({**_named(_V1, "DeviceClass", name), "spec": {"selectors": selectors}})
        self._wait_for_barrier_pod(name)
        return name

    def _wait_for_rules(self, rules: Sequence[Json], barrier: str) -> None:
        """Wait until the scheduler has seen the DeviceTaintRules.

        A newer rule taints the devices of barrier pods, which tolerate all other rules: from then on no
        barrier pod is allocated. A pod is unschedulable, too, before the scheduler has seen its claim, so
        that a barrier pod with a newer claim comes first.
        """
        taint = {"key": f"{_DRIVER}/{barrier}", "effect": "NoSchedule"}
        spec = {"deviceSelector": {"driver": _DRIVER, "pool": barrier}, "taint": taint}
        self._create({**_named(_V1, "DeviceTaintRule", barrier), "spec": spec})
        tolerations = [{"key": raw["spec"]["taint"]["key"], "operator": "Exists"} for raw in rules]
        for _ in range(_BARRIER_DEVICES // 2 - 1):
            claim = self._create_barrier_claim(barrier, tolerations)
            self._wait_for_barrier_pod(barrier)
            if self._schedule_barrier_pod(barrier, claim, _OUTCOMES)["outcome"] != "allocated":
                return
        raise Unanswered("the scheduler does not see DeviceTaintRules")

    def _wait_for_barrier_pod(self, barrier: str) -> None:
        """Wait until a barrier pod with a new claim is allocated, whatever taints its devices."""
        claim = self._create_barrier_claim(barrier, [{"operator": "Exists"}])
        # A ResourceSlice that causes an error of the scheduler causes it for the barrier pod too.
        self._schedule_barrier_pod(barrier, claim, {"SchedulerError": "errored"})

    def _create_barrier_claim(self, barrier: str, tolerations: Sequence[Json]) -> str:
        name = f"{barrier}-{next(self._numbers)}"
        exactly = {"deviceClassName": barrier, "tolerations": tolerations}
        spec = {"devices": {"requests": [{"name": "one", "exactly": exactly}]}}
        self._create({**_named(_V1, "ResourceClaim", name), "spec": spec})
        return name

    def _schedule_barrier_pod(self, barrier: str, name: str, final: Mapping[str, str]) -> dict[str, Json]:
        """Schedule a pod on the node of the barrier, with the name of its claim."""
        claim = f"default/{name}"
        return self._schedule(_pod((), {"node": barrier, "claims": [claim]}, name), [claim], final)

    def _schedule(
        self, pod: Json, claims: Sequence[str], final: Mapping[str, str] = _OUTCOMES
    ) -> dict[str, Json]:
        """Create a pod and wait until its claims are allocated or PodScheduled has a reason in `final`."""
        self._create({**pod, "spec": {"schedulerName": self._plane.scheduler_name, **pod["spec"]}})
        _, pod_namespace, name = key_in(pod)
        address = RESOURCES["Pod"].address("v1", pod_namespace, name)
        answer = poll(_POLLS, lambda: self._answer(address, claims, final))
        if not answer:
            raise Unanswered(f"the scheduler gave no result for pod {name} within {_POLLS} polls")
        return answer

    def _answer(self, address: Address, claims: Sequence[str], final: Mapping[str, str]) -> dict[str, Json]:
        """Return the body of a result for the pod, empty while there is no result."""
        allocations = {claim: self._allocation(claim) for claim in claims}
        if all(allocations.values()):
            return {"outcome": "allocated", "allocations": allocations}
        for condition in self._api.get(address).body.get("status", {}).get("conditions", ()):
            if condition["type"] == "PodScheduled" and condition.get("reason") in final:
                return _failure(final[condition["reason"]], condition.get("message", ""))
        self._plane.check_running()
        return {}

    def _allocation(self, claim: str) -> Json:
        claim_namespace, _, name = claim.partition("/")
        answer = self._api.get(RESOURCES["ResourceClaim"].address("v1", claim_namespace, name))
        return (answer.body.get("status") or {}).get("allocation")


def _failure(outcome: str, message: str) -> dict[str, Json]:
    """Return the result for an unschedulable pod; its message shows whether an error ended the allocation."""
    for part, category in _ERRORS.items():
        if part in message:
            return {"outcome": "errored", "reasons": [{"category": category, "message": message}]}
    return {"outcome": outcome, "reasons": [{"category": "Other", "message": message}]}


def _waits_for_driver(allocation: Json) -> bool:
    """Whether the scheduler waits for binding conditions; then it keeps the devices reserved."""
    results = allocation["devices"].get("results", ())
    return any(result.get("bindingConditions") for result in results)


def _checked(raw: Json, answer: Answer) -> Json:
    """Return the stored object; raises CannotRun if the API server rejected it."""
    if not answer.accepted:
        raise CannotRun(f"the API server rejects {raw['kind']} {key_in(raw)[2]}: {answer.message}")
    return answer.body


def _named(api_version: str, kind: str, name: str) -> dict[str, Json]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}


def _pod(pods: Sequence[Json], ask: Mapping[str, Json], name: str) -> Json:
    """Return a pod that uses the claims and fits only node `ask["node"]`: the first of `pods`, or a new pod.

    A new pod has a new `name`, because the scheduler may still write to the pod of an earlier request.
    """
    namespaces = {claim.partition("/")[0] for claim in ask["claims"]}
    if len(namespaces) > 1:
        raise CannotRun(
            "the claims are in several namespaces; expected one namespace, because one pod uses them"
        )
    names = [claim.partition("/")[2] for claim in ask["claims"]]
    new: dict[str, Json] = {
        "metadata": {"name": name, "namespace": min(namespaces, default="default")},
        "spec": {
            "containers": [{"name": "one", "image": "one"}],
            "resourceClaims": [
                {"name": f"claim-{index}", "resourceClaimName": claim} for index, claim in enumerate(names)
            ],
            "tolerations": [{"operator": "Exists"}],
        },
    }
    pod = pods[0] if pods else new
    node_name = {"key": "metadata.name", "operator": "In", "values": [ask["node"]]}
    terms = {"nodeSelectorTerms": [{"matchFields": [node_name]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": pod["metadata"],
        "spec": {**pod["spec"], "affinity": affinity},
    }
