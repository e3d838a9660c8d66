"""Quotas, evictions and metrics that are wrong in one circumstance.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_OVER = "if used[name] + quantity > hard[name])"
_READ = 'quota for quota in self._read("ResourceQuota") if quota["metadata"]["namespace"] == namespace]'
_ALL = "        return [changed for quota in raw for changed in self._charged(quota, written, before)]"
_REST = "    remaining = {name: count - charged.get(name, 0) for name, count in extended.items()}\n"
_IMPLICIT = "            extended[names.implicit(name)] += count\n"
_EXPLICIT = "            extended[names.requested(resources[name])] += count\n"
_FINISHED = '    if pod.status is not None and pod.status.phase in ("Succeeded", "Failed"):\n        return {names.ALL_PODS: ONE}'
_COUNTED_AGAIN = (
    "        if quota.status == ResourceQuotaStatus(hard=quota.spec.hard, used=used):\n            continue\n"
)
_SECONDS = "        yield added + timedelta(seconds=max(0, min(seconds, default=0)))"
_OF_CLAIM = "        for result in results\n        for taint in taints.of((result.driver, result.pool, result.device))\n        for time"
_GONE = '            if not pod["spec"].get("nodeName") or finished(pod) or "deletionTimestamp" in pod["metadata"]:\n                continue\n            used'
_SPECIAL_OF = (
    "    if pod is None or owner is None or pod.metadata.uid != owner.uid:\n        return None\n    status"
)

QUOTA = (
    Mutant("quota: one that allows nothing is no quota", (_OVER, "if used[name] + quantity > hard[name] and hard[name])")),
    Mutant("quota: the first of a namespace is charged", (_ALL, _ALL.replace("for quota in raw", "for quota in raw[:1]"))),
    Mutant("quota: what is used beyond the limit already does not refuse", (_OVER, "if used[name] + quantity > hard[name] >= used[name])")),
    Mutant("quota: quotas of namespaces with the same beginning", (_READ, _READ.replace("== namespace]", ".startswith(namespace)]"))),
    Mutant("quota: charged though another one refuses", ("        for quota in quotas:\n            self.store.put(quota)\n        if new[\"kind\"] in SERVED:", "        if new[\"kind\"] in SERVED:")),
    Mutant("quota: the special claim gives back what its pod counts too much", (_REST, _REST.replace("count - charged.get(name, 0)", "count - (charged.get(name, 0) and count)"))),
    Mutant("quota: the special claim counts no implicit name again", (_IMPLICIT, "            extended[names.implicit(name)] += 0 if charged else count\n")),
    Mutant("quota: the special claim counts no explicit name", (_EXPLICIT, "            extended[names.requested(resources[name])] += 0 if charged else count\n")),
    Mutant("quota: classes that are gone count by their implicit name", ("        if name in resources:\n            extended", "        if True:\n            extended")),
    Mutant("quota: pods that failed count", (_FINISHED, _FINISHED.replace("in (\"Succeeded\", \"Failed\")", "in (\"Succeeded\",)"))),
    Mutant("quota: a limit that changes is not told", (_COUNTED_AGAIN, "        if quota.status and quota.status.used == used:\n            continue\n")),
    Mutant("quota: what is no longer limited stays in the status", ("            encoded = {name: str(quantity) for name, quantity in used.items()}\n", "            encoded = {**(raw.get(\"status\") or {}).get(\"used\", {}), **{name: str(quantity) for name, quantity in used.items()}}\n")),
    Mutant("quota: a special claim counts as its pod's before the pod names it only", (_SPECIAL_OF, "    if pod is None or owner is None or pod.metadata.uid != owner.uid or pod.status and pod.status.phase == \"Running\":\n        return None\n    status")),
    Mutant("quota: a resize is charged twice", ("        before = self._usage(old) if old is not None and _applies(quota, old) else {}", "        before = self._usage(old) if old is not None and not isinstance(new, Pod) and _applies(quota, old) else {}")),
    Mutant("quota: limits of init containers count nothing", ("        (\n            (container.restart_policy == SIDECAR, container.resources.limits)\n            for container in pod.spec.init_containers\n        ),", "        (),")),
    Mutant("quota: init containers need not name anything", ("    containers = (*pod.spec.containers, *pod.spec.init_containers)\n    missing", "    containers = pod.spec.containers\n    missing")),
    Mutant("quota: a pod that prefers neighbours of other namespaces looks at none", ("    for preferred in affinity.get(\"preferredDuringSchedulingIgnoredDuringExecution\") or ():", "    for preferred in ():")),
    Mutant("quota: an empty selector of namespaces is none", ("term.get(\"namespaces\") or term.get(\"namespaceSelector\") is not None for term", "term.get(\"namespaces\") or term.get(\"namespaceSelector\") for term")),
)  # fmt: skip

EVICTION = (
    Mutant("eviction: zero seconds tolerate for good", ("\n        toleration.toleration_seconds for toleration in matching if toleration.toleration_seconds is not None\n    ]", "toleration.toleration_seconds for toleration in matching if toleration.toleration_seconds]")),
    Mutant("eviction: the seconds of the first toleration", (_SECONDS, "        yield added + timedelta(seconds=max(0, next(iter(seconds), 0)))")),
    Mutant("eviction: the pool of a device does not matter", (_OF_CLAIM, "        for result in results\n        for key, several in taints.published.items()\n        if (key[0], key[2]) == (result.driver, result.device)\n        for taint in several\n        for time")),
    Mutant("eviction: the second claim counts only if the first does", ("            keys = {key for key in used if key in due and reserved_for(claims[key], pod)}", "            keys = {key for key in list(used)[:1] if key in due and reserved_for(claims[key], pod)}")),
    Mutant("eviction: pods without a node are deleted", (_GONE, _GONE.replace("not pod[\"spec\"].get(\"nodeName\") or finished", "finished"))),
    Mutant("eviction: a device with admin access is not evicted from", (_OF_CLAIM, _OF_CLAIM.replace("for result in results\n", "for result in results\n        if not result.admin_access\n"))),
    Mutant("eviction: other conditions of the pod are lost", ("    return with_status(pod, conditions=[*others, condition])", "    return with_status(pod, conditions=[condition])")),
    Mutant("eviction: a condition of that type stays beside the new one", ("    others = [existing for existing in conditions if existing[\"type\"] != condition[\"type\"]]", "    others = list(conditions)")),
    Mutant("eviction: only the first taint of a device counts", (_OF_CLAIM, _OF_CLAIM.replace("taints.of((result.driver, result.pool, result.device))", "list(taints.of((result.driver, result.pool, result.device)))[:1]"))),
)  # fmt: skip

METRICS = (
    Mutant("metrics: admin access of the first request", ("    return any((request.get(\"exactly\") or {}).get(\"adminAccess\") for request in requests_of(claim))", "    return any((request.get(\"exactly\") or {}).get(\"adminAccess\") for request in requests_of(claim)[:1])")),
    Mutant("metrics: a claim that is reserved is allocated", ("_label_value(allocation_of(claim) is not None)", "_label_value(bool((claim.get(\"status\") or {}).get(\"reservedFor\")))")),
    Mutant("metrics: creates are those that succeed", ("        self._creates[_series(f\"{name}_creates_total\", labels)] += 1", "        self._creates[_series(f\"{name}_creates_total\", labels)] += 1 if succeeded else 0")),
)  # fmt: skip

MUTANTS = (*QUOTA, *EVICTION, *METRICS)
