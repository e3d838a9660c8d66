"""The Then steps of drivers."""

from __future__ import annotations

import re

from dra_conform.conformance.checked_observations import CheckedStepBuilder
from dra_conform.conformance.driver import cdi_checks, plugin_checks, preparation_checks, publication_checks
from dra_conform.conformance.steps.step import (
    Phrase,
    Step,
    Table,
    listed,
    phrase,
    then,
)
from dra_conform.kube.json_values import Json


def _claim(words: str, **more: Json) -> Phrase:
    return phrase(words, lambda match, _, __: {"resourceClaim": match["claim"], **more})


def _prepared(match: re.Match[str], rows: Table, _: str) -> Json:
    if match["devices"]:
        devices: list[Json] = [{"device": int(number)} for number in listed(match["devices"])]
    else:
        devices = [
            {name: int(cell) if name != "request" else cell for name, cell in row.items() if cell}
            for row in rows
        ]
    unless = {"unlessCallFails": True} if match[0].endswith("unless the call fails") else {}
    return {"resourceClaim": match["claim"], "devices": devices, **unless}


@then(
    'ResourceClaim "{claim}" is prepared with [device[s] {devices}][the devices][, unless the call fails]',
    _prepared,
    devices="[0-9, ]+",
)
def prepared_with(then: CheckedStepBuilder, params: preparation_checks.Prepared) -> None:
    then.expect(params)


@then(_claim('preparing ResourceClaim "{claim}" fails'))
def prepare_fails(then: CheckedStepBuilder, params: preparation_checks.PrepareFails) -> None:
    then.expect(params)


@then(
    'at most one of the ResourceClaims "{claims}" is prepared',
    lambda match, _, __: {"resourceClaims": listed(match["claims"])},
)
def at_most_one_prepared(then: CheckedStepBuilder, params: preparation_checks.AtMostOnePrepared) -> None:
    then.expect(params)


@then(_claim('ResourceClaim "{claim}" is unprepared'))
def unprepared(then: CheckedStepBuilder, params: preparation_checks.Unprepared) -> None:
    then.expect(params)


@then(_claim('unpreparing ResourceClaim "{claim}" fails'))
def unprepare_fails(then: CheckedStepBuilder, params: preparation_checks.UnprepareFails) -> None:
    then.expect(params)


@then(_claim('each answer for ResourceClaim "{claim}" is the same as before'))
@then(
    _claim(
        'each answer for ResourceClaim "{claim}" is the same as before, but for share IDs',
        withoutShares=True,
    )
)
def same_answer(then: CheckedStepBuilder, params: preparation_checks.SameAnswer) -> None:
    then.expect(params)


@then(_claim('a container runtime finds the CDI devices of ResourceClaim "{claim}"'))
@then(
    _claim(
        'a container runtime finds the CDI devices of ResourceClaim "{claim}", unless the call fails',
        unlessCallFails=True,
    )
)
def cdi_resolves(then: CheckedStepBuilder, params: cdi_checks.CDIResolves) -> None:
    then.expect(params)


@then(_claim('no CDI device of ResourceClaim "{claim}" is left'))
def cdi_removed(then: CheckedStepBuilder, params: cdi_checks.CDIRemoved) -> None:
    then.expect(params)


@then("the CDI devices are unchanged")
def cdi_unchanged(then: CheckedStepBuilder, params: cdi_checks.CDIUnchanged) -> None:
    then.expect(params)


@then(_claim('the CDI names of ResourceClaim "{claim}" have the form vendor/class=name'))
def cdi_qualified(then: CheckedStepBuilder, params: cdi_checks.CDIQualified) -> None:
    then.expect(params)


@then("no CDI name has other contents than before")
def cdi_names_keep_contents(then: CheckedStepBuilder, params: cdi_checks.CDINamesKeepContents) -> None:
    then.expect(params)


@then("the files of the driver that CDI devices mount exist")
def mounted_files_exist(then: CheckedStepBuilder, params: cdi_checks.MountedFilesExist) -> None:
    then.expect(params)


@then("no file that a CDI device mounted earlier is left")
def no_mounted_files_left(then: CheckedStepBuilder, params: cdi_checks.NoMountedFilesLeft) -> None:
    then.expect(params)


@then("the CDI spec of another vendor exists")
def other_cdi_unchanged(then: CheckedStepBuilder, params: cdi_checks.OtherCDIUnchanged) -> None:
    then.expect(params)


@then("the driver publishes all its devices in complete pools", {"devices": "all"})
@then("the driver publishes complete pools with fewer devices than before", {"devices": "fewer"})
@then("the driver publishes complete pools without devices", {"devices": "none"})
def publishes(then: CheckedStepBuilder, params: publication_checks.Publishes) -> None:
    then.expect(params)


@then("the generation of each pool with several changed ResourceSlices is higher than before")
def generation_raised(then: CheckedStepBuilder, params: publication_checks.GenerationRaised) -> None:
    then.expect(params)


