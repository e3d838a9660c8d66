"""The operation `allocate` on a control plane: a pod that uses the claims is bound to the node, or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from dra_conform.adapters.control_plane.control_plane import ControlPlane
from dra_conform.adapters.control_plane.initial_objects import (
    Objects,
    has_all,
    in_order,
    namespace,
    namespaces_of,
    node,
)
from dra_conform.adapters.live.api import Answer, Api, Unreachable
from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.polling import poll
from dra_conform.adapters.live.resources import RESOURCES, Address, version_of
from dra_conform.adapters.live.served_versions import ServedVersions
from dra_conform.controlplane.simulation.components import APISERVER, SCHEDULER
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import GROUP, from_v1, to_v1

Json = Any

_ADMIN_ACCESS = {"resource.k8s.io/admin-access": "true", "resource.kubernetes.io/admin-access": "true"}
"""Who asks for devices in these cases is allowed to."""

_V1 = "resource.k8s.io/v1"
_DRIVER = "barrier.example.com"
"""Of devices that only we ask for."""

_LOOKS = 1500
"""So often an answer of the scheduler is looked for, half a minute of an idle machine."""
_OUTCOMES = {"Unschedulable": "unallocatable", "SchedulerError": "errored"}
"""What the scheduler has to say of a pod that it cannot place."""

_ERRORS = {
    "device class ": "ClassNotFound",
    "invalid resource pools were encountered": "PoolInvalid",
}


class Unanswered(Exception):  # noqa: N818 - it reads as what happened
    """A component does not do its work, or not in time."""


class Allocating:
    """The operation `allocate` of a control plane, with an API server and a scheduler and nothing else."""

    def __init__(self, plane: ControlPlane, api: Api) -> None:
        self._plane = plane
        self._store = plane.store
        self._api = api
        self._served = ServedVersions(api)
        self._numbers = count(1)

    def allocate(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        """The body of a result; raises CannotRun, also where the API server rejects what is given."""
        self._plane.run_only((APISERVER, SCHEDULER), profile)
        self._served.forget()
        there = in_order(objects)
        try:
            self._place(there, ask["node"])
            self._wait_for_scheduler()
            pod = _pod(objects.get("pods", ()), ask, f"asks-{next(self._numbers)}")
            answer = self._asked(pod, ask["claims"])
            if any(map(_waits, answer.get("allocations", {}).values())):
                self._plane.restart((SCHEDULER,))
            return answer
        finally:
            self._store.clear()
            self._store.put(("Namespace", "", "default"), namespace("default", {}))

    def _place(self, there: Sequence[Json], own: str) -> None:
        for name in namespaces_of(there):
            self._store.put(("Namespace", "", name), namespace(name, _ADMIN_ACCESS))
        nodes = {one["metadata"]["name"]: one for one in there if one["kind"] == "Node"}
        for name, one in {own: _named("v1", "Node", own), **nodes}.items():
            self._store.put(("Node", "", name), node(one))
        # Rules first: that the scheduler has seen the others tells only of what is long older than they are.
        for one in there:
            if one["kind"] == "DeviceTaintRule":  # not served as v1 by every release
                self._create(from_v1(to_v1(one), f"{GROUP}/{self._served.newest(one['kind'])}"))
        for one in there:
            if one["kind"] not in ("Node", "Namespace", "Pod", "DeviceTaintRule"):
                self._create(one)

    def _create(self, raw: Json) -> None:
        """Create an object, and write its status if it has one.

        What the API server drops because a gate is off is put back: it was written while the gate was on.
        """
        resource, version, key = RESOURCES[raw["kind"]], version_of(raw), key_in(raw)
        plain = {field: value for field, value in raw.items() if field != "status"}
        try:
            there = _given(raw, self._api.create(resource.address(version, key[1]), plain))
        except Unreachable as broken:
            self._api.version()  # raises where it is not this write that it fails of
            why = f"the API server breaks off the write of {raw['kind']} {key[2]}: {broken}"
            raise CannotRun(why) from None
        if raw.get("status"):
            address = resource.address(version, key[1], key[2], "status")
            there = _given(raw, self._api.replace(address, {**there, "status": raw["status"]}))
        if not has_all(there, raw):
            self._store.put(key, {**raw, "metadata": there["metadata"]})

    def _wait_for_scheduler(self) -> None:
        """Come back when the scheduler has seen everything that was written so far.

        A pod is bound only after a node, a class, a slice and a claim were seen that are newer than all
        others; of each kind, what is newer is seen later.
        """
        name = f"barrier-{next(self._numbers)}"
        self._store.put(("Node", "", name), node(_named("v1", "Node", name)))
        pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
        spec = {"driver": _DRIVER, "nodeName": name, "pool": pool, "devices": [{"name": "one"}]}
        self._create({**_named(_V1, "ResourceSlice", name), "spec": spec})
        selectors = [{"cel": {"expression": f'device.driver == "{_DRIVER}"'}}]
        self._create({**_named(_V1, "DeviceClass", name), "spec": {"selectors": selectors}})
        anything = [{"operator": "Exists"}]
        request = {"name": "one", "exactly": {"deviceClassName": name, "tolerations": anything}}
        self._create({**_named(_V1, "ResourceClaim", name), "spec": {"devices": {"requests": [request]}}})
        claim = f"default/{name}"
        # A slice that breaks the scheduler breaks it for every pod.
        pod = _pod((), {"node": name, "claims": [claim]}, name)
        self._asked(pod, [claim], {"SchedulerError": "errored"})

    def _asked(
        self, pod: Json, claims: Sequence[str], final: Mapping[str, str] = _OUTCOMES
    ) -> dict[str, Json]:
        """Create a pod, and wait until its claims are allocated or the scheduler has said a final word."""
        self._create(pod)
        _, room, name = key_in(pod)
        address = RESOURCES["Pod"].address("v1", room, name)
        answer = poll(_LOOKS, lambda: self._answer(address, claims, final))
        if not answer:
            raise Unanswered(f"the scheduler has no word on pod {name}, it was looked for {_LOOKS} times")
        return answer

    def _answer(self, address: Address, claims: Sequence[str], final: Mapping[str, str]) -> dict[str, Json]:
        """What has become of a pod, empty as long as nothing has."""
        found = {claim: self._allocation(claim) for claim in claims}
        if all(found.values()):
            return {"outcome": "allocated", "allocations": found}
        for one in self._api.get(address).body.get("status", {}).get("conditions", ()):
            if one["type"] == "PodScheduled" and one.get("reason") in final:
                return _refusal(final[one["reason"]], one.get("message", ""))
        return {}

    def _allocation(self, claim: str) -> Json:
        room, _, name = claim.partition("/")
        answer = self._api.get(RESOURCES["ResourceClaim"].address("v1", room, name))
        return (answer.body.get("status") or {}).get("allocation")


def _refusal(outcome: str, message: str) -> dict[str, Json]:
    """Where the allocation ended in an error, the pod is unschedulable too; only the words differ."""
    for said, category in _ERRORS.items():
        if said in message:
            return {"outcome": "errored", "reasons": [{"category": category, "message": message}]}
    return {"outcome": outcome, "reasons": [{"category": "Other", "message": message}]}


def _waits(allocation: Json) -> bool:
    """Whether the scheduler waits for a driver now. Until then the devices are taken, whatever becomes of
    the claim."""
    return any(one.get("bindingConditions") for one in allocation["devices"].get("results", ()))


def _given(raw: Json, answer: Answer) -> Json:
    """The object as it was stored; raises CannotRun where it was refused."""
    if not answer.taken:
        raise CannotRun(f"the API server rejects {raw['kind']} {key_in(raw)[2]}: {answer.message}")
    return answer.body


def _named(api_version: str, kind: str, name: str) -> dict[str, Json]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}


def _pod(given: Sequence[Json], ask: Mapping[str, Json], name: str) -> Json:
    """A pod for claims that only one node will do for: one that is given, or one of our own of this name.

    What the scheduler still has to say of the pod of an earlier question, it says to a pod of that name.
    """
    rooms = {claim.partition("/")[0] for claim in ask["claims"]}
    if len(rooms) > 1:
        raise CannotRun("a pod cannot ask for claims of several namespaces")
    names = [claim.partition("/")[2] for claim in ask["claims"]]
    own: dict[str, Json] = {
        "metadata": {"name": name, "namespace": min(rooms, default="default")},
        "spec": {
            "containers": [{"name": "one", "image": "one"}],
            "resourceClaims": [
                {"name": f"claim-{index}", "resourceClaimName": name} for index, name in enumerate(names)
            ],
            "tolerations": [{"operator": "Exists"}],
        },
    }
    found = given[0] if given else own
    only = {"key": "metadata.name", "operator": "In", "values": [ask["node"]]}
    terms = {"nodeSelectorTerms": [{"matchFields": [only]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": found["metadata"],
        "spec": {**found["spec"], "affinity": affinity},
    }
