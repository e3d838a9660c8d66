"""Control planes that overlook what is rare: a claim that somebody deletes, a device that is named and withdrawn, a gate
that is off for a neighbour.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.quality.mutation import Mutant

_LACKING = '    return client.get(key_of("ResourceClaim", name, pod["metadata"]["namespace"])) is None\n'
_KNOWN = '    statuses = [one for one in known if one["name"] not in new]\n'
_LABELS = '        "labels": inner.get("labels") or {},\n'
_NO_TEMPLATE = "    if template is None:\n        raise WriteFailed("
_MEANT = "    return all(want is None or want == have for want, have in zip(wanted, device, strict=True))\n"
_WITHOUT_TAINTS = '    if not profile.enabled("DRADeviceTaints"):\n        return {}\n'
_GENERATIONS = (
    "        generations[pool] = max(generations.get(pool, 0), one.spec.pool.generation)\n    return ["
)

CONTROLLERS = (
    Mutant("generated: a claim that somebody deletes is not made again", (_LACKING, "    return False\n")),
    Mutant("generated: the status goes on naming a claim that was deleted", (_KNOWN, "    statuses = [*known]\n")),
    Mutant("generated: a claim has the labels of the template itself", (_LABELS, '        "labels": {**(template["metadata"].get("labels") or {}), **(inner.get("labels") or {})},\n')),
    Mutant("generated: a template that is younger than the pod is not for it", (_NO_TEMPLATE, _NO_TEMPLATE.replace("template is None", 'template is None or template["metadata"]["creationTimestamp"] > metadata["creationTimestamp"]'))),
    Mutant("eviction: a rule for one device is for published devices", (_MEANT, _MEANT.replace("return all(", "return selector.device is None and all("))),
    Mutant("eviction: a rule for one device is for that name in any pool", (_MEANT, _MEANT.replace("zip(wanted, device, strict=True)", "list(zip(wanted, device, strict=True))[2 if selector.device else 0 :]"))),
    Mutant("eviction: drivers evict nobody while rules are off", (_WITHOUT_TAINTS, _WITHOUT_TAINTS.replace('profile.enabled("DRADeviceTaints")', '(profile.enabled("DRADeviceTaints") and profile.enabled("DRADeviceTaintRules"))'))),
    Mutant("eviction: a pool may not be of an older generation than those before it", (_GENERATIONS, _GENERATIONS.replace("max(generations.get(pool, 0), one.spec.pool.generation)", "max((*generations.values(), one.spec.pool.generation))"))),
)  # fmt: skip

SPECIAL = (
    Mutant("special: a pod with claims of its own has none of an earlier attempt", ("        if asks_for(cycle.typed, cycle.served):\n            self._left", "        if asks_for(cycle.typed, cycle.served) and not cycle.claims:\n            self._left")),
    Mutant("special: it stays until its pod is deleted", ('owner["uid"] and finished(pod):\n        client.delete(key)\n', 'owner["uid"] and finished(pod) and entry_of(claim):\n        client.delete(key)\n'), ("from dra_conform.controlplane.simulation.keys import Key, key_in, key_of\nfrom dra_conform.controlplane.simulation.pods import (\n    MOST_RESERVATIONS,\n    allocation_of,\n    claim_keys,\n    finished,\n    owner_of,\n    reservation,", "from dra_conform.controlplane.simulation.controllers.claim_generation import entry_of\nfrom dra_conform.controlplane.simulation.keys import Key, key_in, key_of\nfrom dra_conform.controlplane.simulation.pods import (\n    MOST_RESERVATIONS,\n    allocation_of,\n    claim_keys,\n    finished,\n    owner_of,\n    reservation,")),
)  # fmt: skip

MUTANTS = (*CONTROLLERS, *SPECIAL)
