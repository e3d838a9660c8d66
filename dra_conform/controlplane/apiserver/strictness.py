"""The release switches of the API server's validation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from dra_conform.cel import Environment
from dra_conform.controlplane.apiserver import limits
from dra_conform.controlplane.apiserver.limits import Limit
from dra_conform.kube.field_error import ErrorType
from dra_conform.kube.profile import KEP, Profile


@dataclass(frozen=True, slots=True, eq=False)
class Strictness:
    """The validation switches of a profile; `of` returns the same object for equal profiles.

    The profile `kep` has the rules of the specification, and those of the newest release where it has none.
    """

    consumable_capacity: bool
    """The gate DRAConsumableCapacity is on, so that a constraint can have distinctAttribute."""
    notation_counts: bool
    """Equal validValues are duplicates only if they are written with the same decimal places
    (KEP-5075/policy-validation/valid-values-unique)."""
    fractional_ranges: bool
    """The gate DRAFractionalCapacityRange is on, so that quantities are compared in milli-units. Otherwise
    they are compared as integers."""
    expressions: Environment
    """The CEL environment for new expressions."""
    stored_expressions: Environment | None
    """The CEL environment for unchanged stored expressions; None if they are not validated again."""
    versioned_paths: bool
    """Declarative validation rules report the paths of the written API version."""
    admin_label: str
    """The label of namespaces in which claims can have admin access."""

    conditions_like_fields: bool
    """A missing type or status of a condition is Required, and a duplicate type is reported at the item.
    Otherwise a missing value is Invalid, and a duplicate is reported at its field `type`."""
    owners_like_fields: bool
    """Errors of owner references are reported at each reference, and missing fields are Required. Otherwise
    they are reported at the list, and missing fields are Invalid."""
    looks_into_long_lists: bool
    """The items of a list or map that is too long are validated too."""
    unique_at_key: bool
    """A duplicate key is reported at its field, otherwise at the list item."""
    keys_at_map: bool
    """Errors of a map key are reported at the map, otherwise at the entry."""
    empty_is_required: bool
    """An attribute without a value and an empty part of a name are Required, otherwise Invalid."""

    identifier_error: ErrorType
    """The error type of a name that is not a C identifier."""
    domains_lower_case: bool
    """The domain of a constraint's attribute must be in lower case."""
    empty_driver_invalid_too: bool
    """An empty driver name is both Required and Invalid."""

    taints: Limit
    """The maximum number of taints of a device."""
    effects: tuple[str, ...]
    """The valid taint effects."""
    stored_taints_trusted: bool
    """Unchanged taints of a device and the unchanged effect of a DeviceTaintRule are not validated again."""
    stored_effects_checked: bool
    """If any device changes, the taint effects of all devices are validated again."""
    identical_errors_once: bool
    """Of identical field errors only the first is reported."""
    quantities_exact: bool
    """A quantity that ends in 21 zeros is stored as it is, otherwise without these zeros (`1000E` as `1`)."""
    smaller_limit_with_features: bool
    """A ResourceSlice with taints, consumed counters or list attributes can have fewer devices."""
    empty_list_is_no_value: bool
    """An empty list does not count as a value of an attribute, which must have exactly one."""
    attribute_values_counted: bool
    """The total number of attribute values of a device is limited."""
    separate_counter_slices: bool
    """A ResourceSlice must not have both sharedCounters and devices."""
    device_selector_has_one_term: bool
    """The node selector of a device must have exactly one term (API/device/one-term)."""
    counters_in_slice: bool
    """Devices can only consume counters of their own ResourceSlice, and limits apply to all sets together."""

    negative_min_rejected: bool
    """validRange.min must not be negative, even without a step
    (KEP-5075/policy-validation/min-not-negative)."""
    default_error_at_default: bool
    """A default outside the range is reported at validRange.default, otherwise at the violated bound."""
    steps_checked: bool
    """A step must be positive, and quantities must fit into 64 bits. Otherwise a step of zero crashes the
    request."""
    stored_capacity_trusted: bool
    """Unchanged stored capacity of a device is not validated again
    (KEP-5075/device-update/policy-left-on-dedicated)."""

    node_resources_listed: bool
    """Devices can map to cpu, memory and huge pages only, otherwise to every resource that is not
    extended."""
    multiplier_defaulted: bool
    """A missing allocationMultiplier is defaulted to 1."""

    one_attribute_per_constraint: bool
    """matchAttribute and distinctAttribute must not both be set
    (KEP-5075/api-validation/constraint-exactly-one)."""
    documented_tolerations: bool
    """A request or a result can have at most 16 tolerations, and a toleration with a value must have a key
    (API/claim/tolerations, API/toleration/empty-key). No release checks this."""
    both_attributes_validated: bool
    """distinctAttribute is also validated if the constraint has both attributes."""
    stored_spec_validated: bool
    """An update of a ResourceClaim or DeviceClass validates the whole spec, otherwise only changed parts."""
    status_keeps_spec: bool
    """A feature that the status of a claim uses also keeps its fields in the spec."""
    both_request_kinds_validated: bool
    """If both `exactly` and `firstAvailable` are set, both are validated in addition to the error."""
    result_tolerations_validated: bool
    """The tolerations of an allocation result are validated."""
    taint_time_follows_effect: bool
    """A change of a DeviceTaintRule's effect sets timeAdded to the present time unless it is changed too."""
    pod_resources_defaulted_on_create: bool
    """Pod-level requests and limits are defaulted on creation, otherwise on each write."""
    omitted_pod_status_kept: bool
    """A write to a pod's status keeps the stored claim-related fields that it omits."""
    claim_status_by_resource: bool
    """An entry of nodeAllocatableResourceClaimStatuses must have containers and resources, as in 1.36."""
    claim_statuses_unique: bool
    """The entries of nodeAllocatableResourceClaimStatuses and their containers must be unique."""
    claim_status_containers_optional: bool
    """An entry of nodeAllocatableResourceClaimStatuses need not have containers
    (KEP-5517/api-validation/status-required-fields)."""
    claim_status_of_extended_resources: bool
    """An entry of nodeAllocatableResourceClaimStatuses can be for the extended-resource claim
    (KEP-5517/accounting/extended-resource-backed-claim)."""
    claim_status_blocks_resize: bool
    """A pod with nodeAllocatableResourceClaimStatuses cannot be resized (KEP-5517/resize)."""
    resize_ignores_new_claims: bool
    """The check of a resize ignores `resources.claims` of the new containers, but not of the stored ones."""
    init_containers_resized: bool
    """All init containers can be resized, otherwise only sidecars."""
    implicit_resources_integer: bool
    """Quantities of implicit extended resources must be integers
    (KEP-5004/api-validation/quantities-are-whole-numbers)."""
    extended_resources_once: bool
    """A container's resource can have one entry in extendedResourceClaimStatus, otherwise one per request."""
    generated_claim_at_name: bool
    """Errors of resourceClaimName in resourceClaimStatuses are reported at the field `name`."""
    one_slash: bool
    """A fully qualified name must have one slash (KEP-5075/api-validation/distinct-name-well-formed)."""
    device_status_cleared: bool
    """With DRAResourceClaimDeviceStatus off, status.devices is removed even if it is stored
    (DRA/feature-gate/device-status-off-clears)."""

    @staticmethod
    def of(profile: Profile) -> Strictness:
        """Return the switches of a profile with its gates."""
        return _of(profile.name, profile.release, profile.on)


