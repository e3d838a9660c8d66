"""The fields of Pod that relate to claims, and its required fields."""

from __future__ import annotations

from dra_conform.fuzz.writes.shapes import Entries, Items, Scalar, Struct
from dra_conform.fuzz.writes.values import LABEL, NAME, QUANTITY

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
