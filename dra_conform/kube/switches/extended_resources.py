"""Switches of extended resources backed by DRA (KEP-5004)."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.switches.declarations import Reader, Switches, gate, switch, when


@dataclass(frozen=True, slots=True)
class ExtendedResourceSwitches(Switches):
    """How the scheduler implements extended resources backed by DRA (KEP-5004)."""

    READ_BY = (Reader.SCHEDULER,)

    implicit_names: bool = switch(
        "kep",
        "since 1.35",
        source="KEP-5004/implicit-name/every-class-reachable",
        read_by=(Reader.SCHEDULER, Reader.PREVIEWS),
    )
    """Every DeviceClass backs its implicit resource name. If off, only DeviceClasses with
    `extendedResourceName` back a resource."""
    implicit_names_unlimited: bool = switch(
        when("until 1.34") & gate("DRAExtendedResource"), source="KEP-5004/implicit-name/prefix-exact"
    )
    """A pod that requests implicit resource names, and no other extended resource, also fits nodes that do
    not list these names. It runs without devices."""
    names_cached: bool = switch("since 1.35", source="KEP-5004/class-selection/runner-up-promoted")
    """The backing DeviceClass of each name is cached and updated by each DeviceClass event. A change or
    deletion of a DeviceClass can thus remove a name that another DeviceClass backs."""
    zero_means_unlisted: bool = switch(
        "kep", "since 1.35", source="KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin"
    )
    """A node with quantity 0 of a resource is treated like a node that does not list the resource."""
    provided_resources_skipped: bool = switch(
        "kep", "since 1.35", source="KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes"
    )
    """An extended-resource claim has no requests for resources that the node provides. If off, it requests
    them, too, unless the node provides all extended resources of a pod without ResourceClaims."""
    init_containers_reuse: bool = switch(
        "since 1.35", source="KEP-5004/naming/one-request-per-container-and-resource"
    )
    """Init containers reuse the devices that later containers request."""
    claims_reused: bool = switch("kep", source="KEP-5004/failure-handling/valid-claim-reused")
    """A valid extended-resource claim of an earlier attempt is reused."""
    cleanup_continues: bool = switch(
        "kep", source="KEP-5004/failure-handling/unreserve-order, KEP-5004/pod-status/cleared-on-cleanup"
    )
    """Cleanup continues after a failed step: the claim is deleted even if its finalizer remains, and removed
    from the pod's status."""
    empty_claims_created: bool = switch(
        "since 1.35", source="KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes"
    )
    """A pod with ResourceClaims gets an empty extended-resource claim if the node provides all of its
    extended resources. The pod is then not bound, since there are no request mappings to record."""
    claims_name_pod: bool = switch("kep", source="KEP-5004/special-claim/annotation")
    """The annotation of an extended-resource claim has the name of the pod as value. If off, its value is
    `true`."""
    names_shortened: bool = switch("kep", source="KEP-5004/special-claim/generated-name")
    """The generated name of an extended-resource claim has a truncated pod name if needed. If off, the API
    server rejects a claim whose name is too long."""
