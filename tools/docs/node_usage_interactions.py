"""Print golden/kep-5517/feature-interactions-of-three.yaml: node resource usage of a pod with three features.

In every case a ResourceClaim or an extended-resource claim maps to CPU of a node with 20 CPUs. KEP-5517 says
how much CPU the pod uses: its containers and claims, or its pod-level requests instead, and its overhead. A
second pod then fills the node exactly, or is 1m too large for the node or for the quota. So a case fails if
one of the features is counted twice or forgotten. `make feature-interactions` writes the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from golden_text import golden_text

from dra_conform.kube.json_values import Json

MAPPING, EXTENDED, TAINT, SHARED = "mapping", "extended-resource", "taint", "shared-claim"
SIDECAR, OVERHEAD, POD_LEVEL = "sidecar", "overhead", "pod-level-requests"
QUOTA, RESIZE, GATE_CHANGE = "quota", "resize", "gate-change"
FEATURES = {
    EXTENDED: "KEP-5517/accounting/extended-resource-backed-claim",
    TAINT: "KEP-5517/mapping/heterogeneous-devices-in-one-class",
    SHARED: "KEP-5517/shared-claim/intra-pod-sharing-allowed",
    SIDECAR: "KEP-5517/pod-footprint/sidecar-init-containers",
    OVERHEAD: "KEP-5517/pod-footprint/overhead-added-last",
    POD_LEVEL: "KEP-5517/pod-level-resources/pod-level-wins",
    QUOTA: "KEP-5517/accounting/quota-counts-spec-only",
    RESIZE: "KEP-5517/resize/rejected-with-claim-status",
    GATE_CHANGE: "KEP-5517/rollback/cache-rebuilt-without-dra",
}
"""The requirement that each feature adds to a case."""

GPU = 'device.attributes["dra.example.com"].kind == "gpu"'
CPUS = 'device.attributes["dra.example.com"].kind == "cpus"'
HEAD = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made by `make feature-interactions` from tools/docs/node_usage_interactions.py.
document: KEP-5517
area: feature-interactions-of-three
title: Node resource usage of a pod that combines three features, on a node with 20 CPUs
given:
  - node: {name: node-1, allocatable: {cpu: 20, memory: 20Gi}}
cases:"""

NODE = 20_000
MAIN, SECOND, SIDECAR_CPU, OVERHEAD_CPU = 1_000, 300, 200, 70
CPUS_DEVICE, GPU_DEVICE = 4_000, 2_000
POD_LEVEL_MARGIN = 600
"""Millicores by which the pod-level requests exceed the containers and claims."""
GATE = "DRANodeAllocatableResources"
STATUSES = "nodeAllocatableResourceClaimStatuses"


@dataclass(frozen=True)
class Interaction:
    """Three features, and the usage and requests of a pod that has them, in millicores."""

    features: Sequence[str]

    def has(self, *features: str) -> bool:
        return bool(set(features) & set(self.features))

    @property
    def has_claim(self) -> bool:
        """Whether the pod references a ResourceClaim, not only an extended resource."""
        return self.has(SHARED) or not self.has(EXTENDED)

    @property
    def placed_with_gate_off(self) -> bool:
        """Whether the pod is scheduled before the gate is turned on; its claims can exceed its requests."""
        return self.has(GATE_CHANGE) and self.has(POD_LEVEL)

    @property
    def containers(self) -> int:
        return MAIN + SECOND * self.has(SHARED) + SIDECAR_CPU * self.has(SIDECAR)

    @property
    def claims(self) -> int:
        return CPUS_DEVICE * self.has_claim + GPU_DEVICE * self.has(EXTENDED)

    @property
    def pod_level(self) -> int:
        """Return the pod-level requests: enough for the claims, unless the disabled gate ignores claims."""
        return self.containers + POD_LEVEL_MARGIN + (0 if self.placed_with_gate_off else self.claims)

    @property
    def quota_usage(self) -> int:
        """Return what a ResourceQuota counts for the pod: the requests of its spec."""
        spec = self.pod_level if self.has(POD_LEVEL) else self.containers
        return spec + OVERHEAD_CPU * self.has(OVERHEAD)

    @property
    def used(self) -> int:
        """Return the node resource usage of the pod at the end of the case."""
        return self.quota_usage + (0 if self.has(POD_LEVEL, GATE_CHANGE) else self.claims)


