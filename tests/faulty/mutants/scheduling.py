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
    Mutant("nodes: tolerations do not count", ("        if exists or one.get(\"value\", \"\") == taint.value:\n            return True\n", "")),
    Mutant("nodes: affinity and selectors do not count", ("        if not wants(self.cycle.typed, node):\n", "        if False:\n")),
    Mutant("nodes: required affinity does not count", ("    if affinity is not None and not node_matches(affinity, node):\n        return False\n", "")),
    Mutant("nodes: node selectors do not count", ("    return all(node.metadata.labels.get(name) == value for name, value in spec.node_selector.items())", "    return True")),
    Mutant("nodes: resources do not count", ("        if short:\n            never = short in missing", "        if False:\n            never = short in missing")),
    Mutant("nodes: what pods take is summed up once", ("            self._taken.pop(name, None)\n", "            pass\n")),
    Mutant("nodes: running pods take nothing", ("            iter(lacking(wanted, node, self._taken(node))), \"\"", "            iter(lacking(wanted, node, {})), \"\"")),
    Mutant("nodes: the one of which least is left is preferred", ("        ranks = {place: (-score(self._nodes[place]), place)", "        ranks = {place: (score(self._nodes[place]), place)")),
    Mutant("nodes: the first by name is preferred", ("        ranks = {place: (-score(self._nodes[place]), place)", "        ranks = {place: (0, place)")),
    Mutant("nodes: freeing a node never helps", ("Code.UNRESOLVABLE if never else Code.UNSCHEDULABLE, f\"Insufficient {short}\")", "Code.UNRESOLVABLE, f\"Insufficient {short}\")")),
    Mutant("nodes: a claim that is allocated can be used on every node", ("        if unusable:\n", "        if False:\n")),
    Mutant("nodes: finished pods still take resources", ("            if node and not finished(pod):\n", "            if node:\n")),
)  # fmt: skip

_CLAIMS = (
    Mutant("claims: a missing claim is done without", ("        if claim is None:\n            raise Waiting", "        if claim is None:\n            continue\n            raise Waiting")),
    Mutant("claims: a claim that was not generated yet is done without", ("        if key is None:\n            raise Waiting", "        if key is None:\n            continue\n            raise Waiting")),
    Mutant("claims: a claim that is being deleted serves further pods", ("        if \"deletionTimestamp\" in metadata:\n            raise Waiting", "        if False:\n            raise Waiting")),
    Mutant("claims: only the first of a pod is allocated", ("        asked = [claim for claim in self.cycle.claims if allocation_of(claim) is None]\n", "        asked = [claim for claim in self.cycle.claims if allocation_of(claim) is None][:1]\n")),
    Mutant("claims: one that does not fit is done without", ("        if found is None:\n            raise PhaseRefused(Code.UNRESOLVABLE, CLAIMS_DO_NOT_FIT)", "        if found is None:\n            found = {}")),
    Mutant("claims: refused as if preemption helped", ("raise PhaseRefused(Code.UNRESOLVABLE, CLAIMS_DO_NOT_FIT)", "raise PhaseRefused(Code.UNSCHEDULABLE, CLAIMS_DO_NOT_FIT)")),
    Mutant("claims: missing ones are refused as an error", ("            self.cycle.claims = claims_for(self.cycle.pod, self.cycle.snapshot)\n        except Waiting as waiting:\n            raise PhaseRefused(Code.UNRESOLVABLE", "            self.cycle.claims = claims_for(self.cycle.pod, self.cycle.snapshot)\n        except Waiting as waiting:\n            raise PhaseRefused(Code.ERROR")),
    Mutant("claims: taints of allocated devices do not count", ("        if tainted:\n", "        if False:\n")),
    Mutant("claims: tolerations of allocated devices do not count", ("                if not any(tolerates(one, taint, behaviour) for one in result.tolerations):\n", "                if True:\n")),
    Mutant("claims: the worst alternative is preferred", ("            _MOST_ALTERNATIVES - place\n", "            place\n")),
    Mutant("claims: alternatives are not compared", ("        return any(one.get(\"firstAvailable\") for claim in self.cycle.claims for one in requests_of(claim))", "        return False")),
    Mutant("claims: what the store holds is forgotten", ("                self._held[key] = now\n", "                self._held[key] = ()\n")),
    Mutant("claims: what is given back stays taken", ("                if held or key in given:\n                    self._begin_anew()\n", "                if False:\n                    self._begin_anew()\n")),
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
    Mutant("writing: one true binding condition is enough", ("        waiting = waiting or not true.issuperset(wanted)\n", "        waiting = waiting or not true.intersection(wanted)\n")),
    Mutant("writing: failure conditions do not count", ("        if wanted and true.intersection(result.get(\"bindingFailureConditions\") or ()):\n            return Readiness.FAILED\n", "")),
)  # fmt: skip

