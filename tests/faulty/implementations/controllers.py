"""Faulty quota and claim controllers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dra_conform.kube.json_values import Json
from dra_conform.simulation.client import Client
from tests.faulty.implementations.components import (
    ComponentCluster,
    ControllerCluster,
    with_metadata,
    with_spec,
    with_status,
)


class _OfQuotas(ControllerCluster):
    """Writes other used quantities."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json:
        used = (written.get("status") or {}).get("used") if written["kind"] == "ResourceQuota" else None
        return with_status(written, used=dict(self.used(written, used))) if used else written

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
            (name, "0" if "deviceclass.resource.kubernetes.io/" in name else quantity)
            for name, quantity in used.items()
        )


class NeverDecreasesUsage(_OfQuotas):
    """Never decreases a used quantity."""

    def begin(self) -> None:
        self._most: dict[str, int] = {}

    def used(self, quota: Json, used: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for name, amount in used.items():
            if amount.isdecimal():
                self._most[name] = max(int(amount), self._most.get(name, 0))
            yield name, str(self._most.get(name, amount))


class CountsFinishedPods(ControllerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        return with_status(written, phase="Running") if written["kind"] == "Pod" else written


class CountsEverywhere(_OfQuotas):
    """Counts the claims of all namespaces."""

    def used(self, quota: Json, used: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        count = str(len(self._claims))
        return ((name, count if name.startswith("count/") else amount) for name, amount in used.items())

    def begin(self) -> None:
        self._claims: set[str] = set()

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] == "ResourceClaim":
            self._claims.add(written["metadata"]["uid"])
        return written


class GeneratesOneClaimForAllPods(ControllerCluster):
    """Uses the claim that was generated for one pod of a template for other pods, too."""

    def begin(self) -> None:
        self._made: dict[str, Json] = {}

    def created(self, written: Json, client: Client) -> Sequence[Json]:
        if written["kind"] != "ResourceClaim":
            return (written,)
        entry = written["metadata"]["annotations"]["resource.kubernetes.io/pod-claim-name"]
        return (with_metadata(written, name=f"made-from-{entry}", generateName=None),)


class GeneratesClaimsWithoutOwner(ControllerCluster):
    """Generates claims without owner, which are never deleted."""

    def created(self, written: Json, client: Client) -> Sequence[Json]:
        return (with_metadata(written, ownerReferences=None),)


class GeneratesClaimsForOneDevice(ControllerCluster):
    def created(self, written: Json, client: Client) -> Sequence[Json]:
        devices = written["spec"].get("devices") or {}
        return (with_spec(written, devices={"requests": (devices.get("requests") or [])[:1]}),)


class KeepsReservationsOfFinishedPods(ControllerCluster):
    """Keeps reservations and allocations of finished pods."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json | None:
        return None if written["kind"] == "ResourceClaim" and subresource == "status" else written


class DeletesClaimsOfUsers(ControllerCluster):
    """Deletes every claim with the pods that used it."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json:
        if written["kind"] == "ResourceClaim" and not (written.get("status") or {}).get("reservedFor"):
            client._server.delete(
                ("ResourceClaim", written["metadata"]["namespace"], written["metadata"]["name"])
            )
        return written


class NeverReservesForBoundPods(ControllerCluster):
    """Does not reserve claims for pods that were bound to a node by hand."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json | None:
        reserving = written["kind"] == "ResourceClaim" and (written.get("status") or {}).get("reservedFor")
        return None if reserving else written


WRONG: dict[type[ComponentCluster], str] = {
    CountsTwice: "KEP-5004/quota/worked-example-after-adjustment",
    CountsExplicitNamesOnly: "KEP-5004/quota/implicit-counts-claims-and-explicit-dra",
    NeverDecreasesUsage: "KEP-5004/quota/release-on-delete",
    CountsFinishedPods: "KEP-5004/quota/ended-pod",
    CountsEverywhere: "KEP-5004/quota/per-namespace",
    GeneratesOneClaimForAllPods: "DRA/template/one-claim-per-pod",
    GeneratesClaimsWithoutOwner: "DRA/template/claim-bound-to-pod-lifetime",
    GeneratesClaimsForOneDevice: "DRA/template/spec-copied",
    KeepsReservationsOfFinishedPods: "DRA/template/claim-bound-to-pod-lifetime",
    DeletesClaimsOfUsers: "DRA/claim/manual-lifecycle",
    NeverReservesForBoundPods: "DRA/pre-scheduled/controller-reserves-allocated-claims",
}
"""Each faulty controller with a requirement that it violates."""