@then("the ResourceSlices of the driver have compatibilityGroups", {"present": True})
@then("the ResourceSlices of the driver have no compatibilityGroups", {"present": False})
def compatibility_groups_published(then: CheckedStepBuilder, params: publication_checks.HasGroups) -> None:
    then.expect(params)


@then(
    "device {device} has the same compatibilityGroups as at the start",
    lambda match, _, __: {"device": int(match["device"])},
    device="[0-9]+",
)
@then(
    "device {device} has other compatibilityGroups than at the start",
    lambda match, _, __: {"device": int(match["device"]), "changed": True},
    device="[0-9]+",
)
def compatibility_groups_kept(then: CheckedStepBuilder, params: publication_checks.KeepsGroups) -> None:
    then.expect(params)


@then("the node owns each ResourceSlice of the driver that names it")
def owned_by_node(then: CheckedStepBuilder, params: publication_checks.OwnedByNode) -> None:
    then.expect(params)


@then("the driver writes no ResourceSlice")
def no_slice_writes(then: CheckedStepBuilder, params: publication_checks.NoSliceWrites) -> None:
    then.expect(params)


@then("the ResourceSlices of other drivers and other nodes are unchanged")
def other_slices_unchanged(then: CheckedStepBuilder, params: publication_checks.OtherSlicesUnchanged) -> None:
    then.expect(params)


@then("GetInfo returns the type DRAPlugin, the name of the driver, its endpoint and services")
def registers(then: CheckedStepBuilder, params: plugin_checks.Registers) -> None:
    then.expect(params)


@then(
    "GetInfo returns within {seconds} second[s]",
    lambda match, _, __: {"seconds": int(match["seconds"])},
    seconds="[0-9]+",
)
def info_within(then: CheckedStepBuilder, params: plugin_checks.InfoWithin) -> None:
    then.expect(params)


@then("GetInfo returns the newest service of the driver first")
def newest_service_first(then: CheckedStepBuilder, params: plugin_checks.NewestServiceFirst) -> None:
    then.expect(params)


@then("each call succeeds")
def calls_succeed(then: CheckedStepBuilder, params: plugin_checks.CallsSucceed) -> None:
    then.expect(params)


@then("the driver is running")
def runs(then: CheckedStepBuilder, params: plugin_checks.Runs) -> None:
    then.expect(params)


@then("the registration socket of another plugin exists")
def other_socket_exists(then: CheckedStepBuilder, params: plugin_checks.OtherSocketExists) -> None:
    then.expect(params)


@then("no socket of the driver is left", {"registration": 0})
@then(
    "{count} registration socket[s] exist[s]",
    lambda match, _, __: {"registration": int(match["count"])},
    count="[0-9]+",
)
def sockets(then: CheckedStepBuilder, params: plugin_checks.Sockets) -> None:
    then.expect(params)


@then("the health reports cover all devices")
def health_of_all_devices(then: CheckedStepBuilder, params: plugin_checks.HealthOfAllDevices) -> None:
    then.expect(params)


@then("the first health report covers all devices")
def first_health_report(then: CheckedStepBuilder, params: plugin_checks.FirstHealthReport) -> None:
    then.expect(params)


@then("the stream of health reports stays open, or ends with UNIMPLEMENTED at once")
def health_stream_open(then: CheckedStepBuilder, params: plugin_checks.HealthStreamOpen) -> None:
    then.expect(params)


@then("the health of each device is reported again before its timeout")
def health_stays_fresh(then: CheckedStepBuilder, params: plugin_checks.HealthStaysFresh) -> None:
    then.expect(params)


@then("no health report has a time in the future")
def health_times(then: CheckedStepBuilder, params: plugin_checks.HealthTimes) -> None:
    then.expect(params)


@then(
    'status.devices of ResourceClaim "{claim}" has the entry of driver "{driver}"',
    lambda match, _, __: {"resourceClaim": match["claim"], "driver": match["driver"]},
)
@then(
    'status.devices of ResourceClaim "{claim}" has no entry of driver "{driver}"',
    lambda match, _, __: {"resourceClaim": match["claim"], "driver": match["driver"], "absent": True},
)
def keeps_device_status(then: CheckedStepBuilder, params: plugin_checks.HasDeviceStatus) -> None:
    then.expect(params)


THEN_STEPS: tuple[Step, ...] = (
    prepared_with,
    prepare_fails,
    at_most_one_prepared,
    unprepared,
    unprepare_fails,
    same_answer,
    cdi_resolves,
    cdi_removed,
    cdi_unchanged,
    cdi_qualified,
    cdi_names_keep_contents,
    mounted_files_exist,
    no_mounted_files_left,
    other_cdi_unchanged,
    publishes,
    generation_raised,
    compatibility_groups_published,
    compatibility_groups_kept,
    owned_by_node,
    no_slice_writes,
    other_slices_unchanged,
    registers,
    info_within,
    newest_service_first,
    calls_succeed,
    runs,
    other_socket_exists,
    sockets,
    health_of_all_devices,
    first_health_report,
    health_stream_open,
    health_stays_fresh,
    health_times,
    keeps_device_status,
)
"""The Then steps."""
