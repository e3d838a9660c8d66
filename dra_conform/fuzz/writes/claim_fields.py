"""The fields of ResourceClaim, ResourceClaimTemplate, DeviceClass and DeviceTaintRule, and those of Pod
that relate to claims.
"""

from __future__ import annotations

from dra_conform.fuzz.writes.shapes import Entries, Items, Scalar, Shape, Struct
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
    "capacity": Struct(optional={"requests": Entries(QUALIFIED, QUANTITY)}),
}
_CLASS_NAME = Scalar(("gpu", "gpu.example.com"), ("", "Upper", "a/b"))
_EXACTLY = Struct({"deviceClassName": _CLASS_NAME}, {**_ASKED, "adminAccess": BOOLEAN}, _AMOUNT)
_SUBREQUEST = Struct({"name": LABEL, "deviceClassName": _CLASS_NAME}, _ASKED, _AMOUNT)
_REQUEST = Struct(
    {"name": LABEL},
    either=(
        {"exactly": _EXACTLY},
        {"exactly": _EXACTLY},
        {"firstAvailable": Items(_SUBREQUEST, limit=8, key="name")},
    ),
)
_CONSTRAINT = Struct(
    optional={"requests": REFERENCES}, either=({"matchAttribute": FULL}, {"distinctAttribute": FULL})
)
CLAIM = Struct(
    {
        "devices": Struct(
            {"requests": Items(_REQUEST, limit=32, key="name")},
            {
                "constraints": Items(_CONSTRAINT, limit=32),
                "config": Items(Struct({"opaque": OPAQUE}, {"requests": REFERENCES}), limit=32),
            },
        )
    }
)
TEMPLATE = Struct({"spec": CLAIM}, {"metadata": Struct(optional=dict(METADATA.optional))})

CLASS = Struct(
    optional={
        "selectors": SELECTORS,
        "config": Items(Struct({"opaque": OPAQUE}), limit=32),
        "extendedResourceName": Scalar(
            ("example.com/gpu",), ("", "gpu", "cpu", "kubernetes.io/gpu", "requests.example.com/gpu", "a b/c")
        ),
    }
)

_RULE_SELECTOR = Struct(
    optional={
        "driver": DRIVER,
        "pool": POOL,
        "device": LABEL,
        "deviceClassName": NAME,
        "selectors": SELECTORS,
    }
)
RULE = Struct({"taint": TAINT}, {"deviceSelector": _RULE_SELECTOR})
RULE_STATUS = Struct(optional={"conditions": Items(CONDITION, limit=8)})

_CONDITION_NAMES = Items(Scalar(("Ready", "example.com/Up"), ("", "a b", "/")), limit=4)
_RESULT = Struct(
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
_ALLOCATED_CONFIG = Struct(
    {"source": Scalar(("FromClass", "FromClaim"), ("", "x")), "opaque": OPAQUE}, {"requests": REFERENCES}
)
_CONSUMER = Struct(
    {
        "resource": Scalar(("pods",), ("", "Pods")),
        "name": Scalar(("p",), ("", "Upper")),
        "uid": UID,
    },
    {"apiGroup": Scalar(("", "example.com"), ("_",))},
)
_NETWORK = Struct(
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
_DEVICE_STATUS = Struct(
    {"driver": DRIVER, "pool": POOL, "device": LABEL},
    {
        "shareID": SHARE_ID,
        "conditions": Items(CONDITION, limit=8),
        "data": _DATA,
        "networkData": _NETWORK,
    },
)
CLAIM_STATUS = Struct(
    optional={
        "allocation": Struct(
            {
                "devices": Struct(
                    {"results": Items(_RESULT, limit=32)}, {"config": Items(_ALLOCATED_CONFIG, limit=64)}
                )
            },
            {"nodeSelector": NODE_SELECTOR, "allocationTimestamp": TIME},
        ),
        "reservedFor": Items(_CONSUMER, limit=256, key="uid"),
        "devices": Items(_DEVICE_STATUS),
    }
)


_USED = Struct({"name": Scalar(("a",), ("b", "", "c", "Upper"))}, {"request": LABEL})
_RESOURCES = Struct(
    optional={
        "claims": Items(_USED, most=1),
        "requests": Entries(Scalar(("cpu", "memory")), Scalar(("1", "500m"), ("-1", "x")), most=1),
    }
)
_OF_POD = Entries(Scalar(("cpu", "memory")), Scalar(("1", "500m", "2"), ("-1", "x")), most=2)
_CONTAINER = Struct({"name": LABEL}, {"resources": _RESOURCES})
_CLAIM = Struct(
    {"name": LABEL},
    either=({"resourceClaimName": NAME}, {"resourceClaimTemplateName": NAME}, {"resourceClaimName": NAME}),
)
POD = Struct(
    {"containers": Items(_CONTAINER, key="name"), "resourceClaims": Items(_CLAIM, key="name")},
    {
        "initContainers": Items(Struct({"name": Scalar(("init",))}, {"resources": _RESOURCES}), most=1),
        "resources": Struct(optional={"requests": _OF_POD, "limits": _OF_POD}),
    },
)

_CLAIM_STATUS = Struct({"name": Scalar(("a", "b"), ("", "c", "Upper"))}, {"resourceClaimName": NAME})
_EXTENDED = Struct(
    {
        "resourceClaimName": NAME,
        "requestMappings": Items(
            Struct(
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
_MAPPED = Struct({"name": _RESOURCE}, {"quantity": QUANTITY})
_OVERHEAD = Struct({"name": _RESOURCE}, {"perPod": QUANTITY, "perContainer": QUANTITY})
_NODE_CLAIM = Struct(
    {"resourceClaimName": NAME},
    {
        "containers": Items(Scalar(("a", "b"), ("", "c"))),
        "resources": Entries(_RESOURCE, QUANTITY),
        "mapping": Items(_MAPPED),
        "overhead": Items(_OVERHEAD),
    },
)
POD_STATUS = Struct(
    optional={
        "resourceClaimStatuses": Items(_CLAIM_STATUS, key="name"),
        "extendedResourceClaimStatus": _EXTENDED,
        "nodeAllocatableResourceClaimStatuses": Items(_NODE_CLAIM),
    }
)
