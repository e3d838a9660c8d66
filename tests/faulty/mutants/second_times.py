"""Schedulers, kubelets, footprints and quotas that forget a rule the second time: for the second of two, for what
exists already, for who comes back or is on the way out, where a node went away or a gate was off before.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_GIVEN_UP = "            for claim in allocated:\n                if readiness("
_KNOWN = "        known = [self._written.get(_named(one), one) for one in cycle.claims]\n"
_HELD_BEFORE = "            if allocation_of(claim) is not None:\n                found[claim["
_ADMITTED = "        if node and not finished(raw):\n            running"
_PLACED = "            if node and not finished(pod):\n                self._places"
_ASKED_CLASSES = (
    "    for claim in claims:\n        if allocation_of(claim) is None:\n            for request, name"
)
_PER_CONTAINER = "        times = Quantity.whole(len(self.containers))\n"
_ELSEWHERE = "        return [one.metadata.name for one in allocated if not usable(one, node)]\n"
_ENDING = '    elif not users and (reservations or "deletionTimestamp" in claim["metadata"]):\n'
_NAMED_CLAIM = "        return pod if status.resource_claim_name == claim.metadata.name else None\n"

SCHEDULING = (
    Mutant("second: the classes of the second claim need not exist", (_ASKED_CLASSES, _ASKED_CLASSES.replace("in claims:", "in claims[:1]:"))),
    Mutant("second: the second claim of a pod that is gone stays in use", ("                for claim in _claims_of(gone.raw):\n                    del", "                for claim in sorted(_claims_of(gone.raw))[:1]:\n                    del")),
    Mutant("second: of two pods that wait for devices one takes of its node", ("        return (PodOnNode(pod) for pod in self.assumed if pod", "        return (PodOnNode(pod) for pod in self.assumed[:1] if pod")),
    Mutant("second: the second taint of a node is not looked at", ("for taint in node.spec.taints if taint.effect in _BLOCKING):", "for taint in node.spec.taints[:1] if taint.effect in _BLOCKING):")),
    Mutant("second: the second toleration of a pod is not looked at", ("    for one in pod.spec.tolerations:\n", "    for one in pod.spec.tolerations[:1]:\n")),
    Mutant("second: the second label of a node selector is not looked at", ("for name, value in spec.node_selector.items())", "for name, value in list(spec.node_selector.items())[:1])")),
    Mutant("second: behind a claim in use no other is freed", ("        for claim in self._out_of_reach:\n", "        for claim in self._out_of_reach[:1]:\n")),
    Mutant("second: the second claim whose devices failed is used again", (_GIVEN_UP, _GIVEN_UP.replace("in allocated:", "in allocated[:1]:"))),
    Mutant("second: of two init containers the first one's devices are enough", ("        most = max(missing, key=lambda request: missing[request])\n", "        most = next(iter(missing))\n")),
    Mutant("again: a reservation of an earlier attempt is not given back", (_KNOWN, "        known = [self._written[_named(one)] for one in cycle.claims if _named(one) in self._written]\n")),
    Mutant("again: a scheduler that restarts does not try again whom it has refused", ("            self._tried, self._binding = {}, {}\n", "            self._binding = {}\n")),
    Mutant("again: a scheduler that restarts remembers who served a name", ("        if started != self._started:\n            self._known", "        if not self._started:\n            self._known")),
    Mutant("again: a pod that has finished gives its node back once it is deleted", ("            if before is not None:\n                gone", "            if before is not None and key in pods and not finished(pods[key]) or before is not None and key not in pods:\n                gone")),
    Mutant("leaving: a pod that is being deleted takes nothing of its node", (_PLACED, _PLACED.replace("not finished(pod):", "not finished(pod) and \"deletionTimestamp\" not in pod[\"metadata\"]:"))),
)  # fmt: skip

KUBELETS = (
    Mutant("second: of two pods that come together the kubelet counts none", ("        if not short:\n            beside.append(pod)\n", "        if not short:\n            pass\n")),
    Mutant("second: the kubelet looks on its node for the second resource of a special claim", ("    served = {one.resource_name for one in special.request_mappings} if", "    served = {one.resource_name for one in special.request_mappings[:1]} if")),
    Mutant("second: beside claims of its own a pod runs without its special one", ("        return [*keys, *([special] if special else [])]\n", "        return [*keys, *([special] if special and not keys else [])]\n")),
    Mutant("second: for pods put on a node by hand only the first claim is reserved", ("        for _, key in claim_keys(pod):\n            claim = client.get(key) if key else None\n            if claim is None or allocation_of", "        for _, key in list(claim_keys(pod))[:1]:\n            claim = client.get(key) if key else None\n            if claim is None or allocation_of")),
    Mutant("second: the driver of the second claim is not asked", ("        for claim in claims:\n            self._prepare(claim, node)\n", "        for claim in claims[:1]:\n            self._prepare(claim, node)\n")),
    Mutant("leaving: for the kubelet a pod that is being deleted takes nothing", (_ADMITTED, _ADMITTED.replace("not finished(raw):", "not finished(raw) and \"deletionTimestamp\" not in raw[\"metadata\"]:"))),
    Mutant("gone: pods run on nodes that are not there", ("            exists = self._client.get(key_of(\"Node\", node)) is not None\n", "            exists = True\n")),
    Mutant("gone: a pod deleted before it has a node keeps its claim", ("    return \"deletionTimestamp\" not in pod[\"metadata\"] or bool(pod[\"spec\"].get(\"nodeName\"))\n", "    return True\n")),
    Mutant("gone: a claim that is deleted unused keeps its devices", (_ENDING, "    elif not users and reservations:\n")),
)  # fmt: skip

AMOUNTS = (
    Mutant("second: the overhead of containers counts for one of them", (_PER_CONTAINER, "        times = Quantity.whole(min(1, len(self.containers)))\n")),
    Mutant("second: of the overheads of two devices the larger one counts", ("    if one is None or other is None:\n        return one if other is None else other\n    return one + other\n", "    if one is None or other is None:\n        return one if other is None else other\n    return max(one, other)\n")),
    Mutant("second: of two claims allocated elsewhere one is left out", (_ELSEWHERE, _ELSEWHERE[:-1] + "[:1]\n")),
    Mutant("second: a claim allocated before counts where it is reserved for the pod", (_HELD_BEFORE, _HELD_BEFORE.replace("is not None:", "is not None and reserved_for(claim, self.cycle.pod):"))),
    Mutant("second: what a container requests beside its second claim is not in the budget", ("    short = exceeded(pod, found)\n", "    short = exceeded(pod, found[:1])\n")),
    Mutant("second: a sidecar that comes after an init container does not last", ("        if is_sidecar:\n            lasting = running\n", "        if is_sidecar and (not peak or lasting or peak == running):\n            lasting = running\n")),
    Mutant("second: of one claim's two devices the first brings its memory", ("            if device is not None:\n                total += taken_by(device, result, rules)\n", "            if device is not None:\n                one = taken_by(device, result, rules)\n                total += TakenByDevice({name: each for name, each in one.resources.items() if name not in total.resources or name == \"cpu\"}, one.overhead)\n")),
    Mutant("again: a device that is not published is an error for pods that have it", ("            device = devices.get(result)\n            if device is not None:\n", "            device = devices.get(result)\n            if device is None:\n                raise CountingFailed(result.device)\n            if device is not None:\n")),
)  # fmt: skip

QUOTA = (
    Mutant("second: a special claim that the pod does not name counts as its pod's", (_NAMED_CLAIM, "        return pod\n")),
    Mutant("second: quotas with scopes count claims", ("        counted = () if has_scopes(quota.spec) else self.claims\n", "        counted = self.claims\n")),
    Mutant("second: of two requests for a class the larger one counts", ("        total.update(_of_request(request))\n", "        total |= Counter(_of_request(request))\n")),
    Mutant("second: two classes with one extended resource are charged for the second", ("            extended[names.requested(resources[name])] += count\n", "            extended[names.requested(resources[name])] = count\n")),
    Mutant("second: what the second container is limited to does not count", ("        (one.resources.limits for one in pod.spec.containers),\n", "        (one.resources.limits for one in pod.spec.containers[:1]),\n")),
    Mutant("again: a pod that is not charged more on a resize is charged as a whole", ("        more = {name: amount - before.get(name, Quantity(0)) for name, amount in self._usage(new).items()}\n", "        more = {name: amount - before.get(name, Quantity(0)) for name, amount in self._usage(new).items()}\n        more = more if any(amount > Quantity(0) for amount in more.values()) else dict(self._usage(new))\n")),
)  # fmt: skip

MUTANTS = (*SCHEDULING, *KUBELETS, *AMOUNTS, *QUOTA)
