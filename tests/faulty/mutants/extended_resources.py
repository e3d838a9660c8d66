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
        "controlplane/simulation/scheduling/cycle_factory.py",
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
    _mutant("names: the oldest class serves", ("    for device_class in sorted(by_name, key=_created):", "    for device_class in sorted(by_name, key=_created, reverse=True):")),
    _mutant("names: the last by name serves", ("    by_name = sorted(classes, key=_name, reverse=True)", "    by_name = sorted(classes, key=_name)")),
    _mutant("names: by name before age", ("    for device_class in sorted(by_name, key=_created):", "    for device_class in by_name:")),
    _mutant("names: only the explicit one", ("            backing[CLASS_PREFIX + _name(device_class)] = _name(device_class)", "            pass")),
    _mutant("names: implicit where there is no other", ("        if implicit:\n            backing", "        if implicit and not _explicit(device_class):\n            backing")),
    _mutant("names: only implicit ones", ("        if _explicit(device_class):\n            backing[_explicit(device_class)] = _name(device_class)", "        if False:\n            pass")),
    _mutant("names: a release forgets nothing", ("            self._backing.pop(name, None)", "            pass")),
    _mutant("names: a release never remembers", ("    names_remembered: bool = switch(\"since 1.35\")", "    names_remembered: bool = switch(\"until 1.33\")")),
    _mutant("names: a restart forgets nothing", ("            self._known, self._backing, self._started = {}, {}, started", "            self._started = started")),
)  # fmt: skip

_BACKING = (
    _mutant("nodes: DRA tops up what the node has", ("    return resource in offered and (bool(offered[resource]) or not rules.zero_is_nothing)", "    return False")),
    _mutant("nodes: none is as good as some", ("(bool(offered[resource]) or not rules.zero_is_nothing)", "True")),
    _mutant("nodes: zero is something by the document", ('    zero_is_nothing: bool = switch("kep", "since 1.35")', '    zero_is_nothing: bool = switch("since 1.35")')),
    _mutant("nodes: the claim requests what the node has too", ("        if not provided_by_node(name, node, rules):\n", "        if True:\n")),
    _mutant("nodes: unknown resources fit", ("        insufficient = next(filter(is_extended, missing), \"\") or next(", "        insufficient = next(")),
    _mutant("nodes: what classes serve must be on the node", ("            if name not in backed or provided_by_node(name, node, rules)\n", "")),
    _mutant("nodes: the gate does not matter", ('        if profile.enabled("DRAExtendedResource"):\n            classes', "        if True:\n            classes")),
)  # fmt: skip

_REQUESTS = (
    _mutant("requests: one device too many", ("\"count\": count},\n        }", "\"count\": count + 1}}")),
    _mutant("requests: one device for each", ("\"count\": count},\n        }", '"count": 1}}')),
    _mutant("requests: all devices", ("\"allocationMode\": \"ExactCount\", \"count\": count},\n        }", '"allocationMode": "All"}}')),
    _mutant("requests: init containers are forgotten", ("    containers = [\n        (container, exclusive or container.restart_policy == \"Always\")\n        for container in pod.spec.init_containers\n    ]\n", "    containers: list[tuple[Container, bool]] = []\n")),
    _mutant("requests: sidecars end like init containers", ("exclusive or container.restart_policy == \"Always\"", "exclusive")),
    _mutant("requests: init containers reuse by the document", ('    init_containers_reuse: bool = switch("since 1.35")', '    init_containers_reuse: bool = switch("kep", "since 1.35")')),
    _mutant("requests: init containers never reuse", ('    init_containers_reuse: bool = switch("since 1.35")', '    init_containers_reuse: bool = switch("until 1.33")')),
    _mutant("requests: what is missing is the least", ("        largest = max(missing, key=", "        largest = min(missing, key=")),
    _mutant("requests: all containers have one name", ('f"container-{index}-request-', 'f"container-0-request-')),
    _mutant("requests: all resources have one name", ("-request-{names.index(resource)}\"", "-request-0\"")),
    _mutant("requests: the first resource only", ("    for name in sorted(names & set(classes)):", "    for name in sorted(names & set(classes))[:1]:")),
    _mutant("requests: mappings name the first container", ('    return {"containerName": container.name, ', '    return {"containerName": "main", ')),
    _mutant("requests: zero is a request", ("        if exclusive and _count(container, resource):", "        if exclusive and resource in container.resources.requests:")),
)  # fmt: skip

