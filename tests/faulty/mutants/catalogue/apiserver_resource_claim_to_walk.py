"""Mutants of `dra_conform.apiserver`, `resource_claim` to `walk`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "apiserver.resource_claim": {
        "_validate: tree old review spec errors switches": (
            ("admission", "claims: the spec may change", "_.invalid(...)", "pass"),
            ("admission", "claims: never validated", "claim_spec.validate_new(...)", "pass"),
            ("admission", "admin access: claims do not ask", "if _ is None: _0; ...", "pass"),
            ("writes", "claims: the spec may change before there is an allocation", "not same(_, _1[_])", "_0 and _1.get('status', {}).get('allocation')"),
            ("oversights", "admin access: claims need the label whenever they are written", "if not same(...): ...", "authorization.authorize_spec(spec, tree['metadata'], review); _0")),
        "_clear_device_statuses": (("admission", "status: device entries stay without their gate", "_0 and _", "False"),),
        "_prepare": (("writes", "claims: reports stay without their gate when the spec is written", "_clear_device_statuses(...)", ""),),
        "_prepare_status": (("writes", "claims: what the spec uses says nothing of the status", "_ALL_GATED", "claim_status.GATED"),),
        "STRATEGY": (("writes", "claims: a write to the status takes finalizers away", "{'status': _0}", "Part(_prepare_status, _validate_status, kept=('labels', 'annotations', 'ownerReferences'))"),),
    },
    "apiserver.resource_claim_template": {
        "_validate": (
            ("admission", "templates: the spec may change", "_.invalid(...)", "pass"),
            ("admission", "templates: never validated", "claim_spec.validate(...)", "pass"),
            ("admission", "admin access: templates do not ask", "authorization.authorize_spec(...)", "pass"),
            ("writes", "templates: labels for the claims may change", "same(_1, _2)", "same(_1['spec'], _2['spec'])"),
            ("admitting", "admitting: templates ask for admin access anywhere", "authorization.authorize_spec(...)", "pass"),
            ("oversights", "admin access: templates need the label whenever they are written", "if _1 is None:\n    _2\nelif _3:\n    _4", "if _1 is None:\n    _2\nelse:\n    _2\nif _1 is not None and _3: _4")),
        "_default": (("admitting", "admitting: templates get no defaults", "claim_spec.default(_1, ...)", "_1"),),
    },
    "apiserver.resource_slice": {
        "_devices_rule": (("admission", "devices: two of one name", "items(_1, ...)", "items(_1)"),),
        "_devices": (("admission", "devices: as many with taints as without", "_ and _", "False"),),
        "_validate": (
            ("admission", "slices: no node access", "node_access.exactly_one(...)", ""),
            ("admission", "slices: node selectors with several terms", "node_access.one_term(...)", "pass"),
            ("oversights", "slices: a generation does not go back", "_unchanged(_1, _2, _3)", "_0\nif _1['pool']['generation'] < _2['pool']['generation']: _3.invalid('spec.pool.generation', None, 'must not decrease')")),
        "_unchanged: spec stored errors name new old": (
            ("admission", "slices: the driver may change", "'driver', _.get(...), _.get(...)", ""),
            ("admission", "slices: the pool may change", "_0, (...,), (...,)", ""),
            ("admission", "slices: the node may change", "(...,), (...,), _0", ""),
            ("writes", "slices: the pool may change with its generation", "not same(...)", "_0 and spec['pool']['generation'] == stored['pool']['generation']"),
            ("writes", "slices: a node may be named later", "not same(_, _1)", "_1 is not None and _0"),
            ("oversights", "slices: the labels of their nodes are fixed", "for _ in _0: ...", "*_0, ('nodeSelector', spec.get('nodeSelector'), stored.get('nodeSelector'))"),
            ("oversights", "slices: all nodes stay all nodes", "for _ in _0: ...", "*_0, ('allNodes', spec.get('allNodes'), stored.get('allNodes'))")),
        "_pool_numbers": (("admission", "slices: none in the pool", "_ <= 0", "False"), ("admission", "slices: generations below zero", "_ < 0", "False")),
        "default": (("admission", "taints: without time", "default_taint(...)", "pass"), ("writes", "slices: the second taint has no time", "_.get('taints', [])", "_0[:1]")),
    },
    "apiserver.strategy": {
        "all_but_status": (
            ("admission", "status: a new object keeps its status", "_.pop(...)", ""),
            ("admission", "status: an update writes it", "_.pop(...)", "pass"),
            ("admission", "& status: an update writes it", "if _: ...", "")),
        "only_status": (("admission", "status: a write to it writes the spec", "_ = _", "pass"),),
        "Part.kept": (("lifetimes", "objects: a write to the status changes annotations", "'annotations'", ""),),
    },
    "kube.switches.api_server": {
        "ApiServerSwitches.admin_label": (
            ("admission", "admin access: the label of 1.34", "{AdminAccessLabel.K8S_IO: _0, **_}", "'in 1.33'"),
            ("admission", "& admin access: the label of 1.34", "{AdminAccessLabel.KUBERNETES_IO: _0, **_}", "when('kep', 'since 1.34')")),
    },
    "apiserver.trees": {
        "encode": (("admission", "decoding: amounts as they are written", "str(_0)", "_0.value()"),),
    },
    "apiserver.walk": {
        "fields: mandatory optional rules name rule value old path errors always item": (("admission", "rules: the first error ends it", "_ = _.get(_)", "if errors: return\n_0"),),
        "items": (("admission", "rules: the first item only", "enumerate(_0)", "_0[:1]"),),
        "unique": (("admission", "rules: repetitions everywhere", "_ in _", "False"),),
        "required": (("admission", "rules: empty is there", "_1 in ('', *_NONE)", "_1 is None"),),
        "entries": (("admission", "rules: keys of maps are not looked at", "_(_, None, _ if _ else _, _)", ""), ("admission", "rules: values of maps are not looked at", "_(_, None if _ else _, _, _)", "pass")),
        "unless_stored": (("admission", "rules: what is stored is judged again", "if _: _1", "_1"), ("admission", "rules: what is stored is never judged", "_1 or not same(...)", "_1")),
        "same": (("admission", "rules: a list in another order is the same", "_1 and all(...)", "_1"),),
    },
}  # fmt: skip
