"""ResourceClaims of a scenario, with the allocations that a scheduler would write."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from dra_conform.adapters.driver.driver_file import DriverFile
from dra_conform.adapters.driver.shared_capacity import consumed_capacity, requested_capacity
from dra_conform.conformance.driver.answer import OWN
from dra_conform.conformance.steps.driver_claims import ClaimSetup, Result
from dra_conform.kube.json_values import Json

NAMESPACE = "default"
DEVICE_CLASS = "driver-under-test"
OTHER_DRIVER = "other.example.com"
"""The name of a driver that does not run, for configuration and device status of other drivers."""

Device = tuple[str, str]
"""A device of the driver under test: pool and name."""


@dataclass(frozen=True)
class Devices:
    """The devices of the driver in the order of their numbers, with their definitions."""

    definitions: Mapping[Device, Json]

    @classmethod
    def of(cls, slices: Sequence[Json]) -> Devices:
        """Return the devices in ResourceSlices, by pool and name; `gpu-2` comes before `gpu-10`."""
        published = {
            (raw["spec"]["pool"]["name"], device["name"]): device
            for raw in slices
            for device in raw["spec"].get("devices", ())
        }
        order = sorted(published, key=lambda device: [_natural(part) for part in device])
        return cls({device: published[device] for device in order})

    def __len__(self) -> int:
        return len(self.definitions)

    @cached_property
    def _numbers(self) -> Mapping[Device, int]:
        return {device: number for number, device in enumerate(self.definitions, 1)}

    @cached_property
    def pools(self) -> frozenset[str]:
        """The names of the pools."""
        return frozenset(pool for pool, _ in self.definitions)

    def with_first(self, preferred: Callable[[Json], bool]) -> Devices:
        """Return the devices with the preferred ones moved to the front, selected by their definition."""
        items = sorted(self.definitions.items(), key=lambda item: not preferred(item[1]))
        return Devices(dict(items))

    def number(self, pool: str, name: str) -> int | str:
        """Return the number of a device, or its name if the driver has not published it."""
        return self._numbers.get((pool, name), name)

    def pool(self, pool: str) -> str:
        """Return `own` for a pool of the driver under test, otherwise the name of the pool."""
        return OWN if pool in self.pools else pool

    def grouped(self) -> int:
        """Return the number of devices with compatibilityGroups."""
        return sum(any(groups_of(device).values()) for device in self.definitions.values())

    def numbered(self, number: int) -> Device:
        """Return the device with this number, counted from 1."""
        return [*self.definitions][number - 1]


def namespace_and_name(claim: str) -> tuple[str, str]:
    """Return namespace and name of a ResourceClaim, whose name in a case can begin with a namespace."""
    namespace, _, name = claim.rpartition("/")
    return namespace or NAMESPACE, name


def groups_of(device: Json) -> dict[str, frozenset[str]]:
    """Return the compatibilityGroups of a device by the counter sets that it consumes."""
    return {
        entry["counterSet"]: frozenset(entry.get("compatibilityGroups") or ())
        for entry in device.get("consumesCounters") or ()
    }


def excluding_devices(devices: Devices) -> Devices | None:
    """Return the devices with an incompatible pair first, then a device compatible with the first one.

    Return None if no two devices of a pool exclude each other.
    """
    items = [*devices.definitions.items()]
    for first, second in permutations(items, 2):
        if _compatible(first, second) is False:
            third = [item for item in items if item not in (first, second) and _compatible(first, item)]
            chosen = [first, second, *third[:1]]
            return Devices(dict((*chosen, *(item for item in items if item not in chosen))))
    return None


def _compatible(first: tuple[Device, Json], second: tuple[Device, Json]) -> bool | None:
    """Return whether two devices have a common compatibility group, None if they share no counter set."""
    if first[0][0] != second[0][0]:
        return None
    mine, others = groups_of(first[1]), groups_of(second[1])
    common = [name for name in mine if mine[name] and others.get(name)]
    return all(mine[name] & others[name] for name in common) if common else None


def device_class(driver: str) -> Json:
    """Return a DeviceClass that selects the devices of the driver."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": DEVICE_CLASS},
        "spec": {"selectors": [{"cel": {"expression": f'device.driver == "{driver}"'}}]},
    }


