"""What the KEP adds to dra-conform: a gate, three fields, a feature, two steps and a filter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.plugins import (
    AllocationExpectationBuilder,
    Check,
    DeviceFilter,
    ExpectedResult,
    Given,
    MatchMode,
    OwnFeature,
    OwnField,
    Params,
    Plugin,
    Profile,
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


@then('ResourceClaim "{claim}" runs on device "{device}" of its power class')
def runs_on_device_of_power_class(then: AllocationExpectationBuilder, params: ClaimOnDevice) -> None:
    """Expect that a ResourceClaim is allocated exactly one device."""
    expected = ExpectedResult(device=params.device)
    check = Check(claim_key(params.claim), MatchMode.EXACT, ((expected,),), step=len(then.steps) - 1)
    then.expect_allocation(check)


def uses_power_class(objects: Mapping[str, Sequence[Any]]) -> bool:
    """Whether the power class of a device or a request is set."""
    return any(FIELD in part for part in (*devices(objects), *requests(objects)))


def devices(objects: Mapping[str, Sequence[Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the published devices."""
    for resource_slice in objects.get("resourceSlices", ()):
        yield from resource_slice["spec"].get("devices", ())


def requests(objects: Mapping[str, Sequence[Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield requests and subrequests."""
    for claim in objects.get("resourceClaims", ()):
        for request in claim["spec"].get("devices", {}).get("requests", ()):
            yield from (request["exactly"],) if "exactly" in request else request.get("firstAvailable", ())


def power_class_problem(request: Mapping[str, Any], device: Mapping[str, Any], profile: Profile) -> str:
    """Return why a request may not be allocated a device, or an empty string."""
    wanted, actual = request.get(FIELD), device.get(FIELD)
    if not profile.enabled(GATE) or wanted in (None, actual):
        return ""
    found = "no power class" if actual is None else f"the power class {actual}"
    return f"has {found}, expected {wanted}"


PLUGIN = Plugin(
    gates={GATE: "1.38 alpha"},
    fields=(
        OwnField("device", FIELD, power_class),
        OwnField("request", FIELD, power_class),
        OwnField("result", FIELD, power_class),
    ),
    features=(OwnFeature("power-class", uses_power_class, GATE),),
    given=(device_power_class,),
    steps={"allocate": (runs_on_device_of_power_class,)},
    filters=(DeviceFilter("power-class-matches", power_class_problem),),
)
