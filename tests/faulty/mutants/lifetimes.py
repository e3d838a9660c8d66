"""Control planes that get one rule wrong somewhere in the life of an object: the special claim of a pod, what
controllers make and take back, the pod that has to go, the field that somebody writes.

They are part of `make mutants-of-circumstances`.
"""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_NAMES = "    names = {name for _, container, _ in containers for name in container.resources.requests}\n"
_OF_NODE = "        if not provided_by_node(name, node, rules):\n            for"
_NUMBERED = (
    "    return [(index, container, exclusive) for index, (container, exclusive) in enumerate(containers)]\n"
)
_ASKED = "        for request, (device_class, count) in sorted(counts.items())\n"
_IN_CONTAINER = "    names = sorted(container.resources.requests)\n"
_RESTARTED = "        if started != self._started:\n            self._known, self._backing, self._started = {}, {}, started\n"
_SPECIAL_TOO = "        return [*keys, *([extended] if extended else [])]\n"
_TEMPLATE = '    template = client.get(key_of("ResourceClaimTemplate", name, metadata["namespace"]))\n'
_ASSIGNED = '        if not pod["spec"].get("nodeName") or finished(pod) or "deletionTimestamp" in pod["metadata"]:\n            continue\n        for _, key in claim_keys(pod):\n'
_TO_RESERVE = "            if claim is None or allocation_of(claim) is None or reserved_for(claim, pod):\n"
_USER = '    if pod is None or pod["metadata"]["uid"] != reserved["uid"] or finished(pod):\n'
_DONE = '    if claim is None or owner is None or reservations_of(claim) or "deletionTimestamp" in claim["metadata"]:\n'
_OWNERS = '            owners = metadata["ownerReferences"]\n'
_OWNER_THERE = '    return existing is not None and existing["metadata"]["uid"] == owner["uid"]\n'
_USED = "            keys = {key for key in used if key in due and reserved_for(claims[key], pod)}\n"
_OF_DEVICE = "        for taint in taints.of((result.driver, result.pool, result.device))\n"
_IN_TIME = "        for time in _times(result, taint, profile)\n"
_FREED = '            if all(consumer["uid"] == uid for consumer in reservations_of(claim)):\n'
_NEWER = '        if version and version != old["metadata"]["resourceVersion"]:\n'
_NEW = '        metadata = {**_without(stored["metadata"], _SERVER_METADATA), **self._new_metadata(stored["kind"])}\n'
_MARKED = '        elif "deletionTimestamp" not in old["metadata"]:\n'
_GENERATION = '        if new["kind"] in _WITH_GENERATION and new.get("spec") != old.get("spec"):\n'
_STATUS_KEEPS = '    kept: tuple[str, ...] = ("labels", "annotations", "finalizers", "ownerReferences")\n'
_REPORTING = "    keys = {key for key in before.keys() | now.keys() if"
_BINDING = 'for name in ("allocation", "reservedFor")):\n'
_SERVED = "        elif resource not in requests[container]:\n"
_KEPT = "        kept = with_parents(applied_fields).union(*map(with_parents, others.values()))\n"

