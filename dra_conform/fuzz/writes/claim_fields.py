"""The fields of ResourceClaim, ResourceClaimTemplate, DeviceClass and DeviceTaintRule, and those of Pod
that relate to claims.
"""

from __future__ import annotations

from dra_conform.fuzz.writes.shapes import Entries, Items, Scalar, Shape, StructShape
from dra_conform.fuzz.writes.slice_fields import TAINT
from dra_conform.fuzz.writes.values import (
    BOOLEAN,
    CONDITION,
    DRIVER,
    FULL,
    LABEL,
    METADATA,
    NAME,
    NODE_SELECTOR,
    OPAQUE,
    POOL,
    QUALIFIED,
    QUANTITY,
    REFERENCE,
    REFERENCES,
    SELECTORS,
    SHARE_ID,
    TIME,
    TOLERATIONS,
    UID,
)

_MODE = Scalar(("ExactCount",), ("", "All", "Some"))
_AMOUNT: tuple[dict[str, Shape], ...] = (
    {},
    {"allocationMode": Scalar(("All",), ("ExactCount", "all"))},
    {"count": Scalar((1, 2, 32), (0, -1, "1"))},
    {"allocationMode": _MODE, "count": Scalar((1, 3), (0, -1))},
)
_ASKED: dict[str, Shape] = {
    "selectors": SELECTORS,
    "tolerations": TOLERATIONS,
    "capacity": StructShape(optional={"requests": Entries(QUALIFIED, QUANTITY)}),
}
_CLASS_NAME = Scalar(("gpu", "gpu.example.com"), ("", "Upper", "a/b"))
_EXACTLY = StructShape({"deviceClassName": _CLASS_NAME}, {**_ASKED, "adminAccess": BOOLEAN}, _AMOUNT)
_SUBREQUEST = StructShape({"name": LABEL, "deviceClassName": _CLASS_NAME}, _ASKED, _AMOUNT)
_REQUEST = StructShape(
    {"name": LABEL},
    either=(
        {"exactly": _EXACTLY},
        {"exactly": _EXACTLY},
        {"firstAvailable": Items(_SUBREQUEST, limit=8, key="name")},
    ),
)
_CONSTRAINT = StructShape(
    optional={"requests": REFERENCES}, either=({"matchAttribute": FULL}, {"distinctAttribute": FULL})
)
CLAIM = StructShape(
    {
        "devices": StructShape(
            {"requests": Items(_REQUEST, limit=32, key="name")},
            {
                "constraints": Items(_CONSTRAINT, limit=32),
                "config": Items(StructShape({"opaque": OPAQUE}, {"requests": REFERENCES}), limit=32),
            },
        )
    }
)
TEMPLATE = StructShape({"spec": CLAIM}, {"metadata": StructShape(optional=dict(METADATA.optional))})

CLASS = StructShape(
    optional={
        "selectors": SELECTORS,
        "config": Items(StructShape({"opaque": OPAQUE}), limit=32),
        "extendedResourceName": Scalar(
            ("example.com/gpu",), ("", "gpu", "cpu", "kubernetes.io/gpu", "requests.example.com/gpu", "a b/c")
        ),
    }
)

_RULE_SELECTOR = StructShape(
    optional={
        "driver": DRIVER,
        "pool": POOL,
        "device": LABEL,
        "deviceClassName": NAME,
        "selectors": SELECTORS,
    }
)
RULE = StructShape({"taint": TAINT}, {"deviceSelector": _RULE_SELECTOR})
RULE_STATUS = StructShape(optional={"conditions": Items(CONDITION, limit=8)})

