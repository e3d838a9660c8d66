"""Schedulers and kubelets that read one sentence of KEP-5004 otherwise.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_SERVED = "    backed = {mapping.resource_name for mapping in claim_status.request_mappings} if claim_status else set()"
_RECORD = "            record(cycle.pod, cycle.extended, fit.extended.mappings, self._client)\n"
_PRE_FILTERED = "        if not self._valid(snapshot) or tainted_claim([decode(self.claim)], snapshot, profile):\n            raise PhaseFailed(Code.UNSCHEDULABLE,"
_DISCARDED = "            discard(self._leftover.claim, self.cycle.pod, self._rules, self._client)\n"
_ASKED = "        if not provided_by_node(name, node, rules):\n            for"
_EXACTLY = '"allocationMode": "ExactCount", "count": count},\n        }'

MUTANTS = (
    Mutant("extended: kubelets pass over implicit names only", (_SERVED, "    backed = {mapping.resource_name for mapping in claim_status.request_mappings if mapping.resource_name.startswith(\"deviceclass.\")} if claim_status else set()")),
    Mutant("extended: the claim stays where the pod cannot be told of it", (_RECORD, "            extended, cycle.extended = cycle.extended, None\n            record(cycle.pod, extended, fit.extended.mappings, self._client)\n            cycle.extended = extended\n")),
    Mutant("extended: two names of one class are one request", (_ASKED, "        if not provided_by_node(name, node, rules) and classes[name] not in {device_class for device_class, _ in counts.values()}:\n            for")),
    Mutant("extended: the status has names of classes without their domain", ('"resourceName": resource, "requestName"', '"resourceName": resource.removeprefix("deviceclass.resource.kubernetes.io/"), "requestName"')),
    Mutant("extended: beside claims of its own nothing else is prepared", ("        return [*keys, *([extended] if extended else [])]", "        return keys or [*([extended] if extended else [])]")),
    Mutant("extended: what a pod tolerates of nodes it tolerates of devices", (_EXACTLY, "\"allocationMode\": \"ExactCount\", \"count\": count, **({\"tolerations\": [dict(one) for one in pod.spec.tolerations]} if pod.spec.tolerations else {})}}")),
    Mutant("extended: a claim of another node cannot be helped", ("            raise PhaseFailed(Code.UNSCHEDULABLE, \"resourceclaim not available on the node\")", "            raise PhaseFailed(Code.UNRESOLVABLE, \"resourceclaim not available on the node\")")),
    Mutant("extended: a claim that is not valid cannot be helped", (_PRE_FILTERED, _PRE_FILTERED.replace("UNSCHEDULABLE", "UNRESOLVABLE"))),
    Mutant("extended: a clean-up that fails is as one that is done", (_DISCARDED, "            with suppress(WriteFailed):\n                discard(self._leftover.claim, self.cycle.pod, self._rules, self._client)\n")),
    Mutant("extended: a clean-up ends at what fails", ("    cleanup_goes_on: bool = switch(\"kep\")", "    cleanup_goes_on: bool = switch(\"until 1.33\")")),
    Mutant("extended: what is left for init containers is not looked for", ("    containers = (*pod.spec.init_containers, *pod.spec.containers)\n    return any(\n        _count", "    containers = pod.spec.containers\n    return any(_count")),
    Mutant("extended: beside claims of its own a pod gets an empty claim", ("    empty_claims_created: bool = switch(\"since 1.35\")", "    empty_claims_created: bool = switch(\"kep\", \"since 1.35\")")),
    Mutant("extended: one device plugin serves the name on every node", ("            if name not in backed or provided_by_node(name, node, rules)\n", "            if name not in backed or any(provided_by_node(name, one, rules) for one in self.cycle.snapshot.nodes)\n")),
    Mutant("extended: a device plugin without devices is one", ("    offered = node.status.allocatable if node.status else {}\n    return resource in offered and (", "    offered = node.status.allocatable if node.status else {}\n    had = node.status.capacity if node.status else {}\n    return resource in offered and (bool(had.get(resource)) or ")),
)  # fmt: skip
