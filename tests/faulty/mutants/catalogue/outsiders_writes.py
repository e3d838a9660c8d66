"""Mutants of the API server: each gets one rule of the documents wrong, mostly by asking for too much."""

from __future__ import annotations

from tests.faulty.mutants.catalogue import Table

T = "outsiders-writes"
MUTANTS: Table = {
    "controlplane.apiserver.claim_status": {
        "GATED": ((T, "dropping: share IDs of device statuses stay", "GatedField(_SHARING, 'status.devices.*.shareID')", ""),),
        "default": ((T, "allocations: tolerations get no operator", "default_tolerations(result)", "pass"),),
        "validate": (
            (T, "allocations: their configuration may change", "not same(allocation, before)", "not same({**allocation, 'devices': {'results': allocation.get('devices', {}).get('results')}}, {**before, 'devices': {'results': before.get('devices', {}).get('results')}})"),
            (T, "reservations: for pods only", "_reserved_for(switches)(status, None, 'status', errors)", "_0\nif any(one.get('resource') != 'pods' for one in status.get('reservedFor', [])): errors.not_supported('status.reservedFor', 'resource', ['pods'])"),
            (T, "reports: none may be taken away", "_devices(status, errors, switches)", "_0\nif {_key(one) for one in stored.get('devices', [])} & {_key(one) for one in _results(status)} - {_key(one) for one in status.get('devices', [])}: errors.forbidden('status.devices', 'may not be removed')")),
        "_devices": ((T, "reports: none of devices with admin access", "{_key(result) for result in _results(status)}", "{_key(result) for result in _results(status) if not result.get('adminAccess')}"),),
        "_allocation": ((T, "allocations: a node selector is required", "return fields({}, {'devices': devices, 'nodeSelector': NODE_SELECTOR})", "return fields({'nodeSelector': required(NODE_SELECTOR)}, {'devices': devices})"),),
    },
    "controlplane.apiserver.claim_spec": {
        "gated": (
            (T, "dropping: capacity of alternatives stays", "GatedField(_SHARING, f'{requests}.firstAvailable.*.capacity')", ""),
            (T, "dropping: tolerations of alternatives stay", "GatedField(_TAINTS, f'{requests}.firstAvailable.*.tolerations', is_filled, dropped_if=_drops_tolerations)", "")),
        "_reference": (
            (T, "references: any alternative of the claim", "rest and rest[0] not in names[request]", "rest and not any(rest[0] in one for one in names.values())"),
            (T, "references: what follows a second slash is not read", "len(rest) > 1", "False")),
        "_count": ((T, "requests: at most 32 devices", "count <= 0", "count <= 0 or count > 32"),),
        "_constraint": (
            (T, "constraints: need requests", "references(value.get('requests', []), None, f'{path}.requests', errors)", "_0\nif not value.get('requests'): errors.required(f'{path}.requests')"),
            (T, "constraints: of one request make no sense", "references(value.get('requests', []), None, f'{path}.requests', errors)", "_0\nif len(value.get('requests', [])) == 1: errors.invalid(f'{path}.requests', None, 'at least two')")),
        "_config": ((T, "configuration: needs requests", "fields({}, {'requests': request_references(reference)})", "fields({'requests': required(request_references(reference))})"),),
        "requests_rule": (
            (T, "lists: of one alternative", "set_kinds = bool(subs) + (exactly is not None)", "_0\nif subs and len(subs) == 1: errors.invalid(f'{path}.firstAvailable', None, 'needs an alternative')"),
            (T, "lists: a class twice", "set_kinds = bool(subs) + (exactly is not None)", "_0\nif subs and len({one.get('deviceClassName') for one in subs}) < len(subs): errors.duplicate(f'{path}.firstAvailable', None)"),
            (T, "lists: all devices as an alternative", "set_kinds = bool(subs) + (exactly is not None)", "_0\nif any(one.get('allocationMode') == 'All' for one in subs or ()): errors.invalid(f'{path}.firstAvailable', None, 'All')")),
        "_common": ((T, "requests: capacities without domain", "_count", "_bare_names"),),
        "_label": ((T, "& requests: capacities without domain", "...", "_0\ndef _bare_names(value, old, path, errors):\n    _count(value, old, path, errors)\n    for name in (value.get('capacity') or {}).get('requests') or ():\n        if '/' not in name: errors.invalid(f'{path}.capacity.requests', name, 'needs a domain')"),),
    },
    "controlplane.apiserver.device_taints": {
        "default_tolerations": ((T, "tolerations: the second gets no operator", "parent.get('tolerations', [])", "parent.get('tolerations', [])[:1]"),),
        "taint": ((T, "taints: a value is required", "fields({'key': string(naming.label_key)}, {'value': string(naming.label_value)})", "fields({'key': string(naming.label_key), 'value': required(string(naming.label_value))})"),),
        "_toleration": ((T, "tolerations: a key is required", "check(value, old, path, errors)", "_0\nif not value.get('key'): errors.required(f'{path}.key')"),),
    },
    "controlplane.apiserver.device_taint_rule": {
        "_default": ((T, "taint rules: the effect is NoSchedule by default", "default_taint(spec.setdefault('taint', {}), review.surroundings.time)", "_0\nspec['taint'].setdefault('effect', 'NoSchedule')"),),
        "_validate": ((T, "taint rules: the devices may not change", "rule(tree['spec'], stored, 'spec', review.errors)", "_0\nif stored is not None and not same(tree['spec'].get('deviceSelector'), stored.get('deviceSelector')): review.errors.invalid('spec.deviceSelector', None, 'field is immutable')"),),
        "_validate_status": ((T, "taint rules: conditions are not looked at", "conditions(review.switches)(written, None, path, review.errors)", "pass"),),
    },
    "controlplane.apiserver.device_class": {
        "_prepare": ((T, "dropping: what a class has stored does not count", "drop_disabled(tree, old, GATED, GATED, review.profile)", "drop_disabled(tree, None, GATED, GATED, review.profile)"),),
        "_validate": ((T, "classes: selectors may not change", "_rule(review.switches, same_selectors, same_config)(spec, None, 'spec', review.errors)", "_0\nif old is not None and not same(spec.get('selectors'), stored.get('selectors')): review.errors.invalid('spec.selectors', None, 'field is immutable')"),),
    },
    "controlplane.apiserver.naming": {
        "extended_resource": (
            (T, "classes: implicit names of other classes", "'kubernetes.io/' in value", "'kubernetes.io/' in value and not value.startswith('deviceclass.')"),
            (T, "classes: names that begin like a quota", "value.startswith(_QUOTA_PREFIX)", "False")),
    },
    "controlplane.apiserver.node_allocatable": {
        "validate_name": ((T, "node resources: huge pages of 2Mi only", "name.startswith(_HUGE_PAGES)", "name == 'hugepages-2Mi'"),),
        "_capacity_key": ((T, "node resources: a capacity of an exclusive device", "if key == '': ...", "if key is not None and not any('requestPolicy' in one for one in capacity.values()): errors.invalid(path, key, 'needs a policy')\n_0"),),
    },
    "controlplane.apiserver.pod": {
        "_prepare_status": ((T, "dropping: what a pod has stored does not count", "drop_disabled(tree, old, pod_status.GATED, pod_status.GATED, review.profile)", "drop_disabled(tree, None, pod_status.GATED, pod_status.GATED, review.profile)"),),
    },
    "controlplane.apiserver.pod_spec": {
        "validate": (
            (T, "pods: a claim that no container uses", "_claims(claims, errors)", "_0\nused = {one.get('name') for _, each in containers(spec) for one in each.get('resources', {}).get('claims', [])}\nfor index, claim in enumerate(claims):\n    if claim.get('name') not in used: errors.invalid(f'spec.resourceClaims[{index}].name', claim.get('name'), 'not used')"),
            (T, "pods: two entries for one claim", "_claims(claims, errors)", "_0\nnamed = [one['resourceClaimName'] for one in claims if 'resourceClaimName' in one]\nif len(set(named)) < len(named): errors.duplicate('spec.resourceClaims', named)"),
            (T, "pods: two entries for one template", "_claims(claims, errors)", "_0\nnamed = [one['resourceClaimTemplateName'] for one in claims if 'resourceClaimTemplateName' in one]\nif len(set(named)) < len(named): errors.duplicate('spec.resourceClaims', named)")),
    },
    "controlplane.apiserver.pod_status": {
        "validate": ((T, "pods: usage of generated claims is rejected", "known |= {entry.get('resourceClaimName') for entry in status.get('resourceClaimStatuses', [])}", "pass"),),
        "_extended": (
            (T, "pods: request names of mappings are not looked at", "_LABEL(mapping.get('requestName'), None, f'{path}.requestName', errors)", "pass"),
            (T, "pods: a container has one mapping", "unique(keys, f'{path}.requestMappings', errors, f'.{name}')", "unique([one[0] for one in keys], f'{path}.requestMappings', errors, f'.{name}')"),
            (T, "pods: a request is of one container", "unique(keys, f'{path}.requestMappings', errors, f'.{name}')", "unique([mapping.get('requestName') for mapping in mappings], f'{path}.requestMappings', errors, f'.{name}')")),
        "_node_allocatable": (
            (T, "pods: less than nothing of a node", "_not_negative(quantity, place, errors)", "pass"),
            (T, "pods: nothing of a node", "_not_negative(quantity, place, errors)", "_0\nif not quantity.nano: errors.invalid(place, '0', 'must be positive')")),
    },
    "controlplane.apiserver.published_device": {
        "device": (
            (T, "taints: a key once", "items(_ignoring_stored(taint(switches)), limit)", "items(_ignoring_stored(taint(switches)), limit, 'key')"),
            (T, "devices: shared without capacity", "binding_conditions.validate(value, path, errors)", "_0\nif value.get('allowMultipleAllocations') and not value.get('capacity'): errors.required(f'{path}.capacity')"),
            (T, "devices: bound to their node without conditions", "binding_conditions.validate(value, path, errors)", "_0\nif value.get('bindsToNode') and not value.get('bindingConditions'): errors.required(f'{path}.bindingConditions')")),
    },
    "controlplane.apiserver.device_capacity": {
        "capacity": ((T, "capacities: of zero", "policy = value.get('requestPolicy')", "_0\nif value.get('value', _ZERO) == _ZERO: errors.invalid(f'{path}.value', '0', 'must be positive')"),),
    },
    "controlplane.apiserver.resource_claim": {
        "_validate": ((T, "claims: labels of an allocated claim may not change", "if not same(spec, old['spec']): ...", "_0\nif old.get('status', {}).get('allocation') and tree['metadata'].get('labels') != old['metadata'].get('labels'): errors.invalid('metadata.labels', None, 'field is immutable')"),),
    },
    "controlplane.apiserver.resource_claim_template": {
        "_prepare": ((T, "dropping: what a template has stored does not count", "drop_disabled(tree, old, SPEC_GATED, SPEC_GATED, review.profile)", "drop_disabled(tree, None, SPEC_GATED, SPEC_GATED, review.profile)"),),
        "_claim_metadata": ((T, "templates: any metadata for the claims", "for name in claim_metadata: ...", ""),),
    },
    "controlplane.apiserver.resource_slice": {
        "GATED": (
            (T, "dropping: allNodes of devices stays", "GatedField(_PARTITIONABLE, 'spec.devices.*.allNodes')", ""),
            (T, "dropping: lists of versions stay", "GatedField(_LISTS, 'spec.devices.*.attributes.*.versions')", ""),
            (T, "dropping: bindsToNode stays", "GatedField(_BINDING, 'spec.devices.*.bindsToNode')", "")),
        "_validate": (
            (T, "counters: of one name in two sets", "_devices(spec, stored, errors, switches)", "_0\nnames = [name for one in spec.get('sharedCounters', []) for name in one.get('counters', {})]\nif len(set(names)) < len(names): errors.duplicate('spec.sharedCounters', names)"),
            (T, "groups: devices without groups beside others", "_devices(spec, stored, errors, switches)", "_0\nkinds = {}\nfor device in spec.get('devices', []):\n    for one in device.get('consumesCounters', []): kinds.setdefault(one.get('counterSet'), set()).add(bool(one.get('compatibilityGroups')))\nif any(len(one) > 1 for one in kinds.values()): errors.invalid('spec.devices', None, 'groups')"),
            (T, "slices: no devices", "_devices(spec, stored, errors, switches)", "_0\nif not spec.get('devices') and not spec.get('sharedCounters'): errors.required('spec.devices')"),
            (T, "slices: devices change with the generation only", "_unchanged(spec, stored, errors)", "_0\nif spec['pool']['generation'] == stored['pool']['generation'] and not same(spec.get('devices'), stored.get('devices')): errors.invalid('spec.devices', None, 'generation')"),
            (T, "slices: a pool has as many slices as at first", "_unchanged(spec, stored, errors)", "_0\nif spec['pool'].get('resourceSliceCount') != stored['pool'].get('resourceSliceCount'): errors.invalid('spec.pool.resourceSliceCount', None, 'field is immutable')")),
    },
    "controlplane.apiserver.metadata": {
        "validate_update": ((T, "objects: finalizers are added while an object is deleted", "old.get('deletionTimestamp') and added", "False"),),
    },
    "controlplane.apiserver.resource_requirements": {
        "validate": ((T, "pods: claims for the pod as a whole", "'claims' in resources", "False"),),
    },
    "controlplane.apiserver.admission": {
        "_read_stored": ((T, "conversion: what is stored is read in the written version", "stored['apiVersion'] != raw['apiVersion']", "False"),),
    },
    "kube.versions": {
        "_device": (
            (T, "conversion: bindsToNode of v1beta1 is lost", "{**rest, **device['basic']}", "{**rest, **{name: value for name, value in device['basic'].items() if name != 'bindsToNode'}}"),
            (T, "conversion: allowMultipleAllocations of v1beta1 is lost", "{**rest, **device['basic']}", "{**rest, **{name: value for name, value in device['basic'].items() if name != 'allowMultipleAllocations'}}")),
        "_wrapped_device": ((T, "conversion: taints are not answered in v1beta1", "field != 'name'", "field not in ('name', 'taints')"),),
    },
    "controlplane.simulation.simulated_cluster": {
        "_merge_patch": ((T, "patches: items of lists are added", "if not isinstance(patch, Mapping): ...", "if isinstance(patch, list) and isinstance(value, list): return [*value, *(one for one in patch if one not in value)]\n_0"),),
    },
}  # fmt: skip