def setup_steps(interaction: Interaction, pod_level: int, limit: int) -> Iterator[Json]:
    yield {"devices": list(devices(interaction))}
    if interaction.has_claim:
        yield {"deviceClass": {"name": "cpus", "selectors": [CPUS]}}
        yield {"resourceClaim": {"name": "c", "deviceClassName": "cpus"}}
    if interaction.has(EXTENDED):
        gpu = {"name": "gpu", "extendedResourceName": "example.com/gpu", "selectors": [GPU]}
        yield {"deviceClass": gpu}
    yield {"pod": {"name": "p", "containers": list(containers(interaction))}}
    if interaction.has(OVERHEAD):
        yield {"podResources": {"pod": "p", "overhead": {"cpu": cpu(OVERHEAD_CPU)}}}
    if interaction.has(POD_LEVEL):
        yield {"podResources": {"pod": "p", "requests": {"cpu": cpu(pod_level)}}}
    if interaction.has(QUOTA):
        extended = {"requests.example.com/gpu": 1} if interaction.has(EXTENDED) else {}
        yield {"resourceQuota": {"name": "q", "hard": {"requests.cpu": cpu(limit), **extended}}}
    if interaction.placed_with_gate_off:
        yield {"component": {"components": ["scheduler", "kubelet"], "featureGates": {GATE: False}}}


def devices(interaction: Interaction) -> Iterator[Json]:
    """Yield the devices of the pool. Tainted devices come first and map to more CPU."""
    taint = [{"key": "broken", "effect": "NoSchedule"}]
    kinds = [("cpus", CPUS_DEVICE)] if interaction.has_claim else []
    kinds += [("gpu", GPU_DEVICE)] if interaction.has(EXTENDED) else []
    for kind, amount in kinds:
        attributes = {"kind": {"string": kind}}
        if interaction.has(TAINT):
            larger = {"cpu": {"multiplier": cpu(amount + 1_500)}}
            yield {"device": f"a-{kind}", "attributes": attributes, "taints": taint, "mappings": larger}
        mappings = {"cpu": {"multiplier": cpu(amount)}}
        yield {"device": f"b-{kind}", "attributes": attributes, "mappings": mappings}


def containers(interaction: Interaction) -> Iterator[Json]:
    claims = {"claims": ["c"]} if interaction.has_claim else {}
    if interaction.has(SIDECAR):
        yield {"name": "sidecar", "kind": "sidecar", "requests": {"cpu": cpu(SIDECAR_CPU)}}
    gpu = {"example.com/gpu": 1} if interaction.has(EXTENDED) else {}
    limits = {"limits": gpu} if gpu else {}
    yield {"name": "main", "requests": {"cpu": cpu(MAIN), **gpu}, **limits, **claims}
    if interaction.has(SHARED):
        yield {"name": "second", "requests": {"cpu": cpu(SECOND)}, **claims}


def recorded(interaction: Interaction) -> list[Json]:
    """Return the claims in the pod's status; none if the pod was scheduled with the gate off.

    An extended-resource claim lists no containers.
    """
    if interaction.placed_with_gate_off:
        return []
    shared = ["main", "second"] if interaction.has(SHARED) else ["main"]
    own = {"resourceClaim": "c", "containers": shared, "resources": {"cpu": cpu(CPUS_DEVICE)}}
    special = {
        "resourceClaim": "extended resources of pod p",
        "containers": [],
        "resources": {"cpu": cpu(GPU_DEVICE)},
    }
    return [*([own] if interaction.has_claim else []), *([special] if interaction.has(EXTENDED) else [])]


def before(interaction: Interaction) -> Iterator[Json]:
    """Yield the steps before the second pod: the pod runs, its resize is rejected, the gate changes."""
    gate_off = interaction.placed_with_gate_off
    records = recorded(interaction)
    recording = {STATUSES: {"pod": "p", **({"resourceClaims": records} if records else {})}}
    yield {"when": {"reachSteadyState": True}, "then": [{"running": {"pod": "p"}}, recording]}
    if interaction.has(RESIZE):
        index = "spec.containers[0].resources.requests.cpu"
        write = {"resize": {"pod": "p", "fields": {index: cpu(MAIN + 500)}}}
        yield {"when": write, "then": [{"stored": True} if gate_off else {"rejected": True}]}
    if interaction.has(GATE_CHANGE):
        turned = {"components": ["scheduler", "kubelet"], "featureGates": {GATE: gate_off}}
        yield {"when": {"setFeatureGates": turned}}


def never_recorded(interaction: Interaction) -> Iterator[Json]:
    """Yield the steps of a pod that is scheduled before the gate is turned on: its status lists no claims."""
    if interaction.placed_with_gate_off:
        yield {STATUSES: {"pod": "p"}}


