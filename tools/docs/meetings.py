"""Print golden/kep-5517/meetings.yaml: what a pod takes of its node where three features meet.

In every case a claim or a special claim takes CPU of a node of 20. What the pod takes follows from the
document: its containers and claims, or what it requests as a whole instead, and its overhead. One more pod
then fits exactly, or is 1m too large for the node or for the quota. So whatever one of the features adds too
often or forgets shows. `make meetings` writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

Json = Any
MAPPINGS, EXTENDED, TAINTS, SHARED = "mappings", "extended-resources", "device-taints", "shared-claims"
SIDECARS, OVERHEAD, WHOLE = "sidecars", "overhead", "pod-level-resources"
QUOTA, RESIZE, GATES = "quota", "resize", "gate-changes"
FEATURES = {
    EXTENDED: "KEP-5517/accounting/extended-resource-backed-claim",
    TAINTS: "KEP-5517/mapping/heterogeneous-devices-in-one-class",
    SHARED: "KEP-5517/shared-claim/intra-pod-sharing-allowed",
    SIDECARS: "KEP-5517/pod-footprint/sidecar-init-containers",
    OVERHEAD: "KEP-5517/pod-footprint/overhead-added-last",
    WHOLE: "KEP-5517/pod-level-resources/pod-level-wins",
    QUOTA: "KEP-5517/accounting/quota-counts-spec-only",
    RESIZE: "KEP-5517/resize/rejected-with-claim-status",
    GATES: "KEP-5517/rollback/cache-rebuilt-without-dra",
}
"""By feature the requirement that it brings."""

GPU = 'device.attributes["dra.example.com"].kind == "gpu"'
CPUS = 'device.attributes["dra.example.com"].kind == "cpus"'
HEAD = """# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json
# Made by `make meetings` from tools/docs/meetings.py.
document: KEP-5517
area: meetings
title: What a pod takes of a node of 20 CPUs where three features meet
given:
  - node: {name: node-1, allocatable: {cpu: 20, memory: 20Gi}}
