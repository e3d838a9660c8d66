"""Faulty device taint eviction controllers (DRA/eviction/*)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from dra_conform.cluster_state.object_keys import Key
from dra_conform.kube.json_values import Json
from dra_conform.simulation.client import Client
from dra_conform.simulation.shared_state import time_of
from tests.faulty.implementations.components import (
    ComponentCluster,
    ControllerCluster,
    with_spec,
    with_status,
)


class _OfTaints(ControllerCluster):
    """Sees changed taints of devices and DeviceTaintRules."""

    def seen(self, written: Json, client: Client) -> Json | None:
        if written["kind"] == "DeviceTaintRule":
            return with_spec(written, taint=self.taint(written["spec"]["taint"]))
        if written["kind"] != "ResourceSlice":
            return written
        devices = [
            {**device, "taints": [self.taint(taint) for taint in device["taints"]]}
            if "taints" in device
            else device
            for device in written["spec"].get("devices") or ()
        ]
        return with_spec(written, devices=devices)

    def taint(self, taint: Json) -> Json:
        return taint


def _shifted(taint: Json, seconds: int) -> Json:
    if "timeAdded" not in taint:
        return taint
    added = time_of(taint["timeAdded"]) + timedelta(seconds=seconds)
    return {**taint, "timeAdded": added.strftime("%Y-%m-%dT%H:%M:%SZ")}


class EvictsTooEarly(_OfTaints):
    def taint(self, taint: Json) -> Json:
        return _shifted(taint, -1)


class EvictsTooLate(_OfTaints):
    def taint(self, taint: Json) -> Json:
        return _shifted(taint, 1)


class EvictsForNoSchedule(_OfTaints):
    def taint(self, taint: Json) -> Json:
        return {**taint, "effect": "NoExecute"} if taint["effect"] == "NoSchedule" else taint


class EvictsNoPod(_OfTaints):
    def taint(self, taint: Json) -> Json:
        return {**taint, "effect": "NoSchedule"}


class AppliesTheFirstTaintOnly(ControllerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "ResourceSlice":
            return written
        devices = [
            {**each, "taints": (each.get("taints") or [])[:1]}
            for each in written["spec"].get("devices") or ()
        ]
        return with_spec(written, devices=devices)


class IgnoresRules(ControllerCluster):
    def seen(self, written: Json, client: Client) -> Json | None:
        return None if written["kind"] == "DeviceTaintRule" else written


class IgnoresTaintsOfDrivers(ControllerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "ResourceSlice":
            return written
        return with_spec(
            written, devices=[{**each, "taints": []} for each in written["spec"].get("devices") or ()]
        )


class _OfTolerations(ControllerCluster):
    """Sees changed tolerations of allocations."""

    def seen(self, written: Json, client: Client) -> Json:
        allocation = (
            (written.get("status") or {}).get("allocation") if written["kind"] == "ResourceClaim" else None
        )
        if not allocation:
            return written
        results = [
            {**result, "tolerations": list(self.tolerations(place, result.get("tolerations") or []))}
            for place, result in enumerate(allocation["devices"]["results"])
        ]
        return with_status(
            written, allocation={**allocation, "devices": {**allocation["devices"], "results": results}}
        )

    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return iter(several)


class IgnoresTolerations(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return iter(())


class IgnoresTolerationSeconds(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return (
            {name: value for name, value in taint.items() if name != "tolerationSeconds"} for taint in several
        )


class IgnoresTolerationSecondsOfLaterDevices(IgnoresTolerationSeconds):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return iter(several) if place == 0 else super().tolerations(place, several)


class AppliesTheFirstTolerationOnly(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return iter(several[:1])


class AppliesTheLongestTolerationOnly(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        longest = sorted(several, key=lambda toleration: toleration.get("tolerationSeconds") or 10**9)
        return iter(longest[-1:])


class IgnoresValuesOfTolerations(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return (
            {**{k: v for k, v in taint.items() if k != "value"}, "operator": "Exists"} for taint in several
        )


class RemembersRules(ControllerCluster):
    """Applies deleted DeviceTaintRules."""

    def begin(self) -> None:
        self._rules: dict[Key, Json] = {}

    def known(self, kind: str, now: Mapping[Key, Json]) -> Mapping[Key, Json]:
        if kind != "DeviceTaintRule":
            return now
        self._rules.update(now)
        return self._rules


class RemembersTaints(ControllerCluster):
    """Applies removed taints of devices."""

    def begin(self) -> None:
        self._taints: dict[str, Json] = {}

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "ResourceSlice":
            return written
        devices = []
        for device in written["spec"].get("devices") or ():
            if device.get("taints"):
                self._taints.setdefault(device["name"], device["taints"])
            devices.append({**device, "taints": self._taints.get(device["name"], [])})
        return with_spec(written, devices=devices)


class OmitsDisruptionTarget(ControllerCluster):
    """Deletes pods without the condition DisruptionTarget."""

    def updated(self, written: Json, subresource: str, client: Client) -> Json | None:
        conditions = (written.get("status") or {}).get("conditions") or ()
        disrupted = any(each["type"] == "DisruptionTarget" for each in conditions)
        return None if written["kind"] == "Pod" and disrupted else written


class OnlySetsDisruptionTarget(ControllerCluster):
    """Sets the condition DisruptionTarget and does not delete the pods."""

    def deletes(self, key: Key) -> bool:
        return key[0] != "Pod"


class EvictsOnePodOfAClaim(ControllerCluster):
    def seen(self, written: Json, client: Client) -> Json:
        reserved = (
            (written.get("status") or {}).get("reservedFor") or ()
            if written["kind"] == "ResourceClaim"
            else ()
        )
        return with_status(written, reservedFor=reserved[:1]) if len(reserved) > 1 else written


class MixesUpDrivers(ControllerCluster):
    """Applies DeviceTaintRules of one driver to all drivers."""

    def seen(self, written: Json, client: Client) -> Json:
        if written["kind"] != "DeviceTaintRule" or not written["spec"].get("deviceSelector"):
            return written
        selector = {
            name: value for name, value in written["spec"]["deviceSelector"].items() if name != "driver"
        }
        return with_spec(written, deviceSelector={"pool": "pool-1", **selector})


class AppliesTheFirstRuleOnly(ControllerCluster):
    def known(self, kind: str, now: Mapping[Key, Json]) -> Mapping[Key, Json]:
        return dict([*now.items()][:1]) if kind == "DeviceTaintRule" else now


WRONG: dict[type[ComponentCluster], str] = {
    AppliesTheFirstRuleOnly: "DRA/eviction/noexecute-deletes-running-pods",
    EvictsTooEarly: "DRA/toleration/delays-eviction",
    EvictsTooLate: "DRA/toleration/delays-eviction",
    EvictsForNoSchedule: "DRA/taint/noschedule-leaves-running-pods",
    EvictsNoPod: "DRA/eviction/noexecute-deletes-running-pods",
    AppliesTheFirstTaintOnly: "DRA/taint/every-taint-must-be-tolerated",
    IgnoresRules: "DRA/taint-rule/example",
    IgnoresTaintsOfDrivers: "DRA/eviction/noexecute-deletes-running-pods",
    IgnoresTolerations: "DRA/eviction/tolerating-pods-stay",
    IgnoresTolerationSeconds: "DRA/toleration/delays-eviction",
    IgnoresTolerationSecondsOfLaterDevices: "DRA/toleration/delays-eviction",
    AppliesTheFirstTolerationOnly: "DRA/toleration/delays-eviction",
    AppliesTheLongestTolerationOnly: "DRA/toleration/delays-eviction",
    IgnoresValuesOfTolerations: "DRA/toleration/key-and-value-equal",
    RemembersRules: "DRA/taint-rule/lifetime",
    RemembersTaints: "DRA/eviction/removed-taint-cancels",
    OmitsDisruptionTarget: "DRA/eviction/by-device-taint-controller",
    OnlySetsDisruptionTarget: "DRA/eviction/by-device-taint-controller",
    EvictsOnePodOfAClaim: "DRA/eviction/noexecute-deletes-running-pods",
    MixesUpDrivers: "DRA/eviction/only-affected-pods",
}
"""Each faulty controller with a requirement that it violates."""
