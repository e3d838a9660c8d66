"""The node resource usage of one pod, by resource."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dra_conform.footprint.amounts import NOTHING, added
from dra_conform.footprint.claim_amounts import ClaimAmounts
from dra_conform.footprint.containers import limited, requested
from dra_conform.kube.core import Pod
from dra_conform.kube.quantity import Quantity

OF_PODS = ("cpu", "memory")
"""What a pod can request as a whole, huge pages besides."""


@dataclass(frozen=True, slots=True)
class FootprintOptions:
    """What is left out of a footprint."""

    without_overhead: bool = False
    """The overhead of the pod (KEP-5517/pod-footprint/exclude-overhead-option)."""
    without_pod_level: bool = False
    """What the pod requests as a whole (KEP-5517/pod-footprint/skip-pod-level-option)."""


ALL = FootprintOptions()


def footprint(
    pod: Pod, claims: Iterable[ClaimAmounts], options: FootprintOptions = ALL
) -> dict[str, Quantity]:
    """The containers together with each claim; what the pod requests as a whole instead; and the overhead."""
    total = added(requested(pod), *(one.total for one in claims))
    if not options.without_pod_level:
        total.update(requested_as_a_whole(pod))
    return total if options.without_overhead else added(total, pod.spec.overhead)


def limits(pod: Pod) -> dict[str, Quantity]:
    """What a pod is limited to: its containers, or the pod as a whole, each with the overhead."""
    total = limited(pod) | of_pods(pod.spec.resources.limits if pod.spec.resources else {})
    return added(total, {name: amount for name, amount in pod.spec.overhead.items() if total.get(name)})


def requested_as_a_whole(pod: Pod) -> dict[str, Quantity]:
    """The budget of a pod: what it requests as a whole, of resources of which it can."""
    return of_pods(pod.spec.resources.requests if pod.spec.resources else {})


def exceeded(pod: Pod, claims: Iterable[ClaimAmounts]) -> str:
    """The first resource, by name, of which containers and claims take more than the budget; else empty.

    KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable.
    """
    taken = footprint(pod, claims, FootprintOptions(without_overhead=True, without_pod_level=True))
    budget = requested_as_a_whole(pod)
    return next((name for name in sorted(budget) if taken.get(name, NOTHING) > budget[name]), "")


def of_pods(amounts: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Of some amounts those that a pod can have as a whole."""
    return {
        name: amount for name, amount in amounts.items() if name in OF_PODS or name.startswith("hugepages-")
    }
