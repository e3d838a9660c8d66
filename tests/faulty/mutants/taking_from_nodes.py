"""Footprints as other projects count them: each gets one sentence about what claims take of nodes wrong.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_DEVICES = "        for result in allocation.devices.results:\n            device = devices.get(result)\n            if device is not None:\n                total += device_usage(device, result, rules)\n"
_RECORDED = (
    "    return [_recorded(status, rules) for status in pod.status.node_allocatable_resource_claim_statuses]"
)
_ALLOCATED = (
    "        for key, allocation in self.cycle.fits[node].allocations.items():\n            allocations[key"
)
_NOTE = "        self.cycle.recorded[node] = [encode(claim.status(self._rules)) for claim in claims]"
_OTHERS = '        and not (other.status and other.status.phase in ("Succeeded", "Failed"))'
_POLICY = "    own = device.node_allocatable_resource_mappings[resource].accounting_policy\n"

COUNTING = (
    Mutant("taking: what a pod is limited to as a whole is its budget", ("    usage = footprint(pod, claims, FootprintOptions(without_overhead=True, without_pod_level=True))\n    budget = pod_level_requests(pod)", "    usage = footprint(pod, claims, FootprintOptions(without_overhead=True, without_pod_level=True))\n    budget = pod_level_only(pod.spec.resources.limits if pod.spec.resources else {}) or pod_level_requests(pod)")),
    Mutant("taking: a request takes once, however many devices it gets", (_DEVICES, "        seen: set[str] = set()\n" + _DEVICES.replace("if device is not None:", "if device is not None and result.request not in seen:\n                seen.add(result.request)"))),
    Mutant("taking: overhead of containers counts for one container at least", ("        times = Quantity.whole(len(self.containers))\n        each", "        times = Quantity.whole(max(1, len(self.containers)))\n        each")),
    Mutant("taking: recorded claims that the spec does not name take nothing", (_RECORDED, "    named = {name for _, name in claims_of(pod)}\n    return [_recorded(status, rules) for status in pod.status.node_allocatable_resource_claim_statuses if status.resource_claim_name in named]")),
    Mutant("taking: the special claim takes nothing of the node", (_ALLOCATED, "        for key, allocation in self.cycle.fits[node].allocations.items():\n            if key.endswith(\"<extended-resources>\"):\n                continue\n            allocations[key")),
    Mutant("taking: the status calls a claim as the entry of the pod does", (_NOTE, "        entries = {key[2]: entry[\"name\"] for entry, key in claim_keys(self.cycle.pod) if key}\n        written = [encode(claim.status(self._rules)) for claim in claims]\n        self.cycle.recorded[node] = [{**claim, \"resourceClaimName\": entries.get(claim[\"resourceClaimName\"], claim[\"resourceClaimName\"])} for claim in written]")),
    Mutant("taking: pods that are done share claims", (_OTHERS, "")),
    Mutant("taking: pods that wait share claims", ("        and other.spec.node_name\n", "")),
    Mutant("taking: without overhead means nothing where the pod has a budget", ("    return total if options.without_overhead else added(total, pod.spec.overhead)\n\n\ndef limits", "    return total if options.without_overhead and not pod_level_requests(pod) else added(total, pod.spec.overhead)\n\n\ndef limits")),
    Mutant("taking: a deleted pod goes on using its claims", ("                for claim in _claims_of(removed.raw):\n                    del self._users[claim][key]\n", "")),
    Mutant("taking: devices are read once", ("        if self._changes.of(\"ResourceSlice\"):\n", "        if self._changes.of(\"ResourceSlice\") and not self._published._slices:\n")),
)  # fmt: skip

POLICIES = (
    Mutant("policies: init containers take what they request", ("_effective(container, claims))\n                for container in pod.spec.init_containers\n            )", "dict(container.resources.requests)) for container in pod.spec.init_containers)")),
    Mutant("policies: init containers draw from no pool", ("    for container in _containers(pod):\n        used = _used(container, claims)\n        for name, quantity", "    for container in pod.spec.containers:\n        used = _used(container, claims)\n        for name, quantity")),
    Mutant("policies: a pool serves all that a container requests", ("        if name not in pools\n", "        if not pools\n")),
    Mutant("policies: the largest claim is the larger one", ("    largest = added(*(claim.by((_MAX,)) for claim in used))", "    largest = {}\n    for claim in used:\n        largest = {name: max(largest.get(name, ZERO), claim.by((_MAX,)).get(name, ZERO)) for name in {**largest, **claim.by((_MAX,))}}")),
    Mutant("policies: a device with one policy asks its class for none", (_POLICY, _POLICY + "    if own is None and any(one.accounting_policy for one in device.node_allocatable_resource_mappings.values()):\n        return None\n")),
    Mutant("policies: the class of the first alternative says how", ("classes.get(requested.get(result.request, \"\"))", "classes.get(next((name for asked, name in requested.items() if asked.partition(\"/\")[0] == result.request.partition(\"/\")[0]), \"\"))")),
    Mutant("policies: one class that manages nothing is enough to check requests", ("        return any(device_class.spec.manages_node_allocatable_resources for device_class in known)", "        return bool(names) and all(device_class.spec.manages_node_allocatable_resources for device_class in known)")),
    Mutant("policies: the larger of nothing and a claim is nothing", ("    return total if claim.containers else added(total, claim.by((_MAX,)))", "    return total")),
)  # fmt: skip

MUTANTS = (*COUNTING, *POLICIES)