def next_pod(amount: int) -> Json:
    return {"createPod": {"name": "next", "containers": [{"name": "main", "requests": {"cpu": cpu(amount)}}]}}


def fits(interaction: Interaction) -> Json:
    remaining = NODE - interaction.used
    total = interaction.quota_usage + remaining
    then: list[Json] = [{"running": {"pod": "next"}}, {"running": {"pod": "p"}}, *never_recorded(interaction)]
    if interaction.has(QUOTA):
        extended = {"requests.example.com/gpu": 1} if interaction.has(EXTENDED) else {}
        then.append({"quotaUsed": {"resourceQuota": "q", "used": {"requests.cpu": cpu(total), **extended}}})
    case_steps = [*before(interaction), {"when": next_pod(remaining), "then": [{"stored": True}]}]
    return case(interaction, "fits", interaction.pod_level, total, [*case_steps, steady(then)])


def too_large(interaction: Interaction) -> Json:
    remaining = NODE - interaction.used
    if interaction.has(QUOTA):
        limit = interaction.quota_usage + remaining - 1
        case_steps = [
            *before(interaction),
            {"when": next_pod(remaining), "then": [{"rejected": True}]},
        ]
        return case(interaction, "over-quota", interaction.pod_level, limit, case_steps)
    case_steps = [*before(interaction), {"when": next_pod(remaining + 1), "then": [{"stored": True}]}]
    case_steps.append(steady([{"pending": "next"}, *never_recorded(interaction)]))
    return case(interaction, "too-large", interaction.pod_level, 0, case_steps)


def over_budget(interaction: Interaction) -> Json:
    """Return the steps for pod-level requests 1m below containers and claims, without the overhead."""
    pod_level = interaction.containers + interaction.claims - 1
    then = [{"pending": "p"}, {STATUSES: {"pod": "p"}}, {"running": {"pod": "next"}}]
    limit = pod_level + OVERHEAD_CPU + NODE
    case_steps = [{"when": next_pod(NODE), "then": [{"stored": True}]}, steady(then)]
    return case(interaction, "over-budget", pod_level, limit, case_steps)


def steady(then: list[Json]) -> Json:
    return {"when": {"reachSteadyState": True}, "then": then}


WORDS = {
    MAPPING: ("mapped device", "mapped CPU"),
    EXTENDED: ("extended resource", "extended resource"),
    TAINT: ("device taint", "taint"),
    SHARED: ("shared ResourceClaim", "shared claim"),
    SIDECAR: ("sidecar", "sidecar"),
    OVERHEAD: ("pod overhead", "overhead"),
    POD_LEVEL: ("pod-level request", "pod-level CPU"),
    QUOTA: ("ResourceQuota", "quota"),
    RESIZE: ("pod resize", "resize"),
}
"""The features in titles, each in full and short."""
OUTCOMES = {
    "fits": (
        "a second pod can use all remaining CPU",
        "a pod can use all remaining CPU",
        "all remaining CPU is usable",
        "remaining CPU is usable",
    ),
    "fits-with-gate-off": (
        "a second pod can use the mapped CPU",
        "a pod can use the mapped CPU",
        "mapped CPU is usable",
    ),
    "too-large": (
        "a second pod 1m CPU too large stays Pending",
        "a pod 1m CPU too large stays Pending",
        "a pod 1m CPU too large is Pending",
        "a pod 1m too large is Pending",
        "a pod 1m over is Pending",
    ),
    "too-large-with-gate-off": (
        "mapped CPU is free with the gate off, but a pod 1m too large stays Pending",
        "mapped CPU is free with the gate off, but a pod 1m too large is Pending",
        "with the gate off mapped CPU is free, but a pod 1m over is Pending",
        "with the gate off mapped CPU is free, but not 1m more",
    ),
    "over-quota": (
        "a second pod that exceeds the quota is rejected",
        "a pod that exceeds the quota is rejected",
        "a pod above the quota is rejected",
        "a pod over quota is rejected",
    ),
    "over-budget": (
        "a pod whose usage exceeds its pod-level request stays Pending",
        "a pod above its pod-level request stays Pending",
        "a pod above its pod-level CPU stays Pending",
    ),
}
"""The outcome of each kind of case in titles, from the longest to the shortest."""
NAMED_BY_OUTCOME = {"over-budget": POD_LEVEL, "over-quota": QUOTA}
"""The feature that the outcome of a kind of case names, which its list of features leaves out."""
TITLE_LENGTH = 90


