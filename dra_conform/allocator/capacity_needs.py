"""The capacity that a request would consume on each device (KEP-5075)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from dra_conform.allocator.allocation_decision import Failed, Stop
from dra_conform.allocator.node_devices import NodeDevices
from dra_conform.capacity import ERRORS_OF_1_37, CapacityTable, Consumed, PolicyViolation, consume
from dra_conform.kube.category import Category
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceCapacity
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import Arithmetic

LARGE = 256
"""The number of devices from which the consumption of equal capacities is computed once, in arrays."""


class CapacityNeed:
    """The capacity that a request would consume on one device: `amounts` and total `values`, in nano units.

    `lack` is the category if the request can never be met by the device, not even by an unused one; `message`
    explains it.
    """

    __slots__ = ("amounts", "lack", "message", "values")

    def __init__(
        self,
        amounts: Mapping[str, int],
        values: Mapping[str, int],
        lack: Category | None = None,
        message: str = "",
    ) -> None:
        self.amounts = amounts
        self.values = values
        self.lack = lack
        self.message = message


NO_NEED = CapacityNeed({}, {})


class CapacityNeeds:
    """The needs of one capacity request on the devices of a node, each computed when it is first used."""

    __slots__ = (
        "_amounts",
        "_consumable",
        "_consumed",
        "_devices",
        "_interned",
        "_requested",
        "_switches",
        "found",
    )

    def __init__(
        self,
        requested: Mapping[str, Quantity],
        devices: NodeDevices,
        switches: AllocationSwitches,
        interned: InternedCapacities | None = None,
    ) -> None:
        self._requested = requested
        self._devices = devices
        self._switches = switches.capacity
        self._consumable = switches.features.consumable_capacity
        self._interned = interned
        self._consumed: dict[int, dict[str, Quantity]] = {}
        self._amounts: dict[tuple[str, int | None], Sequence[int | None]] = {}
        self.found: list[CapacityNeed | None] = [None] * len(devices.keys)

    def of(self, index: int) -> CapacityNeed:
        """Return the capacity need on the device with this index."""
        need = self.found[index]
        if need is None:
            need = self.found[index] = self._need(index)
        return need

    @property
    def fail(self) -> bool:
        """Whether a requested quantity is an error for some device of the node."""
        if not self._requested or not self._switches.arithmetic.has_errors:
            return False
        try:
            for index in range(len(self.found)):
                self.of(index)
        except Stop:
            return True
        return False

    def consumed(self, index: int) -> dict[str, Quantity]:
        """Return the quantity of each capacity that a shared allocation consumes, in the source's format."""
        known = self._consumed.get(index)
        if known is None:
            requested = self.requested(index)
            known = self._consumed[index] = {}
            for name, capacity in self._devices.devices[index].capacity.items():
                result = consume(capacity, requested.get(name), self._switches.arithmetic)
                if isinstance(result, Consumed):
                    known[name] = result.amount
        return dict(known)

    def requested(self, index: int) -> Mapping[str, Quantity]:
        """Return the requested quantities by the capacity names of the device.

        A capacity that the device lacks keeps the name in the request.
        """
        if not self._switches.bare_names_in_driver_domain or not self._requested:
            return self._requested
        capacities = self._devices.devices[index].capacity
        if self._requested.keys() <= capacities.keys():
            return self._requested
        driver = self._devices.keys[index][0]
        return {published_name(name, driver, capacities): amount for name, amount in self._requested.items()}

    def too_small(self, index: int) -> CapacityNeed | None:
        """Return the failure of a device whose capacity is missing or too small, None if there is none."""
        capacities = self._devices.devices[index].capacity
        for name, amount in self.requested(index).items():
            if name not in capacities:
                return _undeclared(name)
            value = capacities[name].value
            if value < amount:
                return CapacityNeed(
                    {},
                    {},
                    Category.INSUFFICIENT_CAPACITY,
                    f"{name}: requested {amount}, the device has {value}",
                )
        return None

    def _need(self, index: int) -> CapacityNeed:
        if not self._consumable:
            return NO_NEED
        requested = self.requested(index)
        capacities = self._devices.devices[index].capacity
        for name in requested:
            if name not in capacities:
                return _undeclared(name)
        if not self._devices.shared[index] and not self._switches.policy_on_exclusive:
            return self.too_small(index) or NO_NEED
        if not capacities:
            return NO_NEED
        if self._switches.arithmetic.has_errors:
            self._stop_at_errors(capacities, requested)
        if self._interned is not None:
            return self._interned_need(self._interned, index, requested)
        amounts, values, consumed = {}, {}, {}
        for name, capacity in capacities.items():
            result = consume(capacity, requested.get(name), self._switches.arithmetic)
            if isinstance(result, PolicyViolation):
                return CapacityNeed({}, {}, Category.CAPACITY_POLICY_VIOLATION, f"{name}: {result.message}")
            amounts[name], values[name] = result.amount.nano, capacity.value.nano
            if amounts[name] > values[name]:
                return _oversized(name, result.amount, capacity)
            consumed[name] = result.amount
        self._consumed[index] = consumed
        return CapacityNeed(amounts, values)

    def _stop_at_errors(
        self, capacities: Mapping[str, DeviceCapacity], requested: Mapping[str, Quantity]
    ) -> None:
        """Raise Stop for a quantity that is an error in Kubernetes 1.37, such as a negative one."""
        for name, amount in requested.items():
            if self._switches.negative_is_error and amount.nano < 0:
                raise Stop(Failed(Category.FIELD_INVALID, f"capacity {name}: {amount} is negative"))
            result = consume(capacities[name], amount, self._switches.arithmetic)
            if isinstance(result, PolicyViolation) and result.rule in ERRORS_OF_1_37:
                raise Stop(Failed(Category.FIELD_INVALID, f"capacity {name}: {result.message}"))

    def _interned_need(
        self, interned: InternedCapacities, index: int, requested: Mapping[str, Quantity]
    ) -> CapacityNeed:
        amounts, values = {}, {}
        for name, place in interned.places[index]:
            amount = self._column(interned, name, requested.get(name))[place]
            capacity = interned.tables[name].capacities[place]
            if amount is None:
                result = consume(capacity, requested.get(name), self._switches.arithmetic)
                message = result.message if isinstance(result, PolicyViolation) else ""
                return CapacityNeed({}, {}, Category.CAPACITY_POLICY_VIOLATION, f"{name}: {message}")
            if amount > capacity.value.nano:
                return _oversized(name, Quantity(amount, capacity.value.format), capacity)
            amounts[name], values[name] = amount, capacity.value.nano
        return CapacityNeed(amounts, values)

    def _column(
        self, interned: InternedCapacities, name: str, requested: Quantity | None
    ) -> Sequence[int | None]:
        key = (name, None if requested is None else requested.nano)
        column = self._amounts.get(key)
        if column is None:
            column = self._amounts[key] = interned.tables[name].consumed(requested)
        return column


