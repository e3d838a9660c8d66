"""Random devices, some of them invalid, and the results of the interpreter for them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from dra_conform import cel
from dra_conform.cel.columns.device_table import DeviceTable
from dra_conform.cel.values.cel_errors import EvaluationError
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device, DeviceAttribute, DeviceCapacity

DRIVERS = ("gpu.example.com", "nic.example.com", "x")
MODELS = ("a100", "A100", "h100-80GB", "", "gpu.example.com", "1", "é\n")
INTS = (0, 1, -1, 2, 7, 2**63 - 1, -(2**63))
VERSIONS = ("1.0.0", "1.0.0-rc.1", "1.2.3+build", "1.2.3", "2.10.0")
AMOUNTS = ("0", "1", "1500m", "1Gi", "1024Mi", "40Gi", "80Gi", "1n", "-3", "8Ei", "1e20")


def attribute(kind: str, rng: random.Random) -> DeviceAttribute:
    match kind:
        case "int":
            return DeviceAttribute(int_=rng.choice(INTS))
        case "bool":
            return DeviceAttribute(bool_=rng.random() < 0.5)
        case "version":
            return DeviceAttribute(version=rng.choice(VERSIONS))
        case "ints":
            return DeviceAttribute(ints=tuple(rng.sample(INTS, rng.randrange(4))))
        case "bools":
            return DeviceAttribute(bools=(True,) * rng.randrange(3))
        case "strings":
            return DeviceAttribute(strings=tuple(rng.sample(MODELS, rng.randrange(4))))
    return DeviceAttribute(string=rng.choice(MODELS))


KINDS = {
    "model": ["string"],
    "numa": ["int"],
    "healthy": ["bool"],
    "version": ["version"],
    "mixed": ["string", "int", "bool", "version"],
    "listed": ["ints", "strings", "bools", "string", "int"],
    "other.example.com/model": ["string", "int"],
    "other.example.com/pcie": ["string"],
}
NAMES = ("model", "numa", "healthy", "version", "mixed", "listed", "pcie", "nothing")


def devices(count: int, seed: int) -> Iterator[tuple[str, Device]]:
    rng = random.Random(seed)
    for i in range(count):
        attributes = {
            name: attribute(rng.choice(kinds), rng) for name, kinds in KINDS.items() if rng.random() < 0.7
        }
        capacity = {
            name: DeviceCapacity(value=Quantity.parse(rng.choice(AMOUNTS)))
            for name in ("memory", "slots", "other.example.com/memory")
            if rng.random() < 0.7
        }
        if rng.random() < 0.04:
            attributes["broken"] = DeviceAttribute()
        if rng.random() < 0.02:
            capacity["wide"] = DeviceCapacity(value=Quantity(10**50))
        yield (
            rng.choice(DRIVERS),
            Device(
                name=f"device-{i}",
                attributes=attributes,
                capacity=capacity,
                allow_multiple_allocations=rng.choice((None, False, True)),
            ),
        )


TABLE = DeviceTable(devices(100, 7))


def expected(program: cel.Program, table: DeviceTable) -> list[bool | None]:
    rows: list[bool | None] = []
    for row in range(len(table)):
        try:
            rows.append(program.evaluate(table.device(row)))
        except EvaluationError:
            rows.append(None)
    return rows
