"""Break the counting of quotas on purpose, one rule at a time, and see the suite notice: `make mutants-of-quota`.

As in `faulty/mutants/allocation.py`, with the cases of operation `usage` and the stories.
"""

from __future__ import annotations

import sys

from tests.faulty.mutants.campaign import main
from tests.faulty.mutants.mutation import Mutant
from tests.faulty.mutants.subjects import QUOTA

_NEAR = ("quota",)


def _mutant(name: str, old: str, new: str) -> Mutant:
    return Mutant(name, (old, new), near=_NEAR)


_CLAIMS = (
    _mutant("claim: counts twice", "usage = {names.CLAIMS: 1,", "usage = {names.CLAIMS: 2,"),
    _mutant("claim: all devices count one", "ALL_DEVICES = 32", "ALL_DEVICES = 1"),
    _mutant("claim: all devices count one less", "ALL_DEVICES = 32", "ALL_DEVICES = 31"),
    _mutant("claim: all devices count nothing", 'if mode == "All":', 'if mode == "Every":'),
    _mutant("claim: each request counts one", 'in ("", "ExactCount") else 0', "in () else 1"),
    _mutant(
        "claim: the last request only",
        "total.update(_of_request(request))",
        "total = Counter(_of_request(request))",
    ),
    _mutant(
        "claim: requests with admin access are free",
        "        exactly = request.exactly\n",
        "        exactly = request.exactly\n        if exactly.admin_access:\n            return {}\n",
    ),
    _mutant("claim: subrequests are free", "for one in request.first_available:", "for one in ():"),
    _mutant(
        "claim: the first subrequest only",
        "for one in request.first_available:",
        "for one in request.first_available[:1]:",
    ),
    _mutant(
        "claim: the last subrequest of a class", "= max(count, most.get(one.device_class_name, 0))", "= count"
    ),
    _mutant(
        "claim: the least subrequest of a class",
        "= max(count, most.get(one.device_class_name, 0))",
        "= min(count, most.get(one.device_class_name, 99))",
    ),
    _mutant(
        "claim: subrequests add up",
        "= max(count, most.get(one.device_class_name, 0))",
        "= count + most.get(one.device_class_name, 0)",
    ),
    _mutant("claim: never adjusted", "    if not adjusted:\n", "    if True:\n"),
    _mutant("claim: always adjusted", "    if not adjusted:\n", "    if False:\n"),
    _mutant("claim: no implicit name", "        if name in resources:\n", "        if False:\n"),
    _mutant(
        "claim: an implicit name only beside an explicit one",
        "        if name in resources:\n",
        "        if resources.get(name):\n",
    ),
    _mutant("claim: no explicit name", "        if resources.get(name):\n", "        if False:\n"),
    _mutant(
        "claim: the last class of a resource only",
        "extended[names.requested(resources[name])] += count",
        "extended[names.requested(resources[name])] = count + 1",
    ),
    _mutant("claim: counted with its pod again", "count - charged.get(name, 0)", "count"),
    _mutant("claim: free with its pod", "count - charged.get(name, 0)", "0 if charged else count"),
)
_PODS = (
    _mutant("pod: counts when it is finished", 'in ("Succeeded", "Failed"):', 'in ("Failed",):'),
    _mutant("pod: implicit names are free", "    if not rules.implicit_in_pods:\n", "    if True:\n"),
    _mutant("pod: extended resources are free", "        elif is_extended(name):\n", "        elif False:\n"),
    _mutant(
        "pod: cpu only with requests",
        "            yield name, amount\n            yield",
        "            yield",
    ),
    _mutant(
        "pod: cpu only without requests",
        "            yield name, amount\n            yield names.requested(name), amount\n",
        "            yield name, amount\n",
    ),
    _mutant(
        "pod: requests by name",
        "        elif is_extended(name):\n            yield names.requested(name), amount",
        "        elif is_extended(name):\n            yield name, amount",
    ),
)
_LIMITS = (
    _mutant("limits: are free", "names.PODS: ONE, **most, ", "names.PODS: ONE, "),
    _mutant(
        "limits: count as requests", "one.resources.limits for one in", "one.resources.requests for one in"
    ),
    _mutant(
        "limits: without overhead",
        "    return added(total, {name: amount for name, amount in pod.spec.overhead.items() if total.get(name)})",
        "    return total",
    ),
    _mutant(
        "limits: overhead makes one",
        "{name: amount for name, amount in pod.spec.overhead.items() if total.get(name)}",
        "pod.spec.overhead",
    ),
    _mutant(
        "limits: of containers only",
        "limited(pod) | of_pods(pod.spec.resources.limits if pod.spec.resources else {})",
        "limited(pod)",
    ),
)
_SCOPES = (
    _mutant("scope: none is looked at", "all(_is_in(pod, one) for one in _scopes(quota))", "True"),
    _mutant("scope: one is enough", "return all(_is_in(", "return not _scopes(quota) or any(_is_in("),
    _mutant(
        "scope: only those that are named",
        "return (*named, *selected)",
        "return tuple(named)",
    ),
    _mutant(
        "scope: every pod is best effort", '"BestEffort": _is_best_effort,', '"BestEffort": lambda _: True,'
    ),
    _mutant(
        "scope: no pod is best effort", '"BestEffort": _is_best_effort,', '"BestEffort": lambda _: False,'
    ),
    _mutant(
        "scope: every pod ends by itself",
        "return seconds is not None and seconds >= 0",
        "return True",
    ),
    _mutant("scope: NotIn is In", '"NotIn": name not in', '"NotIn": name in'),
    _mutant(
        "scope: claims count",
        "counted = () if has_scopes(quota.spec) else self.claims",
        "counted = self.claims",
    ),
    _mutant("scope: claims are charged", "else not has_scopes(quota.spec)", "else True"),
)
_UPDATES = (
    _mutant("update: is free", 'return subresource == "resize" or ends_now', "return False"),
    _mutant("update: a resize is free", 'return subresource == "resize" or ends_now', "return ends_now"),
    _mutant(
        "update: a deadline is free",
        'return subresource == "resize" or ends_now',
        'return subresource == "resize"',
    ),
    _mutant(
        "update: charged in full again",
        "before = self._usage(old) if old is not None and _covers(quota, old) else {}",
        "before: Amounts = {}",
    ),
    _mutant(
        "update: what was in another scope is paid for",
        "if old is not None and _covers(quota, old) else {}",
        "if old is not None else {}",
    ),
    _mutant("required: nothing", "    if missing:\n        told", "    if False:\n        told"),
    _mutant(
        "required: claims do instead",
        "    whole = pod.spec.resources\n",
        "    whole = pod.spec.resources\n    if pod.spec.resource_claims:\n        return {}\n",
    ),
)
_SPECIAL = (
    _mutant(
        "special: any claim of a pod",
        "return pod if status.resource_claim_name == claim.metadata.name else None",
        "return pod",
    ),
    _mutant(
        "special: none that is named",
        "return pod if status.resource_claim_name == claim.metadata.name else None",
        "return None",
    ),
    _mutant(
        "special: none that is not named",
        "return None if first_only and any(_age(one) < _age(claim) for one in siblings) else pod",
        "return None",
    ),
    _mutant(
        "special: all that are not named",
        "return None if first_only and any(",
        "return None if False and any(",
    ),
    _mutant(
        "special: of a pod of that name",
        "if pod is None or owner is None or pod.metadata.uid != owner.uid:",
        "if pod is None or owner is None:",
    ),
    _mutant(
        "special: every claim of a pod",
        'return owner if said in ("true", owner.name) else None',
        "return owner",
    ),
    _mutant("special: none", 'return owner if said in ("true", owner.name) else None', "return None"),
)
_NAMESPACES = (
    _mutant(
        "namespace: claims of all",
        "for claim in counted if _namespace(claim) == namespace",
        "for claim in counted",
    ),
    _mutant(
        "namespace: pods of all",
        "for one in pods if _namespace(one) == namespace",
        "for one in pods",
    ),
    _mutant("namespace: no pods", "for one in pods if _namespace(one) == namespace", "for one in ()"),
    _mutant(
        "namespace: no claims", "for claim in counted if _namespace(claim) == namespace", "for claim in ()"
    ),
    _mutant(
        "name: of a class",
        'DEVICES = ".deviceclass.resource.k8s.io/devices"',
        'DEVICES = ".deviceclass.resource.kubernetes.io/devices"',
    ),
    _mutant("name: of requests", '_REQUESTS = "requests."', '_REQUESTS = "request."'),
)
_CLUSTER = (
    _mutant(
        "admission: up to the limit is too much",
        "if used[name] + amount > hard[name])",
        "if used[name] + amount >= hard[name])",
    ),
    _mutant(
        "admission: what is used does not count",
        "if used[name] + amount > hard[name])",
        "if amount > hard[name])",
    ),
    _mutant("admission: everything fits", "if used[name] + amount > hard[name])", "if False)"),
    _mutant(
        "admission: not charged", '"used": {**raw["status"]["used"], **now}', '"used": raw["status"]["used"]'
    ),
    _mutant("admission: quotas of all namespaces", 'if one["metadata"]["namespace"] == namespace]', "]"),
    _mutant(
        "admission: claims are free", 'new["kind"] not in ("ResourceClaim", "Pod")', 'new["kind"] != "Pod"'
    ),
    _mutant(
        "admission: pods are free",
        'new["kind"] not in ("ResourceClaim", "Pod")',
        'new["kind"] != "ResourceClaim"',
    ),
    _mutant(
        "controller: counts once only",
        "if quota.status == ResourceQuotaStatus(hard=quota.spec.hard, used=used):",
        "if quota.status is not None:",
    ),
)
MUTANTS = (*_CLAIMS, *_PODS, *_LIMITS, *_SCOPES, *_UPDATES, *_SPECIAL, *_NAMESPACES, *_CLUSTER)

if __name__ == "__main__":
    sys.exit(main((QUOTA, MUTANTS)))
