"""The kind DeviceTaintRule: a taint, and the selector of the devices that have it."""

from __future__ import annotations

from dra_conform.kube.meta import ApiStruct, Condition, ObjectMeta
from dra_conform.kube.resource.device_requests import DeviceSelector
from dra_conform.kube.resource.resource_slices import DeviceTaint


class DeviceTaintSelector(ApiStruct, frozen=True, kw_only=True):
    """The devices that a DeviceTaintRule taints; every field that is set must match.

    `device_class_name` and `selectors` exist on the DRA page (profile `kep`) and in releases until 1.34.
    """

    device_class_name: str | None = None
    driver: str | None = None
    pool: str | None = None
    device: str | None = None
    selectors: tuple[DeviceSelector, ...] = ()


class DeviceTaintRuleSpec(ApiStruct, frozen=True, kw_only=True):
    taint: DeviceTaint
    device_selector: DeviceTaintSelector | None = None


class DeviceTaintRuleStatus(ApiStruct, frozen=True, kw_only=True):
    conditions: tuple[Condition, ...] = ()


class DeviceTaintRule(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: DeviceTaintRuleSpec
    status: DeviceTaintRuleStatus | None = None
