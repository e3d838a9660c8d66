"""Allocators that follow a plausible misinterpretation of a sentence of the specification."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    World,
    constraints_of,
    device_of,
    requests_of,
    results_of,
)


def _rules(kept: Callable[[Json], object]) -> ChangesRequest:
    def change_request(world: World) -> None:
        world.rules[:] = [rule for rule in world.rules if kept(rule)]

    return change_request


def _unlimited_is_free(world: World) -> None:
    """Treat a capacity without request policy as unlimited ("None if the device usage is unlimited")."""
    for device in world.devices:
        if device.get("allowMultipleAllocations"):
            for capacity in (device.get("capacity") or {}).values():
                capacity.setdefault("requestPolicy", {"default": "0"})


def _only_in_use(world: World) -> None:
    """Allow adminAccess only to devices in use ("Admin access grants access to in-use devices")."""
    if not world.exact_requests or not all(request.get("adminAccess") for request in world.exact_requests):
        return
    in_use = {device_of(result) for result in world.existing_results}
    for spec in world.specs:
        if spec.get("devices"):
            spec["devices"] = [
                device
                for device in spec["devices"]
                if (spec["driver"], spec["pool"]["name"], device["name"]) in in_use
            ]


def _empty_is_every_group(world: World) -> None:
    """Treat an empty list of groups as no restriction."""
    groups: dict[str, set[str]] = {}
    for entry in world.entries:
        groups.setdefault(entry["counterSet"], set()).update(entry.get("compatibilityGroups") or ())
    for entry in world.entries:
        if entry.get("compatibilityGroups") == []:
            entry["compatibilityGroups"] = sorted(groups[entry["counterSet"]])


def _what_there_is(world: World) -> None:
    """Allocate one device for the last subrequest if several are not available."""
    for request in world.lists:
        last = request["firstAvailable"][-1]
        if last.get("count", 1) > 1:
            last["count"] = 1


def _constraint_names(change: Callable[[str, dict[str, list[str]]], list[str]]) -> ChangesRequest:
    def change_request(world: World) -> None:
        for claim in world.claims:
            alternatives = {
                request["name"]: [sub["name"] for sub in request.get("firstAvailable") or ()]
                for request in requests_of(claim)
            }
            for constraint in constraints_of(claim):
                if constraint.get("requests"):
                    named = [new for name in constraint["requests"] for new in change(name, alternatives)]
                    constraint["requests"] = list(dict.fromkeys(named))

    return change_request


def _first_of(name: str, alternatives: dict[str, list[str]]) -> list[str]:
    subrequests = alternatives.get(name)
    return [f"{name}/{subrequests[0]}"] if subrequests else [name]


def _all_but_last_of(name: str, alternatives: dict[str, list[str]]) -> list[str]:
    subrequests = alternatives.get(name)
    return [f"{name}/{subrequest}" for subrequest in subrequests[:-1]] or [name] if subrequests else [name]


def _one_share_without_capacity(world: World) -> None:
    for device in world.devices:
        if not device.get("capacity"):
            device.pop("allowMultipleAllocations", None)


def _default_share(world: World) -> None:
    """Add default quantities to existing allocations without consumed capacity."""
    devices = {key: device for key, device in world.published if device.get("allowMultipleAllocations")}
    for place, result in enumerate(world.existing_results):
        device = devices.get(device_of(result))
        if device is None or "shareID" in result or result.get("adminAccess"):
            continue
        result["shareID"] = f"6ba7b810-9dad-41d1-80b4-00c04fd5{place:04d}"
        result["consumedCapacity"] = {
            name: (capacity.get("requestPolicy") or {}).get("default") or capacity["value"]
            for name, capacity in (device.get("capacity") or {}).items()
        }


def _not_ready(world: World) -> None:
    for claim in (*world.claims, *world.holders):
        for status in (claim.get("status") or {}).get("devices") or ():
            if any(c.get("status") == "False" for c in status.get("conditions") or ()):
                for spec in world.specs:
                    if spec["driver"] == status["driver"] and spec["pool"]["name"] == status["pool"]:
                        devices = spec.get("devices") or []
                        devices[:] = [device for device in devices if device["name"] != status["device"]]


def _no_seconds(world: World) -> None:
    for request in world.exact_requests:
        if request.get("tolerations"):
            request["tolerations"] = [
                each for each in request["tolerations"] if each.get("tolerationSeconds") != 0
            ]


def _rules_by_class_name(world: World) -> None:
    names = {device_class["metadata"]["name"]: device_class for device_class in world.classes}
    world.rules[:] = [
        rule
        for rule in world.rules
        if not (named := (rule["spec"].get("deviceSelector") or {}).get("deviceClassName"))
        or names.get(named, {}).get("spec", {}).get("selectors")
    ]


def _dedicated_when_used(world: World) -> None:
    """Treat shared allocations as exclusive ones if one of the device's allocations consumes no capacity."""
    exclusive = {device_of(result) for result in world.existing_results if not result.get("consumedCapacity")}
    for result in world.existing_results:
        if "shareID" in result and device_of(result) in exclusive:
            del result["shareID"]