@lru_cache(maxsize=256)
def _of(name: str, release: str | None, on: frozenset[str]) -> Strictness:
    profile = Profile(name, release, dict.fromkeys(on, True))
    kep = release is None
    before = profile.before
    sharing = profile.enabled("DRAConsumableCapacity")
    domain = "resource.k8s.io" if kep or before("1.34") else "resource.kubernetes.io"
    return Strictness(
        consumable_capacity=sharing,
        notation_counts=not kep and profile.enabled("DRAFractionalCapacityRange"),
        fractional_ranges=profile.enabled("DRAFractionalCapacityRange"),
        expressions=Environment.of_new(profile),
        stored_expressions=replace(Environment.of(profile), sharing=not before("1.34"))
        if before("1.37")
        else None,
        versioned_paths=not kep and not before("1.37"),
        admin_label=f"{domain}/admin-access",
        conditions_like_fields=not before("1.37"),
        owners_like_fields=not before("1.37"),
        looks_into_long_lists=before("1.35"),
        unique_at_key=before("1.35"),
        keys_at_map=not before("1.36"),
        empty_is_required=before("1.35"),
        identifier_error=ErrorType.TYPE_INVALID if before("1.34") else ErrorType.INVALID,
        domains_lower_case=not before("1.37"),
        both_attributes_validated=not before("1.37"),
        empty_driver_invalid_too=before("1.35"),
        taints=limits.TAINTS_BEFORE_1_35 if before("1.35") else limits.TAINTS,
        effects=("NoExecute", "NoSchedule") if before("1.35") else ("NoExecute", "NoSchedule", "None"),
        stored_taints_trusted=not before("1.35"),
        stored_effects_checked=not kep and not before("1.37"),
        identical_errors_once=not kep and not before("1.37"),
        quantities_exact=kep,
        smaller_limit_with_features=not before("1.35"),
        empty_list_is_no_value=not before("1.37"),
        attribute_values_counted=not before("1.36"),
        separate_counter_slices=not kep and not before("1.35"),
        counters_in_slice=before("1.35"),
        negative_min_rejected=kep,
        default_error_at_default=not before("1.37"),
        steps_checked=not before("1.37"),
        stored_capacity_trusted=not kep and not before("1.37"),
        node_resources_listed=not kep and not before("1.37"),
        multiplier_defaulted=kep or before("1.37"),
        one_attribute_per_constraint=kep,
        documented_tolerations=kep,
        device_selector_has_one_term=kep,
        status_keeps_spec=before("1.35"),
        stored_spec_validated=before("1.35"),
        both_request_kinds_validated=before("1.35"),
        result_tolerations_validated=not before("1.37"),
        taint_time_follows_effect=not before("1.36"),
        pod_resources_defaulted_on_create=not before("1.37"),
        omitted_pod_status_kept=not kep and not before("1.37"),
        claim_status_by_resource=kep or before("1.37"),
        claim_statuses_unique=not before("1.37"),
        claim_status_containers_optional=kep,
        claim_status_of_extended_resources=kep,
        claim_status_blocks_resize=name == KEP or before("1.37"),
        resize_ignores_new_claims=before("1.37"),
        init_containers_resized=not before("1.36"),
        implicit_resources_integer=kep,
        extended_resources_once=before("1.35"),
        generated_claim_at_name=before("1.36"),
        one_slash=kep,
        device_status_cleared=kep,
    )
