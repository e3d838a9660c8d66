"""Schedulers that forget one rule of an attempt: what is in flight, what fails, what helps, what is left.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_EFFECT = '        if one.get("effect") not in (None, "", taint.effect):'
_FINALIZED = '    if FINALIZER not in finalizers:\n        claim = client.update({**claim, "metadata": {**metadata, "finalizers": [*finalizers, FINALIZER]}})\n    return client.update(with_status(claim, allocation=allocation, reservedFor=reservations), "status")'
_BEGUN = "        self._claims[_identity(claim)] = with_status(claim, allocation=allocation)"
_RECORDED = (
    "            write_status(pod, {FIELD: _named(records, self.cycle, pod)}, self._client)\n        yield"
)

MUTANTS = (
    Mutant("attempts: what a node has by now helps nobody", ('_OF_NODE = ("metadata.labels", "status.allocatable")', '_OF_NODE = ("metadata.labels",)')),
    Mutant("attempts: claims are freed whatever refused the node", ("        for claim in self._out_of_reach:\n", "        for claim in [one for one, _ in self._allocated]:\n")),
    Mutant("attempts: after an error claims are freed", ("            if refused.code is not Code.ERROR and not refused.again:\n                self.post_filter()", "            if not refused.again:\n                self.post_filter()"), ("            if refused.code is not Code.ERROR:\n                self._note()\n                self._attempt.post_filter()", "            if True:\n                self._note()\n                self._attempt.post_filter()")),
    Mutant("attempts: a toleration of nodes names its effect", (_EFFECT, "        if one.get(\"effect\") != taint.effect:")),
    Mutant("attempts: shares in flight take no capacity", (_BEGUN, "        results = [{name: value for name, value in one.items() if name != \"consumedCapacity\"} for one in allocation[\"devices\"].get(\"results\") or ()]\n        self._claims[_identity(claim)] = with_status(claim, allocation={**allocation, \"devices\": {**allocation[\"devices\"], \"results\": results}})")),
    Mutant("attempts: what claims take need not be written", (_RECORDED, "            with suppress(WriteFailed):\n                write_status(pod, {FIELD: _named(records, self.cycle, pod)}, self._client)\n        yield"), ("FIELD = \"nodeAllocatableResourceClaimStatuses\"", "from contextlib import suppress\n\nFIELD = \"nodeAllocatableResourceClaimStatuses\"")),
    Mutant("attempts: a pod takes the place of those that share its claim", ("    reservations = [*reservations_of(claim), reservation(pod)]\n    if (allocation_of", "    reservations = [reservation(pod)]\n    if (allocation_of")),
    Mutant("attempts: any change of a claim helps its pods", ("        return change.before is None or status_of(change.before) != status_of(change.after)", "        return change.before is None or change.before != change.after")),
    Mutant("attempts: the special claim stays in flight when it is given up", ("        for claim in (*self._to_allocate(), *shared):\n", "        for claim in (*[one for one in self._to_allocate() if \"uid\" in one[\"metadata\"]], *shared):\n"), ("            if not WritingRules.of(self.cycle.profile).in_flight_for_all:\n                self._in_flight.end(claim)", "            if not WritingRules.of(self.cycle.profile).in_flight_for_all and \"uid\" in claim[\"metadata\"]:\n                self._in_flight.end(claim)")),
    Mutant("attempts: the finalizer comes after the allocation", (_FINALIZED, "    claim = client.update(with_status(claim, allocation=allocation, reservedFor=reservations), \"status\")\n    if FINALIZER not in finalizers:\n        claim = client.update({**claim, \"metadata\": {**claim[\"metadata\"], \"finalizers\": [*finalizers, FINALIZER]}})\n    return claim")),
    Mutant("attempts: a special claim that is deleted is still there", ("        if before and before != owner:\n", "        if before and owner and before != owner:\n")),
    Mutant("attempts: a pod that cannot be bound keeps its claims reserved", ("    others = [one for one in reservations_of(claim) if one[\"uid\"] != pod[\"metadata\"][\"uid\"]]\n", "    others = [one for one in reservations_of(claim) if one[\"uid\"] != pod[\"metadata\"][\"uid\"] or len(reservations_of(claim)) == 1]\n")),
    Mutant("attempts: a wait for devices ends with the first device that is ready", ("    return next((one for one in found if one is not Readiness.READY), Readiness.READY)", "    return Readiness.READY if Readiness.READY in found else next(iter(found), Readiness.READY)")),
)  # fmt: skip
