"""The fields of ResourceSlice, as in the published Go types of every release since 1.33.

Fields of features outside the specification of this suite are omitted: DRAPartitionableDevicesType,
DRAOptionalNodeOperations and, in claims, DRADerivedAttributes.
"""

from __future__ import annotations

from dra_conform.fuzz.writes.shapes import Choice, Entries, Items, Scalar, Shape, StructShape
from dra_conform.fuzz.writes.values import (
    BOOLEAN,
    DRIVER,
    EFFECT,
    LABEL,
    LABEL_KEY,
    LABEL_VALUE,
    NAME,
    NODE_SELECTOR,
    POOL,
    QUALIFIED,
    QUANTITY,
    TIME,
)

TAINT = StructShape({"key": LABEL_KEY, "effect": EFFECT}, {"value": LABEL_VALUE, "timeAdded": TIME})

_INTEGER = Scalar((0, 7, -3), ("7", 1.5, 2**63))
_TEXT = Scalar(("a", "b", "a" * 64), ("", "a" * 65, 7))
_VERSION = Scalar(("1.2.3", "0.0.1-rc.1"), ("", "1.2", "v1.2.3", "01.2.3", "1.2.3-" + "a" * 64))
_ATTRIBUTE = StructShape(
    either=(
        {"int": _INTEGER},
        {"bool": Scalar((True, False), ("true", 1))},
        {"string": _TEXT},
        {"version": _VERSION},
        {"ints": Items(_INTEGER)},
        {"bools": Items(Scalar((True, False), ("true",)))},
        {"strings": Items(_TEXT, limit=48)},
        {"versions": Items(_VERSION)},
    )
)

_RANGE = StructShape(
    {"min": Scalar(("1", "0", "1000m", "500m"), ("-1", "5", "100", "abc"))},
    {
        "max": Scalar(("10", "8"), ("0", "10500m", "9", "100", "-1", "1")),
        "step": Scalar(("1", "1000m"), ("0", "-1", "3", "300m", "100")),
    },
)
_FRACTIONS = StructShape(
    {"min": Scalar(("500m",), ("1u", "1")), "step": Scalar(("1500m", "1500m", "500m"), ("1u",))},
    {"max": Scalar(("5", "6500m"), ("6", "9500m"))},
)
"""Quantities that are valid only without rounding, that is with DRAFractionalCapacityRange."""
_TOO_MANY = [*map(str, range(1, 12))]
_VALUES = Scalar(
    (["1", "2"], ["1", "2", "10"], ["500m", "1", "2"]),
    ([], ["2", "1"], ["1", "1"], ["1", "1000m", "2"], ["2"], _TOO_MANY[:-1], _TOO_MANY),
)
_POLICY = Choice(
    (
        StructShape({"default": Scalar(("1", "2"), ("3", "100", "1500m"))}, {"validRange": _RANGE}),
        StructShape({"default": Scalar(("2", "3500m"), ("1100m",)), "validRange": _FRACTIONS}),
        StructShape({"default": Scalar(("1", "2"), ("3", "-1", ""))}, {"validValues": _VALUES}),
        StructShape({"default": Scalar(("1",)), "validValues": Scalar((["1"],)), "validRange": _RANGE}),
        StructShape(optional={"validRange": _RANGE, "validValues": Scalar((["1"],))}),
    )
)
_CAPACITY = StructShape({"value": QUANTITY}, {"requestPolicy": _POLICY})
_DEVICE_CAPACITY = Choice(
    (
        StructShape(
            {"value": Scalar(("10", "16", 10), ("1", "5", "-1", "", "abc"))}, {"requestPolicy": _POLICY}
        ),
        _CAPACITY,
    )
)

_COUNTER = StructShape({"value": QUANTITY})
_COUNTERS = Entries(LABEL, _COUNTER, limit=32)
COUNTER_SET = StructShape({"name": LABEL, "counters": _COUNTERS})
_CONSUMPTION = StructShape(
    {"counterSet": LABEL, "counters": Entries(LABEL, _COUNTER, limit=32)},
    {"compatibilityGroups": Items(LABEL, limit=2)},
)

_RESOURCE = Scalar(
    ("cpu", "memory", "hugepages-2Mi", "example.com/x"), ("", "a b", "pods", "ephemeral-storage")
)
_MAPPING = StructShape(
    either=(
        {"capacityKey": QUALIFIED},
        {"capacityKey": QUALIFIED, "capacityMultiplier": QUANTITY},
        {"deviceMultiplier": QUANTITY},
    )
)
_NODE_RESOURCE = StructShape(
    either=(
        {"mapping": _MAPPING},
        {"overhead": StructShape(optional={"perPod": QUANTITY, "perContainer": QUANTITY})},
        {"mapping": _MAPPING, "overhead": StructShape({"perPod": QUANTITY})},
        {},
    )
)
_RESOURCE_MAPPING = StructShape(optional={"capacityKey": QUALIFIED, "allocationMultiplier": QUANTITY})

_CONDITION_NAMES = Items(Scalar(("Ready", "example.com/Up"), ("", "a b", "/", "x" * 400)), limit=4)
_BINDING: dict[str, Shape] = {
    "bindsToNode": BOOLEAN,
    "bindingConditions": _CONDITION_NAMES,
    "bindingFailureConditions": Items(Scalar(("Failed", "example.com/Down"), ("Ready", "a b")), limit=4),
}
_DEVICE: dict[str, Shape] = {
    "attributes": Entries(QUALIFIED, _ATTRIBUTE, limit=32),
    "capacity": Entries(QUALIFIED, _DEVICE_CAPACITY, limit=32),
    "allowMultipleAllocations": BOOLEAN,
    "taints": Items(TAINT, limit=16),
    "consumesCounters": Items(_CONSUMPTION, limit=2, key="counterSet"),
    "nodeAllocatableResources": Entries(_RESOURCE, _NODE_RESOURCE),
    "nodeAllocatableResourceMappings": Entries(_RESOURCE, _RESOURCE_MAPPING),
    **_BINDING,
}
_PLACES: tuple[dict[str, Shape], ...] = (
    {"nodeName": NAME},
    {"nodeSelector": NODE_SELECTOR},
    {"allNodes": Scalar((True,), (False,))},
)
_DEVICES = Items(StructShape({"name": LABEL}, _DEVICE), limit=128, key="name", most=3)
_PLACED_DEVICES = Items(StructShape({"name": LABEL}, _DEVICE, _PLACES), limit=128, key="name")
_COUNTER_SETS = Items(COUNTER_SET, limit=8, key="name")

_SLICE: dict[str, Shape] = {
    "driver": DRIVER,
    "pool": StructShape(
        {
            "name": POOL,
            "generation": Scalar((1, 0, 7), (-1, "1")),
            "resourceSliceCount": Scalar((1, 2), (0, -1, 1.5)),
        }
    ),
}
SLICE = Choice(
    (
        StructShape({**_SLICE, "devices": _DEVICES}, {}, _PLACES),
        StructShape({**_SLICE, "sharedCounters": _COUNTER_SETS}, {}, _PLACES),
        StructShape({**_SLICE, "sharedCounters": _COUNTER_SETS, "devices": _DEVICES}, {}, _PLACES),
        StructShape(
            {**_SLICE, "perDeviceNodeSelection": Scalar((True,), (False,)), "devices": _PLACED_DEVICES}
        ),
    )
)