@dataclass(frozen=True, slots=True)
class ClaimWriter:
    """Writes the ResourceClaims of a scenario for a driver on a node.

    `shares` are the share IDs by number. A shared device of a result without a share gets a new ID, because
    schedulers always write one; its number is negative.
    """

    driver: DriverFile
    node: str
    devices: Devices
    shares: dict[int, str]

    def spec(self, setup: ClaimSetup) -> Json:
        """Return a ResourceClaim without status."""
        devices: dict[str, Json] = {"requests": [*self._requests(setup)]}
        if setup.configuration:
            devices["config"] = [self._own_configuration(setup)]
        namespace, name = namespace_and_name(setup.name)
        return {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"devices": devices},
        }

    def status(self, setup: ClaimSetup) -> Json:
        """Return the status of an allocated ResourceClaim."""
        results = [self._result(setup, result) for result in setup.results]
        devices: dict[str, Json] = {"results": results}
        requests = dict.fromkeys(result.request for result in setup.results if not result.driver)
        config: list[Json] = []
        if setup.class_configuration:
            opaque = self._opaque(setup.class_configuration)
            config += [{"source": "FromClass", "requests": [name], "opaque": opaque} for name in requests]
        if setup.configuration:
            config.append({"source": "FromClaim", **self._own_configuration(setup)})
        if config:
            devices["config"] = config
        node = {"key": "metadata.name", "operator": "In", "values": [self.node]}
        allocation = {
            "devices": devices,
            "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [node]}]},
        }
        pod = {
            "resource": "pods",
            "name": f"user-of-{namespace_and_name(setup.name)[1]}",
            "uid": str(uuid.uuid4()),
        }
        status: dict[str, Json] = {"allocation": allocation, "reservedFor": [pod]}
        others = [result for result in results if result["driver"] in setup.device_status]
        if others:
            status["devices"] = [
                {**{name: result[name] for name in ("driver", "pool", "device")}, "data": {"kept": True}}
                for result in others
            ]
        return status

    def _requests(self, setup: ClaimSetup) -> Iterator[Json]:
        exactly: dict[str, Json] = {
            "deviceClassName": DEVICE_CLASS,
            "allocationMode": "ExactCount",
            "count": 1,
        }
        names = dict.fromkeys(result.request for result in setup.results) or {"r0": None}
        for name in names:
            request, _, subrequest = name.partition("/")
            results = [result for result in setup.results if result.request == name]
            wanted = {**exactly, **self._wanted_capacity(setup, results)}
            if subrequest:
                yield {"name": request, "firstAvailable": [{"name": subrequest, **wanted}]}
            else:
                admin = {"adminAccess": True} if setup.admin_access else {}
                yield {"name": request, "exactly": {**wanted, "count": len(results) or 1, **admin}}

    def _wanted_capacity(self, setup: ClaimSetup, results: Sequence[Result]) -> dict[str, Json]:
        """Return the field `capacity` of a request, which follows from its first device."""
        if not results or results[0].driver or not self._is_shared(setup, results[0]):
            return {}
        requests = requested_capacity(self._device(results[0])[1])
        return {"capacity": {"requests": requests}} if requests else {}

    def _device(self, result: Result) -> tuple[Device, Json]:
        """Return the device of a result and its definition, which is empty for an unknown device."""
        if isinstance(result.device, int):
            pool, name = self.devices.numbered(result.device)
        else:
            pool, first = next(iter(self.devices.definitions))
            name = _with_own(result.device, first)
        return (pool, name), self.devices.definitions.get((pool, name), {})

    def _is_shared(self, setup: ClaimSetup, result: Result) -> bool:
        """Return whether the allocation of a result is shared, so that it has a share ID."""
        definition = self._device(result)[1]
        return bool(result.share or (definition.get("allowMultipleAllocations") and not setup.admin_access))

    def _own_configuration(self, setup: ClaimSetup) -> dict[str, Json]:
        """Return the configuration of a ResourceClaim, without requests if it applies to all of them."""
        requests = {"requests": [setup.configured_request]} if setup.configured_request else {}
        return {**requests, "opaque": self._opaque(setup.configuration)}

    def _opaque(self, configuration: str) -> Json:
        if configuration == "other-driver":
            return {"driver": OTHER_DRIVER, "parameters": {"of": "another driver"}}
        assert self.driver.configuration is not None
        parameters = {"good": self.driver.configuration.good, "bad": self.driver.configuration.bad}
        return {"driver": self.driver.name, "parameters": parameters[configuration]}

    def _result(self, setup: ClaimSetup, result: Result) -> Json:
        (pool, name), definition = self._device(result)
        written: dict[str, Json] = {
            "request": result.request,
            "driver": result.driver or self.driver.name,
            "pool": _with_own(result.pool, pool) or ("pool" if result.driver else pool),
            "device": name,
        }
        if result.driver:
            return written
        if setup.admin_access:
            written["adminAccess"] = True
        if self._is_shared(setup, result):
            number = result.share or -1 - len(self.shares)
            written["shareID"] = self.shares.setdefault(number, str(uuid.uuid4()))
            written["consumedCapacity"] = consumed_capacity(definition)
        return written


def _with_own(text: str, name: str) -> str:
    """Return a text in which `own` is replaced by the name of a pool or device of the driver."""
    return re.sub(rf"\b{OWN}\b", lambda _: name, text)


def _natural(text: str) -> list[tuple[int, str]]:
    """Return a sort key that compares numbers within a string by value."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]
