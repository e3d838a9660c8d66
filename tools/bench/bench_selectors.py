"""Benchmark of selectors over a million devices: devices per second, and time and memory of their table."""

from __future__ import annotations

import resource as usage
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from row import Row

from dra_conform import cel
from dra_conform.cel.columns.device_table import match_column
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import Device, DeviceAttribute, DeviceCapacity

MILLION = 1_000_000
MODELS = tuple(f"model-{i}" for i in range(40))
VERSIONS = tuple(f"1.{i}.0" for i in range(20))
MEMORY = tuple(f"{i}Gi" for i in (10, 20, 40, 80, 141))
SELECTORS = {
    "driver": 'device.driver == "driver-3.example.com"',
    "full": 'device.driver == "driver-3.example.com" && device.attributes["driver-3.example.com"].model == '
    '"model-7" && device.capacity["driver-3.example.com"].memory.compareTo(quantity("40Gi")) >= 0 && '
    'device.attributes["driver-3.example.com"].healthy',
    "text": 'device.attributes["driver-3.example.com"].?model.orValue("").matches("^model-[1-3]$")',
    "version": '"driver-3.example.com" in device.attributes && '
    'device.attributes["driver-3.example.com"].driverVersion.isGreaterThan(semver("1.10.0"))',
}


def devices(count: int) -> Iterator[tuple[str, Device]]:
    """Yield devices of ten drivers with five attributes, one of them unique, and two capacities."""
    for i in range(count):
        attributes = {
            "model": DeviceAttribute(string=MODELS[i % 40]),
            "numa": DeviceAttribute(int_=i % 8),
            "healthy": DeviceAttribute(bool_=i % 3 > 0),
            "driverVersion": DeviceAttribute(version=VERSIONS[i % 20]),
            "resource.kubernetes.io/pcieRoot": DeviceAttribute(string=f"pci0000:{i % 4096:02x}"),
        }
        capacity = {
            "memory": DeviceCapacity(value=Quantity.parse(MEMORY[i % 5])),
            "slots": DeviceCapacity(value=Quantity.parse("16")),
        }
        driver = f"driver-{i // 7 % 10}.example.com"
        yield driver, Device(name=f"d-{i}", attributes=attributes, capacity=capacity)


def bench() -> list[Row]:
    started = time.perf_counter()
    table = cel.DeviceTable(devices(MILLION))
    rows = [
        Row(
            "selectors: building a table of 1 M devices (generating them included)",
            MILLION / (time.perf_counter() - started),
            "devices/s",
            0,
        )
    ]
    rows += [
        Row(
            f"selectors: distinct selector over 1 M devices ({name})",
            MILLION / _best(lambda text=text: match_column(cel.compile.__wrapped__(text), table)),
            "rows/s",
            20_000_000,
        )
        for name, text in SELECTORS.items()
    ]
    full = cel.compile(SELECTORS["full"])
    rows.append(
        Row(
            "selectors: evaluation of the selector `full` over a list of Python values",
            MILLION / _best(lambda: cel.match(full, table)),
            "rows/s",
            20_000_000,
        )
    )
    rows.append(Row("selectors: peak memory of building the table", _peak_megabytes(), "MB", 1000, True))
    return rows


def _best(run: Callable[[], object], times: int = 5) -> float:
    """Return the shortest time of a few runs, in seconds."""
    best = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - started)
    return best


def _peak_megabytes() -> float:
    """Return the peak memory of a process that only builds the table."""
    built = subprocess.run(
        [sys.executable, __file__, "--build"], check=True, capture_output=True, text=True, timeout=600
    )
    return float(built.stdout)


def main() -> None:
    if sys.argv[1:] == ["--build"]:
        table = cel.DeviceTable(devices(MILLION))
        assert len(table) == MILLION
        print(usage.getrusage(usage.RUSAGE_SELF).ru_maxrss / 1024)
        return
    print(f"{'benchmark':72} {'figure':>14} {'target':>14} unit")
    for row in bench():
        sign = "<=" if row.at_most else ">="
        mark = "" if row.met else "  MISSED"
        print(f"{row.name:72} {row.figure:14,.0f} {sign}{row.target:12,.0f} {row.unit}{mark}")


if __name__ == "__main__":
    main()
