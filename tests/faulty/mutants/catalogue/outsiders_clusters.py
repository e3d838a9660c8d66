"""Mutants of controllers, the scheduler, quotas, node usage and the allocator: each gets one rule of the documents wrong."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

C = "outsiders-clusters"
U = "outsiders-quotas"
F = "outsiders-node-usage"
L = "outsiders-devices"
MUTANTS: Table = {
    "controlplane.template_claims": {
        "claim_of": ((C, "generated: labels of templates are forgotten", "template_metadata.get('labels') or {}", "{}"),),
    },
    "controlplane.simulation.controllers.claim_generation": {
        "_claim_for": ((C, "generated: one claim of the pod will do for two entries", "owned_claims.names.get((metadata['uid'], entry['name']))", "next((name for (uid, of), name in owned_claims.names.items() if uid == metadata['uid'] and of), None)"),),
    },
    "controlplane.simulation.controllers.device_taint_eviction": {
        "DeviceTaintEviction._tainted": ((C, "eviction: taints without effect evict", "('NoExecute',)", "('NoExecute', 'None')"),),
        "DeviceTaintEviction._due_pods": (
            (C, "eviction: pods go when all their claims are tainted", "used = _used_claims(pod, claims, profile)", "used = list(_used_claims(pod, claims, profile))"),
            (C, "& eviction: pods go when all their claims are tainted", "if _0 := keys: ...", "len(keys) == len(set(used)) and keys"),
            (C, "eviction: pods that have ended are deleted", "finished(pod)", ""),
            (C, "eviction: a pod of the name of a user goes", "reserved_for(claims[key], pod)", "any(one['name'] == pod['metadata']['name'] for one in (claims[key].get('status') or {}).get('reservedFor') or ())")),
        "_due": ((C, "eviction: a claim counts when all its devices are tainted", "return min(times, default=None)", "return min(times, default=None) if all(any(True for taint in taints.of((result.driver, result.pool, result.device)) for _ in _times(result, taint, profile)) for result in results) else None"),),
        "_times": (
            (C, "eviction: less than no seconds tolerate for good", "toleration.toleration_seconds is not None", "toleration.toleration_seconds is not None and toleration.toleration_seconds >= 0"),
            (C, "eviction: seconds of tolerations add up", "min(seconds, default=0)", "sum(seconds)")),
    },
    "controlplane.simulation.tainted_devices": {
        "evicting_rules": ((C, "& eviction: taints without effect evict", "rule.spec.taint.effect == 'NoExecute'", "rule.spec.taint.effect != 'NoSchedule'"),),
        "tainted_devices": ((C, "eviction: slices of old generations count", "_newest([decode(raw) for raw in objects['resourceSlices']])", "[decode(raw) for raw in objects['resourceSlices']]"),),
    },
    "controlplane.simulation.claim_metrics": {
        "_source": (
            (C, "metrics: claims for extended resources are known by true", "annotations.get(EXTENDED_RESOURCE_CLAIM)", "annotations.get(EXTENDED_RESOURCE_CLAIM) == 'true'"),
            (C, "metrics: a claim with an owner is of a template", "annotations.get(_POD_CLAIM_NAME)", "owner_of(claim)")),
        "ClaimMetrics.record_create": ((C, "metrics: creates that fail succeed", "'success' if succeeded else 'failure'", "'success'"),),
        "ClaimMetrics._series_of_claims": ((C, "metrics: claims that are being deleted do not count", "self._store.of_kind('ResourceClaim')", "[one for one in self._store.of_kind('ResourceClaim') if 'deletionTimestamp' not in one['metadata']]"),),
    },
    "controlplane.simulation.in_flight": {
        "InFlight.begin": (
            (C, "in flight: a device with admin access is taken", "with_status(claim, allocation=allocation)", "with_status(claim, allocation={**allocation, 'devices': {**allocation['devices'], 'results': [{name: value for name, value in one.items() if name != 'adminAccess'} for one in allocation['devices'].get('results') or ()]}})"),
            (C, "in flight: groups of devices are unknown", "with_status(claim, allocation=allocation)", "with_status(claim, allocation={**allocation, 'devices': {**allocation['devices'], 'results': [{name: value for name, value in one.items() if name != 'compatibilityGroups'} for one in allocation['devices'].get('results') or ()]}})"),
            (C, "in flight: a share takes the whole device", "with_status(claim, allocation=allocation)", "with_status(claim, allocation={**allocation, 'devices': {**allocation['devices'], 'results': [{name: value for name, value in one.items() if name not in ('shareID', 'consumedCapacity')} for one in allocation['devices'].get('results') or ()]}})")),
    },
    "controlplane.simulation.reserving": {
        "unreserve": ((C, "writing: a failed attempt takes the allocation back", "with_status(claim, reservedFor=others or None)", "with_status(claim, reservedFor=others or None, **({} if others else {'allocation': None}))"),),
    },
    "controlplane.simulation.pods": {
        "claim_keys": ((C, "claims: an entry that needs no claim is waited for", "entry['name'] not in recorded", "True"),),
    },
    "controlplane.simulation.pod_claims": {
        "check_usable": (
            (C, "claims: a claim is for one pod", "len(reservations_of(claim)) >= MOST_RESERVATIONS", "len(reservations_of(claim)) >= 1"),
            (C, "claims: the class of the second request need not exist", "_classes_of(claim)", "list(_classes_of(claim))[:1]"),
            (C, "claims: 257 pods use one claim", "len(reservations_of(claim)) >= MOST_RESERVATIONS", "len(reservations_of(claim)) > MOST_RESERVATIONS")),
    },
    "controlplane.simulation.device_binding": {
        "_true_conditions": ((C, "binding: an unknown condition is true", "condition['status'] == 'True'", "condition['status'] != 'False'"),),
    },
    "controlplane.simulation.scheduling.allocated_claims": {
        "AllocatedClaims._allocations": ((C, "binding: devices of earlier attempts are ready", "[*stored, *self.cycle.fits[self.cycle.node].allocations.values()]", "[*self.cycle.fits[self.cycle.node].allocations.values()]"),),
    },
    "controlplane.acceptable_nodes": {
        "usable": ((C, "placing: the first term of an allocation's node selector counts", "node_matches(claim.allocation.node_selector, node)", "node_matches(__import__('msgspec').structs.replace(claim.allocation.node_selector, node_selector_terms=claim.allocation.node_selector.node_selector_terms[:1]), node)"),),
    },
    "controlplane.simulation.scheduling.allocated_taints": {
        "tainted_claim": (
            (C, "taints: of the devices of an allocated claim the first counts", "claim.allocation.devices.results if claim.allocation else ()", "claim.allocation.devices.results[:1] if claim.allocation else ()"),
            (C, "taints: of allocated claims the first counts", "[claim for claim in claims if claim.allocation is not None]", "[claim for claim in claims if claim.allocation is not None][:1]"),
            (C, "taints: NoSchedule does not hold for allocated claims", "('NoSchedule', 'NoExecute')", "('NoExecute',)")),
    },
    "controlplane.simulation.scheduling.dynamic_resources": {
        "DynamicResources.reserve": ((C, "in flight: claims that do not exist yet are not", "self._to_allocate()", "[one for one in self._to_allocate() if 'uid' in one['metadata']]"),),
        "DynamicResources.pre_bind": ((C, "special: the pod names a claim before it is allocated", "self._reserve(cycle.extended, fit.allocations.get(_named(fit.extended.claim)))", "record(cycle.pod, cycle.extended, fit.extended.mappings, self._client); _0"),),
        "DynamicResources.score": ((C, "scores: lists of the first claim", "self.cycle.claims", "self.cycle.claims[:1]"), (C, "scores: lists of allocated claims do not count", "self.cycle.claims", "[one for one in self.cycle.claims if allocation_of(one) is None]")),
        "_subrequest_indices": ((C, "scores: the first list of a claim", "requests_of(claim)", "[one for one in requests_of(claim) if one.get('firstAvailable')][:1]"),),
    },
    "controlplane.simulation.scheduling.node_allocatable": {
        "NodeAllocatable._check_fit": ((C, "fitting: huge pages are not compared", "'/' not in name", "'/' not in name and not name.startswith('hugepages-')"),),
        "_with_generated_name": ((C, "fitting: usage names no special claim", "[{**entry, 'resourceClaimName': name} if entry['resourceClaimName'] == unnamed else entry for entry in records]", "[entry for entry in records if entry['resourceClaimName'] != unnamed]"),),
    },
    "controlplane.simulation.scheduling.failed_nodes": {
        "FailedNodeCache.update": ((C, "attempts: a node that fails is not tried again when it changes", "failed.discard(name)", "pass"),),
        "shape_of": ((C, "attempts: a node that fails for a pod fails for its tolerations", "[spec, names, [claim['spec'] for claim in cycle.claims]]", "[{name: value for name, value in spec.items() if name != 'tolerations'}, names, [claim['spec'] for claim in cycle.claims]]"),),
    },
    "controlplane.attempts.queueing_hints": {
        "QueueingHints.help": (
            (C, "hints: a slice that changes helps nobody", "change.kind", "'' if change.kind == 'ResourceSlice' and change.before is not None else _0"),
            (C, "hints: a class that changes helps nobody", "change.kind", "'' if change.kind == 'DeviceClass' and change.before is not None else _0")),
    },
    "controlplane.simulation.extended_resources.claim_requests": {
        "_requests": (
            (C, "special: a third container has no request", "exclusive and _count(container, resource)", "exclusive and index < 2 and _count(container, resource)"),),
        "_count": ((C, "special: an amount with a suffix is one device", "quantity.value() if quantity is not None else 0", "(int(str(quantity)) if str(quantity).isdigit() else 1) if quantity is not None else 0"),),
    },
    "quota.claim_usage": {
        "counted_devices": ((U, "counting: a request has at most 32 devices", "(count or 1 if not mode else count) if mode in ('', 'ExactCount') else 0", "min(_0, ALL_DEVICES)"),),
        "devices_by_class": (
            (U, "counting: a claim has at most 32 devices of a class", "dict(total)", "{name: min(count, ALL_DEVICES) for name, count in total.items()}"),
            (U, "counting: devices of a claim wrap at 64 bits", "dict(total)", "{name: (count + 2**63) % 2**64 - 2**63 for name, count in total.items()}"),
            (U, "counting: devices of a claim wrap at 32 bits", "dict(total)", "{name: (count + 2**31) % 2**32 - 2**31 for name, count in total.items()}"),
            (U, "counting: devices of a claim have 53 bits", "dict(total)", "{name: int(float(count)) for name, count in total.items()}"),
            (U, "counting: a claim counts in the class with most of its devices", "dict(total)", "dict(total.most_common(1))")),
        "_of_request": ((U, "counting: of alternatives the class with most devices counts", "return maximum", "return dict([max(maximum.items(), key=lambda one: one[1])]) if maximum else maximum"),),
    },
    "quota.usage_counter": {
        "UsageCounter.of_quota": ((U, "counting: claims and pods are not added", "added(*self._of_claims(claims), *(self.of_pod(pod) for pod in pods if _namespace(pod) == namespace))", "(lambda first, second: {name: max(first.get(name, Quantity(0)), second.get(name, Quantity(0))) for name in {**first, **second}})(added(*self._of_claims(claims)), added(*(self.of_pod(pod) for pod in pods if _namespace(pod) == namespace)))"),),
        "UsageCounter._of_claims": ((U, "counting: claims of one spec are one", "map(self.of_claim, claims)", "map(self.of_claim, {repr(one.spec): one for one in claims}.values())"),),
        "owner_pod": ((U, "counting: the special claim is known by the name of its pod only", "annotation in ('true', owner.name)", "claim.metadata.name.startswith(owner.name + '-extended')"),),
    },
    "footprint.amounts": {
        "multiplied": (
            (F, "amounts: products have whole thousandths", "-(-amount.nano * times.nano // NANO)", "-(-amount.nano * times.nano // 10**15) * 10**6"),
            (F, "amounts: products end at 64 bits", "-(-amount.nano * times.nano // NANO)", "min(-(-amount.nano * times.nano // NANO), (2**63 - 1) * NANO)")),
    },
    "footprint.pod_footprint": {
        "POD_LEVEL_RESOURCES": ((F, "amounts: ephemeral storage of the pod as a whole counts", "('cpu', 'memory')", "('cpu', 'memory', 'ephemeral-storage')"),),
        "footprint": (
            (F, "amounts: claims that no container uses come on top of the whole", "total.update(pod_level_requests(pod))", "_0; total = added(total, *(one.total for one in claims if not one.containers))"),
            (F, "amounts: the overhead of a pod comes once for each claim", "added(total, pod.spec.overhead)", "added(total, *([pod.spec.overhead] * max(1, len(list(claims)))))"),
            (F, "amounts: claims replace requests where they are larger", "added(requested(pod), *(claim.total for claim in claims))", "{**requested(pod), **{name: amount if name not in requested(pod) or amount > requested(pod)[name] else amount + requested(pod)[name] for name, amount in added(*(claim.total for claim in claims)).items()}}")),
        "_resized_footprint": ((F, "resizing: claims of a resized pod take nothing", "used = added(*(claim.total for claim in claims))", "used: dict[str, Quantity] = {}"),),
        "container_over_limit": ((F, "limits: the second container may exceed that of the pod", "pod.spec.containers", "pod.spec.containers[:1]"), (F, "limits: what a container's second claim brings is not counted", "[each.of_container for each in usage if container.name in each.containers]", "[each.of_container for each in usage if container.name in each.containers][:1]")),
    },
    "footprint.containers": {
        "_infeasible": ((F, "resizing: a resize that cannot be done counts", "next(reasons, '') == 'Infeasible'", "False"),),
        "_statuses": ((F, "resizing: sidecars are not resized", "(*pod.status.container_statuses, *pod.status.init_container_statuses)", "(*pod.status.container_statuses,)"),),
        "_each_greatest": ((F, "resizing: what is allocated does not count", "if allocated: ...", ""),),
    },
    "footprint.claim_amounts": {
        "ClaimResourceUsage._total_overhead": ((F, "overhead: that of a pod counts for each container", "overhead.per_pod + each", "multiplied(overhead.per_pod, times) + each"),),
        "_using": (
            (F, "recording: init containers do not use claims", "(*pod.spec.init_containers, *pod.spec.containers)", "pod.spec.containers"),
            (F, "recording: a third container does not use a claim", "tuple(dict.fromkeys(using)) if once else tuple(using)", "tuple(dict.fromkeys(using))[:2]")),
    },
    "controlplane.simulation.node_resources": {
        "usage_of_pods": ((F, "fitting: pods of other namespaces take nothing of a node", "pods", "(one for one in pods if one.metadata.namespace == 'default')"),),
    },
    "allocator.claim_plan": {
        "Planner._known": (
            (L, "planning: requests of one name have the tolerations of the first", "exactly.tolerations", ""),
            (L, "planning: requests of one name have the capacity of the first", "None if capacity is None else tuple((name, q.nano, q.format) for name, q in capacity.requests.items())", "capacity is None")),
        "RequestPlan.__post_init__": ((L, "limits: a list counts by its largest alternative", "min(slot.count for slot in self.slots)", "max(slot.count for slot in self.slots)"),),
    },
    "allocator.search": {
        "Search._enter": ((L, "limits: claims of a pod have 32 devices together", "len(self.choices.chosen[position.claim])", "self.choices.count"),),
    },
    "allocator.choice_points": {
        "ExactCountPoint.next": ((L, "cursors: devices that a claim passes over for their taints are passed over by the next", "(id(slot.selectors), id(slot.needs), slot.tolerations)", "(id(slot.selectors), id(slot.needs))"),),
    },
    "allocator.compatibility_groups": {
        "CompatibilityGroups.forget": ((L, "groups: of devices allocated since the first look are unknown", "pool = device[:2]", "return"),),
        "CompatibilityGroups._recorded": ((L, "groups: of a device that is gone do not count", "recorded = {name: frozenset(groups) for name, groups in (result.compatibility_groups or {}).items()}", "_0\nif device is None: return"),),
    },
    "allocator.remaining_counters": {
        "RemainingCounters.forget": ((L, "counters: of devices allocated since the first look are unknown", "if not self._left: ...", "return"),),
    },
    "allocator.device_taints": {
        "tolerates": ((L, "taints: a toleration with seconds does not tolerate NoSchedule", "if toleration.key and toleration.key != taint.key: ...", "_0\nif toleration.toleration_seconds is not None and taint.effect == 'NoSchedule': return False"),),
    },
    "allocator.occupancy": {
        "Occupancy._amounts": ((L, "sharing: consumed capacities are known by their last part", "published_name(name, result.driver, capacities) if bare else name", "next((one for one in capacities if one.split('/')[-1] == name.split('/')[-1]), name)"),),
        "Occupancy.hold": ((L, "sharing: a device with a share of another pool of its name", "(result.driver, result.pool, result.device)", "(result.driver, next((key[1] for key in self._devices.keys if key[2] == result.device and key[0] == result.driver), result.pool), result.device)"),),
    },
    "allocator.allocation_result": {
        "_used_slots": ((L, "configuration: of the last alternative that was tried", "request.slots[0]", "request.slots[-1]"),),
    },
}  # fmt: skip
