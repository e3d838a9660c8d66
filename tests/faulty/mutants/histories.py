"""Control planes that get one rule wrong because of what has happened before: another's finalizer, a claim that an
attempt has left, a taint that goes again, a restart.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_LEFT_VALID = '        if allocation_of(self.claim) is None or not guarded or "deletionTimestamp" in self.claim["metadata"]:\n'
_LEFT_DEVICES = "        return _devices(self.claim) <= published - allocated\n"
_LEFT_REQUESTS = "        if planned is None or _requests(planned.claim) != _requests(self.claim):\n"
_ADDED = '    added = set(metadata.get("finalizers", [])) - set(old.get("finalizers", []))\n'
_NOW_MADE = '        if finished(pod) or "deletionTimestamp" in pod["metadata"]:\n            continue\n        recorded = generated(pod)\n'
_MINE = '    return spec.get("schedulerName") in (None, "default-scheduler") and not finished(pod)\n'
_PLAIN_RULES = "    if selector is None or selector.device_class_name is not None or selector.selectors:\n        return False\n"

CLAIMS = (
    Mutant("finalizers: who has another one gets none", ("    if FINALIZER not in finalizers:\n", "    if not finalizers:\n")),
    Mutant("finalizers: others go when the claim is allocated", ("\"finalizers\": [*finalizers, FINALIZER]}", "\"finalizers\": [FINALIZER]}")),
    Mutant("finalizers: others go when the claim is freed", ("    if FINALIZER in finalizers:\n        kept = [finalizer for finalizer in finalizers if finalizer != FINALIZER]\n", "    if FINALIZER in finalizers:\n        kept: list[str] = []\n")),
    Mutant("finalizers: others go when the special claim is given up", ("        finalizers = current[\"metadata\"].get(\"finalizers\") or ()\n        kept = [finalizer for finalizer in finalizers if finalizer != FINALIZER]\n", "        kept: list[str] = []\n")),
    Mutant("finalizers: one may be exchanged while the object is deleted", (_ADDED, "    new, before = metadata.get(\"finalizers\", []), old.get(\"finalizers\", [])\n    added = set(new) - set(before) if len(new) > len(before) else set()\n")),
    Mutant("finalizers: a deletion may be taken back", ("_IMMUTABLE = (\"creationTimestamp\", \"deletionTimestamp\", ", "_IMMUTABLE = (\"creationTimestamp\", ")),
    Mutant("reports: those of devices that are gone stay", ("    if removed and \"devices\" in status:\n", "    if False:\n")),
    Mutant("generated: for pods that are being deleted", (_NOW_MADE, _NOW_MADE.replace(" or \"deletionTimestamp\" in pod[\"metadata\"]", ""))),
    Mutant("generated: what the status said before is lost", ("    statuses = [status for status in known if status[\"name\"] not in new]\n", "    statuses: list[Json] = []\n")),
)  # fmt: skip

LEFT = (
    Mutant("left: a claim without its finalizer is used again", (_LEFT_VALID, _LEFT_VALID.replace(" or not guarded", ""))),
    Mutant("left: a claim that is being deleted is used again", (_LEFT_VALID, _LEFT_VALID.replace(" or \"deletionTimestamp\" in self.claim[\"metadata\"]", ""))),
    Mutant("left: a device that another claim holds is used again", (_LEFT_DEVICES, _LEFT_DEVICES.replace(" - allocated", ""))),
    Mutant("left: a device that is not published any more is used again", (_LEFT_DEVICES, "        return _devices(self.claim).isdisjoint(allocated) or not published\n")),
    Mutant("left: a device counts as held that somebody looks at with admin access", ("        if not (result.get(\"shareID\") or result.get(\"adminAccess\"))\n", "        if not result.get(\"shareID\")\n")),
    Mutant("left: a claim is used again where its devices are not", ("        if not usable(decode(self.claim), node):\n", "        if False:\n")),
    Mutant("left: a tainted device is used again", (" or tainted_claim([decode(self.claim)], snapshot, profile):\n", ":\n")),
    Mutant("left: a claim for as many requests is used again", (_LEFT_REQUESTS, "        if planned is None or len(_requests(planned.claim)) != len(_requests(self.claim)):\n")),
    Mutant("left: the pod forgets the claims of its templates as well", ("with_status(current, extendedResourceClaimStatus=None)", "with_status(current, extendedResourceClaimStatus=None, resourceClaimStatuses=None)")),
    Mutant("left: names of pods are not made shorter", ("_MAX_POD_NAME = 253 - len(_SUFFIX)", "_MAX_POD_NAME = 253")),
    Mutant("left: beside claims of its own a pod keeps its special one", ("        if cycle.extended is not None:\n            with suppress(WriteFailed):", "        if cycle.extended is not None and not cycle.claims:\n            with suppress(WriteFailed):")),
)  # fmt: skip

ATTEMPTS = (
    Mutant("in flight: the second claim of another pod is free", ("        for claim in cycle.claims:\n            if allocation_of(claim) is None and self._in_flight.has(claim)", "        for claim in cycle.claims[:1]:\n            if allocation_of(claim) is None and self._in_flight.has(claim)")),
    Mutant("in flight: only the first claim is", ("        for claim in self._to_allocate():\n            self._in_flight.begin(", "        for claim in self._to_allocate()[:1]:\n            self._in_flight.begin(")),
    Mutant("in flight: the second claim stays so when it is written", ("        for claim in self._to_allocate():\n            self._in_flight.end(claim)\n\n    def _reserve(", "        for claim in self._to_allocate()[:1]:\n            self._in_flight.end(claim)\n\n    def _reserve(")),
    Mutant("tainted: the second allocated claim may be", ("tainted_claim(map(decode, cycle.claims), cycle.snapshot, cycle.profile)", "tainted_claim(map(decode, cycle.claims[:1]), cycle.snapshot, cycle.profile)")),
    Mutant("ranked: where the second claim has alternatives the first node is taken", ("        return any(\n            request.get(\"firstAvailable\") for claim in self.cycle.claims for", "        return any(\n            request.get(\"firstAvailable\") for claim in self.cycle.claims[:1] for")),
    Mutant("queue: pods of other schedulers are tried", (_MINE, "    return not finished(pod)\n")),
    Mutant("queue: pods that have ended without a node are tried", (_MINE, _MINE.replace(" and not finished(pod)", ""))),
    Mutant("queue: a scheduler that restarts goes on with what it was binding", ("            self._tried, self._binding = {}, {}\n", "            self._tried = {}\n")),
    Mutant("fit: extended resources of claims are the node's", ("demand.items() if \"/\" not in name}\n        allocatable", "demand.items()}\n        allocatable")),
    Mutant("fit: an empty node with too little is worth waiting for", ("            never = missing or insufficient_resources(node_demand, node, {})\n", "            never = missing\n")),
)  # fmt: skip

CONTROLLERS = (
    Mutant("taints: a pod is not told that it stays", ("                self._events.add(pod, _EVENT, \"Cancelling deletion\")\n", "                pass\n")),
    Mutant("taints: rules that change are not looked at", ("        if [kind for kind in _TAINTING if self._published.of(kind)]:\n            self._taints", "        if self._published.of(\"ResourceSlice\"):\n            self._taints")),
    Mutant("taints: the claim that holds out longest counts", ("= min(due[key] for key in keys)", "= max(due[key] for key in keys)")),
    Mutant("taints: the device that holds out longest counts", ("    return min(times, default=None)\n", "    return max(times, default=None)\n")),
    Mutant("taints: of unpublished devices a rule for one reaches all", ("    expected = (selector.driver, selector.pool, selector.device)\n", "    expected = (selector.driver, selector.pool, None)\n")),
    Mutant("taints: of unpublished devices a rule for a pool reaches all", ("    expected = (selector.driver, selector.pool, selector.device)\n", "    expected = (selector.driver, None, selector.device)\n")),
    Mutant("taints: a rule without selector reaches unpublished devices", (_PLAIN_RULES, "    if selector is None:\n        return True\n" + _PLAIN_RULES)),
    Mutant("taints: the newest generation of the driver counts", ("        pool = slice_.spec.driver, slice_.spec.pool.name\n        generations[pool] = max(generations.get(pool, 0), slice_.spec.pool.generation)\n", "        for pool in {(each.spec.driver, each.spec.pool.name) for each in slices if each.spec.driver == slice_.spec.driver}:\n            generations[pool] = max(generations.get(pool, 0), slice_.spec.pool.generation)\n")),
    Mutant("quota: a pod that is given a deadline is not charged", ("    terminating_changes = not subresource and is_terminating(new) != is_terminating(old)\n", "    terminating_changes = False\n")),
    Mutant("quota: a pod is charged only where it changes what it takes", ("if old is not None and _applies(quota, old) else {}", "if old is not None else {}")),
)  # fmt: skip

_PLAIN_RULES = "    if selector is None or selector.device_class_name is not None or selector.selectors:\n        return False\n"

MUTANTS = (*CLAIMS, *LEFT, *ATTEMPTS, *CONTROLLERS)
