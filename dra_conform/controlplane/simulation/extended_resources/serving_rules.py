"""The release switches of extended resources."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import Profile
from dra_conform.kube.switches import settled, switch


@dataclass(frozen=True, slots=True)
class ServingRules:
    """The scheduler's part of KEP-5004."""

    implicit_names: bool = switch("kep", "since 1.35")
    """Every class is served by its implicit name, else only those that stand for an extended resource
    (KEP-5004/implicit-name/every-class-reachable)."""
    names_remembered: bool = switch("since 1.35")
    """Who serves a name is remembered from what happens to classes, one after the other, so that a class
    that is changed or deleted may take with it the name that another class serves
    (KEP-5004/class-selection/runner-up-promoted)."""
    zero_is_nothing: bool = switch("kep", "since 1.35")
    """A node that has none of a resource is as one that does not list it
    (KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin)."""
    init_containers_reuse: bool = switch("since 1.35")
    """Init containers use what later containers ask for
    (KEP-5004/naming/one-request-per-container-and-resource)."""
    claims_reused: bool = switch("kep")
    """A claim that an attempt has left behind is used again where it is valid
    (KEP-5004/failure-handling/valid-claim-reused)."""
    cleanup_goes_on: bool = switch("kep")
    """A claim is deleted even if its finalizer could not be removed, and then no longer named by the pod
    (KEP-5004/failure-handling/unreserve-order, KEP-5004/pod-status/cleared-on-cleanup)."""
    empty_claims_made: bool = switch("since 1.35")
    """A pod with claims gets a special claim even where the node serves all of its extended resources, and
    is not bound because nothing can be recorded of it
    (KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes)."""
    claims_name_pod: bool = switch("kep")
    """The annotation of a special claim has the name of the pod, else `true`
    (KEP-5004/special-claim/annotation)."""

    names_shortened: bool = switch("kep")
    """The name of a special claim is made of as much of a long pod name as fits; else the API server refuses
    the claim (KEP-5004/special-claim/generated-name)."""

    @staticmethod
    def of(profile: Profile) -> ServingRules:
        """Those of a profile."""
        return settled(ServingRules, profile)
