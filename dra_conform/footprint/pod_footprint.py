"""What one pod takes from its node, by resource."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dra_conform.footprint.amounts import NOTHING, added
from dra_conform.footprint.claim_amounts import ClaimAmounts
from dra_conform.footprint.containers import requested
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


def requested_as_a_whole(pod: Pod) -> dict[str, Quantity]:
    """The budget of a pod: what it requests as a whole, of resources of which it can."""
    requests = pod.spec.resources.requests if pod.spec.resources else {}
    return {
        name: amount for name, amount in requests.items() if name in OF_PODS or name.startswith("hugepages-")
    }


def exceeded(pod: Pod, claims: Iterable[ClaimAmounts]) -> str:
    """The first resource, by name, of which containers and claims take more than the budget; else empty.

    KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable.
    """
    taken = footprint(pod, claims, FootprintOptions(without_overhead=True, without_pod_level=True))
    budget = requested_as_a_whole(pod)
    return next((name for name in sorted(budget) if taken.get(name, NOTHING) > budget[name]), "")
