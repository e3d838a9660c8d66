"""Controllers of eviction that get one thing wrong each (DRA/eviction/*)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.clock import time_of
from dra_conform.controlplane.simulation.keys import Key
from tests.faulty.implementations.components import (
    ComponentCluster,
    ControllerCluster,
    with_spec,
    with_status,
)

Json = Any


class _OfTaints(ControllerCluster):
    """Reads the taints of devices and rules otherwise."""

    def seen(self, one: Json, client: Client) -> Json | None:
        if one["kind"] == "DeviceTaintRule":
            return with_spec(one, taint=self.taint(one["spec"]["taint"]))
        if one["kind"] != "ResourceSlice":
            return one
        devices = [
            {**device, "taints": [self.taint(taint) for taint in device["taints"]]}
            if "taints" in device
            else device
            for device in one["spec"].get("devices") or ()
        ]
        return with_spec(one, devices=devices)

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


class EvictsFromDevicesThatAreNotToBeScheduled(_OfTaints):
    def taint(self, taint: Json) -> Json:
        return {**taint, "effect": "NoExecute"} if taint["effect"] == "NoSchedule" else taint


class EvictsNobody(_OfTaints):
    def taint(self, taint: Json) -> Json:
        return {**taint, "effect": "NoSchedule"}


class LooksAtTheFirstTaint(ControllerCluster):
    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] != "ResourceSlice":
            return one
        devices = [
            {**each, "taints": (each.get("taints") or [])[:1]} for each in one["spec"].get("devices") or ()
        ]
        return with_spec(one, devices=devices)


class IgnoresRules(ControllerCluster):
    def seen(self, one: Json, client: Client) -> Json | None:
        return None if one["kind"] == "DeviceTaintRule" else one


class IgnoresTaintsOfDrivers(ControllerCluster):
    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] != "ResourceSlice":
            return one
        return with_spec(one, devices=[{**each, "taints": []} for each in one["spec"].get("devices") or ()])


class _OfTolerations(ControllerCluster):
    """Reads the tolerations of what is allocated otherwise."""

    def seen(self, one: Json, client: Client) -> Json:
        allocation = (one.get("status") or {}).get("allocation") if one["kind"] == "ResourceClaim" else None
        if not allocation:
            return one
        results = [
            {**result, "tolerations": list(self.tolerations(place, result.get("tolerations") or []))}
            for place, result in enumerate(allocation["devices"]["results"])
        ]
        return with_status(
            one, allocation={**allocation, "devices": {**allocation["devices"], "results": results}}
        )

    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return iter(several)


class IgnoresTolerations(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return iter(())


class ToleratesForGood(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return (
            {name: value for name, value in taint.items() if name != "tolerationSeconds"} for taint in several
        )


class ToleratesForGoodOnAllButTheFirstDevice(ToleratesForGood):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return iter(several) if place == 0 else super().tolerations(place, several)


class HeedsTheFirstToleration(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return iter(several[:1])


class HeedsTheLongestToleration(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        longest = sorted(several, key=lambda one: one.get("tolerationSeconds") or 10**9)
        return iter(longest[-1:])


class IgnoresValuesOfTolerations(_OfTolerations):
    def tolerations(self, place: int, several: Sequence[Json]) -> Iterator[Json]:
        return (
            {**{k: v for k, v in taint.items() if k != "value"}, "operator": "Exists"} for taint in several
        )


class RemembersRules(ControllerCluster):
    """A rule that was deleted still counts."""

    def begin(self) -> None:
        self._rules: dict[Key, Json] = {}

    def known(self, kind: str, now: Mapping[Key, Json]) -> Mapping[Key, Json]:
        if kind != "DeviceTaintRule":
            return now
        self._rules.update(now)
        return self._rules


class RemembersTaints(ControllerCluster):
    """A device that was tainted once stays so."""

    def begin(self) -> None:
        self._taints: dict[str, Json] = {}

    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] != "ResourceSlice":
            return one
        devices = []
        for device in one["spec"].get("devices") or ():
            if device.get("taints"):
                self._taints.setdefault(device["name"], device["taints"])
            devices.append({**device, "taints": self._taints.get(device["name"], [])})
        return with_spec(one, devices=devices)


class TellsNobodyWhy(ControllerCluster):
    """Pods are deleted without a condition that says why."""

    def updated(self, one: Json, subresource: str, client: Client) -> Json | None:
        conditions = (one.get("status") or {}).get("conditions") or ()
        disrupted = any(each["type"] == "DisruptionTarget" for each in conditions)
        return None if one["kind"] == "Pod" and disrupted else one


class MarksPodsOnly(ControllerCluster):
    """Pods are said to be disrupted and never deleted."""

    def deletes(self, key: Key) -> bool:
        return key[0] != "Pod"


class EvictsOnePodOfAClaim(ControllerCluster):
    def seen(self, one: Json, client: Client) -> Json:
        reserved = (
            (one.get("status") or {}).get("reservedFor") or () if one["kind"] == "ResourceClaim" else ()
        )
        return with_status(one, reservedFor=reserved[:1]) if len(reserved) > 1 else one


class MixesUpDrivers(ControllerCluster):
    """Rules for one driver count for all."""

    def seen(self, one: Json, client: Client) -> Json:
        if one["kind"] != "DeviceTaintRule" or not one["spec"].get("deviceSelector"):
            return one
        selector = {name: value for name, value in one["spec"]["deviceSelector"].items() if name != "driver"}
        return with_spec(one, deviceSelector={"pool": "pool-1", **selector})


WRONG: dict[type[ComponentCluster], str] = {
    EvictsTooEarly: "DRA/toleration/delays-eviction",
    EvictsTooLate: "DRA/toleration/delays-eviction",
    EvictsFromDevicesThatAreNotToBeScheduled: "DRA/taint/noschedule-leaves-running-pods",
    EvictsNobody: "DRA/eviction/noexecute-deletes-running-pods",
    LooksAtTheFirstTaint: "DRA/eviction/tolerating-pods-stay",
    IgnoresRules: "DRA/taint-rule/example",
    IgnoresTaintsOfDrivers: "DRA/eviction/noexecute-deletes-running-pods",
    IgnoresTolerations: "DRA/eviction/tolerating-pods-stay",
    ToleratesForGood: "DRA/toleration/delays-eviction",
    ToleratesForGoodOnAllButTheFirstDevice: "DRA/toleration/delays-eviction",
    HeedsTheFirstToleration: "DRA/toleration/delays-eviction",
    HeedsTheLongestToleration: "DRA/toleration/delays-eviction",
    IgnoresValuesOfTolerations: "DRA/eviction/tolerating-pods-stay",
    RemembersRules: "DRA/taint-rule/lifetime",
    RemembersTaints: "DRA/eviction/removed-taint-cancels",
    TellsNobodyWhy: "DRA/eviction/by-device-taint-controller",
    MarksPodsOnly: "DRA/eviction/by-device-taint-controller",
    EvictsOnePodOfAClaim: "DRA/eviction/noexecute-deletes-running-pods",
    MixesUpDrivers: "DRA/eviction/only-affected-pods",
}
"""Each with a requirement in which it must be caught."""