SPECIAL = (
    Mutant("special: what only the second container asks for is left out", (_NAMES, _NAMES.replace("in containers", "in containers[:1]"))),
    Mutant("special: where the node has one of the resources it has them all", (_OF_NODE, _OF_NODE.replace("provided_by_node(name, node, rules)", "any(provided_by_node(each, node, rules) for each in names & set(classes))"))),
    Mutant("special: two resources of one class share a request", (_ASKED, "        for request, (device_class, count) in sorted({device_class: (request, (device_class, count)) for request, (device_class, count) in counts.items()}.values())\n")),
    Mutant("special: cpu and memory have no number in a container", (_IN_CONTAINER, '    names = sorted(name for name in container.resources.requests if "/" in name)\n')),
    Mutant("special: containers are numbered from the first that is no init container", (_NUMBERED, _NUMBERED.replace("enumerate(containers)", "enumerate(containers, -len(pod.spec.init_containers))"))),
    Mutant("special: an init container that asks alone leaves nothing behind", ("    containers = (*pod.spec.init_containers, *pod.spec.containers)\n    return any(\n        _count(", "    containers = pod.spec.containers\n    return any(_count(")),
    Mutant("special: it tells of the entry for which it is", ('    annotations = {EXTENDED_RESOURCE_CLAIM:', '    annotations = {"resource.kubernetes.io/pod-claim-name": "extended-resources", EXTENDED_RESOURCE_CLAIM:')),
    Mutant("special: a claim whose deletion fails goes on having its pod", ('        lambda: _delete(claim, client),\n    ]\n    if rules.cleanup_goes_on:\n', '        lambda: _delete(claim, client),\n    ]\n    if False:\n')),
    Mutant("special: a pod of the same name had it before", ("self._extended.get(pod[\"metadata\"][\"uid\"], {}).values()", "[claim for special in self._extended.values() for claim in special.values() if (owner_of(claim) or {}).get(\"name\") == pod[\"metadata\"][\"name\"]]")),
    Mutant("names: who serves one is remembered by a scheduler that restarts", (_RESTARTED, "        if not self._started:\n            self._started = started\n")),
    Mutant("names: a class that changes its resource keeps the one it had", ("        if before is not None:\n            self._forget(before)\n", "")),
    Mutant("kubelet: beside claims of its own a pod needs no special one", (_SPECIAL_TOO, _SPECIAL_TOO.replace("if extended else", "if extended and not keys else"))),
    Mutant("kubelet: what a special claim serves has to be on the node", ("    backed = {mapping.resource_name for mapping in claim_status.request_mappings} if claim_status else set()\n", "    backed: set[str] = set()\n")),
)  # fmt: skip

CONTROLLERS = (
    Mutant("generated: nothing for pods that name a claim as well", ("                for entry in entries(pod)\n                if entry.get(\"resourceClaimTemplateName\")\n                and", "                for entry in entries(pod)\n                if not any(one.get(\"resourceClaimName\") for one in entries(pod)) and entry.get(\"resourceClaimTemplateName\") and")),
    Mutant("generated: a template of the namespace default will do", (_TEMPLATE, _TEMPLATE.rstrip("\n") + ' or client.get(key_of("ResourceClaimTemplate", name))\n')),
    Mutant("generated: not before the pod may be scheduled", ("        if finished(pod) or \"deletionTimestamp\" in pod[\"metadata\"]:\n            continue\n        recorded = generated(pod)\n", "        if finished(pod) or \"deletionTimestamp\" in pod[\"metadata\"] or pod[\"spec\"].get(\"schedulingGates\"):\n            continue\n        recorded = generated(pod)\n")),
    Mutant("reservations: users are looked for in the namespace default", ('    pod = client.get(key_of("Pod", reserved["name"], claim[1]))\n', '    pod = client.get(key_of("Pod", reserved["name"]))\n')),
    Mutant("reservations: a pod that was made again has that of the first", (_USER, _USER.replace(' or pod["metadata"]["uid"] != reserved["uid"]', ""))),
    Mutant("reservations: a generated claim goes with its pod whoever uses it", (_DONE, _DONE.replace(" or reservations_of(claim)", ""))),
    Mutant("reservations: for pods on nodes that are done", (_ASSIGNED, _ASSIGNED.replace(" or finished(pod)", ""))),
    Mutant("reservations: none for pods on nodes of claims that nobody uses", (_TO_RESERVE, _TO_RESERVE.replace(" or reserved_for(claim, pod)", " or reserved_for(claim, pod) or not reservations_of(claim)"))),
    Mutant("garbage: an owner that does not control keeps nothing", (_OWNERS, '            owners = [one for one in metadata["ownerReferences"] if one.get("controller")]\n')),
    Mutant("garbage: an owner that was made again keeps what it had", (_OWNER_THERE, "    return existing is not None\n")),
    Mutant("garbage: slices of nodes that are gone stay", ("    for kind in STRATEGIES:\n", "    for kind in (one for one in STRATEGIES if one != \"ResourceSlice\"):\n")),
    Mutant("freeing: a claim that is reserved for the pod alone is used", (_FREED, "            if not reservations_of(claim):\n")),
    Mutant("freeing: the second claim whose devices failed is kept", ("            for claim in allocated:\n                if readiness(", "            for claim in allocated[:1]:\n                if readiness(")),
    Mutant("waiting: the class of an alternative need not exist", ("        for subrequest in request.get(\"firstAvailable\", ()):\n            yield f\"", "        for subrequest in ():\n            yield f\"")),
    Mutant("eviction: claims of templates do not count", ("    yield from (key for _, key in claim_keys(pod) if key)\n    extended_resource_claim =", "    yield from (key for entry, key in claim_keys(pod) if key and entry.get(\"resourceClaimName\"))\n    extended_resource_claim =")),
    Mutant("eviction: pods go that name the claim and do not have it", (_USED, _USED.replace(" and reserved_for(claims[key], pod)", ""))),
    Mutant("eviction: the first taint of a device counts", (_OF_DEVICE, _OF_DEVICE.replace("taints.of((result.driver, result.pool, result.device))", "list(taints.of((result.driver, result.pool, result.device)))[:1]"))),
    Mutant("eviction: the first result says what is tolerated", (_IN_TIME, "        for time in _times(results[0], taint, profile)\n")),
)  # fmt: skip

