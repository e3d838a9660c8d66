"""Mutants of `dra_conform.simulation.controllers`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "simulation.controllers.claim_generation": {
        "_claim_for: pod entry owned_claims client metadata existing name template": (
            ("scheduling", "templates: one claim for all pods", "_.get((...,))", "next((one['metadata']['name'] for one in client.all('ResourceClaim')), None)"),
            ("writes", "& lifecycle: a claim of an earlier pod of that name is taken", "'uid'", "'name'"),
            ("lifetimes", "generated: a template of the namespace default will do", "_1(key_of(_, _2, ...))", "_0 or _1(key_of('ResourceClaimTemplate', _2))"),
            ("oversights", "generated: a template that is younger than the pod is not for it", "_1 is None", "_0 or _1['metadata']['creationTimestamp'] > metadata['creationTimestamp']"),
            ("reported", "a claim made before for an entry is not found", "if _ is not None: ...", "")),
        "_from_template": (
            ("scheduling", "templates: claims do not belong to their pod", "owned_by(_)", ""),
            ("scheduling", "templates: a claim belongs to the owner of its pod", "owned_by(_1)", "_1['metadata'].get('ownerReferences') or _0")),
        "generate_claims": (
            ("writes", "lifecycle: nothing is generated for pods that have a node", "finished(_1) or _2", "finished(_1) or _1['spec'].get('nodeName') or _2"),
            ("histories", "generated: for pods that are being deleted", "_1 or _", "_1"),
            ("lifetimes", "generated: nothing for pods that name a claim as well", "_2 and _lacks_claim(_1, _3, _4, _5)", "not any(one.get('resourceClaimName') for one in entries(_1)) and _2 and _lacks_claim(_1, _3, _4, _5)"),
            ("lifetimes", "generated: not before the pod may be scheduled", "finished(_1) or _2", "finished(_1) or _2 or _1['spec'].get('schedulingGates')")),
        "_OwnedClaims.names": (("writes", "lifecycle: a claim of an earlier pod of that name is taken", "'uid'", "'name'"),),
        "_record": (
            ("histories", "generated: what the status said before is lost", "_1 = [_ for _ in _ if _]", "_1: list[Json] = []"),),
        "claim_of: template metadata template_metadata annotations": (
            ("scheduling", "templates: the spec is not copied", "{'spec': _0, **_}", "{}"),
            ("writes", "lifecycle: annotations of templates are forgotten", "{**(_.get(...) or {}), **_1}", "_1"),
            ("writes", "lifecycle: a template says for which entry its claims are", "{**_2, **_1}", "{**_1, **_2}"),
            ("oversights", "generated: a claim has the labels of the template itself", "{'labels': _0, **_}", "{**(template['metadata'].get('labels') or {}), **_0}")),
    },
    "kube.switches.controllers": {
        "ControllerSwitches.other_consumers_block_release": (("reported", "another consumer keeps the reservations of pods", "switch(_0, ...)", "'kep'; _0"),),
        "ControllerSwitches.templates_need_gates": (("scheduling", "templates: gates of the controller do not matter", "'since 1.33'", "'in 1.33'"),),
        "ControllerSwitches.extended_resource_claims_evict": (("reported", "special claims do not evict", "'kep'", "'in 1.33'"),),
    },
    "simulation.controllers.device_taint_eviction": {
        "DeviceTaintEviction._tainted: profile kind published switches": (("oversights", "eviction: rules for a class do not follow the class", "[_ for _ in _TAINTING if _]", "[kind for kind in ('ResourceSlice', 'DeviceTaintRule') if self._published.of(kind)]"),),
        "DeviceTaintEviction.run": (
            ("scheduling", "eviction: never", "_ and _", "False"),
            ("scheduling", "eviction: at once", "_1 and _[_] <= _.now", "_1"),
            ("scheduling", "eviction: a second too late", "_[_] <= _.now", "<"),
            ("scheduling", "eviction: cancelled without an event", "_.add(_, _EVENT, _)", "pass"),
            ("eviction", "eviction: what waits is forgotten", "_.add(_)", "pass"),
            ("histories", "taints: a pod is not told that it stays", "_.add(_, _EVENT, _)", "pass")),
        "DeviceTaintEviction._tainted": (
            ("scheduling", "eviction: taints that come later are not seen", "_ = None", "pass"),
            ("scheduling", "eviction: NoSchedule evicts", "'NoExecute',", "*_0, 'NoSchedule'"),
            ("histories", "taints: rules that change are not looked at", "[_ for _ in _TAINTING if _1(_)]", "_1('ResourceSlice')")),
        "_times": (
            ("scheduling", "eviction: tolerations do not count", "_ and _", "False"),
            ("scheduling", "eviction: any toleration counts", "_ and _", "True"),
            ("scheduling", "eviction: tolerations without an effect count in releases", "_1 and _", "_1"),
            ("scheduling", "eviction: the longest toleration counts", "min", "max"),
            ("scheduling", "eviction: a limited toleration beside one without limit counts", "len(_1) == len(_2)", "_1 or not _2"),
            ("scheduling", "eviction: limits do not count", "_1 + timedelta(...)", "_1"),
            ("scheduling", "eviction: a limited toleration is one for good", "_ == len(_1)", "not _1"),
            ("scheduling", "eviction: the time the taint was added does not count", "_ if _ else START", "START"),
            ("eviction", "eviction: counted from now", "_ if _0 else START", "not _0"),
            ("charging", "eviction: zero seconds tolerate for good", "_1 is not None", "_1"),
            ("charging", "eviction: the seconds of the first toleration", "min(_1, ...)", "next(iter(_1), 0)")),
        "_due: claim taints profile results times result taint time": (
            ("scheduling", "eviction: the latest device counts", "min", "max"),
            ("scheduling", "eviction: only the first device of a claim counts", "[_ for _ in _0 for _ in _ for _ in _]", "_0[:1]"),
            ("eviction", "eviction: devices by name only", "[_1 for _ in _3 for _ in _4.of((_2.driver, _, _5)) for _ in _times(_, _6, _7)]", "[_1 for _2 in _3 for key, several in _4.published.items() if key[2] == _5 for _6 in several for _1 in _times(_2, _6, _7)]"),
            ("charging", "eviction: the pool of a device does not matter", "[_1 for _ in _3 for _ in _4.of((_2.driver, _, _5)) for _ in _times(_, _6, _7)]", "[_1 for _2 in _3 for key, several in _4.published.items() if (key[0], key[2]) == (_2.driver, _5) for _6 in several for _1 in _times(_2, _6, _7)]"),
            ("charging", "eviction: a device with admin access is not evicted from", "[_1 for _ in _3 for _ in _5((_2.driver, _6, _7)) for _ in _times(_, _4, _8)]", "[_1 for _2 in _3 if not _2.admin_access for _4 in _5((_2.driver, _6, _7)) for _1 in _times(_2, _4, _8)]"),
            ("charging", "eviction: only the first taint of a device counts", "_.of(...)", "list(_0)[:1]"),
            ("histories", "taints: the device that holds out longest counts", "min", "max"),
            ("users-of-devices", "users: shares of a tainted device stay", "[_1 for _ in _3 for _ in _5((_2.driver, _6, _7)) for _ in _times(_, _4, _8)]", "[_1 for _2 in _3 if not _2.share_id for _4 in _5((_2.driver, _6, _7)) for _1 in _times(_2, _4, _8)]"),
            ("lifetimes", "eviction: the first taint of a device counts", "_.of(...)", "list(_0)[:1]"),
            ("lifetimes", "eviction: the first result says what is tolerated", "_times(_0, ...)", "results[0]")),
        "DeviceTaintEviction._due_pods: profile taints claims claim due key time times pod used keys": (
            ("oversights", "eviction: a device that one claim tolerates evicts nobody", "times: dict[str, datetime] = {}", "calm = [each for key, claim in claims.items() if key not in due and decode(claim).allocation for each in decode(claim).allocation.devices.results]; due = {key: time for key, time in due.items() if not {(each.pool, each.device) for each in decode(claims[key]).allocation.devices.results} & {(each.pool, each.device) for each in calm}}; _0"),
            ("scheduling", "eviction: the latest claim counts", "min", "max"),
            ("scheduling", "eviction: all pods of a tainted cluster go", "{_ for _ in _ if _ in _1 and _}", "set(_1)"),
            ("charging", "eviction: the second claim counts only if the first does", "{_ for _ in _0 if _}", "list(_0)[:1]"),
            ("charging", "eviction: pods without a node are deleted", "not _.get(...)", ""),
            ("histories", "taints: the claim that holds out longest counts", "min", "max"),
            ("users-of-devices", "users: only running pods are evicted", "finished(_1)", "(_1.get('status') or {}).get('phase') != 'Running'"),
            ("users-of-devices", "users: who comes after the time is not evicted", "for _ in _:\n    ...\n    if _0:\n        ...", "_0 and time_of(pod['metadata']['creationTimestamp']) <= min(due[key] for key in _0)"),
            ("users-of-devices", "users: a claim that is being deleted evicts nobody", "_ = {_2: _ for _ in _1.items() if _}", "_1 = {_2: one for _2, one in _1.items() if 'deletionTimestamp' not in one['metadata']}; _0"),
            ("users-of-devices", "users: the second claim of a pod decides when it goes", "min(_1[_] for _ in _2)", "_1[sorted(_2)[-1]]"),
            ("lifetimes", "eviction: pods go that name the claim and do not have it", "_1 and reserved_for(...)", "_1"),
            ("reported", "eviction looks at the first user of a claim only", "reserved_for(_1, _2)", "_1['status']['reservedFor'][0]['uid'] == _2['metadata']['uid']")),
        "DeviceTaintEviction._evict": (
            ("scheduling", "eviction: without a word on the pod", "_.update(...)", ""),
            ("scheduling", "eviction: without an event", "_.add(...)", ""),
            ("eviction", "eviction: marked and not deleted", "_.delete(...)", "pass")),
        "_disrupted": (
            ("eviction", "eviction: the condition is false", "'True'", "'False'"),
            ("eviction", "eviction: the condition has another reason", "{'reason': _0, **_}", "'Deletion'"),
            ("charging", "eviction: other conditions of the pod are lost", "*_", ""),
            ("charging", "eviction: a condition of that type stays beside the new one", "[_ for _ in _1 if _]", "list(_1)")),
        "_used_claims": (
            ("lifetimes", "eviction: claims of templates do not count", "_1 or _", "_1", 2),
            ("eviction", "devices: claims that were generated for others evict", "_1 or _", "True", 2)),
    },
    "simulation.controllers.garbage_collection": {
        "collect_garbage: client kind raw metadata owners owner": (
            ("scheduling", "release: what belongs to deleted pods stays", "_ and not any(...)", "False"),
            ("scheduling", "release: claims of one template are deleted together", "_1.delete(key_in(_2))", "[_1.delete(key_in(one)) for one in (*_1.all('ResourceClaim'), _2) if one['spec'] == _2['spec'] and one['metadata'].get('ownerReferences')]"),
            ("scheduling", "release: claims of users go with their pods", "if _ or _: ...", "owners = metadata.get('ownerReferences', ())"),
            ("scheduling", "& release: claims of users go with their pods", "_2 = _1['ownerReferences']", "if 'deletionTimestamp' in _1 or not _2 and kind != 'ResourceClaim': continue"),
            ("scheduling", "& release: claims of users go with their pods", "_ and _1", "_1"),
            ("writes", "lifecycle: what is left of the owners does not matter", "any", "all"),
            ("lifetimes", "garbage: an owner that does not control keeps nothing", "_['ownerReferences']", "[one for one in _0 if one.get('controller')]"),
            ("lifetimes", "garbage: slices of nodes that are gone stay", "STRATEGIES", "(one for one in _0 if one != 'ResourceSlice')")),
        "_exists": (("lifetimes", "garbage: an owner that was made again keeps what it had", "_1 and _", "_1"),),
    },
    "simulation.controllers.quota_usage": {
        "count_quotas: client quotas counter raw quota usage used name encoded quantity": (
            ("oversights", "quota: a claim of a template counts once it is allocated", "usage_counter(client.all, _1)", "usage_counter(lambda kind: [one for one in client.all(kind) if kind != 'ResourceClaim' or (one.get('status') or {}).get('allocation') or not one['metadata'].get('ownerReferences')], _1)"),
            ("quota", "controller: counts once only", "_1 == _", "_1 is not None"),
            ("charging", "quota: a limit that changes is not told", "_1 == ResourceQuotaStatus(..., used=_2)", "_1 and _1.used == _2"),
            ("charging", "quota: what is no longer limited stays in the status", "{_: _ for _ in _}", "{**(raw.get('status') or {}).get('used', {}), **_0}")),
    },
    "simulation.controllers.resource_claims": {
        "reserve_for_assigned_pods: client pod entry key claim reservations": (("oversights", "claims: a pod with a node has one ResourceClaim reserved", "_ or finished(pod) or _", "_0 or any(one is not None and reserved_for(one, pod) for one in (client.get(other) for _, other in claim_keys(pod) if other))"),),
        "_in_use": (
            ("scheduling", "release: finished pods keep their devices", "finished(_)", ""),
            ("scheduling", "release: deleted pods keep their devices", "if _1 or _ or _2: ...", "if _1: return True\nif _2: return False"),
            ("writes", "lifecycle: pods that failed keep their devices", "finished(_1)", "(_1.get('status') or {}).get('phase') == 'Succeeded'"),
            ("writes", "lifecycle: pods on their way out of a node lose their devices", "_1 or bool(...)", "_1"),
            ("second-times", "gone: a pod deleted before it has a node keeps its claim", "_ or _", "True"),
            ("lifetimes", "reservations: users are looked for in the namespace default", "_[1]", ""),
            ("lifetimes", "reservations: a pod that was made again has that of the first", "_ != _", ""),
            ("reported", "other consumers are taken for pods that are gone", "True", "False")),
        "_release": (
            ("scheduling", "release: the last pod leaves the allocation", "_ or _ is not None", "False"),
            ("scheduling", "release: one pod that is done frees the claim of all", "if _1 and _ < len(_2): ...", "_1 = _1 if len(_1) == len(_2) else []; _0"),
            ("writes", "lifecycle: a claim that nobody has reserved is held when it is deleted", "_1 or 'deletionTimestamp' in _", "_1"),
            ("writes", "lifecycle: a claim that nobody has reserved has no devices", "_1 or _ in _2[_]", "_1 or allocation_of(_2) or 'deletionTimestamp' in _2['metadata']"),
            ("second-times", "gone: a claim that is deleted unused keeps its devices", "_1 or 'deletionTimestamp' in _", "_1"),
            ("reported", "claims that are being deleted are left alone", "_ = reservations_of(_1)", "if 'deletionTimestamp' in _1['metadata']: return\n_0")),
        "_delete_if_pod_finished: key client claim owner pod": (
            ("scheduling", "release: generated claims stay when their pod is done", "_.delete(_)", "pass"),
            ("writes", "lifecycle: claims of pods that failed stay", "_1 is not None and _2 and _3", "_1 is not None and _2 and _3 and _1['status']['phase'] == 'Succeeded'"),
            ("lifetimes", "reservations: a generated claim goes with its pod whoever uses it", "reservations_of(_)", ""),
            ("oversights", "& special: it stays until its pod is deleted", "_1 and _2 and _3", "_1 and _2 and _3 and entry_of(claim)")),
        "reserve_for_assigned_pods": (
            ("scheduling", "pods on nodes: nobody reserves their claims", "_update_status(...)", "pass"),
            ("writes", "lifecycle: the first claim of a pod on a node is reserved", "claim_keys(_)", "list(_0)[:1]"),
            ("second-times", "second: for pods put on a node by hand only the first claim is reserved", "claim_keys(_)", "list(_0)[:1]"),
            ("users-of-devices", "users: a claim that is reserved is not reserved for pods that have a node", "reserved_for(_1, _)", "reservations_of(_1)"),
            ("lifetimes", "reservations: for pods on nodes that are done", "finished(_)", ""),
            ("lifetimes", "reservations: none for pods on nodes of claims that nobody uses", "_1 is None or _2 or _3", "_1 is None or _2 or _3 or not reservations_of(_1)"),
            ("reported", "pods that are done are reserved for again", "finished(_)", "")),
        "Key": (("oversights", "special: it stays until its pod is deleted", "...", "from dra_conform.simulation.controllers.claim_generation import entry_of; _0"),),
        "_is_used": (
            ("scheduling", "release: claims that nobody owns stay reserved", "bool(reservations_of(_))", ""),
            ("writes", "& lifecycle: a claim that nobody has reserved has no devices", "bool(reservations_of(_1)) or _2 or _3", "bool(reservations_of(_1)) or bool(_1.get('status')) or _2 or _3")),
    },
}  # fmt: skip