_CONDITION_NAMES = Items(Scalar(("Ready", "example.com/Up"), ("", "a b", "/")), limit=4)
_RESULT = StructShape(
    {"request": REFERENCE, "driver": DRIVER, "pool": POOL, "device": LABEL},
    {
        "adminAccess": BOOLEAN,
        "tolerations": TOLERATIONS,
        "bindingConditions": _CONDITION_NAMES,
        "bindingFailureConditions": _CONDITION_NAMES,
        "shareID": SHARE_ID,
        "consumedCapacity": Entries(QUALIFIED, QUANTITY),
    },
)
_ALLOCATED_CONFIG = StructShape(
    {"source": Scalar(("FromClass", "FromClaim"), ("", "x")), "opaque": OPAQUE}, {"requests": REFERENCES}
)
_CONSUMER = StructShape(
    {
        "resource": Scalar(("pods",), ("", "Pods")),
        "name": Scalar(("p",), ("", "Upper")),
        "uid": UID,
    },
    {"apiGroup": Scalar(("", "example.com"), ("_",))},
)
_NETWORK = StructShape(
    optional={
        "interfaceName": Scalar(("eth0", "x" * 256), ("", "x" * 257)),
        "ips": Items(
            Scalar(
                ("10.0.0.1/24", "2001:db8::1/64"),
                ("", "10.0.0.1", "010.0.0.1/24", "2001:DB8::1/64", "10.0.0.1/33"),
            ),
            limit=16,
        ),
        "hardwareAddress": Scalar(("00:11:22:33:44:55", "x" * 128), ("", "x" * 129)),
    }
)
_DATA = Scalar(({"a": 1}, {}), ("text", None, [1], {"x": "y" * 10240}, {"x": "y" * 10233}))
_DEVICE_STATUS = StructShape(
    {"driver": DRIVER, "pool": POOL, "device": LABEL},
    {
        "shareID": SHARE_ID,
        "conditions": Items(CONDITION, limit=8),
        "data": _DATA,
        "networkData": _NETWORK,
    },
)
CLAIM_STATUS = StructShape(
    optional={
        "allocation": StructShape(
            {
                "devices": StructShape(
                    {"results": Items(_RESULT, limit=32)}, {"config": Items(_ALLOCATED_CONFIG, limit=64)}
                )
            },
            {"nodeSelector": NODE_SELECTOR, "allocationTimestamp": TIME},
        ),
        "reservedFor": Items(_CONSUMER, limit=256, key="uid"),
        "devices": Items(_DEVICE_STATUS),
    }
)


_USED = StructShape({"name": Scalar(("a",), ("b", "", "c", "Upper"))}, {"request": LABEL})
_RESOURCES = StructShape(
    optional={
        "claims": Items(_USED, most=1),
        "requests": Entries(Scalar(("cpu", "memory")), Scalar(("1", "500m"), ("-1", "x")), most=1),
    }
)
_OF_POD = Entries(Scalar(("cpu", "memory")), Scalar(("1", "500m", "2"), ("-1", "x")), most=2)
_CONTAINER = StructShape({"name": LABEL}, {"resources": _RESOURCES})
_CLAIM = StructShape(
    {"name": LABEL},
    either=({"resourceClaimName": NAME}, {"resourceClaimTemplateName": NAME}, {"resourceClaimName": NAME}),
)
POD = StructShape(
    {"containers": Items(_CONTAINER, key="name"), "resourceClaims": Items(_CLAIM, key="name")},
    {
        "initContainers": Items(StructShape({"name": Scalar(("init",))}, {"resources": _RESOURCES}), most=1),
        "resources": StructShape(optional={"requests": _OF_POD, "limits": _OF_POD}),
    },
)

_CLAIM_STATUS = StructShape({"name": Scalar(("a", "b"), ("", "c", "Upper"))}, {"resourceClaimName": NAME})
_EXTENDED = StructShape(
    {
        "resourceClaimName": NAME,
        "requestMappings": Items(
            StructShape(
                {
                    "containerName": Scalar(("a",), ("", "c", "init", "Upper")),
                    "resourceName": Scalar(("example.com/gpu",), ("", "cpu", "gpu")),
                    "requestName": LABEL,
                }
            )
        ),
    }
)
_RESOURCE = Scalar(("cpu", "memory"), ("", "x y", "example.com/x"))
_MAPPED = StructShape({"name": _RESOURCE}, {"quantity": QUANTITY})
_OVERHEAD = StructShape({"name": _RESOURCE}, {"perPod": QUANTITY, "perContainer": QUANTITY})
_NODE_CLAIM = StructShape(
    {"resourceClaimName": NAME},
    {
        "containers": Items(Scalar(("a", "b"), ("", "c"))),
        "resources": Entries(_RESOURCE, QUANTITY),
        "mapping": Items(_MAPPED),
        "overhead": Items(_OVERHEAD),
    },
)
POD_STATUS = StructShape(
    optional={
        "resourceClaimStatuses": Items(_CLAIM_STATUS, key="name"),
        "extendedResourceClaimStatus": _EXTENDED,
        "nodeAllocatableResourceClaimStatuses": Items(_NODE_CLAIM),
    }
)