WRITES = (
    Mutant("objects: a status is written over what came in between", (_NEWER, _NEWER.replace("if version and", "if version and not subresource and"))),
    Mutant("objects: who creates one says which UID it has", (_NEW, '        metadata = {**self._new_metadata(stored["kind"]), **stored["metadata"]}\n')),
    Mutant("objects: a second deletion is the one that counts", (_MARKED, "        else:\n")),
    Mutant("objects: every write counts as a change of the spec", (_GENERATION, "        if new[\"kind\"] in _WITH_GENERATION:\n")),
    Mutant("objects: a write to the status changes annotations", (_STATUS_KEEPS, _STATUS_KEEPS.replace('"annotations", ', ""))),
    Mutant("objects: two owners control", ("    if sum(bool(reference.get(\"controller\")) for reference in references) > 1:\n", "    if sum(bool(reference.get(\"controller\")) for reference in references) > 2:\n")),
    Mutant("permissions: anybody takes away what drivers reported", (_REPORTING, _REPORTING.replace("before.keys() | now.keys()", "now.keys()"))),
    Mutant("permissions: anybody reserves", (_BINDING, 'for name in ("allocation",)):\n')),
    Mutant("pods: a container names a claim and one of its requests", ("(not request or not part or part == request)", "part == request")),
    Mutant("pods: two claims are told for one entry", ("    unique([status.get(\"name\", \"\") for status in statuses], path, errors, \".name\")\n", "")),
    Mutant("pods: a container is served what another one asks for", (_SERVED, "        elif not any(resource in one for one in requests.values()):\n")),
    Mutant("apply: what is taken by force stays with the other as well", ("        others = {other: paths - changed for other, paths in others.items()}\n", "")),
    Mutant("apply: a field of two managers goes with the first who leaves it out", (_KEPT, "        kept = with_parents(applied_fields)\n")),
    Mutant("apply: what an update has changed is nobody's", ("        written = kept.get(_WITHOUT_APPLY, frozenset()) | changed\n", "        written = kept.get(_WITHOUT_APPLY, frozenset())\n")),
    Mutant("reports: shares of one device are told apart by the first", ("    return (*(device.get(name) for name in (\"driver\", \"pool\", \"device\")), device.get(\"shareID\") or None)\n", "    return tuple(device.get(name) for name in (\"driver\", \"pool\", \"device\"))\n")),
)  # fmt: skip

MUTANTS = (*SPECIAL, *CONTROLLERS, *WRITES)
