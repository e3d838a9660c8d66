"""Random scenarios of pods: published devices, created and deleted objects, and steady states."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from dra_conform.conformance.steps.given import collected
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario, gates_of_scenario, switchable
from dra_conform.fuzz.multi_step.pod_scenario_objects import (
    CLASS,
    DEVICES,
    NAMESPACE,
    RESOURCE,
    claim,
    device_class,
    pod,
    published,
    quota,
    taint_rule,
    template,
    with_counts,
)
from dra_conform.fuzz.writes.versions import versions_of
from dra_conform.kube.gates import CHECKED_WITH
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.versions import from_v1

Operation = Callable[["_PodAuthor"], None]

SWITCH = 49
"""One in this many scenarios turns gates of a component off and on again, or restarts a component. These
scenarios use the types of devices in turn."""
_SWITCHED = (["scheduler"], ["apiserver", "scheduler"], ["controller-manager"])


def pod_scenario(number: int, seed: int, profile: Profile) -> ClusterScenario:
    """Generate a scenario with pods; equal numbers, seeds and profiles give equal scenarios.

    The type of devices and the first operation rotate with the number.
    """
    random = Random(f"{seed}/{number}/pods")
    author = _PodAuthor(random, profile)
    nodes = ["left"] if random.random() < 0.85 else ["left", "right"]
    sorts = list(DEVICES)
    operation, sort = divmod(number, len(sorts))
    author.begin(nodes, sorts[sort])
    _OPERATIONS[operation % len(_OPERATIONS)](author)
    for _ in range(random.randint(2, 4)):
        random.choice(_OFTEN)(author)
    if number % SWITCH == SWITCH // 2:
        author.switch(number // SWITCH)
    author.settle()
    node_objects = [_node(name, random) for name in nodes]
    return ClusterScenario(
        collected(node_objects), tuple(author.actions), gates_of_scenario(number, seed, profile)
    )


def _node(name: str, random: Random) -> Json:
    allocatable = {"cpu": random.choice(("2", "4", "8")), "memory": "8Gi", "pods": "110"}
    status = {"allocatable": allocatable, "capacity": allocatable}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}


class _PodAuthor:
    """A builder of a scenario that remembers the created objects, but not their state."""

    def __init__(self, random: Random, profile: Profile) -> None:
        self.random = random
        self.profile = profile
        self.release = profile.release or list(CHECKED_WITH)[-1]
        self.actions: list[Json] = []
        self.made: dict[str, list[str]] = {}
        self.slices: list[Json] = []
        self.counts = False
        """Whether no request is for all devices: the scheduler of 1.35.4 panics if they consume counters."""
        self.mapped = False
        """Whether devices map to node allocatable resources.

        A pod that gets such a device for an extended resource never runs and is retried without end.
        """
        self.finishing = random.random() < 0.5
        """Whether pods finish; else they share claims. Claim controllers remove and add the reservation of a
        finished pod without end if another pod uses its claim."""

    def begin(self, nodes: list[str], sort: str) -> None:
        """Publish devices and their DeviceClass."""
        self.mapped = sort == "mapped"
        self.counts = self.release == "1.35" and sort in ("partitions", "groups")
        self.slices = [
            resource_slice for node in nodes for resource_slice in published(node, sort, self.random)
        ]
        for item in (device_class(extended=self.random.random() < 0.5), *self.slices):
            self.create(item)

    def create(self, raw: Json) -> None:
        """Create an object in the newest API version of the release."""
        kind = raw["kind"]
        if self.counts:
            raw = with_counts(raw)
        if raw["apiVersion"].startswith("resource.k8s.io/"):
            raw = from_v1(raw, f"resource.k8s.io/{versions_of(kind, self.release)[0]}")
        self.made.setdefault(kind, []).append(raw["metadata"]["name"])
        self.actions.append({"do": "create", "object": raw})

    def name(self, kind: str) -> str:
        """Return an unused name for a kind."""
        return f"{kind[0].lower()}{len(self.made.get(kind, ()))}"

    def some(self, kind: str) -> str | None:
        """Return the name of a created object of a kind, None if there is none."""
        return self.random.choice(self.made[kind]) if self.made.get(kind) else None

    def settle(self) -> None:
        if self.actions[-1]["do"] != "settle":
            self.actions.append({"do": "settle"})

    def switch(self, turn: int) -> None:
        """Switch two gates of components and back, or restart the components."""
        components = _SWITCHED[turn // len(DEVICES) % len(_SWITCHED)]
        self.settle()
        if self.random.random() < 0.25:
            self.actions.append({"do": "restart", "components": components})
            return
        gates = switchable(self.profile)
        two = {gates[place % len(gates)]: turn % 2 == 0 for place in (2 * turn, 2 * turn + 1)}
        self.actions.append({"do": "set-gates", "components": components, "gates": two})
        _create_pod(self)
        back = {gate: not on for gate, on in two.items()}
        self.actions.append({"do": "set-gates", "components": components, "gates": back})
        _create_pod(self)


def _create_pod(author: _PodAuthor) -> None:
    """Create a pod with its own claim, a shared claim, a template, or an extended resource."""
    random = author.random
    claims, templates, amounts = [], [], {}
    how = random.choice(("claim", "claim", "template", "template", "extended", "both", "shared"))
    if author.mapped and how in ("extended", "both"):
        how = "claim"
    if author.finishing and how == "shared":
        how = "template"
    if how in ("claim", "both") or (how == "shared" and not author.made.get("ResourceClaim")):
        name = author.name("ResourceClaim")
        author.create(claim(name, random))
        claims.append(name)
    if how == "shared" and not claims:
        claims.append(author.made["ResourceClaim"][-1])
    if how == "template":
        known = author.some("ResourceClaimTemplate")
        if known is None or random.random() < 0.5:
            known = author.name("ResourceClaimTemplate")
            author.create(template(known, random))
        templates.append(known)
    if how in ("extended", "both"):
        resource = random.choice((RESOURCE, f"deviceclass.resource.kubernetes.io/{CLASS}"))
        amounts[resource] = random.choice(("1", "1", "2"))
    if random.random() < 0.3:
        amounts["cpu"] = random.choice(("1", "2"))
    author.create(pod(author.name("Pod"), claims=claims, templates=templates, amounts=amounts, random=random))
    author.settle()


def _delete(kind: str) -> Operation:
    def delete(author: _PodAuthor) -> None:
        if not author.made.get(kind):
            _create_pod(author)
        name = author.some(kind)
        if name is not None:
            namespace = {} if kind in ("DeviceTaintRule", "ResourceSlice") else {"namespace": NAMESPACE}
            author.actions.append({"do": "delete", "of": {"kind": kind, "name": name, **namespace}})
            author.settle()

    return delete


def _finish(author: _PodAuthor) -> None:
    """Add the action that a pod finishes."""
    if not author.made.get("Pod") or not author.finishing:
        _create_pod(author)
    if not author.finishing:
        return
    of = {"kind": "Pod", "name": author.some("Pod"), "namespace": NAMESPACE}
    phase = author.random.choice(("Succeeded", "Failed"))
    author.actions.append(
        {"do": "change", "of": of, "fields": {"status.phase": phase}, "subresource": "status"}
    )
    author.settle()


def _limit(author: _PodAuthor) -> None:
    author.create(quota(author.name("ResourceQuota"), author.random))
    author.settle()
    _create_pod(author)


def _taint_by_rule(author: _PodAuthor) -> None:
    if not author.made.get("Pod"):
        _create_pod(author)
    author.create(taint_rule(author.name("DeviceTaintRule"), author.random))
    author.settle()


def _publish_again(author: _PodAuthor) -> None:
    """Add the action that the driver removes, adds or taints a device."""
    if not author.made.get("Pod"):
        _create_pod(author)
    random = author.random
    old = next(resource_slice for resource_slice in author.slices if resource_slice["spec"].get("devices"))
    devices = [dict(device) for device in old["spec"]["devices"]]
    how = random.choice(("fewer", "more", "taint"))
    if how == "fewer" and len(devices) > 1:
        devices.pop()
    elif how == "more":
        devices.append({**devices[0], "name": f"gpu-{len(devices)}"})
    else:
        effect = random.choice(("NoSchedule", "NoExecute"))
        devices[0]["taints"] = [{"key": "example.com/broken", "value": "v", "effect": effect}]
    of_pool = [
        resource_slice
        for resource_slice in author.slices
        if resource_slice["spec"]["nodeName"] == old["spec"]["nodeName"]
    ]
    for resource_slice in of_pool:
        pool = {
            **resource_slice["spec"]["pool"],
            "generation": resource_slice["spec"]["pool"]["generation"] + 1,
        }
        spec = {
            **resource_slice["spec"],
            "pool": pool,
            **({"devices": devices} if resource_slice is old else {}),
        }
        new = {**resource_slice, "spec": spec}
        author.slices[author.slices.index(resource_slice)] = new
        version = f"resource.k8s.io/{versions_of('ResourceSlice', author.release)[0]}"
        author.actions.append({"do": "update", "object": from_v1(new, version)})
    author.settle()


_OPERATIONS: tuple[Operation, ...] = (
    _create_pod,
    _delete("Pod"),
    _finish,
    _limit,
    _taint_by_rule,
    _publish_again,
    _delete("ResourceClaim"),
    _delete("ResourceClaimTemplate"),
    _delete("DeviceTaintRule"),
    _delete("ResourceSlice"),
)
_OFTEN = (_create_pod, _create_pod, _create_pod, *_OPERATIONS)