class InternedCapacities:
    """The distinct capacities of many devices, in a table per name.

    `places` has the name and the row in its table for each capacity of each device.
    """

    def __init__(self, devices: NodeDevices, arithmetic: Arithmetic, columns: ColumnUse) -> None:
        distinct: dict[str, dict[DeviceCapacity, int]] = {}
        self.places: list[tuple[tuple[str, int], ...]] = []
        for device in devices.devices:
            row = []
            for name, capacity in device.capacity.items():
                known = distinct.setdefault(name, {})
                row.append((name, known.setdefault(capacity, len(known))))
            self.places.append(tuple(row))
        self.tables: dict[str, CapacityTable] = {
            name: CapacityTable(tuple(known), arithmetic, columns) for name, known in distinct.items()
        }


def published_name(name: str, driver: str, capacities: Collection[str]) -> str:
    """Return the name that a device of the driver publishes for a capacity: `x` and `driver/x` are one name.

    A name that the device does not have is returned as it is (KEP-5075/filter/name-resolution).
    """
    if name in capacities:
        return name
    full = _full(driver, name)
    return next((published for published in capacities if _full(driver, published) == full), name)


def _full(driver: str, name: str) -> str:
    return name if "/" in name else f"{driver}/{name}"


def _undeclared(name: str) -> CapacityNeed:
    return CapacityNeed({}, {}, Category.CAPACITY_NOT_DECLARED, f"the device has no capacity {name}")


def _oversized(name: str, amount: Quantity, capacity: DeviceCapacity) -> CapacityNeed:
    return CapacityNeed(
        {}, {}, Category.INSUFFICIENT_CAPACITY, f"{name}: requested {amount}, the device has {capacity.value}"
    )
