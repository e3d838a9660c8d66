"""What the KEP adds to dra-conform: a gate, three fields, a feature, two steps and a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.plugins import (
    AllocationExpectationBuilder,
    Case,
    Check,
    ExpectedResult,
    Given,
    MatchMode,
    OwnFeature,
    OwnField,
    Params,
    Plugin,
    Profile,
    Rule,
    StepError,
    claim_key,
    given,
    then,
)

FIELD = "powerClass"
GATE = "DRADevicePowerClass"
VALUES = ("low", "high")


def power_class(cell: str) -> str:
    """Return the power class of a cell; raises ValueError."""
    if cell not in VALUES:
        raise ValueError(f"the power class is {cell!r}, expected {' or '.join(VALUES)}")
    return cell


class DevicePowerClass(Params, frozen=True, kw_only=True):
    """The power class of a device of the setup."""

    device: str
    power_class: str


@given('device "{device}" has the power class {power_class}', power_class="low|high")
def device_power_class(setup: Given, params: DevicePowerClass) -> None:
    """Set the power class of a device of the setup."""
    for published in setup.published:
        if published.body["name"] == params.device:
            published.body[FIELD] = params.power_class
            return
    raise StepError(f"device {params.device!r} is not in the setup, expected it in an earlier step")


class ClaimOnDevice(Params, frozen=True, kw_only=True):
    """The only device that a ResourceClaim is allocated."""

    claim: str
    device: str


@then('ResourceClaim "{claim}" runs on device "{device}"')
def runs_on_device(then: AllocationExpectationBuilder, params: ClaimOnDevice) -> None:
    """Expect that a ResourceClaim is allocated exactly one device."""
    expected = ExpectedResult(device=params.device)
    check = Check(claim_key(params.claim), MatchMode.EXACT, ((expected,),), step=len(then.steps) - 1)
    then.expect_allocation(check)


def uses_power_class(objects: Mapping[str, Sequence[Any]]) -> bool:
    """Whether the power class of a device or a request is set."""
    return any(FIELD in device for device in devices(objects)) or any(
        FIELD in requested for requested in requests(objects).values()
    )


def devices(objects: Mapping[str, Sequence[Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the published devices."""
    for resource_slice in objects.get("resourceSlices", ()):
        yield from resource_slice["spec"].get("devices", ())


def requests(objects: Mapping[str, Sequence[Any]]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return requests and subrequests by `namespace/name` of their claim and by their name in results."""
    named = {}
    for claim in objects.get("resourceClaims", ()):
        key = f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"
        for request in claim["spec"].get("devices", {}).get("requests", ()):
            if "exactly" in request:
                named[key, request["name"]] = request["exactly"]
            for subrequest in request.get("firstAvailable", ()):
                named[key, f"{request['name']}/{subrequest['name']}"] = subrequest
    return named


def power_class_matches(case: Case, profile: Profile, allocations: Mapping[str, Any]) -> Iterator[str]:
    """Yield a message for each allocated device that has another power class than its request asks for."""
    if not profile.enabled(GATE):
        return
    values = {device["name"]: device.get(FIELD) for device in devices(case.objects)}
    asked = requests(case.objects)
    for key, allocation in allocations.items():
        for result in allocation["devices"]["results"]:
            wanted = asked.get((key, result["request"]), {}).get(FIELD)
            actual = values.get(result["device"])
            if wanted is not None and actual != wanted:
                yield (
                    f"ResourceClaim {key}, request {result['request']}: device {result['device']} has the "
                    f"power class {actual}, expected {wanted}"
                )


PLUGIN = Plugin(
    gates={GATE: "1.38 alpha"},
    fields=(
        OwnField("device", FIELD, power_class),
        OwnField("request", FIELD, power_class),
        OwnField("result", FIELD, power_class),
    ),
    features=(OwnFeature("power-class", uses_power_class, GATE),),
    given=(device_power_class,),
    steps={"allocate": (runs_on_device,)},
    rules=(Rule("power-class-matches", power_class_matches),),
)
