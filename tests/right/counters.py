"""Correct quota evaluators and counts of node resource usage in another form than the built-in's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from dra_conform.conformance.features import FEATURES
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.simulation.footprinting import count
from dra_conform.simulation.quotas import count_usage
from tests.right.notation import thousandths

Objects = Mapping[str, Sequence[Json]]

_NOTHING = Quantity(0)


class _Counter:
    name = "correct counter"
    version = "1"
    features = MappingProxyType(dict.fromkeys(FEATURES, "full"))


class ZerosAndThousandths(_Counter):
    """Reports used quantities in thousandths, and zeros for names that nobody asked for."""

    operations = ("usage",)

    def usage(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = count_usage(objects, ask, profile)
        zeros = dict.fromkeys(("pods", "cpu", "requests.example.com/unknown"), "0")
        return {**answer, "used": {**zeros, **_in_thousandths(answer["used"])}}


class WithoutZeros(_Counter):
    """Leaves out the quotas that nothing uses."""

    operations = ("usage",)

    def usage(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = count_usage(objects, ask, profile)
        used = {name: text for name, text in answer["used"].items() if Quantity.parse(text) != _NOTHING}
        return {**answer, "used": used}


class OtherNodeResourceUsage(_Counter):
    """Reports node resource usage in thousandths, with zeros, and ResourceClaims and containers in reverse order."""

    operations = ("footprint",)

    def footprint(self, objects: Objects, ask: Mapping[str, Json], profile: Profile) -> dict[str, Json]:
        answer = count(objects, ask, profile)
        if answer["outcome"] == "refused":
            return {**answer, "message": "no"}
        claims = [
            {
                **usage,
                "containers": usage["containers"][::-1],
                "resources": _in_thousandths(usage["resources"]),
            }
            for usage in answer["claims"][::-1]
        ]
        return {
            **answer,
            "resources": {"memory": "0", **_in_thousandths(answer["resources"])},
            "claims": claims,
        }


def _in_thousandths(amounts: Mapping[str, str]) -> dict[str, str]:
    return {name: thousandths(text) for name, text in reversed(amounts.items())}


RIGHT: tuple[type[_Counter], ...] = (ZerosAndThousandths, WithoutZeros, OtherNodeResourceUsage)
"""Each must pass the suite."""
