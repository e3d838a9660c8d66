"""Bugs that users have reported of schedulers, controllers and kubelets, each as a change of the built-in.

They are about claims with several users: pods, other consumers, and one pod under several names. `near` has the
cases made for each; `tests/quality/test_reported_bugs.py` puts these to it. `make mutants-of-scheduling` tries them on all.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.subjects import SCHEDULING, Subject

REPORTED = Subject(
    ("cluster", "schedule"),
    (
        *SCHEDULING.parts,
        "controlplane/attempts/*.py",
        "controlplane/simulation/extended_resources/*.py",
    ),
    SCHEDULING.packages,
    ("kep", "kubernetes-1.37"),
)
_CLAIMS = "dra/shared-claims/"

_SCHEDULER = (
    Mutant("scoring wants an allocation of every claim", ("        allocations = self.cycle.fits[node].allocations\n        return sum(", "        allocations = self.cycle.fits[node].allocations\n        if len(allocations) < len(self.cycle.claims):\n            raise PhaseFailed(Code.ERROR, \"too few allocations\")\n        return sum("), near=(f"{_CLAIMS}shared-claim-and-first-choice",)),
    Mutant("a claim named twice is allocated twice", ("    return list(claims.values())\n\n\ndef check_usable", "    return [snapshot.claims[key] for _, key in claim_keys(pod) if key]\n\n\ndef check_usable"), near=(f"{_CLAIMS}allocated-and-reserved-once", f"{_CLAIMS}next-attempt-after-unreserve")),
    Mutant("a claim named twice is written twice", ("    written_for_each_name: bool = switch(\"since 1.33\")", "    written_for_each_name: bool = switch(\"kep\", \"since 1.33\")"), near=(f"{_CLAIMS}pod-runs",)),
    Mutant("an allocated claim is in flight once more", ("        for claim in self._to_allocate():\n            self._in_flight.begin(claim, allocations[_named(claim)])", "        for claim in self.cycle.claims:\n            self._in_flight.begin(claim, allocation_of(claim) or allocations[_named(claim)])"), near=("dra/scheduling-phases/allocated-claim-stays-allocated",)),
    Mutant("a pod whose status names its claim is not tried again", ("            case \"Pod\":\n                return self._pod_helps(pod, change)\n", ""), near=("dra/scheduling-phases/status-names-generated-claim",)),
    Mutant("any change of a pod makes it be tried again", ("        return not same and self._used_by(after) is not None", "        return True"), near=("dra/scheduling-phases/status-names-generated-claim",)),
    Mutant("a special claim is used again though its device is tainted", ("        if not self._valid(snapshot) or tainted_claim([decode(self.claim)], snapshot, profile):", "        if not self._valid(snapshot):"), near=("kep-5004/left-over-claims/device-tainted-claim-replaced",)),
    Mutant("claims that no container uses are left out", ("    for entry, key in claim_keys(pod):\n        if key is None:\n            raise PodWaits", "    used = {c[\"name\"] for one in pod[\"spec\"][\"containers\"] for c in (one.get(\"resources\") or {}).get(\"claims\", ())}\n    for entry, key in claim_keys(pod):\n        if used and entry[\"name\"] not in used:\n            continue\n        if key is None:\n            raise PodWaits"), near=(f"{_CLAIMS}unused-by-containers",)),
)  # fmt: skip

_CONTROLLERS = (
    Mutant("another consumer keeps the reservations of pods", ("    others_block_release: bool = switch(\"until 1.35\")", "    others_block_release: bool = switch(\"kep\", \"until 1.35\")"), near=(f"{_CLAIMS}completed-pod-removed",)),
    Mutant("other consumers are taken for pods that are gone", ("    if not _is_of_pod(reserved):\n        return True\n", "    if not _is_of_pod(reserved):\n        return False\n"), near=(f"{_CLAIMS}job-keeps-allocation",)),
    Mutant("pods that are done are reserved for again", ("        if not pod[\"spec\"].get(\"nodeName\") or finished(pod) or \"deletionTimestamp\" in pod[\"metadata\"]:\n            continue\n        for _, key in claim_keys(pod):", "        if not pod[\"spec\"].get(\"nodeName\") or \"deletionTimestamp\" in pod[\"metadata\"]:\n            continue\n        for _, key in claim_keys(pod):"), near=(f"{_CLAIMS}completed-pod", f"{_CLAIMS}completed-pod-not-reserved")),
    Mutant("claims that are being deleted are left alone", ("def _release(claim: Json, client: Client) -> None:\n    reservations", "def _release(claim: Json, client: Client) -> None:\n    if \"deletionTimestamp\" in claim[\"metadata\"]:\n        return\n    reservations"), near=(f"{_CLAIMS}deleted-claim-waits", f"{_CLAIMS}cleanup-after-downtime")),
    Mutant("a claim made before for an entry is not found", ("    if existing is not None:\n        return existing\n    name = entry", "    name = entry"), near=(f"{_CLAIMS}conflict-on-pod-status",)),
    Mutant("special claims do not evict", ("    special_claims_evict: bool = switch(\"kep\")", "    special_claims_evict: bool = switch(\"in 1.33\")"), near=("dra/eviction/extended-resource-pod",)),
    Mutant("eviction looks at the first user of a claim only", ("            keys = {key for key in used if key in due and reserved_for(claims[key], pod)}", "            keys = {key for key in used if key in due and claims[key][\"status\"][\"reservedFor\"][0][\"uid\"] == pod[\"metadata\"][\"uid\"]}"), near=(f"{_CLAIMS}pod-evicted-job-stays",)),
)  # fmt: skip

_KUBELETS = (
    Mutant("preparing ends at a claim that is in use", ("        for claim in claims:\n            self._prepare(claim, node)\n", "        for claim in claims:\n            if (node, claim[\"metadata\"][\"uid\"]) in self._held:\n                break\n            self._prepare(claim, node)\n"), near=(f"{_CLAIMS}second-pod-prepares",)),
    Mutant("what is prepared goes by the name of the claim", ("        if (node, metadata[\"uid\"]) in self._prepared_keys:\n            return\n        self._prepared_keys[node, metadata[\"uid\"]] = key_in(claim)\n        name = f\"{metadata['namespace']}/{metadata['name']}\"\n", "        name = f\"{metadata['namespace']}/{metadata['name']}\"\n        if (node, name) in self._prepared_keys:\n            return\n        self._prepared_keys[node, name] = key_in(claim)\n"), ("            if (claim := claims.get(key)) is not None\n            and claim[\"metadata\"][\"uid\"] == uid\n            and any(pod[\"spec\"].get(\"nodeName\") == node for pod in _users(claim, pods))\n", "            if claims is not None\n"), near=(f"{_CLAIMS}recreated-claim-prepared",)),
)  # fmt: skip

MUTANTS = (*_SCHEDULER, *_CONTROLLERS, *_KUBELETS)

if __name__ == "__main__":
    sys.exit(main((REPORTED, MUTANTS)))
