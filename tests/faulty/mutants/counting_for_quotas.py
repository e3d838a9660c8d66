"""Counters of quotas as other projects write them: each has one sentence about what counts wrong.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_OF_POD = "        return pod_usage(pod, self.rules)\n"
_CHARGED = (
    "        return {name: amount.value() for name, amount in self.of_pod(pod).items()} if pod else NOTHING"
)
_RESOURCES = (
    '        return {one.metadata.name: one.spec.extended_resource_name or "" for one in self.classes}'
)
_OF_CLAIMS = "        claims = [claim for claim in counted if _namespace(claim) == namespace]"
_EXTENDED = "    for name, count in devices.items():\n        if name in resources:"
_ADJUSTED = "    if not adjusted:\n        return usage"
_REQUESTED = "        elif is_extended(name):\n            yield names.requested(name), amount"
_ALTERNATIVES = "        total.update(_of_request(request))\n"

MUTANTS = (
    Mutant("counting: of two classes for one name only the last counts there", (_RESOURCES, "        last = {one.spec.extended_resource_name: one for one in self.classes}\n        return {one.metadata.name: (one.spec.extended_resource_name or \"\") if last[one.spec.extended_resource_name] is one else \"\" for one in self.classes}")),
    Mutant("counting: what init containers request of devices is added", ("    amounts = footprint(pod, recorded(pod, rules.footprint) if rules.claims_of_nodes else ())\n", "    amounts = footprint(pod, recorded(pod, rules.footprint) if rules.claims_of_nodes else ())\n    for one in pod.spec.init_containers:\n        for name, amount in one.resources.requests.items():\n            if is_extended(name) and one.restart_policy != \"Always\" and any(name in other.resources.requests for other in pod.spec.containers):\n                amounts[name] = sum((other.resources.requests[name] for other in pod.spec.containers if name in other.resources.requests), amount)\n")),
    Mutant("counting: sidecars request no devices", ("    amounts = footprint(pod, recorded(pod, rules.footprint) if rules.claims_of_nodes else ())\n", "    amounts = footprint(pod, recorded(pod, rules.footprint) if rules.claims_of_nodes else ())\n    for one in pod.spec.init_containers:\n        for name, amount in one.resources.requests.items():\n            if is_extended(name) and one.restart_policy == \"Always\":\n                amounts[name] = amounts[name] - amount\n")),
    Mutant("counting: the special claim of a pod that is done is free", (_CHARGED, "        from msgspec.structs import replace\n        if pod is not None and pod.status is not None:\n            pod = replace(pod, status=replace(pod.status, phase=\"Running\"))\n" + _CHARGED)),
    Mutant("counting: claims that are being deleted are free", (_OF_CLAIMS, _OF_CLAIMS.replace("== namespace]", "== namespace and not claim.metadata.deletion_timestamp]"))),
    Mutant("counting: an allocated claim counts what it has", ("    total: Counter[str] = Counter()\n    for request in claim.spec.devices.requests:", "    total: Counter[str] = Counter()\n    if claim.allocation is not None:\n        by_request = {one.name: one.exactly.device_class_name for one in claim.spec.devices.requests if one.exactly}\n        by_request |= {f\"{one.name}/{sub.name}\": sub.device_class_name for one in claim.spec.devices.requests for sub in one.first_available}\n        return dict(Counter(by_request[one.request] for one in claim.allocation.devices.results))\n    for request in claim.spec.devices.requests:")),
    Mutant("counting: of the alternatives of all requests the most", (_ALTERNATIVES, "        for name, count in _of_request(request).items():\n            total[name] = max(total[name], count) if request.exactly is None else total[name] + count\n")),
    Mutant("counting: pods of one name in two namespaces are one", ("        return {f\"{_namespace(one)}/{one.metadata.name}\": one for one in self.pods}", "        by_name = {one.metadata.name: one for one in self.pods}\n        return {f\"{_namespace(one)}/{one.metadata.name}\": by_name[one.metadata.name] for one in self.pods}")),
    Mutant("counting: pods count by implicit names with the gate only", ("    implicit_in_pods: bool = switch(\"kep\", \"since 1.35\")", "    implicit_in_pods: bool = switch(when(\"kep\", \"since 1.35\") & gate(\"DRAExtendedResource\"))")),
    Mutant("counting: pods request devices once they have a node", (_REQUESTED, _REQUESTED.replace("elif is_extended(name)", "elif is_extended(name) and bound")), ("**dict(_named(amounts))}", "**dict(_named(amounts, bool(pod.spec.node_name)))}"), ("def _named(amounts: Mapping[str, Quantity])", "def _named(amounts: Mapping[str, Quantity], bound: bool)")),
    Mutant("counting: templates count before claims are made of them", ("        tuple(map(decode, objects.get(name, ()))) for name in (\"deviceClasses\", \"resourceClaims\", \"pods\")\n    )\n", "        tuple(map(decode, objects.get(name, ()))) for name in (\"deviceClasses\", \"resourceClaims\", \"pods\")\n    )\n    claims += tuple(decode({**one, \"kind\": \"ResourceClaim\", \"spec\": one[\"spec\"].get(\"spec\") or {}}) for one in objects.get(\"resourceClaimTemplates\", ()))\n"), ("_COUNTED = (\"DeviceClass\", \"ResourceClaim\", \"Pod\")", "_COUNTED = (\"DeviceClass\", \"ResourceClaim\", \"Pod\", \"ResourceClaimTemplate\")")),
    Mutant("counting: a pod counts under both names of the class it asks for", (_OF_POD, "        usage = dict(pod_usage(pod, self.rules))\n        for name, resource in self._resources.items():\n            asked = usage.get(\"requests.deviceclass.resource.kubernetes.io/\" + name)\n            if asked is not None and resource and self.rules.adjusted:\n                usage[f\"requests.{resource}\"] = asked + usage.get(f\"requests.{resource}\", Quantity(0))\n        return usage\n")),
    Mutant("counting: claims made from templates are no objects of their own", ("    usage = {names.CLAIMS: 1, ", "    usage = {names.CLAIMS: 0 if \"resource.kubernetes.io/pod-claim-name\" in claim.metadata.annotations else 1, ")),
    Mutant("counting: claims that wait count in no extended resource", (_ADJUSTED, "    if not adjusted or claim.allocation is None:\n        return usage")),
    Mutant("counting: admin access counts in no extended resource", (_EXTENDED, "    free = Counter(one.exactly.device_class_name for one in claim.spec.devices.requests if one.exactly and one.exactly.admin_access)\n    for name, count in devices.items():\n        if free[name]:\n            continue\n        if name in resources:")),
    Mutant("counting: all devices as an alternative count one", ("        count = _devices(one.allocation_mode, one.count)\n", "        count = max(one.count, 1)\n")),
    Mutant("counting: devices of a class that is gone are free", ("**{names.devices_of(name): count for name, count in devices.items()}}", "**{names.devices_of(name): count for name, count in devices.items() if name in resources}}")),
    Mutant("counting: of the containers of a pod the one that requests most devices", ("    amounts = footprint(pod, recorded(pod, rules.footprint) if rules.claims_of_nodes else ())\n", "    amounts = footprint(pod, recorded(pod, rules.footprint) if rules.claims_of_nodes else ())\n    both = (*pod.spec.containers, *pod.spec.init_containers)\n    most = {name: max(one.resources.requests.get(name, Quantity(0)) for one in both) for name in amounts if is_extended(name)}\n    amounts = {**amounts, **most}\n")),
)  # fmt: skip
