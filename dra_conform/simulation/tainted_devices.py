"""The taints of devices from ResourceSlices and DeviceTaintRules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dra_conform.allocator.device_taints import with_rules
from dra_conform.footprint.device_amounts import newest_of_pools
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceTaint, DeviceTaintRule
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.controllers import ControllerSwitches
from dra_conform.simulation.parts import Objects

PublishedDevice = tuple[str, str, str]
"""The identity of a device: driver, pool and name."""


def tainted_devices(
    objects: Objects, profile: Profile, effects: Sequence[str]
) -> Mapping[PublishedDevice, list[DeviceTaint]]:
    """Return the taints with one of these effects by device, none if the gate DRADeviceTaints is off.

    Only ResourceSlices of the newest generation of a pool count. A DeviceTaintRule without a selector selects
    no device.
    """
    if not profile.enabled("DRADeviceTaints"):
        return {}
    switches = AllocationSwitches.of(profile)
    switches = replace(switches, taints=replace(switches.taints, rules_need_selector=True))
    by_name = {raw["metadata"]["name"]: decode(raw) for raw in objects["deviceClasses"]}
    by_device: dict[PublishedDevice, list[DeviceTaint]] = {}
    newest = newest_of_pools([decode(raw) for raw in objects["resourceSlices"]])
    rules = [decode(raw) for raw in objects["deviceTaintRules"]]
    for slice_ in with_rules(newest, rules, by_name, switches):
        for device in slice_.spec.devices:
            taints = [taint for taint in device.taints if taint.effect in effects]
            if taints:
                by_device[slice_.spec.driver, slice_.spec.pool.name, device.name] = taints
    return by_device


def evicting_rules(rules: Iterable[Json], profile: Profile) -> Sequence[DeviceTaintRule]:
    """Return the NoExecute DeviceTaintRules that also apply to allocated devices that are not published."""
    enabled = profile.enabled("DRADeviceTaints") and profile.enabled("DRADeviceTaintRules")
    if not enabled or not ControllerSwitches.of(profile).rules_reach_unpublished:
        return ()
    return [rule for rule in map(decode, rules) if rule.spec.taint.effect == "NoExecute"]


def selects_by_name(rule: DeviceTaintRule, device: PublishedDevice) -> bool:
    """Whether a DeviceTaintRule selects a device by driver, pool and name.

    A rule with a DeviceClass or CEL selector needs more than that, so that it selects published devices only.
    """
    selector = rule.spec.device_selector
    if selector is None or selector.device_class_name is not None or selector.selectors:
        return False
    expected = (selector.driver, selector.pool, selector.device)
    return all(name is None or name == actual for name, actual in zip(expected, device, strict=True))


def taint_sources(
    device: PublishedDevice, taint: DeviceTaint, objects: Objects, profile: Profile
) -> Iterator[str]:
    """Yield what taints a device: `its ResourceSlice`, and `DeviceTaintRule NAME` for each rule."""
    pool = device[:2]
    slices = [
        raw
        for raw in objects["resourceSlices"]
        if (raw["spec"]["driver"], raw["spec"]["pool"]["name"]) == pool
    ]

    def count(*rules: Json) -> int:
        of_pool = {**objects, "resourceSlices": slices, "deviceTaintRules": rules}
        return list(tainted_devices(of_pool, profile, (taint.effect,)).get(device, ())).count(taint)

    published = count()
    if published:
        yield "its ResourceSlice"
    for raw in objects["deviceTaintRules"]:
        evicting = [rule for rule in evicting_rules([raw], profile) if selects_by_name(rule, device)]
        unpublished = any(rule.spec.taint == taint for rule in evicting)
        if unpublished or count(raw) > published:
            yield f"DeviceTaintRule {raw['metadata']['name']}"
