"""Benchmarks of the built-in allocator: many claims on a large inventory, and many small inventories."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

from row import Row

from dra_conform.allocator import Allocated, Allocator
from dra_conform.kube.core import Node
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import (
    CapacityRequestPolicy,
    CapacityRequestPolicyRange,
    CapacityRequirements,
    CELDeviceSelector,
    Device,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaim,
    DeviceClass,
    DeviceClassSpec,
    DeviceRequest,
    DeviceSelector,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)

DRIVER = "bench.example.com"
KEP = Profile.named("kep")
NODE = Node(metadata=ObjectMeta(name="node-1"))
ANY = DeviceClass(metadata=ObjectMeta(name="any"), spec=DeviceClassSpec(selectors=()))


def bench() -> list[Row]:
    """Measure claims per second, and microseconds per case for small inventories."""
    return [
        Row("10,000 claims, 20 selectors, 8,000 shared devices", batch(capacity="4"), "claims/s", 20_000),
        Row("10,000 claims until most capacity is consumed", batch(capacity="40"), "claims/s", 20_000),
        Row(
            "a case with 2 devices and 1 claim",
            1e6 / small_worlds(),
            "us/case",
            150,
            at_most=True,
        ),
    ]


def batch(capacity: str) -> float:
    """Return claims per second of `allocate_each`, including the construction of the allocator."""
    slices = [_slice(number) for number in range(8_000 // 100)]
    claims = [_claim(number, capacity) for number in range(10_000)]

    def run() -> int:
        allocator = Allocator(slices, [ANY], profile=KEP)
        allocated = sum(isinstance(decision, Allocated) for decision in allocator.allocate_each(NODE, claims))
        assert allocated, "no claim is allocated, expected some"
        return allocated

    return len(claims) / _best(run, 3)


def small_worlds() -> float:
    """Return cases per second, each with a new allocator and one `allocate`."""
    slices = [_slice(0, devices=2)]
    claims = [_claim(1, "3")]

    def run() -> None:
        for _ in range(500):
            decision = Allocator(slices, [ANY], profile=KEP).allocate(NODE, claims)
            assert isinstance(decision, Allocated)

    return 500 / _best(run, 3)


def _best(run: Callable[[], object], times: int) -> float:
    best = float("inf")
    for _ in range(times):
        gc.collect()
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def _slice(number: int, devices: int = 100) -> ResourceSlice:
    return ResourceSlice(
        metadata=ObjectMeta(name=f"slice-{number:03}"),
        spec=ResourceSliceSpec(
            driver=DRIVER,
            pool=ResourcePool(name=f"pool-{number:03}", resource_slice_count=1),
            node_name=NODE.metadata.name,
            devices=tuple(_device(number * devices + place) for place in range(devices)),
        ),
    )


def _device(number: int) -> Device:
    policy = CapacityRequestPolicy(
        default=Quantity.whole(1),
        valid_range=CapacityRequestPolicyRange(min=Quantity.whole(1), step=Quantity.whole(1 + number % 3)),
    )
    return Device(
        name=f"device-{number}",
        attributes={
            "kind": DeviceAttribute(int_=number % 20),
            "model": DeviceAttribute(string=f"model-{number % 7}"),
        },
        capacity={"bandwidth": DeviceCapacity(value=Quantity.whole(64 + number % 5), request_policy=policy)},
        allow_multiple_allocations=True,
    )


def _claim(number: int, capacity: str) -> ResourceClaim:
    selector = f'device.attributes["{DRIVER}"].kind == {number % 20}'
    exactly = ExactDeviceRequest(
        device_class_name="any",
        selectors=(DeviceSelector(cel=CELDeviceSelector(expression=selector)),),
        capacity=CapacityRequirements(requests={"bandwidth": Quantity.parse(capacity)}),
    )
    return ResourceClaim(
        metadata=ObjectMeta(name=f"claim-{number}", namespace="default"),
        spec=ResourceClaimSpec(devices=DeviceClaim(requests=(DeviceRequest(name="r0", exactly=exactly),))),
    )


if __name__ == "__main__":
    for row in bench():
        print(row)