_CLAIMS = (
    _mutant("claims: nobody owns it", ('        "ownerReferences": owned_by(pod),\n', "")),
    _mutant("claims: no annotation", ('        "annotations": annotations,\n', '        "annotations": {},\n')),
    _mutant("claims: true by the document", ('    claims_name_pod: bool = switch("kep")', '    claims_name_pod: bool = switch("until 1.33")')),
    _mutant("claims: in the default namespace", ('        "namespace": pod["metadata"]["namespace"],\n        "annotations"', '        "namespace": "default",\n        "annotations"')),
    _mutant("claims: the status does not name it", ("            record(cycle.pod, cycle.extended, fit.extended.mappings, self._client)", "            pass")),
    _mutant("claims: the status names another", ('"resourceClaimName": claim["metadata"]["name"]}', '"resourceClaimName": pod["metadata"]["name"]}')),
    _mutant("claims: a long name is not shortened", ('    names_shortened: bool = switch("kep")', '    names_shortened: bool = switch("until 1.33")')),
    _mutant("claims: not reserved", ("            self._reserve(cycle.extended, fit.allocations.get(_named(fit.extended.claim)))", "            pass")),
    _mutant("claims: claims of the pod are forgotten", ("        unallocated = [claim for claim in self.cycle.claims if allocation_of(claim) is None]\n", "        unallocated = [claim for claim in self.cycle.claims if allocation_of(claim) is None and not extended]\n")),
)  # fmt: skip

_CLEANING = (
    _mutant("cleaning: what is left is not looked for", ("            self._leftover = LeftoverClaim.of(\n                cycle.snapshot.extended_resource_claims_of(cycle.pod), self._rules\n            )", "            self._leftover = LeftoverClaim.of((), self._rules)")),
    _mutant("cleaning: what is left is never deleted", ("        if self._leftover.claim is not None:\n            discard", "        if False:\n            discard")),
    _mutant("cleaning: what is left is never used by the document", ('    claims_reused: bool = switch("kep")', '    claims_reused: bool = switch("until 1.33")')),
    _mutant("cleaning: releases use what is left", ('    claims_reused: bool = switch("kep")', '    claims_reused: bool = switch("kep", "since 1.34")')),
    _mutant("cleaning: other requests are as good", ("        if planned is None or _requests(planned.claim) != _requests(self.claim):", "        if planned is None:")),
    _mutant("cleaning: any node is as good", ("        if not usable(decode(self.claim), node):", "        if False:")),
    _mutant("cleaning: unpublished devices are as good", ("        return _devices(self.claim) <= published - allocated", "        return True")),
    _mutant("cleaning: what is not allocated is as good", ("        if allocation_of(self.claim) is None or not guarded or", "        if not guarded or")),
    _mutant("cleaning: the pod goes on naming it", ("        client.update(with_status(current, extendedResourceClaimStatus=None), \"status\")", "        pass")),
    _mutant("cleaning: any claim of that kind", ("cycle.snapshot.extended_resource_claims_of(cycle.pod)", '(one for one in cycle.snapshot.claims.values() if "extended-resources" in one["metadata"]["name"])')),
    _mutant("cleaning: no finalizer is removed", ("        lambda: with_retries(lambda: _release(claim, client)),\n", "")),
)  # fmt: skip

_KUBELET = (
    _mutant("kubelet: special claims are not prepared", ("        return [*keys, *([extended] if extended else [])]", "        return keys")),
    _mutant("kubelet: without the gate, too", ('extended_resource_claim_key(pod) if self._client.profile.enabled("DRAExtendedResource") else None', "extended_resource_claim_key(pod)")),
    _mutant("kubelet: the node must have what the claim serves", ("    backed = {mapping.resource_name for mapping in claim_status.request_mappings} if claim_status else set()", "    backed: set[str] = set()")),
    _mutant("kubelet: extended resources are not looked at", ("for name, quantity in demand.items() if name not in backed}", "for name, quantity in demand.items() if \"/\" not in name}")),
)  # fmt: skip

MUTANTS = (*_NAMES, *_BACKING, *_REQUESTS, *_CLAIMS, *_CLEANING, *_KUBELET)

if __name__ == "__main__":
    sys.exit(main((EXTENDED_RESOURCES, MUTANTS)))
