"""Controllers of quotas and claims that get one thing wrong each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.controlplane.simulation.client import Client
from tests.faulty.implementations.components import (
    ComponentCluster,
    ControllerCluster,
    with_metadata,
    with_spec,
    with_status,
)

Json = Any


class _OfQuotas(ControllerCluster):
    """Writes otherwise what is used."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json:
        used = (one.get("status") or {}).get("used") if one["kind"] == "ResourceQuota" else None
        return with_status(one, used=dict(self.used(one, used))) if used else one

    def used(self, quota: Json, used: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        return iter(used.items())


class CountsTwice(_OfQuotas):
    def used(self, quota: Json, used: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        return (
            (name, str(2 * int(amount)) if amount.isdecimal() else amount) for name, amount in used.items()
        )


class CountsExplicitNamesOnly(_OfQuotas):
    def used(self, quota: Json, used: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        return (
            (name, "0" if "deviceclass.resource.kubernetes.io/" in name else one)
            for name, one in used.items()
        )


class NeverGivesBack(_OfQuotas):
    """What was used once is used for good."""

    def begin(self) -> None:
        self._most: dict[str, int] = {}

    def used(self, quota: Json, used: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for name, amount in used.items():
            if amount.isdecimal():
                self._most[name] = max(int(amount), self._most.get(name, 0))
            yield name, str(self._most.get(name, amount))


class CountsFinishedPods(ControllerCluster):
    def seen(self, one: Json, client: Client) -> Json:
        return with_status(one, phase="Running") if one["kind"] == "Pod" else one


class CountsEverywhere(_OfQuotas):
    """Claims of all namespaces count."""

    def used(self, quota: Json, used: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        count = str(len(self._claims))
        return ((name, count if name.startswith("count/") else amount) for name, amount in used.items())

    def begin(self) -> None:
        self._claims: set[str] = set()

    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] == "ResourceClaim":
            self._claims.add(one["metadata"]["uid"])
        return one


class MakesOneClaimForAll(ControllerCluster):
    """The claim that was made for one pod of a template is taken for another."""

    def begin(self) -> None:
        self._made: dict[str, Json] = {}

    def created(self, one: Json, client: Client) -> Sequence[Json]:
        if one["kind"] != "ResourceClaim":
            return (one,)
        entry = one["metadata"]["annotations"]["resource.kubernetes.io/pod-claim-name"]
        return (with_metadata(one, name=f"made-from-{entry}", generateName=None),)


class MakesClaimsForNobody(ControllerCluster):
    """Claims from templates belong to no pod, and stay."""

    def created(self, one: Json, client: Client) -> Sequence[Json]:
        return (with_metadata(one, ownerReferences=None),)


class MakesClaimsForOneDevice(ControllerCluster):
    def created(self, one: Json, client: Client) -> Sequence[Json]:
        devices = one["spec"].get("devices") or {}
        return (with_spec(one, devices={"requests": (devices.get("requests") or [])[:1]}),)


class KeepsWhatIsReserved(ControllerCluster):
    """Reservations of pods that are done stay, and so does what is allocated."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json | None:
        return None if one["kind"] == "ResourceClaim" and subresource == "status" else one


class DeletesClaimsOfUsers(ControllerCluster):
    """Every claim goes with the pods that used it."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json:
        if one["kind"] == "ResourceClaim" and not (one.get("status") or {}).get("reservedFor"):
            client._server.delete(("ResourceClaim", one["metadata"]["namespace"], one["metadata"]["name"]))
        return one


class LeavesPodsOnNodesAlone(ControllerCluster):
    """Nothing is reserved for pods that were put on a node by hand."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json | None:
        reserving = one["kind"] == "ResourceClaim" and (one.get("status") or {}).get("reservedFor")
        return None if reserving else one


WRONG: dict[type[ComponentCluster], str] = {
    CountsTwice: "KEP-5004/quota/worked-example-after-adjustment",
    CountsExplicitNamesOnly: "KEP-5004/quota/implicit-counts-claims-and-explicit-dra",
    NeverGivesBack: "KEP-5004/quota/release-on-delete",
    CountsFinishedPods: "KEP-5004/quota/release-on-delete",
    CountsEverywhere: "KEP-5004/quota/per-namespace",
    MakesOneClaimForAll: "DRA/template/one-claim-per-pod",
    MakesClaimsForNobody: "DRA/template/claim-bound-to-pod-lifetime",
    MakesClaimsForOneDevice: "DRA/template/spec-copied",
    KeepsWhatIsReserved: "DRA/template/claim-bound-to-pod-lifetime",
    DeletesClaimsOfUsers: "DRA/claim/manual-lifecycle",
    LeavesPodsOnNodesAlone: "DRA/pre-scheduled/controller-reserves-allocated-claims",
}
"""Each with a requirement in which it must be caught."""
