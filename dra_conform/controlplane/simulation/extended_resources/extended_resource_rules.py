"""The release switches of extended resources."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch


@dataclass(frozen=True, slots=True)
class ExtendedResourceRules:
    """How the scheduler implements extended resources backed by DRA (KEP-5004)."""

    implicit_names: bool = switch("kep", "since 1.35")
    """Every DeviceClass backs its implicit resource name. Otherwise only DeviceClasses with
    `extendedResourceName` back a resource (KEP-5004/implicit-name/every-class-reachable)."""
    names_remembered: bool = switch("since 1.35")
    """The backing DeviceClass of each name is cached and updated by each DeviceClass event. A change or
    deletion of a DeviceClass can thus remove a name that another DeviceClass backs
    (KEP-5004/class-selection/runner-up-promoted)."""
    zero_is_nothing: bool = switch("kep", "since 1.35")
    """A node with quantity 0 of a resource is treated like a node that does not list the resource
    (KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin)."""
    init_containers_reuse: bool = switch("since 1.35")
    """Init containers reuse the devices that later containers request
    (KEP-5004/naming/one-request-per-container-and-resource)."""
    claims_reused: bool = switch("kep")
    """A valid extended-resource claim of an earlier attempt is reused
    (KEP-5004/failure-handling/valid-claim-reused)."""
    cleanup_goes_on: bool = switch("kep")
    """Cleanup continues after a failed step: the claim is deleted even if its finalizer remains, and removed
    from the pod's status (KEP-5004/failure-handling/unreserve-order,
    KEP-5004/pod-status/cleared-on-cleanup)."""
    empty_claims_created: bool = switch("since 1.35")
    """A pod with ResourceClaims gets an empty extended-resource claim if the node provides all of its
    extended resources. The pod is then not bound, since there are no request mappings to record
    (KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes)."""
    claims_name_pod: bool = switch("kep")
    """The annotation of an extended-resource claim has the name of the pod as value, otherwise `true`
    (KEP-5004/special-claim/annotation)."""

    names_shortened: bool = switch("kep")
    """The generated name of an extended-resource claim has a truncated pod name if needed. Otherwise the API
    server rejects the claim (KEP-5004/special-claim/generated-name)."""

    @staticmethod
    def of(profile: Profile) -> ExtendedResourceRules:
        """Return the switches of a profile."""
        return settled(ExtendedResourceRules, profile)