cases:"""

NODE = 20_000
MAIN, SECOND, SIDECAR, OVERHEAD_OF_POD = 1_000, 300, 200, 70
OF_CPUS, OF_GPU = 4_000, 2_000
ROOM = 600
"""What a pod requests as a whole beyond its containers and claims."""
GATE = "DRANodeAllocatableResources"


@dataclass(frozen=True)
class Meeting:
    """Three features, and what they make of the pod: amounts in thousandths of a CPU."""

    features: Sequence[str]

    def has(self, *features: str) -> bool:
        return bool(set(features) & set(self.features))

    @property
    def claimed(self) -> bool:
        """Whether the pod has a claim of its own, beside or instead of a special one."""
        return self.has(SHARED) or not self.has(EXTENDED)

    @property
    def gate_off_before(self) -> bool:
        """A pod with a budget is placed with the gate off, and may take more than that; then that is on."""
        return self.has(GATES) and self.has(WHOLE)

    @property
    def containers(self) -> int:
        return MAIN + SECOND * self.has(SHARED) + SIDECAR * self.has(SIDECARS)

    @property
    def claims(self) -> int:
        return OF_CPUS * self.claimed + OF_GPU * self.has(EXTENDED)

    @property
    def whole(self) -> int:
        """The budget: enough for the claims, unless nobody looks at them."""
        return self.containers + ROOM + (0 if self.gate_off_before else self.claims)

    @property
    def counted(self) -> int:
        """What quotas count of the pod: its spec."""
        spec = self.whole if self.has(WHOLE) else self.containers
        return spec + OVERHEAD_OF_POD * self.has(OVERHEAD)

    @property
    def taken(self) -> int:
        """What the pod takes of its node in the end."""
        return self.counted + (0 if self.has(WHOLE, GATES) else self.claims)


def given(meeting: Meeting, whole: int, limit: int) -> Iterator[Json]:
    yield {"devices": list(devices(meeting))}
    if meeting.claimed:
        yield {"class": {"name": "cpus", "selectors": [CPUS]}}
        yield {"claim": {"name": "c", "class": "cpus"}}
    if meeting.has(EXTENDED):
        yield {"class": {"name": "gpu", "resource": "example.com/gpu", "selectors": [GPU]}}
    yield {"pod": {"name": "p", "containers": list(containers(meeting))}}
    if meeting.has(OVERHEAD):
        yield {"pod-amounts": {"pod": "p", "overhead": {"cpu": cpu(OVERHEAD_OF_POD)}}}
    if meeting.has(WHOLE):
        yield {"pod-amounts": {"pod": "p", "requests": {"cpu": cpu(whole)}}}
    if meeting.has(QUOTA):
        extended = {"requests.example.com/gpu": 1} if meeting.has(EXTENDED) else {}
        yield {"quota": {"name": "q", "hard": {"requests.cpu": cpu(limit), **extended}}}
    if meeting.gate_off_before:
        yield {"component": {"components": ["scheduler", "kubelet"], "gates": {GATE: False}}}


def devices(meeting: Meeting) -> Iterator[Json]:
    """Those with taints come first, and would take more."""
    taint = [{"key": "broken", "effect": "NoSchedule"}]
    kinds = [("cpus", OF_CPUS)] if meeting.claimed else []
    kinds += [("gpu", OF_GPU)] if meeting.has(EXTENDED) else []
    for kind, amount in kinds:
        attributes = {"kind": {"string": kind}}
        if meeting.has(TAINTS):
            takes = {"cpu": {"times": cpu(amount + 1_500)}}
            yield {"device": f"a-{kind}", "attributes": attributes, "taints": taint, "takes": takes}
        yield {"device": f"b-{kind}", "attributes": attributes, "takes": {"cpu": {"times": cpu(amount)}}}


def containers(meeting: Meeting) -> Iterator[Json]:
    claims = {"claims": ["c"]} if meeting.claimed else {}
    if meeting.has(SIDECARS):
        yield {"name": "beside", "kind": "sidecar", "requests": {"cpu": cpu(SIDECAR)}}
    gpu = {"example.com/gpu": 1} if meeting.has(EXTENDED) else {}
    limits = {"limits": gpu} if gpu else {}
    yield {"name": "main", "requests": {"cpu": cpu(MAIN), **gpu}, **limits, **claims}
    if meeting.has(SHARED):
        yield {"name": "second", "requests": {"cpu": cpu(SECOND)}, **claims}


def recorded(meeting: Meeting) -> list[Json]:
    """What the status of the pod says of its claims; nothing where it was placed with the gate off.

    No container names a special claim.
    """
    if meeting.gate_off_before:
        return []
    shared = ["main", "second"] if meeting.has(SHARED) else ["main"]
    own = {"claim": "c", "containers": shared, "takes": {"cpu": cpu(OF_CPUS)}}
    special = {"claim": "extended resources of pod p", "containers": [], "takes": {"cpu": cpu(OF_GPU)}}
    return [*([own] if meeting.claimed else []), *([special] if meeting.has(EXTENDED) else [])]


def before(meeting: Meeting) -> Iterator[Json]:
    """Until one more pod comes: the pod runs, is not resized because of its claims, the gate is turned."""
    records = recorded(meeting)
    told = {"records": {"pod": "p", **({"claims": records} if records else {})}}
    yield {"when": {"settle": True}, "then": [{"runs": {"pod": "p"}}, told]}
    if meeting.has(RESIZE):
        index = "spec.containers[0].resources.requests.cpu"
        write = {"resize": {"pod": "p", "fields": {index: cpu(MAIN + 500)}}}
        yield {"when": write, "then": [{"stored": True} if meeting.gate_off_before else {"rejected": True}]}
    if meeting.has(GATES):
        turned = {"components": ["scheduler", "kubelet"], "gates": {GATE: meeting.gate_off_before}}
        yield {"when": {"set-gates": turned}}


def never_recorded(meeting: Meeting) -> Iterator[Json]:
    """The gate that is on again records nothing of a pod that was placed before."""
    if meeting.gate_off_before:
        yield {"records": {"pod": "p"}}


def next_pod(amount: int) -> Json:
    return {
        "create-pod": {"name": "next", "containers": [{"name": "main", "requests": {"cpu": cpu(amount)}}]}
    }


def fits(meeting: Meeting) -> Json:
    rest = NODE - meeting.taken
    total = meeting.counted + rest
    then: list[Json] = [{"runs": {"pod": "next"}}, {"runs": {"pod": "p"}}, *never_recorded(meeting)]
    if meeting.has(QUOTA):
        extended = {"requests.example.com/gpu": 1} if meeting.has(EXTENDED) else {}
        then.append({"quota-counts": {"quota": "q", "used": {"requests.cpu": cpu(total), **extended}}})
    acts = [*before(meeting), {"when": next_pod(rest), "then": [{"stored": True}]}]
    title = f"With {words(meeting)} a pod takes {cpu(meeting.taken)}: a pod of {cpu(rest)} fits beside it"
    return case(meeting, "fits", title, meeting.whole, total, [*acts, settled(then)])


def too_much(meeting: Meeting) -> Json:
    rest = NODE - meeting.taken
    if meeting.has(QUOTA):
        limit = meeting.counted + rest - 1
        acts = [*before(meeting), {"when": next_pod(rest), "then": [{"rejected": {"reason": "Forbidden"}}]}]
        title = f"With {words(meeting)} a quota of {cpu(limit)} leaves no room for a pod of {cpu(rest)}"
        return case(meeting, "over-quota", title, meeting.whole, limit, acts)
    acts = [*before(meeting), {"when": next_pod(rest + 1), "then": [{"stored": True}]}]
    title = f"With {words(meeting)} a pod takes {cpu(meeting.taken)}: a pod of {cpu(rest + 1)} waits"
    return case(
        meeting,
        "too-much",
        title,
        meeting.whole,
        0,
        [*acts, settled([{"pending": "next"}, *never_recorded(meeting)])],
    )


def over_budget(meeting: Meeting) -> Json:
    """One thousandth too little for the containers with the claims; the overhead is no part of the budget."""
    whole = meeting.containers + meeting.claims - 1
    then = [{"pending": "p"}, {"records": {"pod": "p"}}, {"runs": {"pod": "next"}}]
    title = f"With {words(meeting)} a pod waits that requests {cpu(whole)} as a whole, 1m too little"
    limit = whole + OVERHEAD_OF_POD + NODE
    acts = [{"when": next_pod(NODE), "then": [{"stored": True}]}, settled(then)]
    return case(meeting, "over-budget", title, whole, limit, acts)


def settled(then: list[Json]) -> Json:
    return {"when": {"settle": True}, "then": then}


def case(meeting: Meeting, kind: str, title: str, whole: int, limit: int, acts: list[Json]) -> Json:
    budget = "KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable"
    cited = [FEATURES[one] for one in meeting.features if one != MAPPINGS]
    if meeting.has(GATES) and not meeting.gate_off_before:
        cited.append("KEP-5517/pod-footprint/gate-off-ignores-status")
    if meeting.gate_off_before:
        cited[cited.index(FEATURES[GATES])] = "KEP-5517/rollback/reenable-is-not-retroactive"
        if meeting.has(RESIZE):
            cited[cited.index(FEATURES[RESIZE])] = "KEP-5517/resize/allowed-without-claim-status"
    return {
        "case": f"{'-and-'.join(meeting.features)}-{kind}",
        "title": title,
        "requirements": [*cited, *([budget] if kind == "over-budget" else [])],
        **profiles(meeting),
        "given": list(given(meeting, whole, limit)),
        "acts": acts,
    }


def profiles(meeting: Meeting) -> Json:
    """Cases of one feature show what releases do: no pod has such a special claim there, 1.36 resizes no pod
    whose containers use claims, later ones resize all.
    """
    if meeting.has(EXTENDED) or (meeting.has(RESIZE) and meeting.gate_off_before):
        return {"profiles": ["kep"]}
    return {"profiles": ["kep", "in 1.36"]} if meeting.has(RESIZE) else {}


def words(meeting: Meeting) -> str:
    one, two, three = (feature.replace("-", " ") for feature in meeting.features)
    return f"{one}, {two} and {three}"


def cpu(amount: int) -> str:
    return str(amount // 1_000) if amount % 1_000 == 0 else f"{amount}m"


def main() -> None:
    print(HEAD)
    for three in combinations((MAPPINGS, *FEATURES), 3):
        meeting = Meeting(three)
        made = [fits(meeting), too_much(meeting)]
        if meeting.has(WHOLE) and not meeting.has(GATES, RESIZE):
            made.append(over_budget(meeting))
        for one in made:
            print(f"  - {json.dumps(one)}")


if __name__ == "__main__":
    main()
