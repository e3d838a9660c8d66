"""Mutants of `dra_conform.cluster_state`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "cluster_state.acceptable_nodes": {
        "wants": (
            ("scheduling", "nodes: required affinity does not count", "if _ is not None and not _: ...", ""),
            ("scheduling", "nodes: node selectors do not count", "all(...)", "True"),
            ("second-times", "second: the second label of a node selector is not looked at", "_.items()", "list(_0)[:1]")),
    },
    "cluster_state.claim_accounting": {
        "_check: pod usage mapped in_use switches mine claim message claim_usage resource": (("oversights", "shared claims: none may be shared beside one with node resources", "switches.shared_by_records", "mine"),
            ("footprint", "claims may be shared", "_ in _", "False"),
            ("footprint", "claims without containers are fine everywhere", "_ and _", "False"),
            ("footprint", "claims without containers are refused everywhere", "_1 and _", "_1"),
            ("footprint", "budgets are not looked at", "exceeded(...)", "''"),
            ("node-amounts", "fitting: a shared claim without amounts is refused", "[_1.claim for _ in _ if _]", "[_1 for _, _1 in claims_of(pod)]"),
            ("second-times", "second: what a container requests beside its second claim is not in the budget", "exceeded(_, _0)", "_0[:1]")),
        "PolicyAccounting.of": (("footprint", "nothing conflicts", "if _0: ...", "False"),),
        "PolicyAccounting.are_managed: claims names claim name known device_class": (
            ("node-amounts", "fitting: classes of managed resources are looked up in the first claim", "{_ for _ in _0 for _ in _}", "list(_0)[:1]"),
            ("taking-from-nodes", "policies: one class that manages nothing is enough to check requests", "any(_1)", "bool(names) and all(_1)")),
    },
    "cluster_state.binding_conditions": {
        "readiness_reported": (
            ("scheduling", "writing: one true binding condition is enough", "_1.issuperset", "_1.intersection"),
            ("scheduling", "writing: failure conditions do not count", "if _ and _.intersection(...): ...", ""),
            ("eviction", "devices: the last one that is not ready decides", "_results(_)", "_0[::-1]"),
            ("eviction", "devices: what is deallocated meanwhile is ready", "if _ is None: return _0", "Readiness.READY"),
            ("placing", "binding: a device that is ready cannot have failed", "_1 and _2.intersection(_3)", "_1 and not _2.issuperset(_1) and _2.intersection(_3)")),
        "TIMEOUT": (("eviction", "devices: waited for 599 seconds", "600", "599"), ("eviction", "devices: waited for 601 seconds", "600", "601")),
        "_true_conditions": (
            ("eviction", "devices: a condition that is false is true", "_ == 'True'", "True"),
            ("eviction", "devices: reports of all devices count", "all(...)", "True"),
            ("placing", "binding: the pool of a device does not matter", "'pool'", "")),
        "readiness": (("placing", "binding: each pod waits anew", "_ is not None", "is"),),
        "binding_counts": (("placing", "binding: conditions are waited for without their gate", "_ and _", "True"),),
        "readiness_of_all": (("attempts", "attempts: a wait for devices ends with the first device that is ready", "next((_ for _ in _2 if _ is not _1), ...)", "_1 if _1 in _2 else next(iter(_2), _1)"),),
    },
    "cluster_state.kubelet_admission": {
        "_insufficient_resource: pod node others switches accounts claim_status backed mapping demand usage charge node_demand name quantity": (("oversights", "kubelet: what DRA serves to init containers is the node's", "{_ for _ in _}", "{each.resource_name for each in claim_status.request_mappings if each.container_name not in {one.name for one in pod.spec.init_containers}}", 1),),
        "_insufficient_resource": (
            ("oversights", "kubelet: the first claim of a pod counts", "recorded(...)", "_0[:1]"),
            ("oversights", "kubelet: a claim that no container uses does not count", "recorded(...)", "[one for one in _0 if one.containers]"),
            ("extended-resources", "kubelet: the node must have what the claim serves", "_1 = {_ for _ in _} if _ else set()", "_1: set[str] = set()"),
            ("extended-resources", "kubelet: extended resources are not looked at", "_1 not in _", "'/' not in _1"),
            ("footprint", "kubelets do not look at the status", "recorded(...)", "()"),
            ("footprint", "kubelets count no other pods", "usage_of_pods(...)", "{}"),
            ("eviction", "kubelet: what DRA serves is the node's", "_ not in _", ""),
            ("second-times", "second: the kubelet looks on its node for the second resource of a special claim", "_.request_mappings", "_0[:1]"),
            ("serving", "extended: kubelets pass over implicit names only", "{_1.resource_name for _ in _2}", "{_1.resource_name for _1 in _2 if _1.resource_name.startswith('deviceclass.')}"),
            ("users-of-devices", "users: kubelets forget the overhead of pods", "...", "from dra_conform.footprint import FootprintOptions; _0"),
            ("users-of-devices", "& users: kubelets forget the overhead of pods", "footprint(_1, _2)", "footprint(_1, _2, FootprintOptions(without_overhead=True))"),
            ("users-of-devices", "users: kubelets count of other pods what they request", "...", "from dra_conform.footprint.amounts import added; _0"),
            ("users-of-devices", "& users: kubelets count of other pods what they request", "usage_of_pods(_1, _)", "added(*(footprint(one, ()) for one in _1))"),
            ("lifetimes", "kubelet: what a special claim serves has to be on the node", "_1 = {_ for _ in _} if _ else set()", "_1: set[str] = set()")),
        "rejected_pods": (
            ("footprint", "kubelets admit every pod", "not _", "True", 2),
            ("eviction", "kubelet: admits whatever comes", "not _", "True", 2),
            ("eviction", "kubelet: pods that run take nothing", "[_ for _ in _]", "[]"),
            ("eviction", "kubelet: pods admitted before take nothing", "if _: _0", "pass"),
            ("node-amounts", "kubelets: pods that started before are admitted again", "_ == 'Running'", "False"),
            ("node-amounts", "kubelets: finished pods count", "not finished(_1)", "(_1.get('status') or {}).get('phase') != 'Failed'"),
            ("node-amounts", "kubelets: pods of other nodes count", "[_1 for _ in _readable(_2.get(...))]", "[_1 for several in _2.values() for _, _1 in _readable(several)]"),
            ("second-times", "second: of two pods that come together the kubelet counts none", "if _: _0", "pass"),
            ("second-times", "leaving: for the kubelet a pod that is being deleted takes nothing", "_1 and not finished(_2)", "_1 and not finished(_2) and 'deletionTimestamp' not in _2['metadata']")),
        "usage_of_pods": (("footprint", "others take nothing of the node", "added(*_)", "{}"), ("footprint", "claims of others do not count", "recorded(...)", "()")),
        "insufficient_resources": (("footprint", "a node must not be used up", "_ > _", ">="),),
        "usage_of_pods: pods switches pod": (("oversights", "kubelet: pods of other namespaces take nothing", "pods", "(one for one in pods if one.metadata.namespace == 'default')"),),
    },
    "cluster_state.pods": {
        "claim_keys: pod recorded namespace entry name": (("oversights", "pods: an entry that needs no claim is waited for", "entry['name'] not in recorded", "True"),),
        "unready": (
            ("scheduling", "kubelet: runs pods whose claims are missing", "if _ is None: _0", "return ''; _0", 2),
            ("scheduling", "kubelet: runs pods whose claims are not generated", "if _ is None: _0", "return ''; _0", 1),
            ("scheduling", "kubelet: runs pods for which no claim is reserved", "not reserved_for(_, _)", "False"),
            ("scheduling", "kubelet: runs pods with claims of others", "not _may_use(...)", "False"),
            ("node-amounts", "kubelets: a pod is run once its claim is allocated", "not reserved_for(_1, _)", "_0 and not allocation_of(_1)"),
            ("node-amounts", "kubelets: a pod is run once somebody has reserved its claim", "reserved_for(_1, _)", "(_1.get('status') or {}).get('reservedFor')")),
    },
}  # fmt: skip