_QUEUE = (
    Mutant("queue: pods that have a node are scheduled", ("    if spec.get(\"nodeName\") or spec.get(\"schedulingGates\")", "    if spec.get(\"schedulingGates\")")),
    Mutant("queue: a refused pod is never tried again", ("            if uid not in self._binding and not self._in_vain(uid):", "            if uid not in self._binding and uid not in self._tried:")),
    Mutant("queue: what is unreachable is not deallocated", ("            if all(one[\"uid\"] == uid for one in reservations_of(claim)):\n", "            if False:\n")),
    Mutant("queue: what others use is deallocated", ("            if all(one[\"uid\"] == uid for one in reservations_of(claim)):\n", "            if True:\n")),
)  # fmt: skip

_RELEASE = (
    Mutant("release: finished pods keep their devices", ("    if pod is None or pod[\"metadata\"][\"uid\"] != reserved[\"uid\"] or finished(pod):\n        return False", "    if pod is None or pod[\"metadata\"][\"uid\"] != reserved[\"uid\"]:\n        return False")),
    Mutant("release: deleted pods keep their devices", ("    if pod is None or pod[\"metadata\"][\"uid\"] != reserved[\"uid\"] or finished(pod):\n        return False", "    if pod is None:\n        return True\n    if finished(pod):\n        return False")),
    Mutant("release: the last pod leaves the allocation", ("        if reservations or allocation_of(claim) is not None:\n            deallocate(claim, client)", "        if False:\n            deallocate(claim, client)")),
    Mutant("release: one pod that is done frees the claim of all", ("    users = [one for one in reservations if _in_use(one, key_in(claim), client)]", "    users = [one for one in reservations if _in_use(one, key_in(claim), client)]\n    users = users if len(users) == len(reservations) else []")),
    Mutant("release: generated claims stay when their pod is done", ("        client.delete(key)\n\n\ndef _tried_again", "        pass\n\n\ndef _tried_again")),
    Mutant("release: what belongs to deleted pods stays", ("            if owners and not any(_exists(owner, metadata.get(\"namespace\", \"\"), client) for owner in owners):\n", "            if False:\n")),
    Mutant("release: claims that nobody owns stay reserved", ("    return bool(reservations_of(claim)) or \"deletion", "    return \"deletion")),
    Mutant("release: claims of users go with their pods", ("            if \"ownerReferences\" not in metadata or \"deletionTimestamp\" in metadata:\n                continue\n            owners = metadata[\"ownerReferences\"]\n            if owners and not", "            owners = metadata.get(\"ownerReferences\", ())\n            if \"deletionTimestamp\" in metadata or (not owners and kind != \"ResourceClaim\"):\n                continue\n            if not")),
    Mutant("templates: one claim for all pods", ("    found = made_before.names.get((metadata[\"uid\"], entry[\"name\"]))\n", "    found = next((one[\"metadata\"][\"name\"] for one in client.all(\"ResourceClaim\")), None)\n")),
    Mutant("templates: the spec is not copied", ("        \"spec\": template[\"spec\"].get(\"spec\") or {},", "        \"spec\": {},")),
    Mutant("templates: claims do not belong to their pod", ("            \"ownerReferences\": owned_by(pod),\n", "")),
)  # fmt: skip

