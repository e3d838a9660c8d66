"""Mutants of `dra_conform.controlplane`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "controlplane.acceptable_nodes": {
        "wants": (
            ("scheduling", "nodes: required affinity does not count", "if _ is not None and not _: ...", ""),
            ("scheduling", "nodes: node selectors do not count", "all(...)", "True"),
            ("second-times", "second: the second label of a node selector is not looked at", "_.items()", "list(_0)[:1]")),
    },
    "controlplane.claim_accounting": {
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
    "controlplane.footprinting": {
        "_others": (("taking-from-nodes", "taking: pods that are done share claims", "not _", ""), ("taking-from-nodes", "taking: pods that wait share claims", "_.node_name", "")),
    },
    "controlplane.template_claims": {
        "claim_of: template metadata template_metadata annotations": (
            ("scheduling", "templates: the spec is not copied", "{'spec': _0, **_}", "{}"),
            ("writes", "lifecycle: annotations of templates are forgotten", "{**(_.get(...) or {}), **_1}", "_1"),
            ("writes", "lifecycle: a template says for which entry its claims are", "{**_2, **_1}", "{**_1, **_2}"),
            ("oversights", "generated: a claim has the labels of the template itself", "{'labels': _0, **_}", "{**(template['metadata'].get('labels') or {}), **_0}")),
    },
    "controlplane.attempts.attempt_run": {
        "AttemptRun._choose_node": (("attempts", "& attempts: after an error claims are freed", "_ is not _", "True"),),
    },
    "controlplane.attempts.running_attempts": {
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
