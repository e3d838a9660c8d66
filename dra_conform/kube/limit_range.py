"""The API types of LimitRanges."""

from __future__ import annotations

from dra_conform.kube.meta import ApiStruct
from dra_conform.kube.quantity import Quantity


class LimitRangeItem(ApiStruct, frozen=True, kw_only=True):
    """The limits of containers, pods or PersistentVolumeClaims, as `type` says."""

    type: str = ""
    max: dict[str, Quantity] = {}
    min: dict[str, Quantity] = {}
    default: dict[str, Quantity] = {}
    default_request: dict[str, Quantity] = {}
    max_limit_request_ratio: dict[str, Quantity] = {}


class LimitRangeSpec(ApiStruct, frozen=True, kw_only=True):
    limits: tuple[LimitRangeItem, ...] = ()
