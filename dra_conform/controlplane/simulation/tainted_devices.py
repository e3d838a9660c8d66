"""The taints of all published devices, with those of DeviceTaintRules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dra_conform.allocator import Behaviour
from dra_conform.allocator.device_taints import with_rules
from dra_conform.controlplane.parts import Objects
from dra_conform.controlplane.simulation.controllers.controller_rules import ControllerRules
from dra_conform.kube.objects import decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceTaint, DeviceTaintRule, ResourceSlice

Json = Any

PublishedDevice = tuple[str, str, str]
"""Driver, pool and name."""


def tainted_devices(
    objects: Objects, profile: Profile, effects: Sequence[str]
) -> Mapping[PublishedDevice, list[DeviceTaint]]:
    """The taints of each device with one of these effects; a rule without a selector selects no device.

    Only slices of the newest generation of a pool count. Nothing without the gate DRADeviceTaints.
    """
    if not profile.enabled("DRADeviceTaints"):
        return {}
    behaviour = Behaviour.of(profile)
    behaviour = replace(behaviour, taints=replace(behaviour.taints, rules_need_selector=True))
    by_name = {one["metadata"]["name"]: decode(one) for one in objects["deviceClasses"]}
    found: dict[PublishedDevice, list[DeviceTaint]] = {}
    newest = _newest([decode(one) for one in objects["resourceSlices"]])
    rules = [decode(one) for one in objects["deviceTaintRules"]]
    for one in with_rules(newest, rules, by_name, behaviour):
        for device in one.spec.devices:
            taints = [taint for taint in device.taints if taint.effect in effects]
            if taints:
                found[one.spec.driver, one.spec.pool.name, device.name] = taints
    return found


def evicting_rules(rules: Iterable[Json], profile: Profile) -> Sequence[DeviceTaintRule]:
    """The rules that evict pods from devices in use whether somebody publishes them or not."""
    on = profile.enabled("DRADeviceTaints") and profile.enabled("DRADeviceTaintRules")
    if not on or not ControllerRules.of(profile).rules_reach_unpublished:
        return ()
    return [rule for rule in map(decode, rules) if rule.spec.taint.effect == "NoExecute"]


def names(rule: DeviceTaintRule, device: PublishedDevice) -> bool:
    """Whether a rule is for a device by what it says of driver, pool and name.

    One that selects by class or by expression is for published devices only: of others nothing else is known.
    """
    selector = rule.spec.device_selector
    if selector is None or selector.device_class_name is not None or selector.selectors:
        return False
    wanted = (selector.driver, selector.pool, selector.device)
    return all(want is None or want == have for want, have in zip(wanted, device, strict=True))


def _newest(slices: Sequence[ResourceSlice]) -> list[ResourceSlice]:
    generations: dict[tuple[str, str], int] = {}
    for one in slices:
        pool = one.spec.driver, one.spec.pool.name
        generations[pool] = max(generations.get(pool, 0), one.spec.pool.generation)
    return [
        one for one in slices if one.spec.pool.generation == generations[one.spec.driver, one.spec.pool.name]
    ]
