"""Controllers and kubelets that forget one rule about who uses devices: eviction, reservations, admission to nodes.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_NAMES = (
    "    return all(name is None or name == actual for name, actual in zip(expected, device, strict=True))"
)
_ON_NODE = '            if not pod["spec"].get("nodeName") or finished(pod) or "deletionTimestamp" in pod["metadata"]:\n                continue\n            used'
_FOUND = "            if keys:\n                times[pod"
_DUE = "        due = {key: time for key, claim in claims.items() if (time :="
_OF_RESULTS = "        for result in results\n        for taint in taints.of("
_PREPARED = '        results = (allocation_of(claim) or {}).get("devices", {}).get("results") or []\n        for driver in dict'
_PRE_SCHEDULED = "            if claim is None or allocation_of(claim) is None or reserved_for(claim, pod):\n"
_ON = '    enabled = profile.enabled("DRADeviceTaints") and profile.enabled("DRADeviceTaintRules")'
_DEMAND = "    demand: Amounts = footprint(pod, recorded(pod, rules))\n"
_TAKEN = "    usage: Amounts = usage_of_pods(others, rules)\n"

MUTANTS = (
    Mutant("users: a rule for a pool reaches what is published only", (_NAMES, _NAMES.replace("return all(", "return selector.driver is not None and all("))),
    Mutant("users: only running pods are evicted", (_ON_NODE, _ON_NODE.replace("or finished(pod)", "or (pod.get(\"status\") or {}).get(\"phase\") != \"Running\""))),
    Mutant("users: who comes after the time is not evicted", (_FOUND, "            if keys and time_of(pod[\"metadata\"][\"creationTimestamp\"]) <= min(due[key] for key in keys):\n                times[pod")),
    Mutant("users: a claim that is being deleted evicts nobody", (_DUE, "        claims = {key: one for key, one in claims.items() if \"deletionTimestamp\" not in one[\"metadata\"]}\n" + _DUE)),
    Mutant("users: shares of a tainted device stay", (_OF_RESULTS, "        for result in results\n        if not result.share_id\n        for taint in taints.of(")),
    Mutant("users: devices with admin access are not prepared", (_PREPARED, _PREPARED.replace("or []\n", "or []\n        results = [one for one in results if not one.get(\"adminAccess\")]\n"))),
    Mutant("users: a claim that is reserved is not reserved for pods that have a node", (_PRE_SCHEDULED, _PRE_SCHEDULED.replace("or reserved_for(claim, pod)", "or reservations_of(claim)"))),
    Mutant("users: rules evict without their gate", (_ON, "    enabled = profile.enabled(\"DRADeviceTaints\")")),
    Mutant("users: kubelets forget the overhead of pods", (_DEMAND, "    demand: Amounts = footprint(pod, recorded(pod, rules), FootprintOptions(without_overhead=True))\n"), ("def _insufficient_resource(\n", "from dra_conform.footprint import FootprintOptions  # noqa: E402\n\n\ndef _insufficient_resource(\n")),
    Mutant("users: kubelets count of other pods what they request", (_TAKEN, "    usage: Amounts = added(*(footprint(one, ()) for one in others))\n"), ("def _insufficient_resource(\n", "from dra_conform.footprint.amounts import added  # noqa: E402\n\n\ndef _insufficient_resource(\n")),
    Mutant("users: the second claim of a pod decides when it goes", ("= min(due[key] for key in keys)", "= due[sorted(keys)[-1]]")),
    Mutant("users: a kubelet prepares for the first pod of a claim on any node", ("        if (node, metadata[\"uid\"]) in self._prepared_keys:\n            return", "        if any(uid == metadata[\"uid\"] for _, uid in self._prepared_keys):\n            return")),
)  # fmt: skip