def case(interaction: Interaction, kind: str, pod_level: int, limit: int, steps: list[Json]) -> Json:
    budget = "KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable"
    if interaction.has(EXTENDED):
        # An implementation may leave out extended-resource claims. Then it fails in every such case.
        cited = [FEATURES[EXTENDED]]
    else:
        cited = cited_of(interaction, kind)
        cited += [budget] if kind == "over-budget" else []
    return {
        "case": f"{'-'.join(interaction.features)}-{kind}".replace("pod-level-requests", "pod-level"),
        "title": title(interaction, kind),
        "requirements": cited,
        **profiles(interaction),
        "given": list(setup_steps(interaction, pod_level, limit)),
        "steps": steps,
    }


def cited_of(interaction: Interaction, kind: str) -> list[str]:
    """Return the requirements on which the outcome of an interaction depends, in order of its features."""
    named = dict(FEATURES)
    if interaction.placed_with_gate_off:
        named[GATE_CHANGE] = "KEP-5517/rollback/reenable-is-not-retroactive"
        named[RESIZE] = "KEP-5517/resize/allowed-without-claim-status"
    shown = [feature for feature in interaction.features if is_shown(interaction, kind, feature)]
    cited = [named[feature] for feature in shown]
    if GATE_CHANGE in shown and not interaction.placed_with_gate_off:
        cited.append("KEP-5517/pod-footprint/gate-off-ignores-status")
    return cited


def is_shown(interaction: Interaction, kind: str, feature: str) -> bool:
    """Return whether the outcome depends on the feature.

    Only a recorded claim shows which device the pod was allocated. Pod-level requests hide the sidecar,
    except from the budget. A pod over its budget never runs, and a quota rejects the second pod before its
    node counts.
    """
    if feature == MAPPING or (feature == TAINT and interaction.placed_with_gate_off):
        return False
    if kind == "over-budget":
        return feature == SIDECAR
    if kind == "over-quota":
        return feature in (TAINT, SHARED, QUOTA, RESIZE)
    return not (feature == SIDECAR and interaction.has(POD_LEVEL))


def profiles(interaction: Interaction) -> Json:
    """Return the profiles of a case.

    Releases record no extended-resource claim in the pod's status. 1.36 rejects every resize of a pod whose
    containers use claims, later releases accept every such resize; cases of the single features show this.
    """
    if interaction.has(EXTENDED) or (interaction.has(RESIZE) and interaction.placed_with_gate_off):
        return {"profiles": ["kep"]}
    return {"profiles": ["kep", "in 1.36"]} if interaction.has(RESIZE) else {}


def title(interaction: Interaction, kind: str) -> str:
    """Return the features and the outcome: `Taint and sidecar: a pod can use all remaining CPU`."""
    left_out = {GATE_CHANGE, NAMED_BY_OUTCOME.get(kind)}
    named = [feature for feature in interaction.features if feature not in left_out]
    state = "on" if interaction.placed_with_gate_off else "off"
    gates = (f"{GATE} turned {state}", f"{GATE} {state}") if interaction.has(GATE_CHANGE) else ()
    outcomes = f"{kind}-with-gate-off" if gates and state == "off" else kind
    outcomes = outcomes if outcomes in OUTCOMES else kind
    gates = () if outcomes == "too-large-with-gate-off" else gates
    titles = [
        f"{text[0].upper()}{text[1:]}: {outcome}"
        for outcome in OUTCOMES[outcomes]
        for text in feature_lists(named, gates)
    ]
    return next(text for text in titles if len(text) <= TITLE_LENGTH)


def feature_lists(named: Sequence[str], gates: Sequence[str]) -> Iterator[str]:
    """Yield the features in words, from the longest list to the shortest."""
    for length in (0, 1):
        words = [WORDS[feature][length] for feature in named]
        for *others, last in ([gate, *words] for gate in gates) if gates else [words]:
            yield f"{', '.join(others)} and {last}" if others else last
    for gate in gates[1:]:
        yield ", ".join([gate, *(WORDS[feature][1] for feature in named)])


def cpu(amount: int) -> str:
    return str(amount // 1_000) if amount % 1_000 == 0 else f"{amount}m"


def cases() -> Iterator[Json]:
    for three in combinations((MAPPING, *FEATURES), 3):
        interaction = Interaction(three)
        yield fits(interaction)
        yield too_large(interaction)
        if interaction.has(POD_LEVEL) and not interaction.has(GATE_CHANGE, RESIZE):
            yield over_budget(interaction)


if __name__ == "__main__":
    print(golden_text(HEAD, list(cases())), end="")
