"""Mutants of `dra_conform.simulation.scheduling`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "simulation.scheduling.allocated_claims": {
        "AllocatedClaims.filter": (
            ("scheduling", "nodes: a claim that is allocated can be used on every node", "if _0: ...", "False"),
            ("placing", "placing: the second allocated claim can be used anywhere", "_._allocated", "_0[:1]")),
        "AllocatedClaims.pre_bind": (
            ("scheduling", "writing: binding conditions are not waited for", "yield _", "return"),
            ("eviction", "devices: a failure ends the attempt as a refusal", "_.ERROR", "Code.UNSCHEDULABLE", 1),
            ("eviction", "devices: those of the first claim are waited for", "self._current(_0)", "_0[:1]"),
            ("placing", "binding: devices of the special claim need not be ready", "[*_.claims, _0]", "")),
        "AllocatedClaims.post_filter": (
            ("scheduling", "queue: what is unreachable is not deallocated", "all(...)", "False"),
            ("scheduling", "queue: what others use is deallocated", "all(...)", "True"),
            ("placing", "placing: a claim is freed that the pod shares", "all(_2[_] == _3 for _ in _1)", "not _1 or any(_2['uid'] == _3 for _2 in _1)"),
            ("placing", "placing: a claim that nobody has reserved is not freed", "all(_ for _ in _1)", "_1 and _0"),
            ("second-times", "second: behind a claim in use no other is freed", "_._unusable", "_0[:1]"),
            ("attempts", "attempts: claims are freed whatever refused the node", "_._unusable", "[one for one, _ in self._allocated]"),
            ("lifetimes", "freeing: a claim that is reserved for the pod alone is used", "all(_ for _ in _1)", "not _1")),
        "AllocatedClaims.pre_filter": (
            ("eviction", "devices: what failed stays allocated", "_.add(...)", "pass"),
            ("second-times", "second: the second claim whose devices failed is used again", "for _ in _0: ...", "_0[:1]"),
            ("lifetimes", "freeing: the second claim whose devices failed is kept", "for _ in _0: ...", "_0[:1]")),
        "AllocatedClaims._allocations": (("placing", "binding: what was allocated before is ready", "_ = _", ""), ("placing", "& binding: what was allocated before is ready", "[_0, *_.values()]", "")),
    },
    "simulation.tainted_devices": {
        "tainted_devices": (
            ("scheduling", "eviction: rules do not count", "_1 = [_ for _ in _]", "_1: list[Any] = []"),
            ("scheduling", "eviction: without the gate, too", "if not _.enabled(...): ...", ""),
            ("eviction", "eviction: a rule without selector evicts", "True", "False"),
            ("oversights", "eviction: drivers evict nobody while rules are off", "_1('DRADeviceTaints')", "_0 and _1('DRADeviceTaintRules')")),
        "selects_by_name: rule device selector expected name actual": (
            ("histories", "taints: of unpublished devices a rule for one reaches all", "_.device", "None"),
            ("histories", "taints: of unpublished devices a rule for a pool reaches all", "_.pool", "None"),
            ("histories", "taints: a rule without selector reaches unpublished devices", "_1 = _.device_selector", "_0\nif _1 is None: return True"),
            ("users-of-devices", "users: a rule for a pool reaches what is published only", "all(...)", "selector.driver is not None and _0"),
            ("oversights", "eviction: a rule for one device is for published devices", "all(...)", "selector.device is None and _0"),
            ("oversights", "eviction: a rule for one device is for that name in any pool", "zip(...)", "list(_0)[2 if selector.device else 0:]")),
        "evicting_rules": (("users-of-devices", "users: rules evict without their gate", "_1 and _.enabled(...)", "_1"),),
    },
    "simulation.scheduling.builtin_allocation": {
        "BuiltinAllocation.update": (
            ("scheduling", "claims: what the store holds is forgotten", "self._stored[_] = _0", "()"),
            ("scheduling", "claims: what is given back stays taken", "_ or _ in _", "False"),
            ("scheduling", "claims: devices are looked at once", "[_ for _ in _PUBLISHED if _]", "self._allocator is None"),
            ("oversights", "allocating: what somebody else writes into a claim is not seen", "if self._session is not None: ...", "")),
        "_results: claim allocation": (("oversights", "allocating: a ResourceClaim that is being deleted has no devices", "claim is None or _", "_0 or 'deletionTimestamp' in claim['metadata']"),),
        "BuiltinAllocation._running": (("scheduling", "claims: share IDs are given twice", "_._shares", ""),),
    },
    "simulation.scheduling.cycle": {
        "Cycle.assumed": (("node-amounts", "fitting: assumed pods take what they request", "with_status(_1, ...) if _ else _", "_1"),),
    },
    "simulation.scheduling.cycle_factory": {
        "CycleFactory.cycle_for": (("extended-resources", "nodes: the gate does not matter", "_.enabled(...)", "True"), ("placing", "placing: a restart remembers what is in flight", "_.clear()", "")),
    },
    "simulation.scheduling.dynamic_resources": {
        "DynamicResources.pre_bind": (
            ("extended-resources", "claims: the status does not name it", "record(...)", "pass"),
            ("extended-resources", "claims: not reserved", "with _: ...; _0", "pass"),
            ("scheduling", "writing: only the first claim is reserved", "_ if _ else _0", "_0[:1]"),
            ("scheduling", "writing: an allocated claim is not reserved together with a new claim", "_ if _ else _0", "[one for one in _0 if not allocation_of(one) or all(map(allocation_of, _0))]"),
            ("serving", "extended: the claim stays where the pod cannot be told of it", "record(_, _0, ...)", "extended"),
            ("serving", "& extended: the claim stays where the pod cannot be told of it", "record(_1.pod, _2, ...)", "extended, _1.extended = _2, None; _0; _1.extended = extended")),
        "DynamicResources._unallocated: extended unallocated claim": (
            ("extended-resources", "claims: claims of the pod are forgotten", "_ is None", "_0 and not extended"),
            ("scheduling", "claims: only the first of a pod is allocated", "_ = _0", "_0[:1]")),
        "DynamicResources.pre_filter": (
            ("extended-resources", "cleaning: what is left is not looked for", "LeftoverClaim.of(_0, ...)", "()"),
            ("extended-resources", "cleaning: any claim of that kind", "_1.extended_resource_claims_of(...)", "(one for one in _1.claims.values() if 'extended-resources' in one['metadata']['name'])"),
            ("scheduling", "claims: taints of allocated devices do not count", "if _0: ...", "False", 2),
            ("histories", "in flight: the second claim of another pod is free", "for _ in _0: ...", "_0[:1]"),
            ("histories", "tainted: the second allocated claim may be", "map(_, _0)", "_0[:1]"),
            ("oversights", "special: a pod with claims of its own has none of an earlier attempt", "requests_backed_resource(_1.typed, ...)", "_0 and not _1.claims")),
        "DynamicResources.post_filter": (
            ("extended-resources", "cleaning: what is left is never deleted", "_ is not None", "False"),
            ("serving", "extended: a clean-up that fails is as one that is done", "discard(...)", "with suppress(WriteFailed): _0")),
        "DynamicResources.filter: node cycle extended allocations": (
            ("oversights", "claims: those of one pod may consume the capacity of a device twice", "self._allocation.on(...)", "_0 or (lambda parts: {name: one for part in parts for name, one in part.items()} if None not in parts and all(result.get('shareID') for part in parts for one in part.values() for result in one['devices']['results']) else None)([self._allocation.on(node, [one], cycle.snapshot, cycle.profile) for one in self._unallocated(extended)])"),
            ("oversights", "special: groups of its devices are not recorded", "NodeFit(allocations, extended)", "NodeFit({name: one if extended is None or name != _named(extended.claim) else {**one, 'devices': {**one['devices'], 'results': [{key: value for key, value in each.items() if key != 'compatibilityGroups'} for each in one['devices']['results']]}} for name, one in allocations.items()}, extended)"),
            ("oversights", "special: what its devices consume is not recorded", "NodeFit(allocations, extended)", "NodeFit({name: one if extended is None or name != _named(extended.claim) else {**one, 'devices': {**one['devices'], 'results': [{key: value for key, value in each.items() if key != 'consumedCapacity'} for each in one['devices']['results']]}} for name, one in allocations.items()}, extended)"),
            ("scheduling", "claims: one that does not fit is done without", "if _ is None: _0", "allocations = {}"),
            ("scheduling", "claims: refused as if preemption helped", "_.UNRESOLVABLE", "Code.UNSCHEDULABLE")),
        "DynamicResources.pre_enqueue": (("scheduling", "claims: missing ones are refused as an error", "_.UNRESOLVABLE", "Code.ERROR"),),
        "DynamicResources.score": (
            ("scheduling", "claims: the worst alternative is preferred", "_ - _1", "_1"),
            ("placing", "placing: alternatives of the second claim are not compared", "_.claims", "_0[:1]"),
            ("reported", "scoring wants an allocation of every claim", "_1 = _.allocations", "_0\nif len(_1) < len(self.cycle.claims): raise PhaseFailed(Code.ERROR, 'too few allocations')")),
        "DynamicResources.scores_nodes": (
            ("scheduling", "claims: alternatives are not compared", "any(...)", "False"),
            ("histories", "ranked: where the second claim has alternatives the first node is taken", "_.claims", "_0[:1]")),
        "DynamicResources.unreserve": (
            ("placing", "placing: the reservation of the second claim stays", "[_ for _ in _0 if _]", "_0[:1]"),
            ("histories", "left: beside claims of its own a pod keeps its special one", "_1.extended is not _", "_0 and not _1.claims"),
            ("second-times", "again: a reservation of an earlier attempt is not given back", "[_1.get(_named(_2), _) for _ in _3]", "[_1[_named(_2)] for _2 in _3 if _named(_2) in _1]"),
            ("attempts", "attempts: the special claim stays in flight when it is given up", "self._to_allocate()", "[one for one in _0 if 'uid' in one['metadata']]")),
        "DynamicResources.reserve": (
            ("histories", "in flight: only the first claim is", "self._to_allocate()", "_0[:1]"),
            ("reported", "an allocated claim is in flight once more", "self._to_allocate()", "self.cycle.claims"),
            ("reported", "& an allocated claim is in flight once more", "_[_named(_1)]", "allocation_of(_1) or _0")),
        "DynamicResources.pre_bound": (("histories", "in flight: the second claim stays so when it is written", "self._to_allocate()", "_0[:1]"),),
        "DynamicResources._ends_in_flight: claim": (("attempts", "& attempts: the special claim stays in flight when it is given up", "not _", "_0 and 'uid' in claim['metadata']"),),
        "DynamicResources.pre_bind: cycle fit each claim": (("oversights", "special: two are created for two resources beside a claim of the pod", "create_claim(...)", "(_0 if cycle.claims and len(fit.extended.mappings) > 1 else None, _0)[1]"), ("oversights", "special: the pod names a claim before it is allocated", "self._reserve(cycle.extended, fit.allocations.get(_named(fit.extended.claim)))", "record(cycle.pod, cycle.extended, fit.extended.mappings, self._client); _0"),),
    },
    "simulation.scheduling.failed_nodes": {
        "shape_of": (("placing", "placing: a node is remembered for other claims", "[_['spec'] for _ in _1]", "len(_1)"),),
        "FailedNodeCache.update": (("placing", "placing: a node that was full stays full", "_.changed_nodes", "()", 2),),
        "shape_of: cycle spec name value names entry claim": (("oversights", "nodes: pods of other tolerations fail on the same nodes", "[spec, names, [claim['spec'] for claim in cycle.claims]]", "[{name: value for name, value in spec.items() if name != 'tolerations'}, names, [claim['spec'] for claim in cycle.claims]]"),),
    },
    "simulation.scheduling.node_allocatable": {
        "NodeAllocatable.pre_bind: records pod": (("oversights", "status: what an earlier attempt wrote is kept", "_ and pod is not None", "_0 and not (pod.get('status') or {}).get(FIELD)"),),
        "NodeAllocatable._allocations": (
            ("footprint", "claims that were allocated before do not count", "_ if _ else _", "()"),
            ("footprint", "claims that were allocated before count in 1.36", "_1 if _ else _", "_1"),
            ("node-amounts", "fitting: the claim that an attempt has left takes nothing", "_ and _ and _0", "not _0"),
            ("second-times", "second: a claim allocated before counts where it is reserved for the pod", "allocation_of(_1) is not _", "_0 and reserved_for(_1, self.cycle.pod)"),
            ("taking-from-nodes", "taking: the special claim takes nothing of the node", "_[_1.partition(...)[_]] = _", "if _1.endswith('<extended-resources>'): continue\n_0")),
        "NodeAllocatable.pre_bind": (
            ("footprint", "nothing is recorded", "_ and _ is not None", "False"),
            ("node-amounts", "fitting: the first claim is written down", "_with_generated_name(_0, ...)", "_0[:1]"),
            ("attempts", "& attempts: what claims take need not be written", "write_status(...)", "with suppress(WriteFailed): _0")),
        "NodeAllocatable.unreserve: records pod": (
            ("footprint", "what is recorded stays", "_.update(...)", "pass"),
            ("node-amounts", "fitting: all but the first record is taken back", "{FIELD: _0}", "(pod.get('status') or {}).get(FIELD, _0)[1:]")),
        "NodeAllocatable.filter: node name running unusable shared claim allocations used claims error": (
            ("oversights", "fitting: beside a claim that a container uses the others take nothing", "footprint(_1, _2)", "footprint(_1, [one for one in _2 if one.containers] or _2)"),
            ("oversights", "fitting: a pod with claims has no overhead", "footprint(_1, _2)", "{name: one - _1.spec.overhead.get(name, one - one) for name, one in _0.items()}"),
            ("footprint", "the node is not checked", "self._check_fit(...)", "pass"),
            ("footprint", "only claims are checked", "footprint(_, _1)", "{k: v for one in _1 for k, v in one.total.items()}"),
            ("node-amounts", "fitting: claims are checked apart from requests", "footprint(_, _1)", "{name: one for claim in _1 for name, one in claim.resources.items()}"),
            ("node-amounts", "fitting: the second claim is not checked", "footprint(_, _0)", "_0[:1]"),
            ("node-amounts", "fitting: claims allocated for another node take of this one", "_.pop(...)", "pass")),
        "NodeAllocatable._check_fit": (
            ("footprint", "only what is offered is checked", "_1 = [_ for _ in _ if _]", "_1: list[str] = []"),
            ("footprint", "every shortage is resolvable", "_ or insufficient_resources(...)", "False"),
            ("footprint", "no shortage is resolvable", "_ or insufficient_resources(...)", "True"),
            ("node-amounts", "fitting: a node that does not list a resource has it", "_0 and _", "not _0"),
            ("histories", "fit: extended resources of claims are the node's", "'/' not in _", ""),
            ("histories", "fit: an empty node with too little is worth waiting for", "_1 or insufficient_resources(...)", "_1")),
        "NodeAllocatable._shared: running cycle used claim others pod named": (
            ("footprint", "claims of other namespaces count", "_ == _", "True"),
            ("node-amounts", "fitting: pods that wait hold their claim", "return _1", "waiting = {claim['metadata']['name'] for claim in cycle.claims if len(reservations_of(claim)) > 1}; return _1 | waiting", 2)),
        "NodeAllocatable._unusable": (("second-times", "second: of two claims allocated elsewhere one is left out", "return _0", "_0[:1]"),),
        "NodeAllocatable._set_status": (
            ("oversights", "recording: the first node that fits decides what is recorded", "[encode(...) for _ in _]", "next(iter(self.cycle.recorded.values()), None) or _0"),
            ("taking-from-nodes", "taking: the status calls a claim as the entry of the pod does", "_1.recorded[_5] = [encode(_2.status(_3)) for _ in _4]", "entries = {key[2]: entry['name'] for entry, key in claim_keys(_1.pod) if key}; written = [encode(_2.status(_3)) for _2 in _4]; _1.recorded[_5] = [{**_2, 'resourceClaimName': entries.get(_2['resourceClaimName'], _2['resourceClaimName'])} for _2 in written]"),),
        "FIELD": (("attempts", "attempts: what claims take need not be written", "_ = _", "from contextlib import suppress; _0"),),
        "NodeAllocatableByPolicy.filter": (("footprint", "no pool is looked at", "_.overdrawn", "False", 1),),
    },
    "simulation.scheduling.node_plugins": {
        "NodeResourcesFit._demand_on": (
            ("extended-resources", "nodes: what classes serve must be on the node", "{_: _ for _, _ in _.items() if _0}", ""),
            ("serving", "extended: one device plugin serves the name on every node", "provided_by_node(_1, _, _2)", "any(provided_by_node(_1, one, _2) for one in self.cycle.snapshot.nodes)")),
        "NodeResourcesFit.filter": (
            ("extended-resources", "nodes: unknown resources fit", "{*_1, *_2}", "{*_2}"),
            ("scheduling", "nodes: resources do not count", "if _0: ...", "False", 2),
            ("scheduling", "nodes: running pods take nothing", "self._used(_)", "{}"),
            ("scheduling", "nodes: freeing a node never helps", "_1 if _ else Code.UNSCHEDULABLE", "_1"),
            ("placing", "serving: what nobody has and nobody wants refuses the pod", "_ and _1 and _2", "_1 and _2")),
        "NodeTaints.filter: node pod taint": (
            ("scheduling", "nodes: unschedulable ones are taken", "_ and _", "False"),
            ("scheduling", "nodes: taints do not count", "any(_0)", "(not tolerated(taint, pod) for taint in ())"),
            ("placing", "placing: who tolerates anything may run on cordoned nodes", "tolerated(_CORDONED, _1)", "_1.spec.tolerations"),
            ("placing", "placing: nobody may run on cordoned nodes", "_1 and _", "_1"),
            ("second-times", "second: the second taint of a node is not looked at", "_.taints", "_0[:1]")),
        "tolerated": (
            ("scheduling", "nodes: tolerations do not count", "if _ or _ and _ == _: ...", ""),
            ("second-times", "second: the second toleration of a pod is not looked at", "_.tolerations", "_0[:1]"),
            ("attempts", "attempts: a toleration of nodes names its effect", "if _0 := _1.effect not in ('', _2): ...", "_1.effect != _2")),
        "NodeAffinity.filter": (("scheduling", "nodes: affinity and selectors do not count", "not wants(...)", "False"),),
        "BLOCKING": (("placing", "placing: nodes that are better avoided are closed", "BLOCKING = _0", "*_0, 'PreferNoSchedule'"),),
        "NodeOrder.current": (("scheduling", "nodes: the one of which least is left is preferred", "-_1", "_1"), ("scheduling", "nodes: the first by name is preferred", "-_", "0")),
    },
    "simulation.scheduling.scheduler": {
        "_pending": (
            ("scheduling", "queue: pods that have a node are scheduled", "_.get('nodeName')", ""),
            ("placing", "placing: pods whose scheduling is gated are tried", "_.get('schedulingGates')", ""),
            ("placing", "placing: pods that are being deleted are tried", "'deletionTimestamp' in _", ""),
            ("histories", "queue: pods of other schedulers are tried", "_ and _1", "_1"),
            ("histories", "queue: pods that have ended without a node are tried", "_1 and _", "_1")),
        "Scheduler.run": (
            ("scheduling", "queue: a refused pod is never tried again", "not self._is_unchanged(_1)", "_1 not in self._tried"),
            ("histories", "queue: a scheduler that restarts goes on with what it was binding", "_ = _1, ...", "self._tried = _1"),
            ("second-times", "again: a scheduler that restarts does not try again whom it has refused", "_ = _1, ...", "self._binding = _1")),
        "Scheduler._continue_binding": (("placing", "placing: claims that wait for a pod that is gone stay in flight", "_.abandon()", "pass"),),
    },
    "simulation.scheduling.scheduling_cycle": {
        "SchedulingCycle.reserve": (("scheduling", "writing: the pod is bound before its claims are written", "self._binding = self._pre_bind()", "self._client.bind(self.cycle.pod, self.cycle.node); _0"),),
        "SchedulingCycle._choose_node": (("attempts", "attempts: after an error claims are freed", "_ and _1", "_1"),),
    },
}  # fmt: skip
