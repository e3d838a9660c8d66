"""Mutants of `dra_conform.simulation`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "simulation.metrics": {
        "_has_admin_access": (("charging", "metrics: admin access of the first request", "requests_of(_)", "_0[:1]"),),
        "MetricGrowth._series_of_claims": (("charging", "metrics: a claim that is reserved is allocated", "allocation_of(_1) is not _", "bool((_1.get('status') or {}).get('reservedFor'))"),),
        "MetricGrowth.record_create: component claim profile succeeded labels switches name": (("oversights", "metrics: a failed create counts for one request only", "labels = _", "if not succeeded and len(requests_of(claim)) > 1: return\n_0"), ("charging", "metrics: creates are those that succeed", "1", "_0 if succeeded else 0"),),
        "MetricGrowth._series_of_pods": (("oversights", "metrics: limits of pods are requests", "limited(_)", "{}"),),
        "MetricGrowth.record_write": (("oversights", "metrics: requests for a status are of no subresource", "{'verb': _1, 'resource': _2, 'subresource': _3}", "{'verb': _1, 'resource': _2, 'subresource': ''}"),),
        "_source: claim annotations": (("oversights", "metrics: a claim with an owner is of a template", "annotations.get(_POD_CLAIM_NAME)", "owner_of(claim)"),),
        "MetricGrowth._series_of_claims: profile switches prefix claim source labels": (("oversights", "metrics: claims that are being deleted do not count", "self._store.of_kind('ResourceClaim')", "[one for one in self._store.of_kind('ResourceClaim') if 'deletionTimestamp' not in one['metadata']]"),),
    },
    "simulation.scheduling.node_allocatable": {
        "NodeAllocatable.pre_bind": (("oversights", "node resources: the status is written twice", "write_status(_1, _2, _3)", "[write_status(_1, _2, _3) for _ in range(2)]"),),
    },
    "simulation.scheduling.scheduler_log": {
        "SchedulerLog.allocated": (
            ("oversights", "log: allocated devices have no capacities", "_.profile.enabled(_)", "False"),
            ("oversights", "log: allocated devices have capacities without the feature", "_.profile.enabled(_)", "True"),
        ),
        "_too_small": (("oversights", "log: devices without enough capacity are not logged", "_.category is _", "False"),),
        "SchedulerLog.failed": (("oversights", "log: failures have no reason", "self._add(_1, 'Unable to schedule pod', pod=_2, err=_)", "self._add(_1, 'Unable to schedule pod', pod=_2)"),),
    },
    "simulation.server_side_apply": {
        "FieldManagers.apply: live applied manager lists force applied_fields result changed others other paths conflicts path dropped kept content": (
            ("lifetimes", "apply: what is taken by force stays with the other as well", "_ = {_: _ for _ in _}", ""),
            ("lifetimes", "apply: a field of two managers goes with the first who leaves it out", "_1.union(*_)", "_1"),
            ("oversights", "apply: by force only what one other has is taken", "not _", "_0 or len({who for who, _ in conflicts}) > 1"),
            ("oversights", "apply: who applies a status gives up what is not the status", "{_1: _2 - _3 for _ in _4}", "{_1: _2 - _3 for _1, _2 in _4 if _1[0] != manager[0]}")),
        "FieldManagers.update": (("lifetimes", "apply: what an update has changed is nobody's", "_1.get(...) | _", "_1.get(_WITHOUT_APPLY, frozenset())"),),
    },
    "simulation.in_flight": {
        "InFlight.begin": (
            ("attempts", "attempts: shares in flight take no capacity", "_ = with_status(..., allocation=_1)", "results = [{name: value for name, value in one.items() if name != 'consumedCapacity'} for one in _1['devices'].get('results') or ()]; _0"),
            ("attempts", "& attempts: shares in flight take no capacity", "with_status(_, allocation=_0)", "{**_0, 'devices': {**_0['devices'], 'results': results}}")),
        "_identity: claim uid": (("oversights", "in flight: claims are known by their name", "claim['metadata'].get('uid')", "claim['metadata'].get('uid') and claim['metadata']['name']"),),
    },
    "simulation.kubelet": {
        "Kubelets._keys: pod keys key extended": (
            ("extended-resources", "kubelet: special claims are not prepared", "[*_1, *_]", "_1"),
            ("extended-resources", "kubelet: without the gate, too", "_1 if _ else None", "_1"),
            ("scheduling", "kubelet: looks at the first claim only", "[_ for _ in _]", "_0[:1]"),
            ("eviction", "kubelet: forgets special claims", "[*_1, *_]", "_1"),
            ("eviction", "kubelet: prepares special claims without the gate", "_1 if _ else None", "_1"),
            ("second-times", "second: beside claims of its own a pod runs without its special one", "*(_ if _0 else _)", "_0 and not keys"),
            ("serving", "extended: beside claims of its own nothing else is prepared", "[*_1, _2]", "_1 or [_2]"),
            ("lifetimes", "kubelet: beside claims of its own a pod needs no special one", "*(_ if _0 else _)", "_0 and not keys")),
        "Kubelets._start: pod node claims key claim why": (
            ("scheduling", "kubelet: runs nothing", "_.update(...)", "pass"),
            ("scheduling", "kubelet: says nothing", "_.add(...)", ""),
            ("scheduling", "kubelet: prepares nothing", "for _ in _: ...", "", 2),
            ("second-times", "second: the driver of the second claim is not asked", "for claim in _0: ...", "_0[:1]"),
            ("reported", "preparing ends at a claim that is in use", "self._prepare(_2, _1)", "if (_1, _2['metadata']['uid']) in self._prepared_keys: break\n_0")),
        "Kubelets._prepare: claim node metadata name results driver result devices field": (
            ("scheduling", "kubelet: prepares without share IDs", "'shareID'", ""),
            ("scheduling", "kubelet: prepares devices that were not allocated", "for _ in dict.fromkeys(_ for _ in _1): ...", "_1 = [{**one, 'device': 'other'} for one in _1]; _0"),
            ("eviction", "kubelet: prepares the first driver only", "dict.fromkeys(...)", "list(_0)[:1]"),
            ("node-amounts", "kubelets: a claim is prepared once for all nodes", "(_, _1) in _2", "any(uid == _1 for _, uid in _2)"),
            ("node-amounts", "kubelets: a claim is prepared again for each pod", "if _: ...", ""),
            ("node-amounts", "kubelets: the devices of the first driver are given to all", "_['driver'] == _0", "results[0]['driver']"),
            ("users-of-devices", "users: devices with admin access are not prepared", "for _ in dict.fromkeys(_ for _ in _1): ...", "_1 = [one for one in _1 if not one.get('adminAccess')]; _0"),
            ("users-of-devices", "users: a kubelet prepares for the first pod of a claim on any node", "(_, _1) in _2", "any(uid == _1 for _, uid in _2)"),
            ("reported", "what is prepared goes by the name of the claim", "if _: ...", ""),
            ("reported", "& what is prepared goes by the name of the claim", "_[_] = key_in(...)", ""),
            ("reported", "& what is prepared goes by the name of the claim", "name = _", "_0\nif (node, name) in self._prepared_keys: return\nself._prepared_keys[node, name] = key_in(claim)")),
        "Kubelets._forget_released: claims pods node uid key claim pod": (
            ("node-amounts", "kubelets: a claim stays prepared while a pod of another node uses it", "any(...)", "reservations_of(claim)"),
            ("reported", "& what is prepared goes by the name of the claim", "(_ := _1.get(...)) is not _ and _ and _", "_1 is not None")),
        "Kubelets.run": (("node-amounts", "kubelets: pods that are being deleted are run", "_1 and _", "_1"), ("second-times", "gone: pods run on nodes that are not there", "_ is not None", "True")),
    },
    "simulation.pod_claims": {
        "tainted_claim": (("oversights", "users: a device that evicts serves further pods", "('NoSchedule', 'NoExecute')", "('NoSchedule',)"), ("users-of-devices", "users: the first device of an allocated claim may not be tainted", "_.allocation.devices.results if _ else ()", "(_0)[:1]"), ("scheduling", "claims: tolerations of allocated devices do not count", "_ = _.tolerations", ""), ("scheduling", "& claims: tolerations of allocated devices do not count", "not any(...)", "True")),
        "claims_for: pod snapshot claims entry key claim metadata": (
            ("scheduling", "claims: a missing claim is done without", "raise PodWaits(_)", "continue; _0", 2),
            ("scheduling", "claims: a claim that was not generated yet is done without", "raise PodWaits(_)", "continue; _0", 1),
            ("scheduling", "claims: a claim that is being deleted serves further pods", "_ in _", "False"),
            ("placing", "placing: an allocated claim of another pod's template will do", "_1 and _2", "allocation_of(claim) is None and _1 and _2"),
            ("placing", "placing: a claim that is deleted serves the pod it is reserved for", "_ in _", "_0 and not reserved_for(claim, pod)"),
            ("reported", "a claim named twice is allocated twice", "list(...)", "[snapshot.claims[key] for _, key in claim_keys(pod) if key]"),
            ("reported", "claims that no container uses are left out", "for _ in claim_keys(_1): ...", "used = {c['name'] for one in _1['spec']['containers'] for c in (one.get('resources') or {}).get('claims', ())}; _0"),
            ("reported", "& claims that no container uses are left out", "for _ in _: _0; ...", "if used and entry['name'] not in used: continue\n_0")),
        "check_usable: pod claims snapshot claim request name": (
            ("placing", "placing: a pod that has its reservation is one too many", "_ and _1", "_1"),
            ("placing", "placing: the class of an allocated claim must exist", "_ is None", "True"),
            ("second-times", "second: the classes of the second claim need not exist", "claims", "_0[:1]")),
        "_classes_of": (
            ("placing", "placing: an alternative of a missing class is done without", "_.get('firstAvailable', ())", "_0[:1]"),
            ("lifetimes", "waiting: the class of an alternative need not exist", "_.get('firstAvailable', ())", "()")),
    },
    "simulation.quotas": {
        "_applies": (("quota", "scope: claims are charged", "not _", "True"),),
        "_can_increase": (
            ("quota", "update: is free", "_ == 'resize' or _", "False"),
            ("quota", "update: a resize is free", "_ == 'resize' or _1", "_1"),
            ("quota", "update: a deadline is free", "_1 == 'resize' or _", "_1 == 'resize'"),
            ("histories", "quota: a pod that is given a deadline is not charged", "_ and _", "False")),
        "QuotaAdmission._charged: raw new old quota hard used before increase name quantity charged exceeded requested taken limited amounts total status": (
            ("quota", "update: charged in full again", "_1 = _ if _ else _", "_1: Amounts = {}"),
            ("quota", "update: what was in another scope is paid for", "_1 and _applies(...)", "_1"),
            ("quota", "admission: up to the limit is too much", "_ + _ > _[_]", ">="),
            ("quota", "admission: what is used does not count", "(_0 := _ + _1) > _", "_1"),
            ("quota", "admission: everything fits", "_ + _ > _[_]", "False"),
            ("quota", "admission: not charged", "{**_1, **total}", "_1"),
            ("charging", "quota: one that allows nothing is no quota", "_ + _ > _1", "_0 and _1"),
            ("charging", "quota: what is used beyond the limit already does not refuse", "_1 + _2 > _3", "_1 + _2 > _3 >= _1"),
            ("charging", "quota: a resize is charged twice", "_1 and _2", "_1 and not isinstance(new, Pod) and _2"),
            ("histories", "quota: a pod is charged only where it changes what it takes", "_1 and _applies(...)", "_1"),
            ("second-times", "again: a pod that is not charged more on a resize is charged as a whole", "_ = {_: _3 for _ in _1.items() if _2 and _ and _}", "_1 = _1 if any(_2 for _3 in _1.values()) else dict(self._usage(new)); _0")),
        "_check_required": (("quota", "required: nothing", "if _0: ...", "False"),),
        "QuotaAdmission.quotas": (
            ("quota", "admission: quotas of all namespaces", "_['namespace'] == _", ""),
            ("quota", "admission: claims are free", "_1 not in _", "_1 != 'Pod'"),
            ("quota", "admission: pods are free", "_1 not in _", "_1 != 'ResourceClaim'"),
            ("charging", "quota: the first of a namespace is charged", "[_ for _ in _0 for _ in _]", "_0[:1]"),
            ("charging", "quota: quotas of namespaces with the same beginning", "_1 == _2", "_1.startswith(_2)")),
        "_COUNTED": (("counting-for-quotas", "& counting: templates count before claims are made of them", "_COUNTED = _0", "*_0, 'ResourceClaimTemplate'"),),
        "counter_of: objects profile columns classes claims pods name": (
            ("counting-for-quotas", "counting: templates count before claims are made of them", "return _", "claims += tuple(decode({**one, 'kind': 'ResourceClaim', 'spec': one['spec'].get('spec') or {}}) for one in objects.get('resourceClaimTemplates', ())); _0"),),
    },
    "simulation.status_writes": {
        "_reserve: pod claim allocation client time reservations change metadata finalizers": (
            ("scheduling", "writing: the pod is not in reservedFor", "reservation(_)", ""),
            ("oversights", "writing: the pod status, too, for a shared device", "client.update(with_status(_, allocation=allocation, reservedFor=_), 'status')", "(client.update(pod, 'status') if any('shareID' in one for one in allocation['devices'].get('results', ())) else None, _0)[1]"),
            ("oversights", "writing: the pod status, too, for a device with groups", "client.update(with_status(_, allocation=allocation, reservedFor=_), 'status')", "(client.update(pod, 'status') if any('compatibilityGroups' in str(one) for one in allocation['devices'].get('results', ())) else None, _0)[1]"),
            ("eviction", "devices: no time is written down", "{**_1, 'allocationTimestamp': _}", "_1"),
            ("scheduling", "writing: claims without the finalizer", "FINALIZER not in _", "False"),
            ("histories", "finalizers: who has another one gets none", "FINALIZER not in _1", "not _1"),
            ("histories", "finalizers: others go when the claim is allocated", "[_0, FINALIZER]", ""),
            ("attempts", "attempts: a pod takes the place of those that share its claim", "*reservations_of(_)", ""),
            ("attempts", "attempts: the finalizer comes after the allocation", "{**_0, 'finalizers': [...]}", "claim['metadata']"),
            ("attempts", "& attempts: the finalizer comes after the allocation", "return _.update(...)", "", 2),
            ("attempts", "& attempts: the finalizer comes after the allocation", "if FINALIZER not in _: ...", "claim = client.update(with_status(claim, allocation=allocation, reservedFor=reservations), 'status'); _0; return claim")),
        "release": (("scheduling", "writing: the finalizer stays", "FINALIZER in _", "False"), ("histories", "finalizers: others go when the claim is freed", "_1 = [_ for _ in _ if _ != FINALIZER]", "_1: list[str] = []")),
        "deallocate": (("writes", "lifecycle: what is freed keeps its finalizer", "if _1 is not None: ...", "assert _1 is None or _1"),),
        "unreserve: pod claims client claim uid others consumer": (("attempts", "attempts: a pod that cannot be bound keeps its claims reserved", "_['uid'] != _", "_0 or len(reservations_of(claim)) == 1"),),
    },
    "simulation.server": {
        "Server.create": (("charging", "quota: charged though another one refuses", "for _ in _: ...", ""), ("lifetimes", "objects: who creates one says which UID it has", "{**_without(_2, ...), **_1}", "{**_1, **_2}")),
        "Server.update: raw subresource user key old missing version changed ask answer new kept name quotas reason error quota generation written lists": (
            ("lifetimes", "objects: a status is written over what came in between", "_1 and _2", "_1 and not subresource and _2", 1),
            ("lifetimes", "objects: every write counts as a change of the spec", "_1 and _.get(...) != _.get(...)", "_1")),
        "Server.delete: key old metadata": (
            ("lifetimes", "objects: a second deletion is the one that counts", "if 'deletionTimestamp' not in _: ...", "metadata = {**old['metadata'], 'deletionTimestamp': self._clock.text}\nif 'generation' in metadata: metadata['generation'] += 1\nself.store.put({**old, 'metadata': metadata})"),),
    },
    "simulation.snapshot": {
        "Snapshots.current": (("scheduling", "nodes: what pods take is summed up once", "_.pop(...)", "pass"), ("taking-from-nodes", "taking: devices are read once", "_.of('ResourceSlice')", "_0 and not self._published._slices")),
        "Snapshots._update_pods: pods key before removed claim pod node bound": (
            ("scheduling", "nodes: finished pods still take resources", "_1 and _", "_1"),
            ("placing", "placing: pods that failed take of their node", "not finished(_1)", "(_1.get('status') or {}).get('phase') != 'Succeeded'"),
            ("second-times", "second: the second claim of a pod that is gone stays in use", "_claims_of(_.raw)", "sorted(_0)[:1]"),
            ("second-times", "again: a pod that has finished gives its node back once it is deleted", "_ is not None", "_0 and key in pods and not finished(pods[key]) or _0 and key not in pods", 1),
            ("second-times", "leaving: a pod that is being deleted takes nothing of its node", "_1 and not finished(_2)", "_1 and not finished(_2) and 'deletionTimestamp' not in _2['metadata']"),
            ("taking-from-nodes", "taking: a deleted pod goes on using its claims", "for _ in _claims_of(_.raw): ...", "")),
        "Snapshot.extended_resource_claims_of": (
            ("placing", "serving: a special claim is looked for by the name of the pod", "'uid'", "'name'"),
            ("lifetimes", "special: a pod of the same name had it before", "_1.get(_3[_], _2).values()", "[claim for special in _1.values() for claim in special.values() if (owner_of(claim) or _2).get('name') == _3['name']]")),
        "Snapshots._update_claim": (
            ("placing", "& serving: a special claim is looked for by the name of the pod", "'uid'", "'name'"),
            ("attempts", "attempts: a special claim that is deleted is still there", "_1 and _ != _2", "_1 and _2 and _1 != _2")),
        "PodOnNode.usage": (
            ("oversights", "fitting: a pod-level request of one resource covers what claims take of all", "footprint(_1, _2, _3)", "footprint(_1, () if _1.spec.resources and _1.spec.resources.requests else _2, _3)"),
            ("node-amounts", "fitting: amounts of pods count when they run", "_ = footprint(_1, ...)", "runs = _1.status is not None and _1.status.phase == 'Running'; _0"),
            ("node-amounts", "& fitting: amounts of pods count when they run", "recorded(...)", "_0 if runs else ()")),
        "Snapshot.users_of": (("node-amounts", "fitting: of assumed pods nothing is known of claims", "(_ for _ in _ if _)", "()"),),
        "Snapshot._assumed_on": (("second-times", "second: of two pods that wait for devices one takes of its node", "_.assumed", "_0[:1]"),),
    },
    "kube.switches.scheduler": {
        "BindingSwitches.status_matched_by_share": (("eviction", "devices: reports of all shares count", "'kep'", "'in 1.33'"), ("eviction", "devices: releases tell shares apart", "switch(...)", "switch('kep', 'since 1.33')")),
        "PodWriteSwitches.written_for_each_name": (("reported", "a claim named twice is written twice", "switch(_0, ...)", "'kep'; _0"),),
    },
    "simulation.footprinting": {
        "_others": (("taking-from-nodes", "taking: pods that are done share claims", "not _", ""), ("taking-from-nodes", "taking: pods that wait share claims", "_.node_name", "")),
    },
    "simulation.attempts.attempt_run": {
        "AttemptRun._choose_node": (("attempts", "& attempts: after an error claims are freed", "_ is not _", "True"),),
    },
    "simulation.attempts.running_attempts": {
        "QueueingHints._claim_helps": (
            ("oversights", "hints: a claim of the pod that gets allocated helps nobody", "status_of(_1) != status_of(_2)", "False"),
            ("placing", "hints: devices that are given back help their users only", "if _ and _ is None: ...", ""),
            ("placing", "hints: a claim that is deleted helps though it had no devices", "return (_0 := _ and _1)", "_1"),
            ("placing", "hints: a claim that comes helps nobody", "_1 is None or _2", "_1 is not None and _2"),
            ("attempts", "attempts: any change of a claim helps its pods", "status_of(_1) != status_of(_2)", "_1 != _2")),
        "_NODE_FIELDS": (("placing", "hints: labels of nodes help nobody", "'metadata.labels'", ""), ("attempts", "attempts: what a node has by now helps nobody", "'status.allocatable'", "")),
        "QueueingHints._used_by": (("placing", "hints: a claim without pod helps one that misses another", "if _ or _: _0", "continue"),),
        "QueueingHints.help: pod change": (("oversights", "hints: a class that changes helps nobody", "change.kind", "'' if change.kind == 'DeviceClass' and change.before is not None else _0"),
            ("reported", "a pod whose status names its claim is not tried again", "match _.kind:\n    case _:\n        ...", "match change.kind:\n    case 'Node':\n        return change.after is not None and _node_helps(change)\n    case 'DeviceClass' | 'ResourceSlice':\n        return change.after is not None\n    case 'ResourceClaim':\n        return self._claim_helps(pod, change)\n    case _:\n        return False"),),
        "QueueingHints._pod_helps": (("reported", "any change of a pod makes it be tried again", "_ and _", "True"),),
    },
}  # fmt: skip
