"""The release switches of validation: every point where releases differ, as one named value each."""

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
    """What the API server of a profile holds against an object; `of` gives the same one for the same profile.

    In `kep` the rules are the documents'; where they are silent, those of the newest release.
    """

    consumable_capacity: bool
    """The gate DRAConsumableCapacity is on: a constraint may have distinctAttribute."""
    spelling_counts: bool
    """Valid values are the same if they are written with the same decimal places, too.

    KEP-5075/policy-validation/valid-values-unique.
    """
    fractional_ranges: bool
    """The gate DRAFractionalCapacityRange is on: amounts compare by the thousandth, else as whole numbers."""
    expressions: Environment
    """What CEL expressions may use that are not stored yet."""
    stored_expressions: Environment | None
    """What those may use that are stored unchanged; None if they are not looked at again."""
    versioned_paths: bool
    """Rules declared with the types of each version report the paths of the version written in."""
    admin_label: str
    """The label of namespaces in which claims may have admin access."""

    conditions_like_fields: bool
    """A condition's missing type or status is Required, and a repeated type reported at the item.

    Else they are badly formed, and the type is reported.
    """
    owners_like_fields: bool
    """What is wrong with owner references is reported at each, and what is missing is Required.

    Else it is reported at the list, as Invalid.
    """
    looks_into_long_lists: bool
    """What is in a list or map that is too long is validated all the same."""
    unique_at_key: bool
    """A repeated key is reported at its field, else at the item of the list."""
    keys_at_map: bool
    """What is wrong with a key is reported at the map, else at the entry of the key."""
    empty_is_required: bool
    """An attribute without value and an empty part of a name are Required, else Invalid."""

    identifier_error: ErrorType
    """What a name is that is no C identifier."""
    domains_lower_case: bool
    """The domain of an attribute that a constraint names must be in lower case."""
    empty_driver_invalid_too: bool
    """An empty name of a driver is Required and Invalid."""

    taints: Limit
    """How many taints a device may have."""
    effects: tuple[str, ...]
    """The effects a taint may have."""
    stored_taints_trusted: bool
    """The unchanged taints of a device, and the unchanged effect of a rule, are not validated again."""
    rich_slices_smaller: bool
    """A slice with taints, consumed counters or lists may have fewer devices."""
    empty_list_is_no_value: bool
    """An empty list is not counted where an attribute must have exactly one value."""
    attribute_values_counted: bool
    """The values of all attributes of a device have a limit besides the attributes."""
    counters_apart: bool
    """Shared counters and devices may not stand in one slice."""
    terms_of_devices_counted: bool
    """The node selector of a device has exactly one term, as that of a slice (API/device/one-term)."""
    counters_in_slice: bool
    """Devices may only consume counters of their own slice, and limits go over all sets together."""

    negative_min_refused: bool
    """validRange.min must not be negative, step or not (KEP-5075/policy-validation/min-not-negative)."""
    default_beside_range: bool
    """A default outside the range is reported at validRange.default, else at the bound it breaks."""
    steps_checked: bool
    """A step must be positive and amounts must have 64 bits; else a step of zero crashes the request."""
    stored_capacity_trusted: bool
    """Capacity of a device that is stored already is not validated again.

    KEP-5075/device-update/policy-left-on-dedicated.
    """

    node_resources_listed: bool
    """Only cpu, memory and huge pages can be mapped, else every name that is no extended resource's."""
    multiplier_defaulted: bool
    """A missing allocationMultiplier becomes 1 before validation."""

    one_attribute_a_constraint: bool
    """matchAttribute and distinctAttribute must not both be set.

    KEP-5075/api-validation/constraint-exactly-one.
    """
    documented_tolerations: bool
    """A request or a result has at most 16 tolerations, and one for a value has a key.

    API/claim/tolerations and API/toleration/empty-key, which no release checks.
    """
    both_attributes_validated: bool
    """Of a constraint with both, distinctAttribute is validated too."""
    stored_spec_validated: bool
    """An update of a claim or a class validates its spec as that of a new one, else only what is changed."""
    status_keeps_spec: bool
    """A feature that the status of a claim uses keeps its fields of the spec, too."""
    both_request_kinds_validated: bool
    """Subrequests beside `exactly` are validated although not both may be set."""
    result_tolerations_validated: bool
    """The tolerations of an allocation result are validated."""
    taint_time_follows_effect: bool
    """A rule whose taint gets another effect has it from now on, unless it says since when."""
    pod_amounts_completed_once: bool
    """Requests and limits of a pod as a whole are completed when it is created, else by each write."""
    stripped_pod_status_kept: bool
    """What a write to the status of a pod leaves out of the fields for claims stays as it is stored."""
    claim_status_by_resource: bool
    """An entry of nodeAllocatableResourceClaimStatuses needs containers and resources, as in 1.36."""
    claim_statuses_unique: bool
    """No claim has two of these entries, and no entry a container twice."""
    claim_status_containers_optional: bool
    """Of these the containers may be missing (KEP-5517/api-validation/status-required-fields)."""
    claim_status_of_special: bool
    """One of these may be for the claim made for extended resources.

    KEP-5517/accounting/extended-resource-backed-claim.
    """
    claim_status_blocks_resize: bool
    """A pod with nodeAllocatableResourceClaimStatuses cannot be resized (KEP-5517/resize)."""
    resize_forgets_claims: bool
    """The comparison of what a resize may change takes the new containers as if they used no claims."""
    init_containers_resized: bool
    """Init containers that end can be resized, not only those that keep running."""
    implicit_resources_whole: bool
    """A class is requested by its implicit name in whole amounts only.

    KEP-5004/api-validation/quantities-are-whole-numbers.
    """
    extended_resources_once: bool
    """A container's resource has one entry in extendedResourceClaimStatus, else one for each request."""
    generated_claim_at_name: bool
    """What is wrong with resourceClaimName in resourceClaimStatuses is reported at the entry's name."""
    one_slash: bool
    """A fully qualified name has one slash (KEP-5075/api-validation/distinct-name-well-formed)."""
    device_status_cleared: bool
    """Without DRAResourceClaimDeviceStatus status.devices goes, also where it is stored already.

    DRA/feature-gate/device-status-off-clears.
    """

    @staticmethod
    def of(profile: Profile) -> Strictness:
        """That of a profile, its gates included."""
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
        spelling_counts=not kep and profile.enabled("DRAFractionalCapacityRange"),
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
        rich_slices_smaller=not before("1.35"),
        empty_list_is_no_value=not before("1.37"),
        attribute_values_counted=not before("1.36"),
        counters_apart=not kep and not before("1.35"),
        counters_in_slice=before("1.35"),
        negative_min_refused=kep,
        default_beside_range=not before("1.37"),
        steps_checked=not before("1.37"),
        stored_capacity_trusted=not kep and not before("1.37"),
        node_resources_listed=not kep and not before("1.37"),
        multiplier_defaulted=kep or before("1.37"),
        one_attribute_a_constraint=kep,
        documented_tolerations=kep,
        terms_of_devices_counted=kep,
        status_keeps_spec=before("1.35"),
        stored_spec_validated=before("1.35"),
        both_request_kinds_validated=before("1.35"),
        result_tolerations_validated=not before("1.37"),
        taint_time_follows_effect=not before("1.36"),
        pod_amounts_completed_once=not before("1.37"),
        stripped_pod_status_kept=not kep and not before("1.37"),
        claim_status_by_resource=kep or before("1.37"),
        claim_statuses_unique=not before("1.37"),
        claim_status_containers_optional=kep,
        claim_status_of_special=kep,
        claim_status_blocks_resize=name == KEP or before("1.37"),
        resize_forgets_claims=before("1.37"),
        init_containers_resized=not before("1.36"),
        implicit_resources_whole=kep,
        extended_resources_once=before("1.35"),
        generated_claim_at_name=before("1.36"),
        one_slash=kep,
        device_status_cleared=kep,
    )
