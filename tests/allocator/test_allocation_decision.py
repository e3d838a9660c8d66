"""Grouped reasons: one line for each reason, for any number of devices."""

from __future__ import annotations

from dra_conform.allocator import FailureReason
from dra_conform.allocator.allocation_decision import grouped, reason_lines
from dra_conform.kube.category import Category


def _device(name: str, category: Category, message: str) -> FailureReason:
    return FailureReason(category, message, "default/c", "r0", f"drv/pool/{name}")


def _lines(*reasons: FailureReason) -> list[str]:
    return list(reason_lines(grouped(reasons)))


def test_devices_with_one_reason_are_counted_and_some_named() -> None:
    tainted = [
        _device(f"d{number}", Category.TAINT_NOT_TOLERATED, "the taint t:NoSchedule") for number in range(9)
    ]
    full = _device("d9", Category.INSUFFICIENT_CAPACITY, "memory: needs 40Gi, remaining 8Gi of 80Gi")
    assert _lines(*tainted, full) == [
        "claim default/c, request r0",
        "  9 devices: TaintNotTolerated: the taint t:NoSchedule (d0, d1, d2 and 6 more)",
        "  1 device: InsufficientCapacity: memory: needs 40Gi, remaining 8Gi of 80Gi (d9)",
    ]


def test_further_reasons_of_one_category_form_one_line() -> None:
    full = [_device(f"d{number}", Category.INSUFFICIENT_CAPACITY, f"left {number}") for number in range(100)]
    lines = _lines(*full)
    assert len(lines) == 8
    assert lines[-1] == (
        "  94 devices: InsufficientCapacity: similar reasons with other quantities (d6, d7, d8 and 91 more)"
    )


def test_devices_of_several_pools_are_named_in_full() -> None:
    in_use = [
        FailureReason(Category.DEVICE_IN_USE, "allocated", "default/c", "r0", f"drv/{pool}/d0")
        for pool in "ab"
    ]
    assert _lines(*in_use)[1] == "  2 devices: DeviceInUse: allocated (drv/a/d0, drv/b/d0)"


def test_reasons_for_requests_pools_and_slices() -> None:
    elsewhere = [
        FailureReason(Category.NODE_MISMATCH, f"slice {name}", device="drv/pool", slice=name)
        for name in ("s1", "s2")
    ]
    assert _lines(
        FailureReason(Category.INSUFFICIENT_DEVICES, "no device matches", "default/c", "r0"),
        FailureReason(Category.POOL_INCOMPLETE, "pool drv/pool lacks slices", device="drv/pool"),
        *elsewhere,
    ) == [
        "claim default/c, request r0",
        "  InsufficientDevices: no device matches",
        "PoolIncomplete: pool drv/pool lacks slices",
        "2 slices: NodeMismatch: for other nodes",
    ]
    assert _lines(elsewhere[0]) == ["1 slice: NodeMismatch: for other nodes (s1)"]
