"""Switches of the API server's validation.

The profile `kep` has the rules of the specification, and those of the newest release where it has none.
"""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.errors import ErrorType
from dra_conform.kube.switches.declarations import Reader, Switches, area, choice, gate, switch, when
from dra_conform.kube.switches.expressions import ExpressionSwitches
from dra_conform.kube.switches.features import FeatureSwitches
from dra_conform.kube.switches.values import AdminAccessLabel


@dataclass(frozen=True, slots=True, eq=False)
class ApiServerSwitches(Switches):
    """Validation of written objects, and the paths and types of its errors."""

    READ_BY = (Reader.API_SERVER,)

    features: FeatureSwitches = area(FeatureSwitches)
    notation_counts: bool = switch(
        when("since 1.33") & gate("DRAFractionalCapacityRange"),
        source="KEP-5075/policy-validation/valid-values-unique",
    )
    """Equal validValues count as duplicates only if they are written with the same decimal places."""
    fractional_ranges: bool = switch(gate("DRAFractionalCapacityRange"))
    """Quantities are compared in milli-units. If off, they are compared as integers."""
    expressions: ExpressionSwitches = area(ExpressionSwitches)
    stored_expressions_validated: bool = switch("until 1.36")
    """Unchanged stored expressions are validated again."""
    stored_expressions_see_sharing: bool = switch("kep", "since 1.34")
    """In unchanged stored expressions, `device` has the field allowMultipleAllocations."""
    versioned_paths: bool = switch("since 1.37")
    """Declarative validation rules report the paths of the written API version."""
    admin_label: AdminAccessLabel = choice(
        {AdminAccessLabel.K8S_IO: when("kep", "in 1.33"), AdminAccessLabel.KUBERNETES_IO: "since 1.34"},
        read_by=(Reader.API_SERVER, Reader.PREVIEWS, Reader.FUZZER),
    )
    """The label of namespaces in which claims can have admin access."""

    conditions_validated_by_field: bool = switch("kep", "since 1.37")
    """A missing type or status of a condition is Required, and a duplicate type is reported at the item. If
    off, a missing value is Invalid, and a duplicate is reported at its field `type`."""
    owners_validated_by_field: bool = switch("kep", "since 1.37")
    """Errors of owner references are reported at each reference, and missing fields are Required. If off,
    they are reported at the list, and missing fields are Invalid."""
    identical_errors_once: bool = switch("since 1.37")
    """Identical errors of a resource.k8s.io object are reported once."""
    long_lists_validated: bool = switch("until 1.34")
    """The items of a list or map that exceeds its maximum size are also validated."""
    unique_at_key: bool = switch("until 1.34")
    """A duplicate key is reported at its field. If off, it is reported at the list item."""
    keys_at_map: bool = switch("kep", "since 1.36")
    """Errors of a map key are reported at the map. If off, they are reported at the entry."""
    empty_is_required: bool = switch("until 1.34")
    """The error for an attribute without a value and for an empty part of a name is Required. If off, it is
    Invalid."""

    identifier_error: ErrorType = choice(
        {ErrorType.TYPE_INVALID: "in 1.33", ErrorType.INVALID: when("kep", "since 1.34")}
    )
    """The error type of a name that is not a C identifier."""
    domains_lower_case: bool = switch("kep", "since 1.37")
    """The domain of a constraint's attribute must be in lower case."""
    empty_driver_invalid_too: bool = switch("until 1.34")
    """An empty driver name is both Required and Invalid."""

    few_taints: bool = switch("until 1.34")
    """A device can have at most 4 taints. If off, it can have 16."""
    effect_none: bool = switch("kep", "since 1.35")
    """A taint can have the effect None."""
    stored_taints_trusted: bool = switch("kep", "since 1.35")
    """Unchanged taints of a device and the unchanged effect of a DeviceTaintRule are not validated again."""
    stored_effects_validated: bool = switch("since 1.37")
    """If any device of a ResourceSlice changes, the taint effects of all its devices are validated again."""
    smaller_limit_with_features: bool = switch("kep", "since 1.35")
    """A ResourceSlice with taints, consumed counters or list attributes can have fewer devices."""
    empty_list_is_no_value: bool = switch("kep", "since 1.37")
    """An empty list does not count as a value of an attribute, which must have exactly one."""
    attribute_values_counted: bool = switch("kep", "since 1.36")
    """The total number of attribute values of a device is limited."""
    separate_counter_slices: bool = switch("since 1.35")
    """A ResourceSlice must not have both sharedCounters and devices."""
    device_selector_has_one_term: bool = switch("kep", "since 1.38", source="API/device/one-term")
    """The node selector of a device must have exactly one term."""
    counters_in_slice: bool = switch("until 1.34")
    """Devices can only consume counters of their own ResourceSlice, and limits apply to all sets together."""

    negative_min_rejected: bool = switch("kep", source="KEP-5075/policy-validation/min-not-negative")
    """validRange.min must not be negative, even without a step."""
    default_error_at_default: bool = switch("kep", "since 1.37")
    """A default outside the range is reported at validRange.default. If off, it is reported at the violated
    bound."""
    capacity_requests_validated: bool = switch("since 1.38", source="API/request/capacity")
    """Capacity requests and consumed capacity have at most 32 entries, whose names are qualified names and
    whose quantities are not negative. If off, they are not validated."""
    steps_checked: bool = switch("kep", "since 1.37")
    """A step must be positive, and quantities must fit into 64 bits. If off, a step of zero crashes the
    request."""
    stored_capacity_trusted: bool = switch(
        "in 1.37", source="KEP-5075/device-update/policy-left-on-dedicated"
    )
    """Unchanged stored capacity of a device is not validated again."""

    node_resources_listed: bool = switch("since 1.37")
    """Devices can map to cpu, memory and huge pages only. If off, they can map to every resource that is not
    extended."""
    capacity_key_named: bool = switch("since 1.38")
    """A capacityKey that is no qualified name is Invalid. If off, it is NotFound like other unknown names."""
    version_numbers_limited: bool = switch("since 1.38", source="API/attribute/semantic-version")
    """The numbers of a version attribute have at most 18 digits."""
    multiplier_defaulted: bool = switch("kep", "until 1.36")
    """A missing allocationMultiplier is defaulted to 1."""

    one_attribute_per_constraint: bool = switch(
        "kep", source="KEP-5075/api-validation/constraint-exactly-one"
    )
    """matchAttribute and distinctAttribute must not both be set."""
    documented_tolerations: bool = switch("kep", source="API/claim/tolerations, API/toleration/empty-key")
    """A request or a result can have at most 16 tolerations, and a toleration with a value must have a key.
    No release checks this."""
    both_attributes_validated: bool = switch("kep", "since 1.37")
    """distinctAttribute is also validated if the constraint has both attributes."""
    stored_spec_validated: bool = switch("until 1.34")
    """An update of a ResourceClaim or DeviceClass validates the whole spec. If off, it validates only changed
    parts."""
    tolerations_dropped: bool = switch("kep", "since 1.35")
    """The tolerations of requests are dropped with DRADeviceTaints off."""
    distinct_attribute_dropped: bool = switch("kep", "since 1.35")
    """distinctAttribute is dropped with DRAConsumableCapacity off."""
    binding_needs_status: bool = switch("until 1.34")
    """The binding conditions of an allocation are stored only if DRADeviceBindingConditions and
    DRAResourceClaimDeviceStatus are on. If off, DRADeviceBindingConditions is sufficient."""
    status_keeps_spec: bool = switch("until 1.34")
    """If the status of a ResourceClaim uses a feature whose gate is off, the spec keeps the fields of the
    feature too."""
    both_request_kinds_validated: bool = switch("until 1.34")
    """If both `exactly` and `firstAvailable` are set, both are validated in addition to the error."""
    result_tolerations_validated: bool = switch("kep", "since 1.37")
    """The tolerations of an allocation result are validated."""
    taint_time_follows_effect: bool = switch("kep", "since 1.36")
    """A change of a DeviceTaintRule's effect sets timeAdded to the present time, unless the same update
    changes timeAdded."""
    pod_resources_defaulted_on_create: bool = switch("kep", "since 1.37")
    """Pod-level requests and limits are defaulted on creation only. If off, they are defaulted on each
    write."""
    omitted_pod_status_kept: bool = switch("since 1.37")
    """A write to a pod's status keeps the stored claim-related fields that it omits."""
    claim_status_by_resource: bool = switch("kep", "until 1.36")
    """An entry of nodeAllocatableResourceClaimStatuses must have containers and resources, as in 1.36."""
    claim_statuses_unique: bool = switch("kep", "since 1.37")
    """The entries of nodeAllocatableResourceClaimStatuses and their containers must be unique."""
    claim_statuses_merged: bool = switch("since 1.37", source="KEP-5517/status/list-replaced-as-a-whole")
    """Server-side apply merges nodeAllocatableResourceClaimStatuses by ResourceClaim. If off, it replaces the
    list."""
    claim_status_containers_optional: bool = switch(
        "kep", source="KEP-5517/api-validation/status-required-fields"
    )
    """An entry of nodeAllocatableResourceClaimStatuses need not have containers."""
    claim_status_of_extended_resources: bool = switch(
        "kep", "since 1.38", source="KEP-5517/accounting/extended-resource-backed-claim"
    )
    """An entry of nodeAllocatableResourceClaimStatuses can be for the extended-resource claim."""
    claim_status_blocks_resize: bool = switch(
        when("kep") & ~when("kep-future"), "until 1.36", source="KEP-5517/resize"
    )
    """A pod with nodeAllocatableResourceClaimStatuses cannot be resized."""
    resize_ignores_new_claims: bool = switch("until 1.36")
    """The check of a resize ignores `resources.claims` of the new containers, but not of the stored ones."""
    init_containers_resized: bool = switch("kep", "since 1.36")
    """All init containers can be resized. If off, only sidecars can be resized."""
    implicit_resources_integer: bool = switch(
        "kep", source="KEP-5004/api-validation/quantities-are-whole-numbers"
    )
    """Quantities of implicit extended resources must be integers."""
    extended_resources_once: bool = switch("until 1.34")
    """A container's resource can have one entry in extendedResourceClaimStatus. If off, it can have one entry
    for each request."""
    generated_claim_at_name: bool = switch("until 1.35")
    """Errors of resourceClaimName in resourceClaimStatuses are reported at the field `name`."""
    milli_units_overflow: bool = switch(
        "from 1.33 to 1.37", source="KEP-5004/api-validation/quantities-are-whole-numbers"
    )
    """The check for an integer computes milli-units in 64 bits: a large integer can overflow to a fraction,
    which is rejected."""
    trailing_zeros_lost: bool = switch("from 1.33 to 1.37", source="API/capacity/value")
    """A quantity that ends in 21 zeros is stored without the zeros: `1000E` as `1`."""
    one_slash: bool = switch("kep", "since 1.38", source="KEP-5075/api-validation/distinct-name-well-formed")
    """A qualified name must not have more than one slash."""
    device_status_cleared: bool = switch("kep", source="DRA/feature-gate/device-status-off-clears")
    """With DRAResourceClaimDeviceStatus off, status.devices is removed even if it is stored."""
