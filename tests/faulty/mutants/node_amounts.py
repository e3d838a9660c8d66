"""Counters of what pods take of their nodes, and kubelets, that get one rule wrong in one circumstance.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_SPECIAL_HELD = "        if extended is not None and extended.exists and self._rules.earlier_allocations:\n"
_WHOLE = "        total.update(pod_level_requests(pod))\n"
_OVERHEAD = (
    "    return total if options.without_overhead else added(total, pod.spec.overhead)\n\n\ndef limits"
)
_CHECKED = "        self._check_fit(node, footprint(self.cycle.typed, claims), used)\n"
_TAKEN = "            self._usage[rules] = footprint(self.typed, recorded(self.typed, rules))"
_WRITTEN = (
    "            write_status(pod, {FIELD: _with_generated_name(records, self.cycle, pod)}, self._client)"
)
_READ = "        return ClaimResourceUsage(claim, containers, status.resources)"
_SIDECAR = "        if is_sidecar:\n            sidecars = running\n"
_PEAK = "        peak = greatest(peak, running)\n"
_SLICES = "            if slice_.spec.pool.generation == newest[slice_.spec.driver, slice_.spec.pool.name]:\n"
_RUNNING = '            running = (raw.get("status") or {}).get("phase") == "Running"\n'

COUNTING = (
    Mutant("amounts: what a pod requests as a whole takes the place of everything", (_WHOLE, "        whole = pod_level_requests(pod)\n        total = dict(whole) if whole else total\n")),
    Mutant("amounts: claims come on top of the whole where no container requests it", (_WHOLE, _WHOLE + "        of_claims = added(*(one.total for one in claims))\n        total.update({name: amount + of_claims[name] for name, amount in pod_level_requests(pod).items() if name in of_claims and not requested(pod).get(name)})\n")),
    Mutant("amounts: the whole is the limit where that is more", ("    return pod_level_only(pod.spec.resources.requests if pod.spec.resources else {})", "    return pod_level_only({**pod.spec.resources.requests, **pod.spec.resources.limits} if pod.spec.resources else {})")),
    Mutant("amounts: huge pages have no whole", ("        name: quantity\n        for name, quantity in amounts.items()\n        if name in POD_LEVEL_RESOURCES or name.startswith(\"hugepages-\")", "        name: quantity for name, quantity in amounts.items() if name in POD_LEVEL_RESOURCES")),
    Mutant("amounts: overhead of what nothing else takes does not count", (_OVERHEAD, _OVERHEAD.replace("added(total, pod.spec.overhead)", "added(total, {name: one for name, one in pod.spec.overhead.items() if name in total})"))),
    Mutant("amounts: overhead is part of the whole", (_OVERHEAD, _OVERHEAD.replace("added(total, pod.spec.overhead)", "added(total, {name: one for name, one in pod.spec.overhead.items() if name not in pod_level_requests(pod)})"))),
    Mutant("amounts: claims count while init containers run only", ("    total = added(requested(pod), *(claim.total for claim in claims))\n    if not options.without_pod_level", "    used = {claim.name for claim in pod.spec.init_containers}\n    total = added(requested(pod), *(claim.total for claim in claims if not claim.containers or set(claim.containers) - used))\n    if not options.without_pod_level")),
    Mutant("amounts: an init container before a sidecar runs beside it", (_SIDECAR + "    return greatest(peak, added(sidecars, *containers))", _SIDECAR + "            peak = greatest(peak, added(peak, requests))\n    return greatest(peak, added(sidecars, *containers))")),
    Mutant("amounts: the second sidecar replaces the first", (_SIDECAR, "        if is_sidecar:\n            sidecars = {**sidecars, **requests}\n")),
    Mutant("amounts: a sidecar does not last while a later init container runs", (_PEAK, "        peak = greatest(peak, running if is_sidecar else requests)\n")),
    Mutant("amounts: the largest device of several instead of their sum", ("        return DeviceUsage(added(self.resources, other.resources), overhead)", "        return DeviceUsage({name: max(a for a in (self.resources.get(name), other.resources.get(name)) if a is not None) for name in {**self.resources, **other.resources}}, overhead)")),
    Mutant("amounts: a capacity that is not consumed counts whole", ("        return result.consumed_capacity.get(key)\n", "        found = result.consumed_capacity.get(key)\n        whole = device.capacity.get(key)\n        return found if found is not None else whole.value if whole else None\n")),
    Mutant("amounts: the first mapping of a device counts", ("        return DeviceUsage(\n            dict(\n                _mapped_quantities(\n                    (\n                        (name, mapping.capacity_key, mapping.allocation_multiplier)\n                        for name, mapping in mappings\n                    ),", "        return DeviceUsage(\n            dict(\n                _mapped_quantities(\n                    ((name, mapping.capacity_key, mapping.allocation_multiplier) for name, mapping in list(mappings)[:1]),")),
    Mutant("amounts: an amount below one rounds up", ("    return Quantity(-(-amount.nano * times.nano // NANO), amount.format)", "    return Quantity(-(-amount.nano * times.nano // NANO) if amount.nano * times.nano >= NANO * NANO else NANO, amount.format)")),
    Mutant("amounts: of slices of one pool the first one counts", (_SLICES, _SLICES[:-2] + " and slice_ is next(each for each in all_slices if (each.spec.driver, each.spec.pool) == (slice_.spec.driver, slice_.spec.pool)):\n")),
    Mutant("amounts: a generation counts for every pool of the driver", ("            pool = (slice_.spec.driver, slice_.spec.pool.name)\n            newest[pool] = max(newest.get(pool, 0), slice_.spec.pool.generation)", "            for each in all_slices:\n                if each.spec.driver == slice_.spec.driver:\n                    pool = (slice_.spec.driver, each.spec.pool.name)\n                    newest[pool] = max(newest.get(pool, 0), slice_.spec.pool.generation)")),
    Mutant("amounts: a claim under two names is used by the containers of one", ("    names = set(entries)\n", "    names = set(list(entries)[:1])\n")),
    Mutant("amounts: admin access takes nothing of the node", ("            if device is not None:\n                total += device_usage", "            if device is not None and not result.admin_access:\n                total += device_usage")),
    Mutant("amounts: recorded entries of one claim count once", ("    return [_recorded(status, rules) for status in pod.status.node_allocatable_resource_claim_statuses]", "    named = {status.name or \"\": status.resource_claim_name for status in pod.status.resource_claim_statuses}\n    own = {status.resource_claim_name or named.get(status.name) for status in pod.spec.resource_claims}\n    return [_recorded(status, rules) for status in pod.status.node_allocatable_resource_claim_statuses if status.resource_claim_name in own]")),
    Mutant("amounts: a recorded claim that no container uses does not count", (_READ, "        return ClaimResourceUsage(claim, containers, status.resources if containers else {})")),
)  # fmt: skip

FITTING = (
    Mutant("fitting: the claim that an attempt has left takes nothing", (_SPECIAL_HELD, "        if extended is not None and extended.exists and not self._rules.earlier_allocations:\n")),
    Mutant("fitting: claims are checked apart from requests", (_CHECKED, "        self._check_fit(node, {name: one for claim in claims for name, one in claim.resources.items()}, used)\n")),
    Mutant("fitting: the second claim is not checked", (_CHECKED, "        self._check_fit(node, footprint(self.cycle.typed, claims[:1]), used)\n")),
    Mutant("fitting: amounts of pods count when they run", (_TAKEN, "            runs = self.typed.status is not None and self.typed.status.phase == \"Running\"\n            self._usage[rules] = footprint(self.typed, recorded(self.typed, rules) if runs else ())")),
    Mutant("fitting: assumed pods take what they request", ("        return with_status(bound, nodeAllocatableResourceClaimStatuses=records) if records else bound", "        return bound")),
    Mutant("fitting: the first claim is written down", (_WRITTEN, _WRITTEN.replace("_with_generated_name(records, ", "_with_generated_name(records[:1], "))),
    Mutant("fitting: all but the first record is taken back", ("            write_status(pod, {FIELD: []}, self._client)", "            write_status(pod, {FIELD: (pod.get(\"status\") or {}).get(FIELD, [])[1:]}, self._client)")),
    Mutant("fitting: pods that wait hold their claim", ("            others = chain.from_iterable(map(cycle.snapshot.users_of, named))\n        return claims_in_use(others, self._rules)", "            others = chain.from_iterable(map(cycle.snapshot.users_of, named))\n        waiting = {claim[\"metadata\"][\"name\"] for claim in cycle.claims if len(reservations_of(claim)) > 1}\n        return claims_in_use(others, self._rules) | waiting")),
    Mutant("fitting: of assumed pods nothing is known of claims", ("        yield from (PodOnNode(pod).typed for pod in self.assumed if claim in _claims_of(pod))", "        yield from ()")),
    Mutant("fitting: a shared claim without amounts is refused", ("    mine = [claim.claim for claim in usage if claim.resources or not rules.overhead_shared]", "    mine = [claim for _, claim in claims_of(pod)]")),
    Mutant("fitting: a budget is held against claims alone", ("    usage = footprint(pod, claims, FootprintOptions(without_overhead=True, without_pod_level=True))\n    budget", "    usage = added(*(one.total for one in claims))\n    budget")),
    Mutant("fitting: overhead is part of the budget", ("    usage = footprint(pod, claims, FootprintOptions(without_overhead=True, without_pod_level=True))\n    budget", "    usage = footprint(pod, claims, FootprintOptions(without_pod_level=True))\n    budget")),
    Mutant("fitting: a budget for memory is not looked at", ("    return next((name for name in sorted(budget) if usage.get(name, ZERO) > budget[name]), \"\")", "    return next((name for name in sorted(budget)[:1] if usage.get(name, ZERO) > budget[name]), \"\")")),
    Mutant("fitting: a node that does not list a resource has it", ("        missing = [name for name in node_demand if allocatable and name not in allocatable]\n", "        missing = [name for name in node_demand if not allocatable and name not in allocatable]\n")),
    Mutant("fitting: claims allocated for another node take of this one", ("                allocations.pop(claim, None)\n", "                pass\n")),
    Mutant("fitting: classes of managed resources are looked up in the first claim", ("        names = {name for claim in claims for _, name in classes_of(claim)}", "        names = {name for claim in list(claims)[:1] for _, name in classes_of(claim)}")),
)  # fmt: skip

KUBELETS = (
    Mutant("kubelets: pods that started before are admitted again", (_RUNNING, "            running = False\n")),
    Mutant("kubelets: finished pods count", ("        if node and not finished(raw):\n            running", "        if node and ((raw.get(\"status\") or {}).get(\"phase\") != \"Failed\"):\n            running")),
    Mutant("kubelets: pods of other nodes count", ("            counted[name] = [other for _, other in _readable(admitted.get(name, ()))]\n", "            counted[name] = [other for several in admitted.values() for _, other in _readable(several)]\n")),
    Mutant("kubelets: a claim is prepared once for all nodes", ("        if (node, metadata[\"uid\"]) in self._prepared_keys:\n            return\n", "        if any(uid == metadata[\"uid\"] for _, uid in self._prepared_keys):\n            return\n")),
    Mutant("kubelets: a claim stays prepared while a pod of another node uses it", ("            and any(pod[\"spec\"].get(\"nodeName\") == node for pod in _users(claim, pods))\n", "            and reservations_of(claim)\n")),
    Mutant("kubelets: a claim is prepared again for each pod", ("        if (node, metadata[\"uid\"]) in self._prepared_keys:\n            return\n", "")),
    Mutant("kubelets: the devices of the first driver are given to all", ("                if result[\"driver\"] == driver\n            ]\n            self._prepared", "                if result[\"driver\"] == results[0][\"driver\"]\n            ]\n            self._prepared")),
    Mutant("kubelets: a pod is run once its claim is allocated", ("    if not reserved_for(claim, pod):\n        return f\"pod", "    if not reserved_for(claim, pod) and not allocation_of(claim):\n        return f\"pod")),
    Mutant("kubelets: a pod is run once somebody has reserved its claim", ("    if not reserved_for(claim, pod):\n        return f\"pod", "    if not (claim.get(\"status\") or {}).get(\"reservedFor\"):\n        return f\"pod")),
    Mutant("kubelets: pods that are being deleted are run", ("            if exists and \"deletionTimestamp\" not in pod[\"metadata\"]:", "            if exists:")),
)  # fmt: skip

MUTANTS = (*COUNTING, *FITTING, *KUBELETS)
