"""Mutants of `dra_conform.footprint`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "footprint.device_amounts": {
        "policy_for: device resource device_class own policies policy": (
            ("footprint", "classes go before devices", "_2 or _1", "_1 or _2"),
            ("footprint", "classes say nothing", "_1 or _.get(_)", "_1"),
            ("footprint", "devices say nothing", "_ or _1", "_1"),
            ("taking-from-nodes", "policies: a device with one policy asks its class for none", "_ = _ if _ else _", "if own is None and any(one.accounting_policy for one in device.node_allocatable_resource_mappings.values()): return None\n_0")),
        "SHARED": (("footprint", "pools are not reserved", "_.CONSUME_FROM", ""),),
        "ONE": (("footprint", "a missing multiplier is nothing", "1", "0"),),
        "_mapped_quantities: entries device result switches name key multiplier times consumed": (("footprint", "a capacity of which nothing is consumed ends the mappings of its device", "if consumed is not None: ...", "if consumed is not None and not consumed.nano: return\n_0"),),
        "_mapped_quantities": (
            ("footprint", "the capacity is not looked at", "not _", "True"),
            ("footprint", "multipliers of capacities do not count", "multiplied(_1, _)", "_1"),
            ("oversights", "footprint: of what is not consumed one counts", "multiplied(_1, _2)", "_0 if _1.nano else _2")),
        "_consumed: key device result switches capacity": (
            ("footprint", "the capacity of the device instead of what is consumed", "_.consumed_capacity.get(_1)", "device.capacity[_1].value if _1 in device.capacity else None"),
            ("footprint", "unknown consumption is nothing", "raise _", "return Quantity(0); _0"),
            ("footprint", "whole devices are not known in the documents", "_.whole_capacity", "False"),
            ("node-amounts", "amounts: a capacity that is not consumed counts whole", "return _1(_2)", "found = _1(_2); whole = device.capacity.get(_2); return found if found is not None else whole.value if whole else None"),
            ("oversights", "footprint: a capacity is what its name says after the domain", "return (_0 := _1.get(_2))", "{one.split('/')[-1]: amount for one, amount in _1.items()}.get(_2.split('/')[-1])")),
        "DevicesInSlices._key": (
            ("footprint", "any driver will do", "'' if _ else _", "''"),
            ("footprint", "the driver counts everywhere", "'' if _ else _1", "_1"),
            ("footprint", "any pool will do", "'' if _ else _, _0, _", "''")),
        "newest_of_pools: slices newest slice_ pool": (
            ("oversights", "devices: pools of one name of two drivers have one generation", "newest[slice_.spec.driver, slice_.spec.pool.name]", "max(each for (_, name), each in newest.items() if name == slice_.spec.pool.name)"),
            ("footprint", "old generations count", "max", "min"),
            ("footprint", "& old generations count", "0", "9"),
            ("node-amounts", "amounts: of slices of one pool the first one counts", "_1.spec.pool.generation == _[_2, ...]", "_0 and _1 is next(each for each in slices if (each.spec.driver, each.spec.pool) == (_2, _1.spec.pool))"),
            ("node-amounts", "amounts: a generation counts for every pool of the driver", "_2 = _1, _3.name", "for each in slices:\n    if each.spec.driver == _1:\n        _2 = _1, each.spec.pool.name\n        newest[_2] = max(newest.get(_2, 0), _3.generation)"),
            ("node-amounts", "& amounts: a generation counts for every pool of the driver", "_[_] = max(...)", ""),
            ("scheduling", "eviction: old generations of a pool count", "_ == _", "True"),
            ("histories", "taints: the newest generation of the driver counts", "for _ in _: ...", "for slice_ in slices:\n    for pool in {(each.spec.driver, each.spec.pool.name) for each in slices if each.spec.driver == slice_.spec.driver}:\n        newest[pool] = max(newest.get(pool, 0), slice_.spec.pool.generation)"),
            ("oversights", "eviction: a pool may not be of an older generation than those before it", "max(_1.get(...), _2)", "max((*_1.values(), _2))")),
        "device_usage": (
            ("footprint", "the form of 1.37 everywhere", "not _.overhead", "False"),
            ("footprint", "the form of 1.36 everywhere", "not _.overhead", "True"),
            ("footprint", "overhead is not read", "_.overhead is not None", "False"),
            ("node-amounts", "amounts: the first mapping of a device counts", "_mapped_quantities((_ for _ in _0), ...)", "list(_0)[:1]")),
        "_sum": (("footprint", "overhead of several devices is that of one", "_1 + _", "_1"), ("second-times", "second: of the overheads of two devices the larger one counts", "_1 + _2", "max(_1, _2)")),
        "DeviceUsage.__add__: other names overhead name": (("node-amounts", "amounts: the largest device of several instead of their sum", "added(_1, _2)", "{name: max(a for a in (_1.get(name), _2.get(name)) if a is not None) for name in {**_1, **_2}}"),),
    },
    "footprint.amounts": {
        "added": (("footprint", "the last amount instead of the sum", "_ + _1 if _ else _", "_1"),),
        "greatest": (("footprint", "the smaller amount", "max", "min"),),
        "multiplied": (
            ("footprint", "multiplied by a thousand", "NANO", "10 ** 6"),
            ("footprint", "multiplier is added", "-(-_1 * _2 // NANO)", "_1 + _2"),
            ("node-amounts", "amounts: an amount below one rounds up", "-(-_1 * _2 // NANO)", "_0 if _1 * _2 >= NANO * NANO else NANO")),
    },
    "footprint.claim_amounts": {
        "counted: pod allocated devices switches usage claim entries allocation total result device containers": (
            ("footprint", "only the first device counts", "_1 += _2", "_1 = _1 or _2"),
            ("footprint", "claims that take nothing have entries", "if _0: ...", "True", 2),
            ("node-amounts", "amounts: admin access takes nothing of the node", "_ is not None", "_0 and not result.admin_access"),
            ("second-times", "second: of one claim's two devices the first brings its memory", "_2 += _1", "one = _1; _2 += DeviceUsage({name: each for name, each in one.resources.items() if name not in _2.resources or name == 'cpu'}, one.overhead)"),
            ("second-times", "again: a device that is not published is an error for pods that have it", "_1 = _.get(_2)", "_0\nif _1 is None: raise CountingFailed(_2.device)"),
            ("taking-from-nodes", "taking: a request takes once, however many devices it gets", "for _ in _.results: ...", "seen: set[str] = set(); _0"),
            ("taking-from-nodes", "& taking: a request takes once, however many devices it gets", "_ is not None", "_0 and result.request not in seen"),
            ("taking-from-nodes", "& taking: a request takes once, however many devices it gets", "_ += device_usage(_, _1, _)", "seen.add(_1.request); _0")),
        "ClaimResourceUsage._total_overhead": (
            ("footprint", "overhead per pod is forgotten", "_.per_pod + _1", "_1"),
            ("footprint", "overhead per container counts once", "len(...)", "1"),
            ("second-times", "second: the overhead of containers counts for one of them", "len(...)", "min(1, _0)"),
            ("taking-from-nodes", "taking: overhead of containers counts for one container at least", "len(...)", "max(1, _0)")),
        "ClaimResourceUsage.total": (("footprint", "overhead does not count", "added(_1, *_)", "dict(_1)"),),
        "recorded: pod switches status": (
            ("footprint", "the status counts with the gate off", "_ or _1", "_1"),
            ("footprint", "what is recorded never counts", "not _ or _ is None", "True"),
            ("node-amounts", "amounts: recorded entries of one claim count once", "return [_ for _ in _]", "named = {status.name or '': status.resource_claim_name for status in pod.status.resource_claim_statuses}; own = {status.resource_claim_name or named.get(status.name) for status in pod.spec.resource_claims}; _0"),
            ("node-amounts", "& amounts: recorded entries of one claim count once", "[_recorded(_1, _2) for _ in _3]", "[_recorded(_1, _2) for _1 in _3 if _1.resource_claim_name in own]"),
            ("taking-from-nodes", "taking: recorded claims that the spec does not name take nothing", "return [_ for _ in _]", "named = {name for _, name in claims_of(pod)}; _0"),
            ("taking-from-nodes", "& taking: recorded claims that the spec does not name take nothing", "[_recorded(_1, _2) for _ in _3]", "[_recorded(_1, _2) for _1 in _3 if _1.resource_claim_name in named]")),
        "_using": (
            ("footprint", "init containers use no claims", "_, *_1", "_1"),
            ("footprint", "only init containers use claims", "*_1, *_.containers", "_1"),
            ("footprint", "every container uses every claim", "_.name in _", ""),
            ("footprint", "containers are named once in every release", "_1 if _ else tuple(_)", "_1"),
            ("footprint", "containers are named for each request", "tuple(...) if _ else _1", "_1"),
            ("node-amounts", "amounts: a claim under two names is used by the containers of one", "set(_0)", "list(_0)[:1]")),
        "ClaimResourceUsage.status": (("footprint", "entries without amounts", "dict(...)", "{}"), ("footprint", "entries without containers", "_.containers", "", 1)),
        "_recorded: status switches claim containers mapped each overhead": (("node-amounts", "amounts: a recorded claim that no container uses does not count", "_.resources", "_0 if containers else {}"),),
    },
    "footprint.containers": {
        "aggregated: init_containers containers peak sidecars is_sidecar requests running": (
            ("footprint", "init containers keep their extended resources", "if is_sidecar: _", "if is_sidecar or any('/' in name for name in requests): sidecars = running"),
            ("footprint", "init containers are forgotten", "_ = (_0 := greatest(_1, ...))", "dict(_1)"),
            ("footprint", "init containers add up", "_ = added(_0, _)", "peak"),
            ("footprint", "sidecars end", "if _0: ...", "False"),
            ("footprint", "every init container is a sidecar", "if _0: ...", "True"),
            ("footprint", "sidecars are forgotten beside the app", "added(_0, *_)", ""),
            ("footprint", "only the peak counts", "greatest(_1, added(...))", "dict(_1)"),
            ("node-amounts", "amounts: an init container before a sidecar runs beside it", "if _: _0", "_0; peak = greatest(peak, added(peak, requests))"),
            ("node-amounts", "amounts: the second sidecar replaces the first", "if _: _ = _0", "{**sidecars, **requests}"),
            ("node-amounts", "amounts: a sidecar does not last while a later init container runs", "_ = greatest(_, _0)", "_0 if is_sidecar else requests"),
            ("second-times", "second: a sidecar that comes after an init container does not last", "if _0: ...", "_0 and (not peak or sidecars or peak == running)")),
        "requested": (("footprint", "an init container without restart policy is a sidecar", "_ == SIDECAR", "!="),),
        "limited": (
            ("quota", "limits: count as requests", "(_0 := _1.limits for _ in _)", "_1.requests"),
            ("charging", "quota: limits of init containers count nothing", "aggregated(_0, ...)", "()"),
            ("second-times", "second: what the second container is limited to does not count", "_.containers", "_0[:1]")),
    },
    "footprint.pod_footprint": {
        "footprint: pod claims options total claim": (
            ("footprint", "beside other claims the claims of init containers are part of their peak", "total = added(...)", "early = {each.name for each in pod.spec.init_containers}; later = [each for each in claims if not each.containers or not early.issuperset(each.containers)]; total = added(requested(pod), *(each.total for each in later or claims))"),
            ("footprint", "claims count twice", "(_.total for _ in _0)", "*_0, *_0"),
            ("footprint", "claims do not count", "*_", ""),
            ("footprint", "containers do not count", "requested(_)", ""),
            ("footprint", "what is requested as a whole does not count", "_.update(...)", "pass"),
            ("footprint", "what is requested as a whole is added", "_1.update(_2)", "_1 = added(_1, _2)"),
            ("footprint", "overhead of pods is forgotten", "_1 if _ else _", "_1"),
            ("footprint", "overhead of pods always counts", "_ if _ else _1", "_1"),
            ("footprint", "pod level always counts", "not _", "True"),
            ("node-amounts", "amounts: what a pod requests as a whole takes the place of everything", "_2.update(_1)", "whole = _1; _2 = dict(whole) if whole else _2"),
            ("node-amounts", "amounts: claims come on top of the whole where no container requests it", "_.update(...)", "_0; of_claims = added(*(one.total for one in claims)); total.update({name: amount + of_claims[name] for name, amount in pod_level_requests(pod).items() if name in of_claims and not requested(pod).get(name)})"),
            ("node-amounts", "amounts: overhead of what nothing else takes does not count", "_.overhead", "{name: one for name, one in _0.items() if name in total}"),
            ("node-amounts", "amounts: overhead is part of the whole", "_1.spec.overhead", "{name: one for name, one in _0.items() if name not in pod_level_requests(_1)}"),
            ("node-amounts", "amounts: claims count while init containers run only", "_ = added(...)", "used = {claim.name for claim in pod.spec.init_containers}; _0"),
            ("node-amounts", "& amounts: claims count while init containers run only", "(_1.total for _ in _2)", "(_1.total for _1 in _2 if not _1.containers or set(_1.containers) - used)"),
            ("taking-from-nodes", "taking: without overhead means nothing where the pod has a budget", "_.without_overhead", "_0 and not pod_level_requests(pod)")),
        "exceeded": (
            ("footprint", "no budget is exceeded", "_.get(...) > _0", "_0 + _0"),
            ("footprint", "a budget must not be used up", "_.get(...) > _[_]", ">="),
            ("node-amounts", "fitting: a budget is held against claims alone", "footprint(_, _1, ...)", "added(*(one.total for one in _1))"),
            ("node-amounts", "fitting: overhead is part of the budget", "True", "", 1),
            ("node-amounts", "fitting: a budget for memory is not looked at", "sorted(_)", "_0[:1]"),
            ("taking-from-nodes", "taking: what a pod is limited to as a whole is its budget", "pod_level_requests(_1)", "pod_level_only(_1.spec.resources.limits if _1.spec.resources else {}) or _0")),
        "limits": (("quota", "limits: without overhead", "added(_1, ...)", "_1"), ("quota", "limits: overhead makes one", "{_: _ for _ in _1.items() if _}", "_1"), ("quota", "limits: of containers only", "_1 | _", "_1")),
        "pod_level_requests": (("node-amounts", "amounts: the whole is the limit where that is more", "_1.requests", "{**_0, **_1.limits}"),),
        "pod_level_only": (("node-amounts", "amounts: huge pages have no whole", "_1 or _", "_1"),),
        "container_over_limit: pod claims budget usage container used each total name": (("oversights", "limits: the second container may exceed that of the pod", "pod.spec.containers", "pod.spec.containers[:1]"), ("oversights", "limits: what the second claim of a container brings is not counted", "[each.of_container for each in usage if container.name in each.containers]", "[each.of_container for each in usage if container.name in each.containers][:1]"),),
    },
    "footprint.policy_ledger": {
        "PolicyLedger.add": (("footprint", "each pod is charged for its claims", "self._shared[_] = {**_.get(...), **_1}", "self._own.append(_1)"),),
        "PolicyLedger.overdrawn": (
            ("footprint", "pools never run out", "_1 > _2", "_1 < -_2"),
            ("footprint", "pools must not be used up", "_ > sum(...)", ">="),
            ("footprint", "one container at a time", "_ = (_0 := sum(_1, ...))", "max(_1, default=ZERO)")),
        "_parts": (
            ("footprint", "a missing policy is none", "_ is None", "False", 2),
            ("taking-from-nodes", "policies: the class of the first alternative says how", "_1.get(_2, '')", "next((name for asked, name in _1.items() if asked.partition('/')[0] == _2.partition('/')[0]), '')")),
        "_for_references": (
            ("footprint", "references count once", "max(...)", "1"),
            ("footprint", "a claim without containers has no reference", "max(1, _1)", "_1"),
            ("taking-from-nodes", "policies: the larger of nothing and a claim is nothing", "_1 if _ else _", "_1")),
        "_effective: container claims used largest claim pools requests name": (
            ("footprint", "the smaller of both", "max", "min"),
            ("footprint", "Max adds", "max(_1, _2)", "_1 + _2"),
            ("footprint", "requests come on top of the pool", "_ not in _", ""),
            ("taking-from-nodes", "policies: a pool serves all that a container requests", "_ not in _1", "not _1"),
            ("taking-from-nodes", "policies: the largest claim is the larger one", "_1 = added(*(_2.by((_MAX,)) for _ in _3))", "_1 = {}\nfor _2 in _3: _1 = {name: max(_1.get(name, ZERO), _2.by((_MAX,)).get(name, ZERO)) for name in {**_1, **_2.by((_MAX,))}}")),
        "conflicting": (
            ("footprint", "Max and ConsumeFrom go together", "_ > 1", "False", 1),
            ("footprint", "drivers go together", "len({_ for _ in _}) > 1", "False"),
            ("footprint", "resources conflict with each other", "_ and _1", "_1")),
        "_used": (("footprint", "containers conflict with each other", "_ in _", "True"),),
        "PolicyDemand.total": (("footprint", "another pod's claims count again", "_1 not in _", "_1"),),
        "policy_demand": (("taking-from-nodes", "policies: init containers take what they request", "_, (_0 := _effective(_1, ...))", "dict(_1.resources.requests)"),),
        "_draws": (("taking-from-nodes", "policies: init containers draw from no pool", "_containers(_1)", "_1.spec.containers"),),
    },
}  # fmt: skip
