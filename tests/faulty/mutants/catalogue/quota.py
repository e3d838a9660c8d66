"""Mutants of `dra_conform.quota`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "quota.object_usage": {
        "claim_usage: claim resources adjusted charged devices usage name count extended remaining": (
            ("quota", "claim: counts twice", "1", "2"),
            ("quota", "claim: fewer devices than the pod requests lower the usage", "_ > 0", "!="),
            ("quota", "claim: never adjusted", "not _", "True"),
            ("quota", "claim: always adjusted", "not _", "False"),
            ("quota", "claim: no implicit name", "_ in _", "False"),
            ("quota", "claim: an implicit name only beside an explicit one", "_2 in _1", "_1.get(_2)"),
            ("quota", "claim: no explicit name", "_.get(_)", "False"),
            ("quota", "claim: the last class of a resource only", "_1[names.requested(_2[_3])] += _4", "_1[names.requested(_2[_3])] = _4 + 1"),
            ("quota", "claim: counted with its pod again", "_1 - _.get(...)", "_1"),
            ("quota", "claim: free with its pod", "_2 - _1.get(...)", "0 if _1 else _2"),
            ("charging", "quota: the special claim gives back what its pod counts too much", "_.get(_, 0)", "_0 and count"),
            ("charging", "quota: the special claim counts no implicit name again", "_[names.implicit(_)] += _0", "0 if charged else _0"),
            ("charging", "quota: the special claim counts no explicit name", "if _.get(...): _[_] += _0", "0 if charged else _0"),
            ("charging", "quota: classes that are gone count by their implicit name", "_ in _", "True"),
            ("second-times", "second: two classes with one extended resource are charged for the second", "_1[names.requested(_2[_3])] += _4", "_1[names.requested(_2[_3])] = _4"),
            ("counting-for-quotas", "counting: claims made from templates are no objects of their own", "1", "0 if 'resource.kubernetes.io/pod-claim-name' in claim.metadata.annotations else _0"),
            ("counting-for-quotas", "counting: claims that wait count in no extended resource", "not _", "_0 or claim.allocation is None"),
            ("counting-for-quotas", "counting: admin access counts in no extended resource", "for _, _ in _.items(): ...", "free = Counter(one.exactly.device_class_name for one in claim.spec.devices.requests if one.exactly and one.exactly.admin_access); _0"),
            ("counting-for-quotas", "& counting: admin access counts in no extended resource", "if _1 in _: ...", "if free[_1]: continue\n_0"),
            ("counting-for-quotas", "counting: devices of a class that is gone are free", "{_1(_2): _3 for _ in _4}", "{_1(_2): _3 for _2, _3 in _4 if _2 in resources}")),
        "ALL_DEVICES": (("quota", "claim: all devices count one", "32", "1"), ("quota", "claim: all devices count one less", "32", "31")),
        "counted_devices": (("counting-for-quotas", "counting: a request has at most 32 devices", "_ if _ in ('', 'ExactCount') else 0", "min(_0, ALL_DEVICES)"), ("quota", "claim: all devices count nothing", "'All'", "'Every'"), ("quota", "claim: each request counts one", "'', 'ExactCount'", "()"), ("quota", "& claim: each request counts one", "0", "1")),
        "devices_by_class: claim total request": (
            ("counting-for-quotas", "counting: devices of a claim wrap at 64 bits", "dict(_1)", "{name: (count + 2**63) % 2**64 - 2**63 for name, count in _1.items()}"),
            ("counting-for-quotas", "counting: devices of a claim wrap at 32 bits", "dict(_1)", "{name: (count + 2**31) % 2**32 - 2**31 for name, count in _1.items()}"),
            ("counting-for-quotas", "counting: devices of a claim have 53 bits", "dict(_1)", "{name: int(float(count)) for name, count in _1.items()}"),
            ("quota", "claim: the last request only", "_1.update(_2)", "_1 = Counter(_2)"),
            ("second-times", "second: of two requests for a class the larger one counts", "_1.update(_2)", "_1 |= Counter(_2)"),
            ("counting-for-quotas", "counting: an allocated claim counts what it has", "_: _ = Counter()", "_0\nif claim.allocation is not None: by_request = {one.name: one.exactly.device_class_name for one in claim.spec.devices.requests if one.exactly}; by_request |= {f'{one.name}/{sub.name}': sub.device_class_name for one in claim.spec.devices.requests for sub in one.first_available}; return dict(Counter(by_request[one.request] for one in claim.allocation.devices.results))"),
            ("counting-for-quotas", "counting: of the alternatives of all requests the most", "_2.update(_of_request(_1))", "for name, count in _of_request(_1).items(): _2[name] = max(_2[name], count) if _1.exactly is None else _2[name] + count")),
        "_of_request": (
            ("quota", "claim: requests with admin access are free", "_1 = _.exactly", "_0\nif _1.admin_access: return {}"),
            ("quota", "claim: subrequests are free", "_.first_available", "()"),
            ("quota", "claim: the first subrequest only", "_.first_available", "_0[:1]"),
            ("quota", "claim: the last subrequest of a class", "max(_1, ...)", "_1"),
            ("quota", "claim: the least subrequest of a class", "max", "min"),
            ("quota", "& claim: the least subrequest of a class", "0", "99"),
            ("quota", "claim: subrequests add up", "max(_1, _2)", "_1 + _2"),
            ("counting-for-quotas", "counting: all devices as an alternative count one", "_ = (_0 := counted_devices(_, _1))", "max(_1, 1)")),
        "pod_usage: pod switches now requests name quantity limited": (
            ("quota", "pod: implicit names are free", "not _.implicit_in_pods", "True"),
            ("quota", "limits: are free", "{names.ALL_PODS: ONE, names.PODS: ONE, **_0, **dict(...)}", ""),
            ("counting-for-quotas", "counting: what init containers request of devices is added", "if _: _ = {_1: _ for _ in _2.items() if _}", "for one in pod.spec.init_containers:\n    for _1, amount in one.resources.requests.items():\n        if has_request_quota(_1) and one.restart_policy != 'Always' and any(_1 in other.resources.requests for other in pod.spec.containers):\n            _2[_1] = sum((other.resources.requests[_1] for other in pod.spec.containers if _1 in other.resources.requests), amount)\n_0"),
            ("counting-for-quotas", "counting: sidecars request no devices", "if _: _ = {_1: _ for _ in _2.items() if _}", "for one in pod.spec.init_containers:\n    for _1, amount in one.resources.requests.items():\n        if has_request_quota(_1) and one.restart_policy == 'Always':\n            _2[_1] = _2[_1] - amount\n_0"),
            ("counting-for-quotas", "counting: pods request devices once they have a node", "by_quota(_1)", "by_quota(_1, bool(pod.spec.node_name))"),
            ("counting-for-quotas", "counting: of the containers of a pod the one that requests most devices", "if _: _ = {_1: _ for _ in _2.items() if _}", "both = *pod.spec.containers, *pod.spec.init_containers; most = {_1: max(one.resources.requests.get(_1, Quantity(0)) for one in both) for _1 in _2 if has_request_quota(_1)}; _2 = {**_2, **most}; _0")),
        "has_ended": (
            ("quota", "pod: counts when it is finished", "'Succeeded'", ""),
            ("charging", "quota: pods that failed count", "'Failed'", ""),
            ("charging", "quota: pods past their grace period count", "_ > _0", "max(_0, 10 ** 10)")),
        "by_quota: requests name quantity": (
            ("quota", "pod: extended resources are free", "has_request_quota(_)", "False"),
            ("quota", "pod: cpu only with requests", "if names.is_of_nodes(_): _0; ...", ""),
            ("quota", "pod: cpu only without requests", "if names.is_of_nodes(_): ...; _0", ""),
            ("quota", "pod: requests by name", "if _: yield (_0 := names.requested(_1)), ...", "_1"),
            ("counting-for-quotas", "& counting: pods request devices once they have a node", "...", "def by_quota(requests: Mapping[str, Quantity], bound: bool) -> Iterator[tuple[str, Quantity]]:\n    for name, quantity in requests.items():\n        if names.is_of_nodes(name):\n            yield name, quantity\n            yield names.requested(name), quantity\n        elif has_request_quota(name) and bound:\n            yield names.requested(name), quantity")),
        "unspecified_resources": (("quota", "required: claims do instead", "_ = _1.resources", "_0\nif _1.resource_claims: return {}"),),
    },
    "quota.usage_counter": {
        "pod_of_extended_resource_claim": (
            ("quota", "special: any claim of a pod", "_1 if _ == _ else None", "_1"),
            ("quota", "special: none that is named", "_ if _ == _ else None", "None"),
            ("quota", "special: none that is not named", "None if _ else _", "None"),
            ("quota", "special: all that are not named", "_0 and any(...)", "False"),
            ("quota", "special: of a pod of that name", "_.uid != _.uid", ""),
            ("charging", "quota: a special claim counts as its pod's before the pod names it only", "_1 is None or _2 or _3", "_1 is None or _2 or _3 or _1.status and _1.status.phase == 'Running'"),
            ("second-times", "second: a special claim that the pod does not name counts as its pod's", "_1 if _ == _ else None", "_1")),
        "owner_pod": (("quota", "special: every claim of a pod", "_ if _ in ('true', _1.name) else _", "_1"), ("quota", "special: none", "_ if _ else None", "None")),
        "UsageCounter.of_quota": (
            ("quota", "scope: claims count", "_ if _ else _1", "_1"),
            ("quota", "namespace: claims of all", "[_ for _ in _ if _0]", ""),
            ("quota", "namespace: pods of all", "added(_, *(_ for _ in _ if _0))", ""),
            ("quota", "namespace: no pods", "(self.of_pod(_1) for _ in _ if _)", "(self.of_pod(_1) for _1 in ())"),
            ("quota", "namespace: no claims", "[_1 for _ in _ if _]", "[_1 for _1 in ()]"),
            ("second-times", "second: quotas with scopes count claims", "_ if _ else _1", "_1"),
            ("counting-for-quotas", "counting: claims that are being deleted are free", "namespace_of(_1) == _", "_0 and not _1.metadata.deletion_timestamp", 1)),
        "UsageCounter._resources": (
            ("counting-for-quotas", "counting: of two classes for one name only the last counts there", "return {_2.metadata.name: _1 or _ for _ in _3}", "last = {_1: _2 for _2 in _3}; _0"),
            ("counting-for-quotas", "& counting: of two classes for one name only the last counts there", "_1.spec.extended_resource_name or _", "_0 if last[_1.spec.extended_resource_name] is _1 else ''")),
        "UsageCounter._charged_for": (
            ("counting-for-quotas", "counting: the special claim of a pod that is done is free", "return _ if _1 else NO_CHARGES", "from msgspec.structs import replace\nif _1 is not None and _1.status is not None: _1 = replace(_1, status=replace(_1.status, phase='Running'))\n_0"),),
        "UsageCounter._pods_by_key": (
            ("counting-for-quotas", "counting: pods of one name in two namespaces are one", "return {f'{namespace_of(_2)}/{_1}': _ for _ in _3}", "by_name = {_1: _2 for _2 in _3}; _0"),
            ("counting-for-quotas", "& counting: pods of one name in two namespaces are one", "{_: _0 for _ in self.pods}", "by_name[_0.metadata.name]")),
        "UsageCounter.of_pod": (
            ("counting-for-quotas", "counting: a pod counts under both names of the class it asks for", "return pod_usage(_1, _2)", "usage = dict(pod_usage(_1, _2))\nfor name, resource in self._resources.items():\n    asked = usage.get('requests.deviceclass.resource.kubernetes.io/' + name)\n    if asked is not None and resource and _2.adjusted:\n        usage[f'requests.{resource}'] = asked + usage.get(f'requests.{resource}', Quantity(0))\nreturn usage"),),
    },
    "quota.names": {
        "DEVICES": (("quota", "name: of a class", "DEVICES = _0", "'.deviceclass.resource.kubernetes.io/devices'"),),
        "_REQUESTS": (("quota", "name: of requests", "'requests.'", "'request.'"),),
    },
    "kube.switches.quota": {
        "QuotaSwitches.implicit_in_pods": (("counting-for-quotas", "counting: pods count by implicit names with the gate only", "switch(_, _1, ...)", "switch(when('kep', _1) & gate('DRAExtendedResource'))"),),
    },
    "quota.scopes": {
        "in_scopes": (("quota", "scope: none is looked at", "all(...)", "True"), ("quota", "scope: one is enough", "all(_is_in(_2, _3) for _ in _1)", "not _1 or any(_is_in(_2, _3) for _3 in _1)")),
        "_scopes": (("quota", "scope: only those that are named", "*_1, *_", "tuple(_1)"),),
        "_SCOPES": (("quota", "scope: every pod is best effort", "{'BestEffort': _0, **_}", "lambda _: True"), ("quota", "scope: no pod is best effort", "{'BestEffort': _0, **_}", "lambda _: False")),
        "is_terminating": (("quota", "scope: every pod ends by itself", "_ and _", "True"),),
        "_has_priority": (("quota", "scope: NotIn is In", "_ not in _.values", "in"),),
        "_terms": (("charging", "quota: a pod that prefers neighbours of other namespaces looks at none", "for _ in _0: ...", "()"),),
        "_has_cross_namespace_affinity": (("charging", "quota: an empty selector of namespaces is none", "_1 is not None", "_1"),),
    },
}  # fmt: skip
