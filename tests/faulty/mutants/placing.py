"""Schedulers that get one rule wrong in one circumstance.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_CREATED = "    for device_class in sorted(by_name, key=_created):"
_USABLE = "            for claim, typed in self._allocated\n            if typed"
_NOT_ITS_OWN = '        if not entry.get("resourceClaimName") and (owner is None or owner["uid"] != pod["metadata"]["uid"]):\n            raise PodWaits(f\'ResourceClaim'
_OTHER_USERS = '            if all(consumer["uid"] == uid for consumer in reservations_of(claim)):'
_ON_NODE = "            if node and not finished(pod):\n                self._node_names"
_GIVEN_BACK = (
    "        unreserve(cycle.pod, [claim for claim in known if reserved_for(claim, cycle.pod)], self._client)"
)

SERVING = (
    Mutant("serving: the class that was changed last", (_CREATED, "    for device_class in sorted(by_name, key=_revision):")),
    Mutant("serving: a class that two names lead to keeps the implicit one only", ("        if _explicit(device_class):\n            backing[_explicit(device_class)]", "        if _explicit(device_class) and CLASS_PREFIX + _name(device_class) not in backing:\n            backing[_explicit(device_class)]")),
    Mutant("serving: capacity that is not allocatable is a device plugin", ("    offered = node.status.allocatable if node.status else {}\n    return resource in offered", "    offered = node.status.capacity if node.status else {}\n    return resource in offered")),
    Mutant("serving: requests are numbered among extended resources", ("    names = sorted(container.resources.requests)\n", "    names = sorted(name for name in container.resources.requests if \"/\" in name)\n")),
    Mutant("serving: requests are numbered among served resources", ("    names = sorted(container.resources.requests)\n", "    names = [resource]\n")),
    Mutant("serving: containers are numbered apart from init containers", ("    return [(index, container, exclusive) for index, (container, exclusive) in enumerate(containers)]", "    first = len(pod.spec.init_containers)\n    return [(index - first if index > first else index, container, exclusive) for index, (container, exclusive) in enumerate(containers)]")),
    Mutant("serving: the second extended resource of a node with plugins", ("    for name in sorted(names & set(classes)):\n        if not provided_by_node(name, node, rules):", "    for name in sorted(names & set(classes)):\n        if not any(provided_by_node(one, node, rules) for one in names & set(classes)):")),
    Mutant("serving: what nobody has and nobody wants refuses the pod", ("if demand[name] and name not in allocatable]\n        insufficient", "if name not in allocatable]\n        insufficient")),
    Mutant("serving: a special claim is looked for by the name of the pod", ("            (owner_of(claim) or {}).get(\"uid\", \"\")\n            if claim is", "            (owner_of(claim) or {}).get(\"name\", \"\")\n            if claim is"), ("        return self._extended.get(pod[\"metadata\"][\"uid\"], {}).values()", "        return self._extended.get(pod[\"metadata\"][\"name\"], {}).values()")),
    Mutant("serving: a second special claim beside one that asks for something else", ("            raise PhaseFailed(\n                Code.UNSCHEDULABLE, \"the extended-resource claim has other requests than the pod\"\n            )", "            return planned")),
)  # fmt: skip

CLAIMS = (
    Mutant("placing: the second allocated claim can be used anywhere", (_USABLE, _USABLE.replace("self._allocated", "self._allocated[:1]"))),
    Mutant("placing: an allocated claim of another pod's template will do", (_NOT_ITS_OWN, _NOT_ITS_OWN.replace("if not entry", "if allocation_of(claim) is None and not entry"))),
    Mutant("placing: a claim that is deleted serves the pod it is reserved for", ("        if \"deletionTimestamp\" in metadata:\n            raise PodWaits", "        if \"deletionTimestamp\" in metadata and not reserved_for(claim, pod):\n            raise PodWaits")),
    Mutant("placing: a pod that has its reservation is one too many", ("        elif not reserved_for(claim, pod) and len(", "        elif len(")),
    Mutant("placing: an alternative of a missing class is done without", ("        if \"exactly\" in request:\n            yield request[\"name\"], request[\"exactly\"].get(\"deviceClassName\", \"\")\n        for subrequest in request.get(\"firstAvailable\", ()):", "        if \"exactly\" in request:\n            yield request[\"name\"], request[\"exactly\"].get(\"deviceClassName\", \"\")\n        for subrequest in request.get(\"firstAvailable\", ())[:1]:")),
    Mutant("placing: the class of an allocated claim must exist", ("        if allocation_of(claim) is None:\n            for request, name in _classes_of(claim):", "        if True:\n            for request, name in _classes_of(claim):")),
    Mutant("placing: a claim is freed that the pod shares", (_OTHER_USERS, "            if not reservations_of(claim) or any(consumer[\"uid\"] == uid for consumer in reservations_of(claim)):")),
    Mutant("placing: a claim that nobody has reserved is not freed", (_OTHER_USERS, "            if reservations_of(claim) and all(consumer[\"uid\"] == uid for consumer in reservations_of(claim)):")),
    Mutant("placing: the reservation of the second claim stays", (_GIVEN_BACK, _GIVEN_BACK.replace("in known if", "in known[:1] if"))),
    Mutant("placing: alternatives of the second claim are not compared", ("            for claim in self.cycle.claims\n            for index in _subrequest_indices", "            for claim in self.cycle.claims[:1]\n            for index in _subrequest_indices")),
    Mutant("placing: a node is remembered for other claims", ("msgspec.json.encode([spec, names, [claim[\"spec\"] for claim in cycle.claims]])", "msgspec.json.encode([spec, names, len(cycle.claims)])")),
    Mutant("placing: a node that was full stays full", ("        for name in snapshot.changed_nodes:\n            for failed", "        for name in ():\n            for failed")),
    Mutant("placing: pods that failed take of their node", (_ON_NODE, _ON_NODE.replace("not finished(pod)", "(pod.get(\"status\") or {}).get(\"phase\") != \"Succeeded\""))),
    Mutant("placing: who tolerates anything may run on cordoned nodes", ("not _tolerated(_CORDONED, pod)", "not pod.spec.tolerations")),
    Mutant("placing: nobody may run on cordoned nodes", ("        if node.spec.unschedulable and not _tolerated(_CORDONED, pod):", "        if node.spec.unschedulable:")),
    Mutant("placing: nodes that are better avoided are closed", ("_BLOCKING = (\"NoSchedule\", \"NoExecute\")", "_BLOCKING = (\"NoSchedule\", \"NoExecute\", \"PreferNoSchedule\")")),
    Mutant("placing: claims that wait for a pod that is gone stay in flight", ("                attempt.abandon()\n\n", "                pass\n\n")),
    Mutant("placing: a restart remembers what is in flight", ("            self._started = self._client.started\n            self._in_flight.clear()", "            self._started = self._client.started")),
    Mutant("placing: pods whose scheduling is gated are tried", (" or spec.get(\"schedulingGates\") or \"deletionTimestamp\"", " or \"deletionTimestamp\"")),
    Mutant("placing: pods that are being deleted are tried", (" or spec.get(\"schedulingGates\") or \"deletionTimestamp\" in pod[\"metadata\"]:", " or spec.get(\"schedulingGates\"):")),
)  # fmt: skip

BINDING = (
    Mutant("binding: devices of the special claim need not be ready", ("        claims = [*self.cycle.claims, *([self.cycle.extended] if self.cycle.extended else [])]", "        claims = [*self.cycle.claims]")),
    Mutant("binding: what was allocated before is ready", ("        stored = [allocation_of(claim) for claim in (*self.cycle.claims, self.cycle.extended or {})]\n        return [*stored, *", "        return [*")),
    Mutant("binding: each pod waits anew", ("    expired = reported is Readiness.WAITING and since is not None and", "    expired = reported is Readiness.WAITING and since is None and")),
    Mutant("binding: a device that is ready cannot have failed", ("        if required and true_types.intersection(", "        if required and not true_types.issuperset(required) and true_types.intersection(")),
    Mutant("binding: the pool of a device does not matter", ("    identity = (\"driver\", \"pool\", \"device\", *(", "    identity = (\"driver\", \"device\", *(")),
    Mutant("binding: conditions are waited for without their gate", ("    return profile.enabled(\"DRADeviceBindingConditions\") and profile.enabled(\"DRAResourceClaimDeviceStatus\")", "    return True")),
)  # fmt: skip

HINTS = (
    Mutant("hints: devices that are given back help their users only", ("        if freed and allocation_of(change.after) is None:\n            return True\n", "")),
    Mutant("hints: a claim that is deleted helps though it had no devices", ("            return freed and self._deletions_help", "            return self._deletions_help")),
    Mutant("hints: a claim that comes helps nobody", ("        return change.before is None or status_of", "        return change.before is not None and status_of")),
    Mutant("hints: labels of nodes help nobody", ("_NODE_FIELDS = (\"metadata.labels\", \"status.allocatable\")", "_NODE_FIELDS = (\"status.allocatable\",)")),
    Mutant("hints: a claim without pod helps one that misses another", ("            if claim is None or \"deletionTimestamp\" in claim[\"metadata\"]:\n                return None", "            if claim is None or \"deletionTimestamp\" in claim[\"metadata\"]:\n                continue")),
)  # fmt: skip

MUTANTS = (*SERVING, *CLAIMS, *BINDING, *HINTS)
