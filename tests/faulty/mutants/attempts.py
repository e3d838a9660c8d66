"""Schedulers that forget one rule of an attempt: what is in flight, what fails, what helps, what is left.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_EFFECT = '        if toleration.get("effect") not in (None, "", taint.effect):'
_FINALIZED = '    if FINALIZER not in finalizers:\n        claim = client.update({**claim, "metadata": {**metadata, "finalizers": [*finalizers, FINALIZER]}})\n    return client.update(with_status(claim, allocation=allocation, reservedFor=reservations), "status")'
_BEGUN = "        self._claims[_identity(claim)] = with_status(claim, allocation=allocation)"
_RECORDED = "            write_status(pod, {FIELD: _with_generated_name(records, self.cycle, pod)}, self._client)\n        yield"

MUTANTS = (
    Mutant("attempts: what a node has by now helps nobody", ("_NODE_FIELDS = (\"metadata.labels\", \"status.allocatable\")", "_NODE_FIELDS = (\"metadata.labels\",)")),
    Mutant("attempts: claims are freed whatever refused the node", ("        for claim in self._unusable:\n", "        for claim in [one for one, _ in self._allocated]:\n")),
    Mutant("attempts: after an error claims are freed", ("            if failure.code is not Code.ERROR and not failure.retryable:\n                self.post_filter()", "            if not failure.retryable:\n                self.post_filter()"), ("            if failure.code is not Code.ERROR:\n                self._report()\n                self._attempt.post_filter()", "            if True:\n                self._report()\n                self._attempt.post_filter()")),
    Mutant("attempts: a toleration of nodes names its effect", (_EFFECT, "        if toleration.get(\"effect\") != taint.effect:")),
    Mutant("attempts: shares in flight take no capacity", (_BEGUN, "        results = [{name: value for name, value in one.items() if name != \"consumedCapacity\"} for one in allocation[\"devices\"].get(\"results\") or ()]\n        self._claims[_identity(claim)] = with_status(claim, allocation={**allocation, \"devices\": {**allocation[\"devices\"], \"results\": results}})")),
    Mutant("attempts: what claims take need not be written", (_RECORDED, "            with suppress(WriteFailed):\n                write_status(pod, {FIELD: _with_generated_name(records, self.cycle, pod)}, self._client)\n        yield"), ("FIELD = \"nodeAllocatableResourceClaimStatuses\"", "from contextlib import suppress\n\nFIELD = \"nodeAllocatableResourceClaimStatuses\"")),
    Mutant("attempts: a pod takes the place of those that share its claim", ("    reservations = [*reservations_of(claim), reservation(pod)]\n    if (allocation_of", "    reservations = [reservation(pod)]\n    if (allocation_of")),
    Mutant("attempts: any change of a claim helps its pods", ("        return change.before is None or status_of(change.before) != status_of(change.after)", "        return change.before is None or change.before != change.after")),
    Mutant("attempts: the special claim stays in flight when it is given up", ("        for claim in (*self._to_allocate(), *ended):\n", "        for claim in (*[one for one in self._to_allocate() if \"uid\" in one[\"metadata\"]], *ended):\n"), ("            if not WritingRules.of(self.cycle.profile).in_flight_for_all:\n                self._in_flight.end(claim)", "            if not WritingRules.of(self.cycle.profile).in_flight_for_all and \"uid\" in claim[\"metadata\"]:\n                self._in_flight.end(claim)")),
    Mutant("attempts: the finalizer comes after the allocation", (_FINALIZED, "    claim = client.update(with_status(claim, allocation=allocation, reservedFor=reservations), \"status\")\n    if FINALIZER not in finalizers:\n        claim = client.update({**claim, \"metadata\": {**claim[\"metadata\"], \"finalizers\": [*finalizers, FINALIZER]}})\n    return claim")),
    Mutant("attempts: a special claim that is deleted is still there", ("        if before and before != owner:\n", "        if before and owner and before != owner:\n")),
    Mutant("attempts: a pod that cannot be bound keeps its claims reserved", ("        uid = pod[\"metadata\"][\"uid\"]\n        others = [consumer for consumer in reservations_of(claim) if consumer[\"uid\"] != uid]\n", "        uid = pod[\"metadata\"][\"uid\"]\n        others = [consumer for consumer in reservations_of(claim) if consumer[\"uid\"] != uid or len(reservations_of(claim)) == 1]\n")),
    Mutant("attempts: a wait for devices ends with the first device that is ready", ("    return next((state for state in states if state is not Readiness.READY), Readiness.READY)", "    return Readiness.READY if Readiness.READY in states else next(iter(states), Readiness.READY)")),
)  # fmt: skip
