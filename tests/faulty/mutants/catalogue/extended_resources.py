"""Mutants of `dra_conform.simulation.extended_resources`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "simulation.extended_resources.backing_classes": {
        "classes_by_resource: classes implicit backing by_name device_class": (
            ("extended-resources", "names: the oldest class serves", "sorted(_1, key=_created)", "sorted(_1, key=_created, reverse=True)"),
            ("extended-resources", "names: the last by name serves", "sorted(..., reverse=_0)", ""),
            ("extended-resources", "names: by name before age", "sorted(_1, key=_created)", "_1"),
            ("extended-resources", "names: only the explicit one", "_[CLASS_PREFIX + _] = _name(_)", "pass"),
            ("extended-resources", "names: implicit where there is no other", "implicit", "_0 and not _explicit(device_class)"),
            ("extended-resources", "names: only implicit ones", "if _explicit(_): ...", "if False: pass"),
            ("placing", "serving: the class that was changed last", "_created", "_revision"),
            ("placing", "serving: a class that two names lead to keeps the implicit one only", "if _0 := _explicit(_1): ...", "_0 and CLASS_PREFIX + _name(_1) not in backing")),
        "BackingClasses._forget": (("extended-resources", "names: a release forgets nothing", "_.pop(...)", "pass"),),
        "BackingClasses.current": (
            ("extended-resources", "names: a restart forgets nothing", "_ = _, _, _1", "self._started = _1"),
            ("second-times", "again: a scheduler that restarts remembers who served a name", "_ != _1", "not _1"),
            ("lifetimes", "names: who serves one is remembered by a scheduler that restarts", "if _2 != _1: ...", "if not _1: self._started = _2")),
        "provided_by_node: resource node switches offered": (
            ("extended-resources", "nodes: DRA tops up what the node has", "_ and _", "False"),
            ("extended-resources", "nodes: none is as good as some", "bool(...) or not _", "True"),
            ("placing", "serving: capacity that is not allocatable is a device plugin", "_1.allocatable", "_1.capacity"),
            ("serving", "extended: a device plugin without devices is one", "return _", "had = node.status.capacity if node.status else {}; _0"),
            ("serving", "& extended: a device plugin without devices is one", "bool(_2[_1]) or _3", "bool(had.get(_1)) or bool(_2[_1]) or _3")),
        "BackingClasses._change": (("lifetimes", "names: a class that changes its resource keeps the one it had", "if _ is not None: ...", ""),),
    },
    "simulation.extended_resources.claim_requests": {
        "backed_requests: pod node classes switches containers names container name counts mappings request count requests device_class": (
            ("oversights", "nodes: init containers get devices of DRA beside a device plugin", "not provided_by_node(...)", "_0 or any(name in each.resources.requests for each in pod.spec.init_containers)"),
            ("extended-resources", "nodes: the claim requests what the node has too", "not _", "True"),
            ("extended-resources", "requests: one device too many", "{'count': _0, **_}", "_0 + 1"),
            ("extended-resources", "requests: one device for each", "{'count': _0, **_}", "1"),
            ("extended-resources", "requests: all devices", "{'deviceClassName': _1, **_}", "{'deviceClassName': _1, 'allocationMode': 'All'}"),
            ("extended-resources", "requests: the first resource only", "sorted(_ & _)", "_0[:1]"),
            ("placing", "serving: the second extended resource of a node with plugins", "not _0", "any(provided_by_node(one, node, switches) for one in names & set(classes))"),
            ("serving", "extended: two names of one class are one request", "not _", "_0 and classes[name] not in {device_class for device_class, _ in counts.values()}"),
            ("serving", "extended: what a pod tolerates of nodes it tolerates of devices", "{'exactly': _0, **_}", "{**_0, **({'tolerations': [dict(one) for one in pod.spec.tolerations]} if pod.spec.tolerations else {})}"),
            ("lifetimes", "special: what only the second container asks for is left out", "{_ for _ in _0 for _ in _}", "_0[:1]"),
            ("lifetimes", "special: where the node has one of the resources it has them all", "not _0", "any(provided_by_node(each, node, switches) for each in names & set(classes))"),
            ("lifetimes", "special: two resources of one class share a request", "[{'name': _1, 'exactly': {'deviceClassName': _2, 'count': _3, **_}} for _ in sorted(_4)]", "[{'name': _1, 'exactly': {'deviceClassName': _2, 'allocationMode': 'ExactCount', 'count': _3}} for _1, (_2, _3) in sorted({_2: (_1, (_2, _3)) for _1, (_2, _3) in _4}.values())]")),
        "_containers: pod switches exclusive containers container index": (
            ("extended-resources", "requests: init containers are forgotten", "_1 = [_ for _ in _]", "_1: list[tuple[Container, bool]] = []"),
            ("extended-resources", "requests: sidecars end like init containers", "_1 or _ == 'Always'", "_1"),
            ("placing", "serving: containers are numbered apart from init containers", "return _", "first = len(pod.spec.init_containers); _0"),
            ("placing", "& serving: containers are numbered apart from init containers", "_0, _, _", "_0 - first if _0 > first else _0"),
            ("lifetimes", "special: containers are numbered from the first that is no init container", "enumerate(_1)", "enumerate(_1, -len(pod.spec.init_containers))")),
        "_requests": (
            ("extended-resources", "requests: what is missing is the least", "max", "min"),
            ("extended-resources", "requests: zero is a request", "_ and (_0 := _count(_2, _1))", "_1 in _2.resources.requests"),
            ("second-times", "second: of two init containers the first one's devices are enough", "max(_1, ...)", "next(iter(_1))")),
        "_request_name: index container resource names": (
            ("extended-resources", "requests: all containers have one name", "_0 if _ else ''", "f'container-0-request-{names.index(resource)}'"),
            ("extended-resources", "requests: all resources have one name", "_0 if _ else ''", "f'container-{index}-request-0'"),
            ("placing", "serving: requests are numbered among extended resources", "_.requests", "(name for name in _0 if '/' in name)"),
            ("placing", "serving: requests are numbered among served resources", "sorted(...)", "[resource]"),
            ("lifetimes", "special: cpu and memory have no number in a container", "_.requests", "(name for name in _0 if '/' in name)")),
        "_mapping": (
            ("extended-resources", "requests: mappings name the first container", "_.name", "'main'"),
            ("serving", "extended: the status has names of classes without their domain", "{'resourceName': _0, **_}", "_0.removeprefix('deviceclass.resource.kubernetes.io/')")),
        "requests_backed_resource": (("serving", "extended: what is left for init containers is not looked for", "_, *_1", "_1"), ("lifetimes", "special: an init container that asks alone leaves nothing behind", "_, *_1", "_1")),
        "_count: container resource quantity": (("oversights", "extended resources: an amount with a suffix is one device", "quantity.value() if quantity is not None else 0", "(int(str(quantity)) if str(quantity).isdigit() else 1) if quantity is not None else 0"),),
    },
    "simulation.extended_resources.extended_resource_claims": {
        "discard: claim pod switches client steps failed step failure": (("oversights", "special: cleaning up ends with the first failure", "if not switches.cleanup_continues: ...", "break"),),
        "extended_resource_claim": (
            ("extended-resources", "claims: nobody owns it", "owned_by(_)", ""),
            ("extended-resources", "claims: no annotation", "{'annotations': _0, **_}", "{}"),
            ("extended-resources", "claims: in the default namespace", "_['namespace']", "'default'"),
            ("lifetimes", "special: it tells of the entry for which it is", "{EXTENDED_RESOURCE_CLAIM: _ if _ else 'true'}", "{**_0, 'resource.kubernetes.io/pod-claim-name': 'extended-resources'}")),
        "record: pod claim mappings client status": (("extended-resources", "claims: the status names another", "_0[_]['name']", "pod"),),
        "_clear_pod_status": (
            ("extended-resources", "cleaning: the pod goes on naming it", "_.update(...)", "pass"),
            ("histories", "left: the pod forgets the claims of its templates as well", "with_status(_1, ...)", "with_status(_1, extendedResourceClaimStatus=None, resourceClaimStatuses=None)")),
        "discard": (("extended-resources", "cleaning: no finalizer is removed", "[_0, ...]", ""), ("lifetimes", "special: a claim whose deletion fails goes on having its pod", "_.cleanup_continues", "False", 1)),
        "_release: claim client current finalizers kept finalizer": (
            ("histories", "finalizers: others go when the special claim is given up", "_ = _.get(...) or ()", "kept: list[str] = []"),
            ("histories", "& finalizers: others go when the special claim is given up", "_ = [_ for _ in _ if _ != FINALIZER]", "")),
        "_MAX_POD_NAME": (("histories", "left: names of pods are not made shorter", "253 - _", "253"),),
        "LeftoverClaim.claim_for: planned node": (
            ("extended-resources", "cleaning: other requests are as good", "_1 or _", "_1"),
            ("extended-resources", "cleaning: any node is as good", "not usable(...)", "False"),
            ("placing", "serving: a second special claim beside one that asks for something else", "if _ is None or _ != _: _0", "return planned"),
            ("histories", "left: a claim is used again where its devices are not", "not usable(...)", "False"),
            ("histories", "left: a claim for as many requests is used again", "_1 != _2", "len(_1) != len(_2)"),
            ("serving", "extended: a claim of another node cannot be helped", "_.UNSCHEDULABLE", "Code.UNRESOLVABLE", 1)),
        "LeftoverClaim._valid": (
            ("extended-resources", "cleaning: unpublished devices are as good", "_ <= _", "True"),
            ("extended-resources", "cleaning: what is not allocated is as good", "_ is None", ""),
            ("histories", "left: a claim that is being deleted is used again", "'deletionTimestamp' in _", ""),
            ("histories", "left: a device that another claim holds is used again", "_1 - _", "_1"),
            ("histories", "left: a device that is not published any more is used again", "_1 <= _3 - _2", "_1.isdisjoint(_2) or not _3")),
        "_devices": (("histories", "left: a device counts as held that somebody looks at with admin access", "_1 or _.get(...)", "_1"),),
        "LeftoverClaim.check": (
            ("histories", "left: a tainted device is used again", "_1 or tainted_claim(...)", "_1"),
            ("serving", "extended: a claim that is not valid cannot be helped", "_.UNSCHEDULABLE", "Code.UNRESOLVABLE"),
            ("reported", "a special claim is used again though its device is tainted", "_1 or tainted_claim(...)", "_1")),
        "extended_resource_claim: pod typed node classes switches claims requests mappings empty annotations metadata spec claim": (("oversights", "special: init containers get nothing beside a claim of the pod", "backed_requests(...)", "tuple([one for one in part if not claims or int((one.get('name') or one['requestName']).split('-')[1]) >= len(typed.spec.init_containers)] for part in _0)"),),
    },
    "kube.switches.extended_resources": {
        "ExtendedResourceSwitches.names_cached": (("extended-resources", "names: a release never remembers", "switch(_0, ...)", "'until 1.33'"),),
        "ExtendedResourceSwitches.zero_means_unlisted": (("extended-resources", "nodes: zero is something by the document", "'kep'", ""),),
        "ExtendedResourceSwitches.init_containers_reuse": (
            ("extended-resources", "requests: init containers reuse by the document", "switch(_0, ...)", "'kep'; _0"),
            ("extended-resources", "requests: init containers never reuse", "switch(_0, ...)", "'until 1.33'")),
        "ExtendedResourceSwitches.claims_name_pod": (("extended-resources", "claims: true by the document", "'kep'", "'until 1.33'"),),
        "ExtendedResourceSwitches.names_shortened": (("extended-resources", "claims: a long name is not shortened", "'kep'", "'until 1.33'"),),
        "ExtendedResourceSwitches.claims_reused": (
            ("extended-resources", "cleaning: what is left is never used by the document", "'kep'", "'until 1.33'"),
            ("extended-resources", "cleaning: releases use what is left", "switch(...)", "switch('kep', 'since 1.34')")),
        "ExtendedResourceSwitches.cleanup_continues": (("serving", "extended: a clean-up ends at what fails", "'kep'", "'until 1.33'"),),
        "ExtendedResourceSwitches.empty_claims_created": (("serving", "extended: beside claims of its own a pod gets an empty claim", "switch(_0, ...)", "'kep'; _0"),),
    },
}  # fmt: skip
