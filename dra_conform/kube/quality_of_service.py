"""The quality-of-service class of a pod."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.kube.quantity import Quantity

BEST_EFFORT, BURSTABLE, GUARANTEED = "BestEffort", "Burstable", "Guaranteed"
_COUNTED = ("cpu", "memory")

Amounts = Mapping[str, Quantity]


def qos_class(several: Sequence[tuple[Amounts, Amounts]]) -> str:
    """The class by requests and limits of each container, or of the pod as a whole where it has them.

    Guaranteed: each is limited in cpu and memory to what it requests; BestEffort: none says anything of them.
    Amounts that are not positive say nothing.
    """
    said = [(_of_nodes(requests), _of_nodes(limits)) for requests, limits in several]
    if not any(requests or limits for requests, limits in said):
        return BEST_EFFORT
    guaranteed = all(requests == limits and len(limits) == len(_COUNTED) for requests, limits in said)
    return GUARANTEED if guaranteed else BURSTABLE


def _of_nodes(amounts: Amounts) -> dict[str, Quantity]:
    return {name: amounts[name] for name in _COUNTED if name in amounts and amounts[name].nano > 0}