def _groups_by_set(world: World) -> None:
    """Use the groups of a device's first entry for all its counter sets."""
    for device in world.devices:
        for entry in (device.get("consumesCounters") or [])[1:]:
            entry.pop("compatibilityGroups", None)


def _any_record(world: World) -> None:
    """Use the recorded groups of an allocation for each of its counter sets."""
    for result in world.existing_results:
        recorded = result.get("compatibilityGroups") or {}
        every = sorted({group for groups in recorded.values() for group in groups})
        for name in recorded:
            recorded[name] = every


def _nothing_more_than_asked(world: World) -> None:
    """Remove request policies that have only a default."""
    for capacity in world.capacities:
        policy = capacity.get("requestPolicy")
        if (
            policy
            and policy.get("default")
            and not policy.get("validRange")
            and not policy.get("validValues")
        ):
            del capacity["requestPolicy"]


def _last_share(world: World) -> None:
    """Count only the last result with a share ID."""
    seen: set[str] = set()
    for claim in reversed(world.holders):
        results = results_of(claim.get("status") or {})
        kept = []
        for result in reversed(results):
            share = result.get("shareID")
            if share is None or share not in seen:
                kept.append(result)
            if share is not None:
                seen.add(share)
        results[:] = reversed(kept)


def _prefers_dedicated(world: World) -> None:
    """Allocate exclusive devices to requests without capacity."""
    if not any(request.get("capacity") for request in world.exact_requests):
        for spec in world.specs:
            devices = spec.get("devices") or []
            plain = [device for device in devices if not device.get("allowMultipleAllocations")]
            if plain:
                devices[:] = plain


OF_SENTENCES = (
    FaultyAllocator("a capacity without policy is unlimited", changes_request=_unlimited_is_free),
    FaultyAllocator("adminAccess is to devices in use", changes_request=_only_in_use),
    FaultyAllocator("an empty list of groups is every group", changes_request=_empty_is_every_group),
    FaultyAllocator("one device satisfies the last subrequest", changes_request=_what_there_is),
    FaultyAllocator("a constraint for a subrequest is for its list", changes_request=_constraint_names(lambda name, _: [name.partition("/")[0]])),
    FaultyAllocator("a constraint for a list is for its first subrequest", changes_request=_constraint_names(_first_of)),
    FaultyAllocator("a constraint for a list is not for its last subrequest", changes_request=_constraint_names(_all_but_last_of)),
    FaultyAllocator("a device without capacity has one shared allocation", changes_request=_one_share_without_capacity),
    FaultyAllocator("an exclusive allocation consumes the default", changes_request=_default_share),
    FaultyAllocator("a device whose driver reports it as not ready does not exist", changes_request=_not_ready),
    FaultyAllocator("a toleration for no time is ignored", changes_request=_no_seconds),
    FaultyAllocator("a rule of a class without selectors taints nothing", changes_request=_rules_by_class_name),
    FaultyAllocator("a shared allocation without consumed capacity consumes the whole device", changes_request=_dedicated_when_used),
    FaultyAllocator("groups are those of the first set of a device", changes_request=_groups_by_set),
    FaultyAllocator("groups recorded of one set are recorded of each", changes_request=_any_record),
    FaultyAllocator("a policy of nothing but a default is ignored", changes_request=_nothing_more_than_asked),
    FaultyAllocator("of results with one share ID the last holds", changes_request=_last_share),
    FaultyAllocator("a request without capacity is allocated exclusive devices", changes_request=_prefers_dedicated),
    FaultyAllocator("a rule with a driver and a pool has no device", changes_request=_rules(lambda rule: not {"driver", "pool", "device"} <= set(rule["spec"].get("deviceSelector") or {}))),
)  # fmt: skip
