"""Constructors of API objects for small clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.allocator import Allocated, Allocator, Decision
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.core import Node
from dra_conform.kube.meta import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ObjectMeta
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import (
    AllocationResult,
    CapacityRequestPolicy,
    CapacityRequestPolicyRange,
    CapacityRequirements,
    CELDeviceSelector,
    Counter,
    CounterSet,
    Device,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaim,
    DeviceClaimConfiguration,
    DeviceClass,
    DeviceClassSpec,
    DeviceConfiguration,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceSubRequest,
    DeviceTaint,
    DeviceTaintRule,
    DeviceTaintRuleSpec,
    DeviceTaintSelector,
    DeviceToleration,
    ExactDeviceRequest,
    OpaqueDeviceConfiguration,
    ResourceClaim,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)

DRIVER = "dra.example.com"
KEP = Profile.named("kep")

Amounts = Mapping[str, str] | None
Sets = Mapping[str, Mapping[str, str]]
"""Quantities by counter, by the name of the counter set."""
Value = int | str | bool | Sequence[int] | Sequence[str] | Sequence[bool]


def node(name: str = "node-1", **labels: str) -> Node:
    return Node(metadata=ObjectMeta(name=name, labels=labels))


def policy(
    default: str | None = None,
    low: str | None = None,
    high: str | None = None,
    step: str | None = None,
    values: Sequence[str] = (),
) -> CapacityRequestPolicy:
    def parsed(text: str | None) -> Quantity | None:
        return None if text is None else Quantity.parse(text)

    valid = CapacityRequestPolicyRange(min=parsed(low), max=parsed(high), step=parsed(step))
    return CapacityRequestPolicy(
        default=parsed(default),
        valid_values=tuple(Quantity.parse(text) for text in values),
        valid_range=valid if low is not None else None,
    )


def device(
    name: str,
    *,
    shared: bool | None = None,
    policies: Mapping[str, CapacityRequestPolicy] | None = None,
    attributes: Mapping[str, Value] | None = None,
    draws: Sets | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    taints: Sequence[str] = (),
    **capacity: str,
) -> Device:
    """Return a device: capacities by keyword, attributes by qualified name, taints as `key=value:Effect`.

    `draws` are the counters that it consumes, `groups` its compatibility groups, both by counter set.
    """
    return Device(
        name=name,
        allow_multiple_allocations=shared,
        attributes={key: _attribute(value) for key, value in (attributes or {}).items()},
        capacity={
            key: DeviceCapacity(value=Quantity.parse(value), request_policy=(policies or {}).get(key))
            for key, value in capacity.items()
        },
        consumes_counters=tuple(
            DeviceCounterConsumption(
                counter_set=key,
                counters=_counters(amounts),
                compatibility_groups=tuple((groups or {}).get(key, ())),
            )
            for key, amounts in (draws or {}).items()
        ),
        taints=tuple(taint(text) for text in taints),
    )


def _counters(amounts: Mapping[str, str]) -> dict[str, Counter]:
    return {name: Counter(value=Quantity.parse(text)) for name, text in amounts.items()}


def _attribute(value: Value) -> DeviceAttribute:
    if isinstance(value, bool):
        return DeviceAttribute(bool_=value)
    if isinstance(value, int):
        return DeviceAttribute(int_=value)
    if isinstance(value, str):
        return DeviceAttribute(string=value)
    first = next(iter(value), 0)
    kind = "bools" if isinstance(first, bool) else "ints" if isinstance(first, int) else "strings"
    return DeviceAttribute(**{kind: tuple(value)})


def taint(text: str) -> DeviceTaint:
    """Return the taint of a string `key:Effect` or `key=value:Effect`."""
    left, _, effect = text.rpartition(":")
    key, _, value = left.partition("=")
    return DeviceTaint(key=key, value=value, effect=effect)


def tolerating(key: str = "", operator: str = "", value: str = "", effect: str = "") -> DeviceToleration:
    return DeviceToleration(key=key, operator=operator, value=value, effect=effect)


def rule(
    text: str, *, name: str = "rule", everywhere: bool = False, where: Sequence[str] = (), **selector: str
) -> DeviceTaintRule:
    """Return a DeviceTaintRule with one taint.

    `selector` are fields of the device selector, `where` its expressions. Without them the rule has no selector,
    or an empty one if `everywhere`.
    """
    chosen = None
    if everywhere or where or selector:
        chosen = DeviceTaintSelector(selectors=selectors(*where), **selector)
    spec = DeviceTaintRuleSpec(taint=taint(text), device_selector=chosen)
    return DeviceTaintRule(metadata=ObjectMeta(name=name), spec=spec)


def on_labels(**labels: str) -> NodeSelector:
    expressions = tuple(
        NodeSelectorRequirement(key=key, operator="In", values=(value,)) for key, value in labels.items()
    )
    return NodeSelector(node_selector_terms=(NodeSelectorTerm(match_expressions=expressions),))


def slice_of(
    *devices: Device,
    name: str = "slice-1",
    pool: str = "pool-1",
    driver: str = DRIVER,
    on: str | NodeSelector | None = "node-1",
    generation: int = 1,
    of: int = 1,
    counters: Sets | None = None,
) -> ResourceSlice:
    """Return a ResourceSlice. `on` is a node name, a node selector, or None for all nodes.

    `of` is the pool's slice count, `counters` are its shared counters.
    """
    return ResourceSlice(
        metadata=ObjectMeta(name=name),
        spec=ResourceSliceSpec(
            driver=driver,
            pool=ResourcePool(name=pool, generation=generation, resource_slice_count=of),
            node_name=on if isinstance(on, str) else None,
            node_selector=on if isinstance(on, NodeSelector) else None,
            all_nodes=True if on is None else None,
            devices=devices,
            shared_counters=tuple(
                CounterSet(name=key, counters=_counters(amounts)) for key, amounts in (counters or {}).items()
            ),
        ),
    )


def counted(sets: Sets, *devices: Device, pool: str = "pool-1", driver: str = DRIVER) -> list[ResourceSlice]:
    """Return a pool of two slices, one with counter sets and one with devices, which every release accepts."""
    return [
        slice_of(name=f"{pool}-counters", pool=pool, driver=driver, of=2, counters=sets),
        slice_of(*devices, name=f"{pool}-devices", pool=pool, driver=driver, of=2),
    ]


def selectors(*expressions: str) -> tuple[DeviceSelector, ...]:
    return tuple(DeviceSelector(cel=CELDeviceSelector(expression=text)) for text in expressions)


def class_of(name: str, *expressions: str, config: str = "") -> DeviceClass:
    entries = (DeviceConfiguration(opaque=_opaque(config)),) if config else ()
    return DeviceClass(
        metadata=ObjectMeta(name=name),
        spec=DeviceClassSpec(selectors=selectors(*expressions), config=entries),
    )


def _opaque(text: str) -> OpaqueDeviceConfiguration:
    return OpaqueDeviceConfiguration(driver=DRIVER, parameters={"set": text})


def claim_config(text: str, *requests: str) -> DeviceClaimConfiguration:
    return DeviceClaimConfiguration(requests=requests, opaque=_opaque(text))


def _capacity(amounts: Amounts) -> CapacityRequirements | None:
    if amounts is None:
        return None
    return CapacityRequirements(requests={name: Quantity.parse(text) for name, text in amounts.items()})


def request(
    name: str = "r0",
    capacity: Amounts = None,
    *,
    count: int = 0,
    mode: str = "",
    of: str = "any",
    where: Sequence[str] = (),
    admin: bool | None = None,
    tolerations: Sequence[DeviceToleration] = (),
) -> DeviceRequest:
    exactly = ExactDeviceRequest(
        device_class_name=of,
        count=count,
        allocation_mode=mode,
        selectors=selectors(*where),
        capacity=_capacity(capacity),
        admin_access=admin,
        tolerations=tuple(tolerations),
    )
    return DeviceRequest(name=name, exactly=exactly)


def first_of(name: str, *alternatives: DeviceSubRequest) -> DeviceRequest:
    return DeviceRequest(name=name, first_available=alternatives)


def sub(
    name: str,
    capacity: Amounts = None,
    *,
    count: int = 0,
    mode: str = "",
    of: str = "any",
    where: Sequence[str] = (),
    tolerations: Sequence[DeviceToleration] = (),
) -> DeviceSubRequest:
    return DeviceSubRequest(
        name=name,
        device_class_name=of,
        count=count,
        allocation_mode=mode,
        selectors=selectors(*where),
        capacity=_capacity(capacity),
        tolerations=tuple(tolerations),
    )


def match(attribute: str, *requests: str) -> DeviceConstraint:
    return DeviceConstraint(requests=requests, match_attribute=attribute)


def distinct(attribute: str, *requests: str) -> DeviceConstraint:
    return DeviceConstraint(requests=requests, distinct_attribute=attribute)


def claim(
    name: str,
    *requests: DeviceRequest,
    constraints: Sequence[DeviceConstraint] = (),
    config: Sequence[DeviceClaimConfiguration] = (),
    namespace: str = "default",
) -> ResourceClaim:
    """Return a ResourceClaim, by default with a request `r0` for any device."""
    devices = DeviceClaim(
        requests=requests or (request(),), constraints=tuple(constraints), config=tuple(config)
    )
    return ResourceClaim(
        metadata=ObjectMeta(name=name, namespace=namespace), spec=ResourceClaimSpec(devices=devices)
    )


def held(
    device: str,
    consumed: Amounts = None,
    *,
    share: str | None = None,
    pool: str = "pool-1",
    driver: str = DRIVER,
    admin: bool | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
) -> ResourceClaim:
    """Return a claim with an allocated device. `share` is its share ID, `groups` its compatibility groups."""
    amounts = _capacity(consumed)
    result = DeviceRequestAllocationResult(
        request="r0",
        driver=driver,
        pool=pool,
        device=device,
        share_id=share,
        consumed_capacity=amounts.requests if amounts is not None else None,
        admin_access=admin,
        compatibility_groups=None if groups is None else {key: tuple(names) for key, names in groups.items()},
    )
    return ResourceClaim(
        metadata=ObjectMeta(name=f"held-{device}-{share}", namespace="other"),
        status=ResourceClaimStatus(
            allocation=AllocationResult(devices=DeviceAllocationResult(results=(result,)))
        ),
    )


def allocator(
    *content: ResourceSlice | DeviceClass | DeviceTaintRule,
    profile: Profile = KEP,
    seed: int = 0,
    exhaustive: bool = False,
    columns: ColumnUse = ColumnUse.BY_SIZE,
) -> Allocator:
    """Return an allocator over slices, DeviceClasses and DeviceTaintRules, with a class `any` without selectors."""
    slices = [item for item in content if isinstance(item, ResourceSlice)]
    classes = [item for item in content if isinstance(item, DeviceClass)]
    rules = [item for item in content if isinstance(item, DeviceTaintRule)]
    return Allocator(
        slices,
        [class_of("any"), *classes],
        profile=profile,
        taint_rules=rules,
        seed=seed,
        columns=columns,
        exhaustive=exhaustive,
    )


def release(minor: str, **gates: bool) -> Profile:
    """Return the profile of a release such as `1.36` with some gates set."""
    return Profile.named(f"kubernetes-{minor}").with_gates(gates)


def results(decision: Decision) -> list[DeviceRequestAllocationResult]:
    """Return the results of all claims. Fails if nothing was allocated."""
    assert isinstance(decision, Allocated), decision
    return [result for allocation in decision.allocations for result in allocation.devices.results]


def given(decision: Decision) -> list[list[str]]:
    """Return the results of each claim as `request device consumed...`. Fails if nothing was allocated."""
    assert isinstance(decision, Allocated), decision
    return [
        [
            " ".join(
                [
                    result.request,
                    result.device,
                    *(f"{name}={amount}" for name, amount in (result.consumed_capacity or {}).items()),
                ]
            )
            for result in allocation.devices.results
        ]
        for allocation in decision.allocations
    ]
