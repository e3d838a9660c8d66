"""Schedulers that get one rule wrong in one circumstance.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_CREATED = "    for one in sorted(by_name, key=_created):"
_USABLE = "            for claim, typed in self._allocated\n            if typed"
_NOT_ITS_OWN = '        if not entry.get("resourceClaimName") and (owner is None or owner["uid"] != pod["metadata"]["uid"]):\n            raise Waiting(f\'ResourceClaim'
_OTHER_USERS = '            if all(one["uid"] == uid for one in reservations_of(claim)):'
_ON_NODE = "            if node and not finished(pod):\n                self._places"
_GIVEN_BACK = (
    "        unreserve(cycle.pod, [one for one in known if reserved_for(one, cycle.pod)], self._client)"
)

SERVING = (
    Mutant("serving: the class that was changed last", (_CREATED, "    for one in sorted(by_name, key=_written):")),
    Mutant("serving: a class that two names lead to keeps the implicit one only", ("        if _explicit(one):\n            found[_explicit(one)]", "        if _explicit(one) and CLASS_PREFIX + _name(one) not in found:\n            found[_explicit(one)]")),
    Mutant("serving: capacity that is not allocatable is a device plugin", ("    offered = node.status.allocatable if node.status else {}\n    return resource in offered", "    offered = node.status.capacity if node.status else {}\n    return resource in offered")),
    Mutant("serving: requests are numbered among extended resources", ("    names = sorted(container.resources.requests)\n", "    names = sorted(name for name in container.resources.requests if \"/\" in name)\n")),
    Mutant("serving: requests are numbered among served resources", ("    names = sorted(container.resources.requests)\n", "    names = [resource]\n")),
    Mutant("serving: containers are numbered apart from init containers", ("    return [(index, one, lasting) for index, (one, lasting) in enumerate(both)]", "    first = len(pod.spec.init_containers)\n    return [(index - first if index > first else index, one, lasting) for index, (one, lasting) in enumerate(both)]")),
    Mutant("serving: the second extended resource of a node with plugins", ("    for name in sorted(names & set(classes)):\n        if not of_node(name, node, rules):", "    for name in sorted(names & set(classes)):\n        if not any(of_node(one, node, rules) for one in names & set(classes)):")),
    Mutant("serving: what nobody has and nobody wants refuses the pod", ("if wanted[name] and name not in offered]\n        short", "if name not in offered]\n        short")),
    Mutant("serving: a special claim is looked for by the name of the pod", ("        owner = (owner_of(claim) or {}).get(\"uid\", \"\") if claim", "        owner = (owner_of(claim) or {}).get(\"name\", \"\") if claim"), ("        return self._special.get(pod[\"metadata\"][\"uid\"], {}).values()", "        return self._special.get(pod[\"metadata\"][\"name\"], {}).values()")),
    Mutant("serving: a second special claim beside one that asks for something else", ("            raise PhaseRefused(Code.UNSCHEDULABLE, \"the claim for extended resources requests something else\")", "            return special")),
)  # fmt: skip

CLAIMS = (
    Mutant("placing: the second allocated claim can be used anywhere", (_USABLE, _USABLE.replace("self._allocated", "self._allocated[:1]"))),
    Mutant("placing: an allocated claim of another pod's template will do", (_NOT_ITS_OWN, _NOT_ITS_OWN.replace("if not entry", "if allocation_of(claim) is None and not entry"))),
    Mutant("placing: a claim that is deleted serves the pod it is reserved for", ("        if \"deletionTimestamp\" in metadata:\n            raise Waiting", "        if \"deletionTimestamp\" in metadata and not reserved_for(claim, pod):\n            raise Waiting")),
    Mutant("placing: a pod that has its reservation is one too many", ("        elif not reserved_for(claim, pod) and len(", "        elif len(")),
    Mutant("placing: an alternative of a missing class is done without", ("        if \"exactly\" in request:\n            yield request[\"name\"], request[\"exactly\"].get(\"deviceClassName\", \"\")\n        for one in request.get(\"firstAvailable\", ()):", "        if \"exactly\" in request:\n            yield request[\"name\"], request[\"exactly\"].get(\"deviceClassName\", \"\")\n        for one in request.get(\"firstAvailable\", ())[:1]:")),
    Mutant("placing: the class of an allocated claim must exist", ("        if allocation_of(claim) is None:\n            for request, name in _classes_of(claim):", "        if True:\n            for request, name in _classes_of(claim):")),
    Mutant("placing: a claim is freed that the pod shares", (_OTHER_USERS, "            if not reservations_of(claim) or any(one[\"uid\"] == uid for one in reservations_of(claim)):")),
    Mutant("placing: a claim that nobody has reserved is not freed", (_OTHER_USERS, "            if reservations_of(claim) and all(one[\"uid\"] == uid for one in reservations_of(claim)):")),
    Mutant("placing: the reservation of the second claim stays", (_GIVEN_BACK, _GIVEN_BACK.replace("in known if", "in known[:1] if"))),
    Mutant("placing: alternatives of the second claim are not compared", ("            for claim in self.cycle.claims\n            for place in _places", "            for claim in self.cycle.claims[:1]\n            for place in _places")),
    Mutant("placing: a node is remembered for other claims", ("msgspec.json.encode([spec, named, [claim[\"spec\"] for claim in cycle.claims]])", "msgspec.json.encode([spec, named, len(cycle.claims)])")),
    Mutant("placing: a node that was full stays full", ("        for name in snapshot.touched:\n            for refused", "        for name in ():\n            for refused")),
    Mutant("placing: pods that failed take of their node", (_ON_NODE, _ON_NODE.replace("not finished(pod)", "(pod.get(\"status\") or {}).get(\"phase\") != \"Succeeded\""))),
    Mutant("placing: who tolerates anything may run on cordoned nodes", ("not _tolerated(_CORDONED, pod)", "not pod.spec.tolerations")),
    Mutant("placing: nobody may run on cordoned nodes", ("        if node.spec.unschedulable and not _tolerated(_CORDONED, pod):", "        if node.spec.unschedulable:")),
    Mutant("placing: nodes that are better avoided are closed", ("_BLOCKING = (\"NoSchedule\", \"NoExecute\")", "_BLOCKING = (\"NoSchedule\", \"NoExecute\", \"PreferNoSchedule\")")),
    Mutant("placing: claims that wait for a pod that is gone stay in flight", ("                attempt.give_up()\n\n", "                pass\n\n")),
    Mutant("placing: a restart remembers what is in flight", ("            self._started = self._client.started\n            self._in_flight.clear()", "            self._started = self._client.started")),
    Mutant("placing: pods whose scheduling is gated are tried", (" or spec.get(\"schedulingGates\") or \"deletionTimestamp\"", " or \"deletionTimestamp\"")),
    Mutant("placing: pods that are being deleted are tried", (" or spec.get(\"schedulingGates\") or \"deletionTimestamp\" in pod[\"metadata\"]:", " or spec.get(\"schedulingGates\"):")),
)  # fmt: skip

BINDING = (
    Mutant("binding: devices of the special claim need not be ready", ("        claims = [*self.cycle.claims, *([self.cycle.made] if self.cycle.made else [])]", "        claims = [*self.cycle.claims]")),
    Mutant("binding: what was allocated before is ready", ("        found = [allocation_of(claim) for claim in (*self.cycle.claims, self.cycle.made or {})]\n        return [*found, *", "        return [*")),
    Mutant("binding: each pod waits anew", ("    over = reported is Readiness.WAITING and since is not None and", "    over = reported is Readiness.WAITING and since is None and")),
    Mutant("binding: a device that is ready cannot have failed", ("        if wanted and true.intersection(", "        if wanted and not true.issuperset(wanted) and true.intersection(")),
    Mutant("binding: the pool of a device does not matter", ("    place = (\"driver\", \"pool\", \"device\", *(", "    place = (\"driver\", \"device\", *(")),
    Mutant("binding: conditions are waited for without their gate", ("    return profile.enabled(\"DRADeviceBindingConditions\") and profile.enabled(\"DRAResourceClaimDeviceStatus\")", "    return True")),
)  # fmt: skip

HINTS = (
    Mutant("hints: devices that are given back help their users only", ("        if freed and allocation_of(change.after) is None:\n            return True\n", "")),
    Mutant("hints: a claim that is deleted helps though it had no devices", ("            return freed and self._deletions_help", "            return self._deletions_help")),
    Mutant("hints: a claim that comes helps nobody", ("        return change.before is None or status_of", "        return change.before is not None and status_of")),
    Mutant("hints: labels of nodes help nobody", ("_OF_NODE = (\"metadata.labels\", \"status.allocatable\")", "_OF_NODE = (\"status.allocatable\",)")),
    Mutant("hints: a claim without pod helps one that misses another", ("            if claim is None or \"deletionTimestamp\" in claim[\"metadata\"]:\n                return None", "            if claim is None or \"deletionTimestamp\" in claim[\"metadata\"]:\n                continue")),
)  # fmt: skip

MUTANTS = (*SERVING, *CLAIMS, *BINDING, *HINTS)
