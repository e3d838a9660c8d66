"""Break how the simulated cluster serves extended resources (KEP-5004), one rule at a time, and see the suite notice:
`python -m tests.faulty.mutants.extended_resources`.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.subjects import Subject

EXTENDED_RESOURCES = Subject(
    ("cluster",),
    (
        "controlplane/simulation/extended_resources/*.py",
        "controlplane/simulation/scheduling/dynamic_resources.py",
        "controlplane/simulation/scheduling/attempt_start.py",
        "controlplane/simulation/scheduling/node_plugins.py",
        "controlplane/simulation/kubelet.py",
        "controlplane/simulation/kubelet_admission.py",
    ),
    ("controlplane",),
    ("kep", "kubernetes-1.36"),
)

_NEAR = ("kep-5004",)


def _mutant(name: str, *changes: tuple[str, str]) -> Mutant:
    return Mutant(name, *changes, near=_NEAR)


_NAMES = (
    _mutant("names: the oldest class serves", ("    for one in sorted(by_name, key=_created):", "    for one in sorted(by_name, key=_created, reverse=True):")),
    _mutant("names: the last by name serves", ("    by_name = sorted(classes, key=_name, reverse=True)", "    by_name = sorted(classes, key=_name)")),
    _mutant("names: by name before age", ("    for one in sorted(by_name, key=_created):", "    for one in by_name:")),
    _mutant("names: only the explicit one", ("            found[CLASS_PREFIX + _name(one)] = _name(one)", "            pass")),
    _mutant("names: implicit where there is no other", ("        if implicit:\n            found", "        if implicit and not _explicit(one):\n            found")),
    _mutant("names: only implicit ones", ("        if _explicit(one):\n            found[_explicit(one)] = _name(one)", "        if False:\n            pass")),
    _mutant("names: a release forgets nothing", ("            self._serving.pop(name, None)", "            pass")),
    _mutant("names: a release never remembers", ("    names_remembered: bool = switch(\"since 1.35\")", "    names_remembered: bool = switch(\"until 1.33\")")),
    _mutant("names: a restart forgets nothing", ("            self._known, self._serving, self._started = {}, {}, started", "            self._started = started")),
)  # fmt: skip

_BACKING = (
    _mutant("nodes: DRA tops up what the node has", ("    return resource in offered and (bool(offered[resource]) or not rules.zero_is_nothing)", "    return False")),
    _mutant("nodes: none is as good as some", ("(bool(offered[resource]) or not rules.zero_is_nothing)", "True")),
    _mutant("nodes: zero is something by the document", ('    zero_is_nothing: bool = switch("kep", "since 1.35")', '    zero_is_nothing: bool = switch("since 1.35")')),
    _mutant("nodes: the claim requests what the node has too", ("        if not of_node(name, node, rules):\n", "        if True:\n")),
    _mutant("nodes: unknown resources fit", ('        short = next(filter(is_extended, missing), "") or next(', '        short = next(')),
    _mutant("nodes: what classes serve must be on the node", ("            if name not in served or of_node(name, node, rules)\n", "")),
    _mutant("nodes: the gate does not matter", ('        if profile.enabled("DRAExtendedResource"):\n            classes', "        if True:\n            classes")),
)  # fmt: skip

_REQUESTS = (
    _mutant("requests: one device too many", ('"count": n}}', '"count": n + 1}}')),
    _mutant("requests: one device for each", ('"count": n}}', '"count": 1}}')),
    _mutant("requests: all devices", ('"allocationMode": "ExactCount", "count": n}}', '"allocationMode": "All"}}')),
    _mutant("requests: init containers are forgotten", ("    both = [(one, own or one.restart_policy == \"Always\") for one in pod.spec.init_containers]\n", "    both: list[tuple[Container, bool]] = []\n")),
    _mutant("requests: sidecars end like init containers", ('own or one.restart_policy == "Always"', "own")),
    _mutant("requests: init containers reuse by the document", ('    init_containers_reuse: bool = switch("since 1.35")', '    init_containers_reuse: bool = switch("kep", "since 1.35")')),
    _mutant("requests: init containers never reuse", ('    init_containers_reuse: bool = switch("since 1.35")', '    init_containers_reuse: bool = switch("until 1.33")')),
    _mutant("requests: what is missing is the least", ("        most = max(missing, key=", "        most = min(missing, key=")),
    _mutant("requests: all containers have one name", ('f"container-{index}-request-', 'f"container-0-request-')),
    _mutant("requests: all resources have one name", ("-request-{names.index(resource)}\"", "-request-0\"")),
    _mutant("requests: the first resource only", ("    for name in sorted(names & set(classes)):", "    for name in sorted(names & set(classes))[:1]:")),
    _mutant("requests: mappings name the first container", ('    return {"containerName": container.name, ', '    return {"containerName": "main", ')),
    _mutant("requests: zero is a request", ("        if lasting and _count(one, resource):", "        if lasting and resource in one.resources.requests:")),
)  # fmt: skip

_CLAIMS = (
    _mutant("claims: nobody owns it", ('        "ownerReferences": owned_by(pod),\n', "")),
    _mutant("claims: no annotation", ('        "annotations": annotations,\n', '        "annotations": {},\n')),
    _mutant("claims: true by the document", ('    claims_name_pod: bool = switch("kep")', '    claims_name_pod: bool = switch("until 1.33")')),
    _mutant("claims: in the default namespace", ('        "namespace": pod["metadata"]["namespace"],\n        "annotations"', '        "namespace": "default",\n        "annotations"')),
    _mutant("claims: the status does not name it", ("            record(cycle.pod, cycle.made, fit.special.mappings, self._client)", "            pass")),
    _mutant("claims: the status names another", ('"resourceClaimName": claim["metadata"]["name"]}', '"resourceClaimName": pod["metadata"]["name"]}')),
    _mutant("claims: a long name is not shortened", ('    names_shortened: bool = switch("kep")', '    names_shortened: bool = switch("until 1.33")')),
    _mutant("claims: not reserved", ("            self._reserve(cycle.made, fit.allocations.get(_named(fit.special.claim)))", "            pass")),
    _mutant("claims: claims of the pod are forgotten", ("        asked = [claim for claim in self.cycle.claims if allocation_of(claim) is None]\n", "        asked = [claim for claim in self.cycle.claims if allocation_of(claim) is None and not special]\n")),
)  # fmt: skip

_CLEANING = (
    _mutant("cleaning: what is left is not looked for", ("            self._left = LeftOver.of(cycle.snapshot.special_claims_of(cycle.pod), self._rules)", "            self._left = LeftOver.of((), self._rules)")),
    _mutant("cleaning: what is left is never deleted", ("        if self._left.claim is not None:\n            discard", "        if False:\n            discard")),
    _mutant("cleaning: what is left is never used by the document", ('    claims_reused: bool = switch("kep")', '    claims_reused: bool = switch("until 1.33")')),
    _mutant("cleaning: releases use what is left", ('    claims_reused: bool = switch("kep")', '    claims_reused: bool = switch("kep", "since 1.34")')),
    _mutant("cleaning: other requests are as good", ("        if special is None or _requests(special.claim) != _requests(self.claim):", "        if special is None:")),
    _mutant("cleaning: any node is as good", ("        if not usable(decode(self.claim), node):", "        if False:")),
    _mutant("cleaning: unpublished devices are as good", ("        return _devices(self.claim) <= published - held", "        return True")),
    _mutant("cleaning: what is not allocated is as good", ("        if allocation_of(self.claim) is None or not kept or", "        if not kept or")),
    _mutant("cleaning: the pod goes on naming it", ("        client.update(with_status(current, extendedResourceClaimStatus=None), \"status\")", "        pass")),
    _mutant("cleaning: any claim of that kind", ("cycle.snapshot.special_claims_of(cycle.pod)", '(one for one in cycle.snapshot.claims.values() if "extended-resources" in one["metadata"]["name"])')),
    _mutant("cleaning: no finalizer is removed", ("        lambda: tried_again(lambda: _release(claim, client)),\n", "")),
)  # fmt: skip

_KUBELET = (
    _mutant("kubelet: special claims are not prepared", ("        return [*keys, *([special] if special else [])]", "        return keys")),
    _mutant("kubelet: without the gate, too", ('special_key(pod) if self._client.profile.enabled("DRAExtendedResource") else None', "special_key(pod)")),
    _mutant("kubelet: the node must have what the claim serves", ("    served = {one.resource_name for one in special.request_mappings} if special else set()", "    served: set[str] = set()")),
    _mutant("kubelet: extended resources are not looked at", ("for name, amount in demand.items() if name not in served}", 'for name, amount in demand.items() if "/" not in name}')),
)  # fmt: skip

MUTANTS = (*_NAMES, *_BACKING, *_REQUESTS, *_CLAIMS, *_CLEANING, *_KUBELET)

if __name__ == "__main__":
    sys.exit(main((EXTENDED_RESOURCES, MUTANTS)))
