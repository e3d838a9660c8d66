"""Break the scheduler, eviction, the kubelet and the claim controllers on purpose: `make mutants-of-scheduling`.

As in `faulty/mutants/allocation.py`, with the stories of the suite. `python -m tests.faulty.mutants.scheduling taint` tries only
those with the word in their names.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants import eviction
from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.subjects import SCHEDULING

_NODES = (
    Mutant("nodes: unschedulable ones are taken", ("        if node.spec.unschedulable and not _tolerated(_CORDONED, pod):\n", "        if False:\n")),
    Mutant("nodes: taints do not count", ("for taint in node.spec.taints if taint.effect in _BLOCKING):", "for taint in ()):")),
    Mutant("nodes: tolerations do not count", ("        if any_value or toleration.get(\"value\", \"\") == taint.value:\n            return True\n", "")),
    Mutant("nodes: affinity and selectors do not count", ("        if not wants(self.cycle.typed, node):\n", "        if False:\n")),
    Mutant("nodes: required affinity does not count", ("    if affinity is not None and not node_matches(affinity, node):\n        return False\n", "")),
    Mutant("nodes: node selectors do not count", ("    return all(node.metadata.labels.get(name) == value for name, value in spec.node_selector.items())", "    return True")),
    Mutant("nodes: resources do not count", ("        if insufficient:\n            never = insufficient in missing", "        if False:\n            never = insufficient in missing")),
    Mutant("nodes: what pods take is summed up once", ("            self._usage.pop(name, None)\n", "            pass\n")),
    Mutant("nodes: running pods take nothing", ("            iter(insufficient_resources(demand, node, self._used(node))), \"\"", "            iter(insufficient_resources(demand, node, {})), \"\"")),
    Mutant("nodes: the one of which least is left is preferred", ("        ranks = {index: (-score(self._nodes[index]), index)", "        ranks = {index: (score(self._nodes[index]), index)")),
    Mutant("nodes: the first by name is preferred", ("        ranks = {index: (-score(self._nodes[index]), index)", "        ranks = {index: (0, index)")),
    Mutant("nodes: freeing a node never helps", ("Code.UNRESOLVABLE if never else Code.UNSCHEDULABLE, f\"Insufficient {insufficient}\"\n            )", "Code.UNRESOLVABLE, f\"Insufficient {insufficient}\")")),
    Mutant("nodes: a claim that is allocated can be used on every node", ("        if unusable:\n", "        if False:\n")),
    Mutant("nodes: finished pods still take resources", ("            if node and not finished(pod):\n", "            if node:\n")),
)  # fmt: skip

_CLAIMS = (
    Mutant("claims: a missing claim is done without", ("        if claim is None:\n            raise PodWaits", "        if claim is None:\n            continue\n            raise PodWaits")),
    Mutant("claims: a claim that was not generated yet is done without", ("        if key is None:\n            raise PodWaits", "        if key is None:\n            continue\n            raise PodWaits")),
    Mutant("claims: a claim that is being deleted serves further pods", ("        if \"deletionTimestamp\" in metadata:\n            raise PodWaits", "        if False:\n            raise PodWaits")),
    Mutant("claims: only the first of a pod is allocated", ("        unallocated = [claim for claim in self.cycle.claims if allocation_of(claim) is None]\n", "        unallocated = [claim for claim in self.cycle.claims if allocation_of(claim) is None][:1]\n")),
    Mutant("claims: one that does not fit is done without", ("        if allocations is None:\n            raise PhaseFailed(Code.UNRESOLVABLE, CLAIMS_UNALLOCATABLE)", "        if allocations is None:\n            allocations = {}")),
    Mutant("claims: refused as if preemption helped", ("raise PhaseFailed(Code.UNRESOLVABLE, CLAIMS_UNALLOCATABLE)", "raise PhaseFailed(Code.UNSCHEDULABLE, CLAIMS_UNALLOCATABLE)")),
    Mutant("claims: missing ones are refused as an error", ("            self.cycle.claims = claims_for(self.cycle.pod, self.cycle.snapshot)\n        except PodWaits as waiting:\n            raise PhaseFailed(Code.UNRESOLVABLE", "            self.cycle.claims = claims_for(self.cycle.pod, self.cycle.snapshot)\n        except PodWaits as waiting:\n            raise PhaseFailed(Code.ERROR")),
    Mutant("claims: taints of allocated devices do not count", ("        if tainted:\n", "        if False:\n")),
    Mutant("claims: tolerations of allocated devices do not count", ("                tolerations = result.tolerations\n                if not any(tolerates(toleration, taint, behaviour) for toleration in tolerations):\n", "                if True:\n")),
    Mutant("claims: the worst alternative is preferred", ("            _MAX_SUBREQUESTS - index\n", "            index\n")),
    Mutant("claims: alternatives are not compared", ("        return any(\n            request.get(\"firstAvailable\") for claim in self.cycle.claims for request in requests_of(claim)\n        )", "        return False")),
    Mutant("claims: what the store holds is forgotten", ("                self._stored[key] = now\n", "                self._stored[key] = ()\n")),
    Mutant("claims: what is given back stays taken", ("                if before or key in new:\n                    self._reset_session()\n", "                if False:\n                    self._reset_session()\n")),
    Mutant("claims: devices are looked at once", ("        if [kind for kind in _PUBLISHED if self._changes.of(kind)]:\n", "        if self._allocator is None:\n")),
    Mutant("claims: share IDs are given twice", ("            self._session = self._allocator.session(gone=self._shares)\n", "            self._session = self._allocator.session()\n")),
)  # fmt: skip

_WRITING = (
    Mutant("writing: the pod is not in reservedFor", ("    reservations = [*reservations_of(claim), reservation(pod)]\n    if (allocation", "    reservations = [*reservations_of(claim)]\n    if (allocation")),
    Mutant("writing: only the first claim is reserved", (" if each else cycle.claims:\n", " if each else cycle.claims[:1]:\n")),
    Mutant("writing: claims without the finalizer", ("    if FINALIZER not in finalizers:\n", "    if False:\n")),
    Mutant("writing: the finalizer stays", ("    if FINALIZER in finalizers:\n", "    if False:\n")),
    Mutant("writing: the pod is bound before its claims are written", ("        self._binding = self._pre_bind()\n", "        self._client.bind(self.cycle.pod, self.cycle.node)\n        self._binding = self._pre_bind()\n")),
    Mutant("writing: binding conditions are not waited for", ("            yield \"waiting for binding conditions of devices\"\n", "            return\n")),
    Mutant("writing: one true binding condition is enough", ("        waiting = waiting or not true_types.issuperset(required)\n", "        waiting = waiting or not true_types.intersection(required)\n")),
    Mutant("writing: failure conditions do not count", ("        if required and true_types.intersection(result.get(\"bindingFailureConditions\") or ()):\n            return Readiness.FAILED\n", "")),
)  # fmt: skip

_QUEUE = (
    Mutant("queue: pods that have a node are scheduled", ("    if spec.get(\"nodeName\") or spec.get(\"schedulingGates\")", "    if spec.get(\"schedulingGates\")")),
    Mutant("queue: a refused pod is never tried again", ("            if uid not in self._binding and not self._is_unchanged(uid):", "            if uid not in self._binding and uid not in self._tried:")),
    Mutant("queue: what is unreachable is not deallocated", ("            if all(consumer[\"uid\"] == uid for consumer in reservations_of(claim)):\n", "            if False:\n")),
    Mutant("queue: what others use is deallocated", ("            if all(consumer[\"uid\"] == uid for consumer in reservations_of(claim)):\n", "            if True:\n")),
)  # fmt: skip

_RELEASE = (
    Mutant("release: finished pods keep their devices", ("    if pod is None or pod[\"metadata\"][\"uid\"] != reserved[\"uid\"] or finished(pod):\n        return False", "    if pod is None or pod[\"metadata\"][\"uid\"] != reserved[\"uid\"]:\n        return False")),
    Mutant("release: deleted pods keep their devices", ("    if pod is None or pod[\"metadata\"][\"uid\"] != reserved[\"uid\"] or finished(pod):\n        return False", "    if pod is None:\n        return True\n    if finished(pod):\n        return False")),
    Mutant("release: the last pod leaves the allocation", ("        if reservations or allocation_of(claim) is not None:\n            deallocate(claim, client)", "        if False:\n            deallocate(claim, client)")),
    Mutant("release: one pod that is done frees the claim of all", ("    users = [consumer for consumer in reservations if _in_use(consumer, key_in(claim), client)]", "    users = [consumer for consumer in reservations if _in_use(consumer, key_in(claim), client)]\n    users = users if len(users) == len(reservations) else []")),
    Mutant("release: generated claims stay when their pod is done", ("        client.delete(key)\n\n\ndef _update_status", "        pass\n\n\ndef _update_status")),
    Mutant("release: what belongs to deleted pods stays", ("            if owners and not any(_exists(owner, metadata.get(\"namespace\", \"\"), client) for owner in owners):\n", "            if False:\n")),
    Mutant("release: claims that nobody owns stay reserved", ("    return bool(reservations_of(claim)) or \"deletion", "    return \"deletion")),
    Mutant("release: claims of users go with their pods", ("            if \"ownerReferences\" not in metadata or \"deletionTimestamp\" in metadata:\n                continue\n            owners = metadata[\"ownerReferences\"]\n            if owners and not", "            owners = metadata.get(\"ownerReferences\", ())\n            if \"deletionTimestamp\" in metadata or (not owners and kind != \"ResourceClaim\"):\n                continue\n            if not")),
    Mutant("templates: one claim for all pods", ("    existing = owned_claims.names.get((metadata[\"uid\"], entry[\"name\"]))\n", "    existing = next((one[\"metadata\"][\"name\"] for one in client.all(\"ResourceClaim\")), None)\n")),
    Mutant("templates: the spec is not copied", ("        \"spec\": template[\"spec\"].get(\"spec\") or {},", "        \"spec\": {},")),
    Mutant("templates: claims do not belong to their pod", ("            \"ownerReferences\": owned_by(pod),\n", "")),
)  # fmt: skip

_EVICTION = (
    Mutant("eviction: never", ("            if uid in due and due[uid] <= self._clock.now:", "            if False:")),
    Mutant("eviction: at once", ("            if uid in due and due[uid] <= self._clock.now:", "            if uid in due:")),
    Mutant("eviction: a second too late", ("            if uid in due and due[uid] <= self._clock.now:", "            if uid in due and due[uid] < self._clock.now:")),
    Mutant("eviction: taints that come later are not seen", ("            self._taints = None\n        if", "            pass\n        if")),
    Mutant("eviction: NoSchedule evicts", ("tainted_devices(published, profile, (\"NoExecute\",))", "tainted_devices(published, profile, (\"NoExecute\", \"NoSchedule\"))")),
    Mutant("eviction: tolerations do not count", ("        if tolerates(toleration, taint, behaviour)\n        and (profile.release is None or toleration.effect == taint.effect)", "        if False")),
    Mutant("eviction: any toleration counts", ("        if tolerates(toleration, taint, behaviour)\n        and (profile.release is None or toleration.effect == taint.effect)", "        if True")),
    Mutant("eviction: tolerations without an effect count in releases", ("\n        and (profile.release is None or toleration.effect == taint.effect)", "")),
    Mutant("eviction: the longest toleration counts", ("        yield added + timedelta(seconds=max(0, min(seconds, default=0)))", "        yield added + timedelta(seconds=max(0, max(seconds, default=0)))")),
    Mutant("eviction: a limited toleration beside one without limit counts", ("    if len(seconds) == len(matching):", "    if seconds or not matching:")),
    Mutant("eviction: limits do not count", ("        yield added + timedelta(seconds=max(0, min(seconds, default=0)))", "        yield added")),
    Mutant("eviction: a limited toleration is one for good", ("    if len(seconds) == len(matching):", "    if not matching:")),
    Mutant("eviction: the latest device counts", ("    return min(times, default=None)", "    return max(times, default=None)")),
    Mutant("eviction: the latest claim counts", ("                times[pod[\"metadata\"][\"uid\"]] = min(due[key] for key in keys)", "                times[pod[\"metadata\"][\"uid\"]] = max(due[key] for key in keys)")),
    Mutant("eviction: the time the taint was added does not count", ("        added = time_of(taint.time_added) if taint.time_added else START\n", "        added = START\n")),
    Mutant("eviction: all pods of a tainted cluster go", ("            keys = {key for key in used if key in due and reserved_for(claims[key], pod)}", "            keys = set(due)")),
    Mutant("eviction: only the first device of a claim counts", ("        for result in results\n        for taint in taints.of(", "        for result in results[:1]\n        for taint in taints.of(")),
    Mutant("eviction: rules do not count", ("    rules = [decode(raw) for raw in objects[\"deviceTaintRules\"]]\n", "    rules: list[Any] = []\n")),
    Mutant("eviction: old generations of a pool count", ("slice_.spec.pool.generation == generations[slice_.spec.driver, slice_.spec.pool.name]\n    ]", "True\n    ]")),
    Mutant("eviction: without a word on the pod", ("            self._client.update(_disrupted(pod, self._clock.text), \"status\")\n", "")),
    Mutant("eviction: without an event", ("        self._events.add(pod, _EVENT, \"Marking for deletion\")\n", "")),
    Mutant("eviction: cancelled without an event", ("                self._events.add(pod, _EVENT, \"Cancelling deletion\")\n", "                pass\n")),
    Mutant("eviction: without the gate, too", ("    if not profile.enabled(\"DRADeviceTaints\"):\n        return {}\n", "")),
)  # fmt: skip

_KUBELET = (
    Mutant("kubelet: runs nothing", ("            self._client.update(with_status(pod, phase=\"Running\", **self._changed_qos_class(pod)), \"status\")\n", "            pass\n")),
    Mutant("kubelet: runs pods whose claims are missing", ("    if claim is None:\n        return f\"could not fetch", "    if claim is None:\n        return \"\"\n        return f\"could not fetch")),
    Mutant("kubelet: runs pods whose claims are not generated", ("    if key is None:\n        return \"waiting", "    if key is None:\n        return \"\"\n        return \"waiting")),
    Mutant("kubelet: runs pods for which no claim is reserved", ("    if not reserved_for(claim, pod):\n        return f\"pod", "    if False:\n        return f\"pod")),
    Mutant("kubelet: looks at the first claim only", ("        keys = [key for _, key in claim_keys(pod)]\n", "        keys = [key for _, key in claim_keys(pod)][:1]\n")),
    Mutant("kubelet: says nothing", ("                    self._events.add(pod, \"FailedPrepareDynamicResources\", why)\n", "")),
    Mutant("kubelet: prepares nothing", ("        for claim in claims:\n            self._prepare(claim, node)\n", "")),
    Mutant("kubelet: prepares without share IDs", ("for field in (\"pool\", \"device\", \"shareID\") if field in result}", "for field in (\"pool\", \"device\") if field in result}")),
    Mutant("kubelet: prepares devices that were not allocated", ("        results = (allocation_of(claim) or {}).get(\"devices\", {}).get(\"results\") or []\n        for driver", "        results = (allocation_of(claim) or {}).get(\"devices\", {}).get(\"results\") or []\n        results = [{**one, \"device\": \"other\"} for one in results]\n        for driver")),
    Mutant("pods on nodes: nobody reserves their claims", ("                _update_status(client, with_status(claim, reservedFor=reservations))", "                pass")),
)  # fmt: skip

MUTANTS = (
    *_NODES,
    *_CLAIMS,
    *_WRITING,
    *_QUEUE,
    *_RELEASE,
    *_EVICTION,
    *_KUBELET,
    *eviction.MUTANTS,
)

if __name__ == "__main__":
    sys.exit(main((SCHEDULING, MUTANTS)))
