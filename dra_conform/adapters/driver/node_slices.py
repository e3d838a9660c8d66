"""The ResourceSlices of the driver on its node, complete or not, and ResourceSlices of others, which it must
not change."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from dra_conform.adapters.driver.claims import OTHER_DRIVER, Devices, groups_of
from dra_conform.adapters.driver.driver_process import DriverFailed
from dra_conform.adapters.driver.world import World
from dra_conform.conformance.driver.actions import SliceChange
from dra_conform.conformance.driver.answer import PublishedPool
from dra_conform.kube.json_values import Json
from dra_conform.kube.listing import counted

QUIET_SECONDS = 2.0
"""The time without a further device after which a driver has probably published all its pools."""
_POLL_SECONDS = 0.1
_FOREIGN_DEVICE = "foreign"
"""The device that another client adds to the pools of the driver."""
_FOREIGN_NAME = f"{OTHER_DRIVER}/edited"
_FOREIGN = {"attributes": {"bool": True}, "capacity": {"value": "1"}}
"""The attribute and the capacity that another client adds to a device of the driver."""


def all_complete(slices: Sequence[Json]) -> bool:
    """Return whether there is a pool, and each pool is complete."""
    pools = _by_pool(slices)
    return bool(pools) and all(map(is_complete, pools.values()))


def is_complete(slices: Sequence[Json]) -> bool:
    """Return whether a pool has one generation and as many ResourceSlices as resourceSliceCount."""
    pools = [raw["spec"]["pool"] for raw in slices]
    return {(pool["generation"], pool["resourceSliceCount"]) for pool in pools} == {
        (pools[0]["generation"], len(slices))
    }


def incomplete_pools(slices: Sequence[Json]) -> Iterator[str]:
    """Yield what each incomplete pool has, and what it declares."""
    for name, members in _by_pool(slices).items():
        if not is_complete(members):
            generations = _joined(raw["spec"]["pool"]["generation"] for raw in members)
            counts = _joined(raw["spec"]["pool"]["resourceSliceCount"] for raw in members)
            yield (
                f"pool {name} has {counted(len(members), 'ResourceSlice')} of generation {generations}, "
                f"resourceSliceCount is {counts}"
            )


def _joined(numbers: Iterable[int]) -> str:
    return " and ".join(map(str, sorted(set(numbers))))


def _by_pool(slices: Sequence[Json]) -> Mapping[str, list[Json]]:
    pools: dict[str, list[Json]] = {}
    for raw in slices:
        pools.setdefault(raw["spec"]["pool"]["name"], []).append(raw)
    return pools


class NodeSlices:
    """The ResourceSlices of a driver for a node, including those for several nodes.

    `node_uid` is the UID of the Node, which can own the ResourceSlices.
    """

    def __init__(self, world: World, driver: str, node: str) -> None:
        self.node_uid = ""
        self._world = world
        self._driver = driver
        self._node = node
        self._seen: Mapping[str, str] = {}
        self._pool_of: dict[str, str] = {}
        self._others: dict[str, Json] = {}

    def all(self) -> list[Json]:
        """Return the ResourceSlices."""
        return self._own(self._world.objects("ResourceSlice"))

    def await_all_pools(self, seconds: float, count: int) -> None:
        """Wait until the driver has published `count` devices: drivers publish one pool after the other.

        `seconds`: the maximum time. If `count` is 0, it is unknown, and the wait ends when no further device
        appears.
        """
        known, changed = 0, time.monotonic()
        end = changed + seconds
        while (now := time.monotonic()) < end:
            found = len(Devices.of(self.all()).definitions)
            if found > known:
                known, changed = found, now
            if found >= count > 0 or (not count and now - changed >= QUIET_SECONDS):
                return
            time.sleep(_POLL_SECONDS)

    def specs(self) -> list[Json]:
        """Return the specs of the ResourceSlices."""
        return [raw["spec"] for raw in self.all()]

    def have_changed(self, before: list[Json]) -> bool:
        """Return whether the pools are complete, and the specs differ from those before."""
        slices = self.all()
        return all_complete(slices) and [raw["spec"] for raw in slices] != before

    def see(self) -> None:
        """Remember the present ResourceSlices, so that later changes are counted from now on."""
        self._seen = self._versions(self.all())

    def change(self, to: SliceChange) -> None:
        """Change the ResourceSlices as another client; raises DriverFailed if there are none."""
        slices = self.all()
        with_devices = [raw for raw in slices if raw["spec"].get("devices")]
        if not with_devices:
            raise DriverFailed("the driver publishes no devices, so no ResourceSlice can be changed")
        match to:
            case "deleted":
                for raw in slices:
                    self._world.delete("ResourceSlice", raw["metadata"]["name"])
            case "last-deleted":
                self._world.delete("ResourceSlice", with_devices[-1]["metadata"]["name"])
            case "count-raised":
                first = with_devices[0]
                pool = first["spec"]["pool"]
                raised = {**pool, "resourceSliceCount": pool["resourceSliceCount"] + 1}
                self._world.update({**first, "spec": {**first["spec"], "pool": raised}})
            case "edited":
                first = with_devices[0]
                self._world.update(
                    {**first, "spec": {**first["spec"], "devices": first["spec"]["devices"][:-1]}}
                )
            case "attribute-added" | "capacity-added":
                field = "attributes" if to == "attribute-added" else "capacity"
                first = with_devices[0]
                device, *others = first["spec"]["devices"]
                edited = {**device, field: {**device.get(field, {}), _FOREIGN_NAME: _FOREIGN[field]}}
                self._world.update({**first, "spec": {**first["spec"], "devices": [edited, *others]}})
            case "device-added":
                last = with_devices[-1]
                devices = [*last["spec"]["devices"], {"name": _FOREIGN_DEVICE}]
                self._world.update({**last, "spec": {**last["spec"], "devices": devices}})
            case "foreign-added" | "newer-added":
                spec = {**slices[0]["spec"], "devices": [{"name": _FOREIGN_DEVICE}]}
                spec.pop("sharedCounters", None)
                generation = spec["pool"]["generation"] + (to == "newer-added")
                spec["pool"] = {**spec["pool"], "generation": generation}
                self._world.create(_slice(f"foreign-{self._node}", spec))

    # ResourceSlices of others

    def create_others(self) -> None:
        """Create a ResourceSlice of another driver on the node, and one of the driver on another node."""
        for of, (driver, node) in {
            "another driver": (OTHER_DRIVER, self._node),
            "another node": (self._driver, f"other-{self._node}"),
        }.items():
            spec = {
                "driver": driver,
                "nodeName": node,
                "pool": {"name": node, "generation": 1, "resourceSliceCount": 1},
                "devices": [{"name": "device-of-another"}],
            }
            name = f"of-{of.replace(' ', '-')}-{self._node}"
            self._others[of] = self._world.create(_slice(name, spec))

    def damaged_others(self, present: list[Json]) -> dict[str, Literal["changed", "deleted"]]:
        """Return which ResourceSlices of others were changed or deleted."""
        found = {raw["metadata"]["uid"]: raw for raw in present}
        damaged: dict[str, Literal["changed", "deleted"]] = {}
        for of, raw in self._others.items():
            stored = found.get(raw["metadata"]["uid"])
            if stored is None:
                damaged[of] = "deleted"
            elif stored["spec"] != raw["spec"]:
                damaged[of] = "changed"
        return damaged

    # Observations

    def observe(
        self, devices: Devices
    ) -> tuple[tuple[PublishedPool, ...], int, dict[str, Literal["changed", "deleted"]]]:
        """Return the pools, the number of writes since the last observation, and the damage to others."""
        present = self._world.objects("ResourceSlice")
        slices = self._own(present)
        versions, seen = self._versions(slices), self._seen
        self._seen = versions
        differences = set(versions.items()) ^ set(seen.items())
        changed = Counter(self._pool_of[uid] for uid in {uid for uid, _ in differences})
        return self.pools(slices, devices, changed), len(differences), self.damaged_others(present)

    def pools(
        self, slices: list[Json], devices: Devices, changed: Mapping[str, int]
    ) -> tuple[PublishedPool, ...]:
        """Return the pools; `changed` is the number of changed ResourceSlices by pool."""
        by_pool: dict[str, list[Json]] = {}
        for raw in slices:
            by_pool.setdefault(raw["spec"]["pool"]["name"], []).append(raw)
        return tuple(
            self._pool(name, by_pool[name], devices, changed.get(name, 0)) for name in sorted(by_pool)
        )

    def _pool(self, name: str, slices: list[Json], devices: Devices, changed: int) -> PublishedPool:
        numbers = [
            devices.number(name, device["name"])
            for raw in slices
            for device in raw["spec"].get("devices", ())
        ]
        owner = [("Node", self._node, self.node_uid)]
        owners = [
            [(own["kind"], own["name"], own["uid"]) for own in raw["metadata"].get("ownerReferences", ())]
            for raw in slices
        ]
        return PublishedPool(
            devices.pool(name),
            max(raw["spec"]["pool"]["generation"] for raw in slices),
            len(slices),
            is_complete(slices),
            tuple(sorted(number for number in numbers if isinstance(number, int))),
            tuple(sorted(number for number in numbers if isinstance(number, str))),
            all(raw["spec"].get("nodeName") == self._node for raw in slices),
            all(names == owner for names in owners),
            changed,
            _groups(name, slices, devices),
            tuple(devices.number(name, device["name"]) for device in edited_devices(slices)),
        )

    def _own(self, slices: list[Json]) -> list[Json]:
        return [
            raw
            for raw in slices
            if raw["spec"]["driver"] == self._driver and raw["spec"].get("nodeName", self._node) == self._node
        ]

    def _versions(self, slices: list[Json]) -> dict[str, str]:
        self._pool_of |= {raw["metadata"]["uid"]: raw["spec"]["pool"]["name"] for raw in slices}
        return {raw["metadata"]["uid"]: raw["metadata"]["resourceVersion"] for raw in slices}


def count_of_driver(pools: Iterable[PublishedPool]) -> int:
    """Return how many devices the driver has published, without that of another client."""
    return sum(len({*pool.devices}) + len({*pool.foreign} - {_FOREIGN_DEVICE}) for pool in pools)


def edited_devices(slices: list[Json]) -> list[Json]:
    """Return the devices that have an attribute or a capacity of another client."""
    devices = (device for raw in slices for device in raw["spec"].get("devices", ()))
    return [device for device in devices if any(_FOREIGN_NAME in device.get(field, {}) for field in _FOREIGN)]


def _slice(name: str, spec: Json) -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": spec,
    }


def _groups(pool: str, slices: list[Json], devices: Devices) -> dict[str, tuple[str, ...]]:
    """Return the compatibilityGroups of devices by number, each with its counter set."""
    return {
        str(devices.number(pool, device["name"])): tuple(
            f"{counter_set}: {', '.join(sorted(groups))}"
            for counter_set, groups in sorted(groups_of(device).items())
            if groups
        )
        for raw in slices
        for device in raw["spec"].get("devices", ())
        if any(groups_of(device).values())
    }