_EVICTION = (
    Mutant("eviction: never", ("            if uid in due and due[uid] <= self._clock.now:", "            if False:")),
    Mutant("eviction: at once", ("            if uid in due and due[uid] <= self._clock.now:", "            if uid in due:")),
    Mutant("eviction: a second too late", ("            if uid in due and due[uid] <= self._clock.now:", "            if uid in due and due[uid] < self._clock.now:")),
    Mutant("eviction: taints that come later are not seen", ("            self._taints = None\n        if", "            pass\n        if")),
    Mutant("eviction: NoSchedule evicts", ("tainted_devices(published, profile, (\"NoExecute\",))", "tainted_devices(published, profile, (\"NoExecute\", \"NoSchedule\"))")),
    Mutant("eviction: tolerations do not count", ("        if tolerates(one, taint, behaviour) and (profile.release is None or one.effect == taint.effect)", "        if False")),
    Mutant("eviction: any toleration counts", ("        if tolerates(one, taint, behaviour) and (profile.release is None or one.effect == taint.effect)", "        if True")),
    Mutant("eviction: tolerations without an effect count in releases", (" and (profile.release is None or one.effect == taint.effect)", "")),
    Mutant("eviction: the longest toleration counts", ("        yield added + timedelta(seconds=max(0, min(seconds, default=0)))", "        yield added + timedelta(seconds=max(0, max(seconds, default=0)))")),
    Mutant("eviction: a limited toleration beside one without limit counts", ("    if len(seconds) == len(matching):", "    if seconds or not matching:")),
    Mutant("eviction: limits do not count", ("        yield added + timedelta(seconds=max(0, min(seconds, default=0)))", "        yield added")),
    Mutant("eviction: a limited toleration is one for good", ("    if len(seconds) == len(matching):", "    if not matching:")),
    Mutant("eviction: the latest device counts", ("    return min(times, default=None)", "    return max(times, default=None)")),
    Mutant("eviction: the latest claim counts", ("                found[pod[\"metadata\"][\"uid\"]] = min(due[key] for key in keys)", "                found[pod[\"metadata\"][\"uid\"]] = max(due[key] for key in keys)")),
    Mutant("eviction: the time the taint was added does not count", ("        added = time_of(taint.time_added) if taint.time_added else START\n", "        added = START\n")),
    Mutant("eviction: all pods of a tainted cluster go", ("            keys = {key for key in used if key in due and reserved_for(claims[key], pod)}", "            keys = set(due)")),
    Mutant("eviction: only the first device of a claim counts", ("        for result in results\n        for taint in taints.of(", "        for result in results[:1]\n        for taint in taints.of(")),
    Mutant("eviction: rules do not count", ("    rules = [decode(one) for one in objects[\"deviceTaintRules\"]]\n", "    rules: list[Any] = []\n")),
    Mutant("eviction: old generations of a pool count", ("one.spec.pool.generation == generations[one.spec.driver, one.spec.pool.name]\n    ]", "True\n    ]")),
    Mutant("eviction: without a word on the pod", ("            self._client.update(_disrupted(pod, self._clock.text), \"status\")\n", "")),
    Mutant("eviction: without an event", ("        self._events.add(pod, _EVENT, \"Marking for deletion\")\n", "")),
    Mutant("eviction: cancelled without an event", ("                self._events.add(pod, _EVENT, \"Cancelling deletion\")\n", "                pass\n")),
    Mutant("eviction: without the gate, too", ("    if not profile.enabled(\"DRADeviceTaints\"):\n        return {}\n", "")),
)  # fmt: skip

_KUBELET = (
    Mutant("kubelet: runs nothing", ("            self._client.update(with_status(pod, phase=\"Running\", **self._better_class(pod)), \"status\")\n", "            pass\n")),
    Mutant("kubelet: runs pods whose claims are missing", ("    if claim is None:\n        return f\"could not fetch", "    if claim is None:\n        return \"\"\n        return f\"could not fetch")),
    Mutant("kubelet: runs pods whose claims are not generated", ("    if key is None:\n        return \"waiting", "    if key is None:\n        return \"\"\n        return \"waiting")),
    Mutant("kubelet: runs pods for which no claim is reserved", ("    if not reserved_for(claim, pod):\n        return f\"pod", "    if False:\n        return f\"pod")),
    Mutant("kubelet: looks at the first claim only", ("        keys = [key for _, key in claim_keys(pod)]\n", "        keys = [key for _, key in claim_keys(pod)][:1]\n")),
    Mutant("kubelet: says nothing", ("                    self._events.add(pod, \"FailedPrepareDynamicResources\", why)\n", "")),
    Mutant("kubelet: prepares nothing", ("        for claim in claims:\n            self._prepare(claim, node)\n", "")),
    Mutant("kubelet: prepares without share IDs", ("for field in (\"pool\", \"device\", \"shareID\") if field in one}", "for field in (\"pool\", \"device\") if field in one}")),
    Mutant("kubelet: prepares devices that were not allocated", ("        results = (allocation_of(claim) or {}).get(\"devices\", {}).get(\"results\") or []\n        for driver", "        results = (allocation_of(claim) or {}).get(\"devices\", {}).get(\"results\") or []\n        results = [{**one, \"device\": \"other\"} for one in results]\n        for driver")),
    Mutant("pods on nodes: nobody reserves their claims", ("                _tried_again(client, with_status(claim, reservedFor=reservations))", "                pass")),
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
