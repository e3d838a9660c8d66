"""Mutants of `dra_conform.apiserver`, `authorization` to `resource_requirements`."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

MUTANTS: Table = {
    "apiserver.authorization": {
        "authorize_admin_access: flags path metadata review first index flag namespace label labels detail": (
            ("admission", "admin access: in every namespace", "_ != 'true'", "False"),
            ("admission", "admin access: in no namespace", "if _ != 'true': ...", "detail = f'admin access to devices requires the `{label}: true` label on the containing namespace'; review.errors.forbidden(path, detail)"),
            ("admission", "admin access: the label is enough", "_2.get(_1) != _", "_1 not in _2"),
            ("admission", "admin access: asked and not granted alike", "_1 is True", "_1 is not None"),
            ("writes", "claims: the first flag decides on admin access", "_ is True", "_0 and index == 0"),
            ("writes", "claims: the label of admin access in any case", "(_0 := _1(_2)) != 'true'", "_1(_2, '').lower()")),
        "_drivers_with_changes": (("lifetimes", "permissions: anybody takes away what drivers reported", "_.keys() | _1", "_1"),),
        "authorize_status": (("lifetimes", "permissions: anybody reserves", "'reservedFor'", ""),),
        "authorize_spec: spec metadata review requests flags request": (("oversights", "admin access: a claim of a template needs no label", "authorize_admin_access(...)", "None if metadata.get('ownerReferences') else _0"),),
    },
    "apiserver.common_fields": {
        "binding_conditions": (("admission", "binding: one list without the other", "_ and _", "False"), ("admission", "binding: one condition in both lists", "_ in _", "False")),
        "conditions": (("admission", "status: conditions of one type", "items(..., key=_0)", ""),),
        "config": (("admission", "config: of any driver", "driver(_)", ""),),
        "json_object": (("admission", "config: without parameters", "_.required(_)", "pass"), ("admission", "config: parameters of any type", "not _", "False")),
        "selectors": (("admission", "selectors: anything compiles", "_.invalid(...)", "return"), ("admission", "selectors: without CEL", "_.required(_)", "pass")),
    },
    "apiserver.claim_spec": {
        "requests_rule": (
            ("admission", "requests: any name", "_label(...)", ""),
            ("admission", "requests: two of one name", "items(request, _1, 'name', _)", "items(request, _1)"),
            ("admission", "requests: of no kind", "_ == 0", "False"),
            ("admission", "requests: of both kinds", "_ == 2", "False"),
            ("admission", "requests: alternatives are not looked into", "_(_, None, _, _)", "pass", 2),
            ("oversights", "claims: an alternative may not have the name of its request", "_label(_1(...), _, _3, _2)", "_0\nif any(one.get('name') == _1('name') for one in _1('firstAvailable') or ()): _2.duplicate(_3, _1('name'))")),
        "_common": (("admission", "requests: without class", "required(...)", ""),),
        "_count": (
            ("admission", "requests: any mode", "_ not in _MODES", "False"),
            ("admission", "requests: a count beside All", "_ == 'All' and _ != 0", "False"),
            ("admission", "requests: a count of zero", "_ == 'ExactCount' and _ <= 0", "False")),
        "_default_count": (
            ("admission", "requests: no default mode", "(_0 := _1.setdefault(...)) == _", "_1.get('allocationMode')"),
            ("admission", "requests: no default count", "_.setdefault('count', 1)", "pass"),
            ("admission", "requests: All has a count too", "_1 == 'ExactCount'", "_1")),
        "default: spec version request exactly subrequest": (
            ("admission", "requests: alternatives have no defaults", "for _ in _.get('firstAvailable', []): _0; ...", "pass"),
            ("admission", "& requests: alternatives have no defaults", "for _ in _.get('firstAvailable', []): ...; _0", ""),
            ("writes", "claims: alternatives have no amount in v1beta1", "for _ in _.get('firstAvailable', []): ...; _0", "if version != 'v1beta1': _0"),
            ("writes", "claims: alternatives of all devices get a count", "_default_count(_1)", "_0; _1.setdefault('count', 1)", 2),
            ("oversights", "tolerations: those of alternatives get no operator", "for _ in _.get('firstAvailable', []): _0; ...", "")),
        "_constraint": (
            ("admission", "constraints: of any request", "_(_.get(...), None, _, _)", ""),
            ("admission", "constraints: both attributes", "_ and _ and _", "False"),
            ("admission", "constraints: no attribute", "_.required(_, _)", "pass"),
            ("admission", "& constraints: no attribute", "_.required(_)", "pass"),
            ("admission", "constraints: any match attribute", "if _ is not None: _0", "pass"),
            ("admission", "constraints: any distinct attribute", "if _ and _: _0", "pass")),
        "validate": (
            ("writes", "claims: config for the second driver is not looked at", "items(...)(_0, None, _, _)", "_0[:1]"),
            ("oversights", "constraints: the second is not looked at", "_(_0 := _[_1], ...)", "_0[:1] if _1 == 'constraints' and len(_0) < 9 else _0")),
    },
    "apiserver.claim_status": {
        "validate: claim stored review status errors switches result flags allocation before message reference": (
            ("admission", "admin access: statuses do not ask", "authorization.authorize_admin_access(...)", "pass"),
            ("admission", "admin access: what is allocated asks again", "not any(...)", "True"),
            ("admission", "status: the allocation may change", "_.invalid(...)", "pass"),
            ("admission", "status: the allocation cannot be taken back", "_ is not None and _1", "_1"),
            ("admission", "status: reserved without allocation", "_.get(...) and _ is None", "False"),
            ("admission", "status: reserved while deleted", "_.get(...) and _reservations_added(...)", "False"),
            ("writes", "claims: an allocation may change before it is reserved", "not same(...)", "_0 and stored.get('reservedFor')"),
            ("writes", "claims: the nodes of an allocation may change", "same(_1, _2)", "same(_1.get('devices'), _2.get('devices'))"),
            ("writes", "claims: an allocation is taken back under its users", "_1.get(...) and _2 is _", "_1.get('reservedFor') and _2 is None and before is None"),
            ("oversights", "admin access: the first result is looked at", "_ = (_.get(...) for _ in _0)", "_0[:1]"),
            ("oversights", "admin access: what was asked for with a label is given without", "any(_0)", "((one.get('exactly') or {}).get('adminAccess') for one in claim['spec'].get('devices', {}).get('requests', []))")),
        "_devices": (
            ("admitting", "admitting: no reports of devices with admin access", "{_key(_) for _ in _results(_1)}", "{_key(result) for result in _results(_1) if not result.get('adminAccess')}"),
            ("admission", "status: devices that are not allocated", "_key(_) not in _", "False"),
            ("admission", "status: devices twice", "unique(...)", ""),
            ("writes", "claims: a report without share for a device that is shared", "_1 not in _2", "_1[:3] not in {key[:3] for key in _2 if key[3] == _1[3] or not _1[3]}"),
            ("writes", "claims: reports before there is an allocation", "_key(_) not in _1", "_1 and _0")),
        "_key": (("admission", "status: devices of another share", "_ or None", "None"), ("lifetimes", "reports: shares of one device are told apart by the first", "*_1, _ or None", "tuple(_1)")),
        "drop_deallocated": (
            ("admission", "status: entries of deallocated devices stay", "_ and 'devices' in _", "False"),
            ("histories", "reports: those of devices that are gone stay", "_ and 'devices' in _", "False"),
            ("oversights", "reports: all go with the allocation", "_1[_] = _", "_1.pop('devices')")),
        "_reserved_for": (
            ("admission", "status: reserved by anything", "dict.fromkeys(...)", "{}"),
            ("admission", "status: reserved twice", "items(_1, _2, ...)", "items(_1, _2)"),
            ("admitting", "admitting: two users of a claim have two names", "items(_, _, _0, ...)", "'name'")),
        "_allocation: reference switches optional label mandatory value old path errors source entry results devices": (
            ("admission", "status: results of any request", "{'request': _0, **_}", ""),
            ("admission", "status: any share ID in results", "_uuid", ""),
            ("admission", "status: binding conditions of results are not looked at", "binding", ""),
            ("writes", "claims: results of the second device are not looked at", "{'results': _0, **_}", "lambda value, old, path, errors: _0(value[:1], old, path, errors)"),
            ("oversights", "allocations: devices of one name are one device", "_ = (_0 := items(_1, _2))", "items(_1, _2, 'device')")),
        "_device": (("admission", "status: any share ID of devices", "_uuid", ""), ("admission", "status: data is not looked at", "{'data': _0, **_}", "")),
        "_address": (("admission", "status: any IP", "_ != _", "False"), ("admitting", "admitting: addresses of any notation", "_ != _1", "_1 is None")),
        "_reservations_added": (
            ("writes", "claims: one user takes the place of another while the claim is deleted", "any(_ not in _2 for _ in _1)", "len(_1) > len(_2)"),
            ("admitting", "admitting: reservations stay as they are while a claim is deleted", "any(_ not in _2 for _ in _1)", "_1 != _2")),
    },
    "apiserver.counter_sets": {
        "consumption": (
            ("admission", "groups: not looked at", "fields(_, _0)", ""),
            ("admission", "groups: any name", "strings(_0, ...)", "anything"),
            ("admission", "groups: as often as one likes", "strings(_1, _2)", "strings(_1, _2, distinct=False)"),
            ("admission", "groups: as many as one likes", "strings(_, _0)", ""),
            ("admission", "counters: consumed of no set", "{'counterSet': _0, **_}", ""),
            ("admission", "counters: none consumed", "{'counters': _0, **_}", ""),
            ("admission", "counters: a set consumed twice", "items(..., key=_0)", "")),
        "counter_sets": (
            ("admission", "counters: sets without name", "{'name': _0, **_}", ""),
            ("admission", "counters: sets without counters", "{'counters': _0, **_}", ""),
            ("admission", "counters: sets of one name", "items(..., key=_0)", "")),
    },
    "apiserver.decoding": {
        "_struct: known quantities name zero value path unknown prefix decoded item field decoder plain inner": (
            ("admission", "decoding: unknown fields are refused", "_.append(_1)", "raise Undecodable(_1, 'unknown field')"),
            ("admission", "decoding: unknown fields are kept", "_.append(...)", "decoded[name] = item"),
            ("admission", "decoding: unknown fields without a word", "_.append(...)", "pass")),
        "_int": (("admission", "decoding: a text for a number", "if _1 is None: ...", "_0\nif isinstance(_1, str) and _1.isdigit(): _1 = int(_1)"),),
        "_quantity": (("admission", "decoding: amounts rounded up", "Quantity.parse(_)", "Quantity.whole(_0.value())"),),
    },
    "apiserver.device_capacity": {
        "_range: allowed default value path errors switches least most step name at_min at_max bounds set_bounds quantity by_milli": (("admission", "policy: max may exceed the capacity if there is a step", "if most > value: ...", "if most > value and step is None: errors.invalid(path, None, '')"),),
        "capacity": (
            ("admission", "policy: allowed on dedicated devices", "if _0: ...", "True", 2),
            ("admission", "policy: allowed on no device", "if _0: ...", "False", 2),
            ("admission", "policy: not looked into", "_policy(_1, ...)", "_1 or _0")),
        "_policy": (
            ("admission", "policy: values beside a range", "_ and _ is not None", "False"),
            ("admission", "policy: no default needed", "_ or _ is not None", "False"),
            ("admission", "policy: a default needs no values but a range", "_1 or _ is not None", "_1"),
            ("admission", "policy: a default needs no range but values", "_ or _1", "_1"),
            ("admission", "policy: an empty one needs a default", "_ or _ is not None", "True")),
        "_values": (
            ("admission", "policy: values in any order", "_[_ - 1] > _[_]", "False"),
            ("admission", "policy: values in descending order", "_[_ - 1] > _[_]", "<"),
            ("admission", "policy: values larger than the capacity", "_ > _", "False", 2),
            ("admission", "policy: values as large as the capacity are refused", "_1 > _2", "_1 >= _2", 2),
            ("admission", "policy: equal values", "unique(...)", ""),
            ("admission", "policy: a default among no values", "_ not in _", "False"),
            ("admission", "policy: the default is the first value", "_1 not in _2", "_1 != _2[0]")),
        "_number": (("admission", "policy: values equal as whole numbers", "_1.nano if _ else _", "_1.value()"),),
        "_range: allowed default value path errors switches least most step name at_min at_max bounds given quantity by_milli": (
            ("admission", "range: no min needed", "_.required(...)", ""),
            ("admission", "range: min above the capacity", "_ > _", "False", 1),
            ("admission", "range: min as large as the capacity is refused", "_1 > _2", "_1 >= _2", 1),
            ("admission", "range: default below min", "_ < _", "False", 1),
            ("admission", "range: default at min is refused", "if _0 := _1 < _2: ...", "_1 <= _2"),
            ("admission", "range: a negative min", "_.negative_min_rejected and _ < _ZERO", "False"),
            ("admission", "range: a min of zero is refused", "_1 < _ZERO", "_1 <= _ZERO"),
            ("admission", "range: min above max", "_ > _", "False", 2),
            ("admission", "range: min at max is refused", "_1 > _2", "_1 >= _2", 2),
            ("admission", "range: max above the capacity", "most > value", "False"),
            ("admission", "range: max at the capacity is refused", "_1 > _2", "_1 >= _2", 3),
            ("admission", "range: default above max", "default > most", "False"),
            ("admission", "range: default at max is refused", "_1 > _2", "_1 >= _2", 4),
            ("admission", "range: amounts finer than a thousandth", "_ and _report_all(...)", "False"),
            ("admission", "range: steps of whole numbers only", "_.fractional_ranges and any(...)", "False"),
            ("admission", "step: not looked at", "_ is not None", "False", 3)),
        "_beyond_milli": (("admission", "range: thousandths have no limit", "abs(_) > _MAX_INT64", "False"), ("admission", "range: thousandths are too fine", "_MILLI", "NANO"),),
        "_step: given value by_milli path errors switches step least whole name message": (
            ("admission", "step: zero or less", "_.steps_checked and _ <= _ZERO", "False"),
            ("admission", "step: less than zero", "_ and _1 <= _", "_1 == _ZERO"),
            ("admission", "step: beyond the capacity", "_ > _", "False"),
            ("admission", "step: up to the capacity is refused", "_ > _", ">="),
            ("admission", "step: compared without min", "(_0 := _ + _1) > _", "_1"),
            ("admission", "step: amounts beyond 64 bits", "if _ and _ and _: ...", ""),
            ("admission", "step: the default need not be a multiple", "'default'", ""),
            ("admission", "step: max need not be a multiple", "'max'", ""),
            ("admission", "step: multiples from zero", "_1 - _", "_1"),
            ("oversights", "policies: a step may exceed the capacity where max is given", "_ > _", "_0 and 'max' not in given"),
            ("oversights", "policies: steps reach max or else the default", "'default', 'max'", "('max',) if 'max' in given else ('default',)")),
    },
    "apiserver.device_class": {
        "_validate: tree old review spec stored trusted same_selectors same_config name policy policy_path": (
            ("admission", "classes: never validated", "_rule(...)(_, None, 'spec', _.errors)", "pass"),
            ("writes", "classes: the extended resource never changes", "_ = _ is not None and not _", "if stored.get('extendedResourceName') and spec.get('extendedResourceName') != stored['extendedResourceName']: review.errors.invalid('spec.extendedResourceName', None, 'field is immutable')\n_0"),
            ("writes", "classes: new selectors of a stored class are not compiled", "_1 and same(...)", "_1", 1),
            ("writes", "classes: new parameters of a stored class have any size", "_1 and same(_.get('config'), _.get('config'))", "_1"),
            ("oversights", "classes: a new selector beside a stored one is stored", "same(_2, _1)", "any(one in (_1 or []) for one in _2 or [])", 1)),
        "_rule": (("admission", "classes: any extended resource", "string(...)", ""),),
        "_prepare": (("admitting", "admitting: classes lose the name they serve in any update", "drop_disabled(_, _, _, _0, ...)", "()"),),
    },
    "apiserver.device_taints": {
        "effect": (("admission", "taints: no effect", "required(one_of(_1))", "one_of(_1, '')"), ("admission", "taints: any effect", "one_of(*_)", "lambda *rest: None")),
        "default_tolerations: parent toleration": (
            ("writes", "claims: a toleration of everything has no operator", "'Equal'", "_0 if toleration.get('key') else 'Exists'"),
            ("oversights", "tolerations: the second of a request gets no operator", "_.get(...)", "_0[:1]")),
        "_validate": (("admission", "taint rules: never validated", "_(_['spec'], _, 'spec', _.errors)", "pass"),),
        "_prepare": (
            ("admission", "taint rules: the time stays when the effect changes", "_0 and _", "False"),
            ("writes", "taint rules: any change of the taint renews its time", "_1.get(...) != _2.get(...)", "_1 != _2"),
            ("writes", "taint rules: a time that is written with the effect is lost", "_1 and _", "_1")),
        "STRATEGY": (("oversights", "rules: who writes a status writes the spec", "only_status", "lambda tree, old, review: None"),),
    },
    "apiserver.gated_fields": {
        "drop_disabled: tree old dropped used profile field": (
            ("admission", "dropping: the stored object does not count", "_[0] and _0", "True"),
            ("admission", "dropping: an update drops nothing", "_[0] and _0", "old is None"),
            ("admission", "dropping: nothing", "_.update(...)", "pass"),
            ("writes", "dropping: another field of the gate in use does not keep this one", "_in_use(_, _0, ...)", "[field]")),
        "_disabled": (("admission", "dropping: one gate of several is enough", "not _1.issuperset(_2)", "_1.isdisjoint(_2)"),),
        "_without": (("admission", "dropping: the first place only", "[_without(_, _2) for _ in _1]", "[_without(_1[0], _2), *_1[1:]] if _1 else _1"),),
        "is_filled": (("admission", "dropping: an empty list is in use", "bool(_1)", "_1 is not None"),),
        "is_set": (("admission", "dropping: false is not in use", "_1 is not None", "bool(_1)"),),
        "_in_use": (("admission", "dropping: any feature in use keeps all", "_.gates == _", ""),),
    },
    "apiserver.metadata": {
        "with_stored": (("admission", "status: it writes labels", "_[_] = _[_]", "pass"),),
        "validate": (("admission", "metadata: any name", "(path_segment if _ else _)(_['name'])", "()"), ("admission", "metadata: no name", "not _", "False"), ("admission", "metadata: any label", "validate_labels(...)", "")),
        "has_other_uid": (("admission", "metadata: another UID", "return _0", "False"),),
        "validate_update": (("histories", "finalizers: one may be exchanged while the object is deleted", "_3 = set(_1) - set(_2)", "new, before = _1, _2; _3 = set(new) - set(before) if len(new) > len(before) else set()"),),
        "_IMMUTABLE": (("histories", "finalizers: a deletion may be taken back", "'deletionTimestamp'", ""),),
        "_owners": (("lifetimes", "objects: two owners control", "sum(...) > _0", "2"),),
        "validate_annotations": (("oversights", "annotations: the second is not looked at", "for _ in _0: ...", "list(_0)[:1]", 1),),
    },
    "apiserver.name_rules": {
        "fully_qualified_name": (("admission", "constraints: attributes without domain", "'/' not in _ and (_ or _)", "False"),),
    },
    "apiserver.naming": {
        "extended_resource": (("admitting", "admitting: names that only contain the domain of Kubernetes serve", "_ in _1", "_1.startswith('kubernetes.io/')"),),
    },
    "apiserver.node_allocatable": {
        "_capacity_key": (("oversights", "node resources: a capacity is found whatever its domain", "_1 not in _2", "_1.split('/')[-1] not in [one.split('/')[-1] for one in _2]"),),
    },
    "apiserver.pod": {
        "_prepare_status": (("admitting", "admitting: pods lose what is told of claims in any update", "drop_disabled(_, _, _, _0, ...)", "()"),),
        "_RESIZABLE": (("writes", "resize: ephemeral storage is resized, too", "_RESIZABLE = _0", "*_0, 'ephemeral-storage'"),),
        "_fixed: container resources kind quantities name quantity": (("writes", "pods: a resize changes which claims are used", "dict(_1)", "{name: one for name, one in _1.items() if name != 'claims'}"),),
        "_validate_resize": (
            ("writes", "resize: a request or a limit may be removed", "_nothing_removed(...)", ""),
            ("writes", "resize: the QoS class may change", "if _ != _: ...", ""),
            ("writes", "resize: only the first container is checked", "enumerate(...)", "list(_0)[:1]"),
            ("admitting", "admitting: a pod whose claims take of its node is resized", "_1 and _2", "_1 and len(_1) > 1 and _2", 1),
            ("oversights", "resize: pods whose containers use no claim are resized", "_0 and _.claim_status_blocks_resize", "[one for one in _0 or () if one.get('containers')]"),
            ("oversights", "resize: pods with memory of claims are resized", "_0 and _.claim_status_blocks_resize", "any('cpu' in one.get('resources', {}) for one in _0 or ())"),
            ("oversights", "resize: pods with two such claims are resized", "_1 and _2", "_1 and len(_1) < 2 and _2", 1)),
    },
    "apiserver.pod_spec": {
        "_MUTABLE": (("writes", "pods: entries for claims may change", "_MUTABLE = _0", "*_0, 'resourceClaims'"),),
        "_references: references names path errors seen index reference place name request other part": (
            ("admitting", "admitting: init containers name any claim", "_ not in _", "_0 and 'initContainers' not in path"),
            ("admitting", "admitting: a container names a claim and one of its requests", "_ or _ or _1", "_1"),
            ("lifetimes", "pods: a container names a claim and one of its requests", "_ or _ or _1", "_1")),
        "validate": (
            ("admitting", "admitting: two entries name two claims", "_claims(_1, _2)", "_0\nnamed = [one['resourceClaimName'] for one in _1 if 'resourceClaimName' in one]\nif len(set(named)) < len(named): _2.duplicate('spec.resourceClaims', '')"),),
        "_one_source": (("admitting", "admitting: an entry without a source is one", "_1 == _2", "_1 and _2"),),
        "default": (
            ("oversights", "pods: init containers do not request what they are limited to", "_0, _", "place"),
            ("oversights", "& pods: init containers do not request what they are limited to", "default_requests(...)", "if place.startswith('init'): continue\n_0")),
    },
    "apiserver.pod_status": {
        "_extended: status spec errors switches path requests container mappings index mapping place resource names name keys part": (
            ("writes", "pods: the special claim serves no init containers", "{_1.get(...): _2 for _ in _3}", "{_1.get('name', ''): _2 for place, _1 in _3 if place[0] == 'c'}"),
            ("admitting", "admitting: a resource that another container requests will do", "_1 not in _2[_]", "not any(_1 in one for one in _2.values())"),
            ("lifetimes", "pods: a container is served what another one asks for", "_1 not in _2[_]", "not any(_1 in one for one in _2.values())")),
        "validate": (("writes", "pods: claims of templates have no amounts", "_ |= _", ""),),
        "_node_allocatable": (
            ("admitting", "admitting: written quantities may be of resources that nodes do not have", "node_allocatable.validate_name(...)", ""),
            ("admitting", "admitting: pods are told of claims that only others name", "_ not in _ and (_ or _)", "False")),
        "_generated": (
            ("lifetimes", "pods: two claims are told for one entry", "unique(...)", ""),
            ("oversights", "pods: a status may name an entry by its claim", "_1('name', '') not in _2", "_0 and _1('resourceClaimName') not in _2")),
    },
    "apiserver.published_device": {
        "device": (("admitting", "admitting: a key taints a device once", "items(_ignoring_stored(_1), _2)", "items(_ignoring_stored(_1), _2, 'key')"), ("admitting", "admitting: devices are shared by their capacity only", "binding_conditions(_1, _2, _3)", "_0\nif _1.get('allowMultipleAllocations') and not _1.get('capacity'): _3.required(_2)"), ("admission", "devices: any name", "string(...)", ""), ("writes", "slices: the second device has any mapping", "node_allocatable.validate(_, _1, ...)", "if _1.endswith('[0]'): _0")),
        "_attribute": (("admission", "devices: attributes without value", "if _1 and _: ...", "if _1: return\n_0"), ("admission", "devices: attributes with two values", "_1 != 1", "_1 == 0")),
        "_list": (("admission", "devices: empty lists", "_.invalid(...)", "return"),),
        "_sizes": (
            ("admission", "devices: values of all attributes are not counted", "_ > limits.ATTRIBUTE_VALUES.bound", "False"),
            ("admission", "devices: attributes and capacities are not counted together", "_1 + len(...)", "_1")),
        "_version": (("admission", "devices: any version", "naming.semantic_version(_, _)", "()"),),
        "node_access_of": (("admission", "devices: node access of devices alone", "any(...)", "False"), ("admission", "devices: no node access though it is left to them", "node_access.exactly_one(...)", "pass")),
    },
    "apiserver.resource_requirements": {
        "default_requests": (("oversights", "pods: who requests something requests nothing of limits", "{**_2, **_1('requests', {})}", "_1('requests') or {**_2}"),),
        "validate_requirements": (("oversights", "pods: less of an extended resource than the limit is requested", "_1 or _", "_1"),),
        "_overcommitted": (("oversights", "pods: of a class the limit must be requested", "_1 or _", "_1"),),
        "validate: spec errors resources requests limits name quantity message index container path": (("oversights", "pods: claims for the pod as a whole", "'claims' in resources", "False"),),
    },
}  # fmt: skip
