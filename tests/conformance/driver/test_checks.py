"""The checks of drivers: each accepts observations that meet it, and says what is wrong with others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dra_conform.conformance.checked_observations import ObservationCheck
from dra_conform.conformance.driver import cdi_checks, plugin_checks, preparation_checks, publication_checks
from dra_conform.conformance.driver.answer import (
    ClaimResult,
    DeviceStatus,
    DriverAnswer,
    DriverHistory,
    DriverObservation,
    HealthWatch,
    KubeletCall,
    PreparedDevice,
    PublishedPool,
    RegistrationInfo,
)
from dra_conform.conformance.driver.operation import Driver
from dra_conform.conformance.driver.preparation_checks import ExpectedDevice
from dra_conform.conformance.requirement import MUST, SHOULD
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind
from dra_conform.kube.profile import Profile
from tests.support.conformance.suite.writing import feature

V1 = "v1.DRAPlugin"
V1BETA1 = "v1beta1.DRAPlugin"
START = DriverObservation(pools=(PublishedPool(generation=1, slices=1, devices=(1, 2)),))


def device(number: int | str = 1, *cdi: str, request: str = "r0", share: int | str = 0) -> PreparedDevice:
    return PreparedDevice(number, requests=(request,) if request else (), cdi=cdi, share=share)


def prepare(*devices: PreparedDevice, error: str = "", claim: str = "c") -> KubeletCall:
    return KubeletCall("prepare", V1, (claim,), claims={claim: ClaimResult(error, devices)})


def unprepare(error: str = "", claim: str = "c") -> KubeletCall:
    return KubeletCall("unprepare", V1, (claim,), claims={claim: ClaimResult(error)})


def failed(call: str = "prepare") -> KubeletCall:
    return KubeletCall(call, V1, ("c",), "UNAVAILABLE: gone")  # type: ignore[arg-type]


def problem(
    check: ObservationCheck, *observations: DriverObservation, start: DriverObservation = START
) -> str:
    """Return what a check says about the last of some observations."""
    return check.problem(DriverHistory(DriverAnswer(start, observations), len(observations) - 1))


def of(*calls: KubeletCall, **more: object) -> DriverObservation:
    return DriverObservation(calls, **more)  # type: ignore[arg-type]


def info(
    *services: str, kind: str = "DRAPlugin", name: str = "own", endpoint: str = "own"
) -> DriverObservation:
    return DriverObservation(registration=RegistrationInfo(kind, name, endpoint, services, 0.25))


def prepared(*devices: ExpectedDevice) -> preparation_checks.Prepared:
    return preparation_checks.Prepared(resource_claim="c", devices=devices)


ONE = prepared(ExpectedDevice(device=1))


@pytest.mark.parametrize(
    ("check", "devices"),
    [
        (ONE, [device()]),
        (ONE, [device(request="")]),
        (
            prepared(ExpectedDevice(device=1), ExpectedDevice(device=2)),
            [device(2), device(1)],
        ),
        (
            prepared(ExpectedDevice(device=2, request="left"), ExpectedDevice(device=1, request="right")),
            [device(1, request="right"), device(2, request="left")],
        ),
        (prepared(ExpectedDevice(device=1, share=2)), [device(share=2)]),
        (
            prepared(ExpectedDevice(device=1, share=1), ExpectedDevice(device=1, request="r1", share=2)),
            [device(request="r1", share=2), device(share=1)],
        ),
        (
            prepared(ExpectedDevice(device=1, share=1), ExpectedDevice(device=1, share=2)),
            [device(request="", share=2), device(share=1)],
        ),
    ],
)
def test_a_claim_is_prepared_with_its_devices(check: ObservationCheck, devices: list[PreparedDevice]) -> None:
    assert problem(check, of(prepare(*devices))) == ""


TWO = prepared(ExpectedDevice(device=1), ExpectedDevice(device=2))


@pytest.mark.parametrize(
    ("devices", "of_claim", "said"),
    [
        ((device(1, "v/c=uid-1"), device(2, "v/c=uid-2")), ("v/c=uid-1", "v/c=uid-2"), ""),
        (
            (device(1, "v/c=uid-1"), device(2)),
            ("v/c=uid-1", "v/c=uid-2"),
            "device 2 has no CDI name, and no device has that of the CDI device v/c=uid-2",
        ),
        ((device(1), device(2)), ("v/c=uid",), "device 1 has no CDI name"),
        ((device(1, "v/c=uid-1", "v/c=uid-2"), device(2)), ("v/c=uid-1", "v/c=uid-2"), ""),
        ((device(1, "v/c=uid"), device(2, "v/c=uid")), ("v/c=uid", "v/c=uid-settings"), ""),
        ((device(1, "v/c=gpu-1"), device(2)), (), ""),
        ((device(1), device(2)), (), ""),
    ],
)
def test_a_device_has_a_cdi_name_if_a_cdi_device_of_the_claim_has_none(
    devices: tuple[PreparedDevice, ...], of_claim: tuple[str, ...], said: str
) -> None:
    common = {"v/c=gpu-1": "", "v/c=gpu-2": ""}
    observed = of(prepare(*devices), cdi=common | dict.fromkeys(of_claim, ""), cdi_of_claims={"c": of_claim})
    found = problem(TWO, observed)
    assert said in found
    assert bool(said) == bool(found)


@pytest.mark.parametrize(
    ("check", "call", "said"),
    [
        (ONE, prepare(), "prepares no devices, expected 1 device"),
        (ONE, prepare(device(2)), "prepares device 2, expected its own device 1"),
        (ONE, prepare(device(), device(2)), "prepares device 1, device 2, expected 1 device"),
        (
            ONE,
            prepare(PreparedDevice(1, "other", ("r0",))),
            "prepares device 1 of pool other, expected its own device 1",
        ),
        (ONE, prepare(device(request="r0/s0")), "prepares device 1 for r0/s0, expected for r0"),
        (ONE, prepare(device(share=1)), "the answer has share ID 1, expected none"),
        (prepared(ExpectedDevice(device=1, share=1)), prepare(device()), "the answer has share ID none"),
        (
            prepared(ExpectedDevice(device=1, share=1), ExpectedDevice(device=1, request="r1", share=2)),
            prepare(device(share=2), device(request="r1", share=1)),
            "the answer has share ID 2, expected 1",
        ),
        (ONE, prepare(error="busy"), "the answer has an error for c: busy"),
        (ONE, failed(), "the call fails: UNAVAILABLE: gone"),
        (ONE, KubeletCall("prepare", V1, ("c",), missing=("c",)), "the answer has no entry for c"),
        (
            ONE,
            KubeletCall(
                "prepare", V1, ("c",), claims={"c": ClaimResult("", (device(),))}, unasked=("uid-7",)
            ),
            "the answer has an entry for the UID uid-7, which the call did not name",
        ),
        (ONE, unprepare(), "the step has no answer of prepare for c"),
        (
            prepared(ExpectedDevice(device=1, request="left"), ExpectedDevice(device=2, request="right")),
            prepare(device(1, request=""), device(2, request="")),
            "prepares device 1 for all requests, expected for left",
        ),
    ],
)
def test_another_answer_is_not_that_of_a_prepared_claim(
    check: ObservationCheck, call: KubeletCall, said: str
) -> None:
    assert said in problem(check, of(call))


def test_a_call_that_fails_as_a_whole_may_not_count() -> None:
    check = preparation_checks.Prepared(
        resource_claim="c", devices=(ExpectedDevice(device=1),), unless_call_fails=True
    )
    assert problem(check, of(prepare(device()))) == problem(check, of(failed())) == ""
    assert "prepares device 2" in problem(check, of(failed(), prepare(device(2))))
    assert "has an error for c" in problem(check, of(prepare(error="busy")))
    assert problem(check, of()) == "the step has no answer of prepare for c"


def test_each_call_of_a_step_counts() -> None:
    assert problem(ONE, of(prepare(device()), prepare(error="late"))) == "the answer has an error for c: late"


@pytest.mark.parametrize("call", [prepare(error="unknown device"), failed()])
def test_preparing_fails_by_an_error_of_the_claim_or_of_the_call(call: KubeletCall) -> None:
    assert problem(preparation_checks.PrepareFails(resource_claim="c"), of(call)) == ""


def test_preparing_does_not_fail_with_devices_or_without_an_entry() -> None:
    fails = preparation_checks.PrepareFails(resource_claim="c")
    assert "the answer has device 1 for c, expected an error" in problem(fails, of(prepare(device())))
    assert "the answer has no entry for c" in problem(
        fails, of(KubeletCall("prepare", V1, ("c",), missing=("c",)))
    )
    assert problem(fails, of()) == "the step has no answer of prepare for c"


def test_at_most_one_of_two_claims_is_prepared() -> None:
    check = preparation_checks.AtMostOnePrepared(resource_claims=("c", "d"))

    def answer(**errors: str) -> KubeletCall:
        claims = {claim: ClaimResult(error, (device(),)) for claim, error in errors.items()}
        return KubeletCall("prepare", V1, ("c", "d"), claims=claims)

    for right in (answer(c="", d="in use"), answer(c="in use", d="in use"), answer(c=""), failed()):
        assert problem(check, of(right)) == ""
    for both in (of(answer(c="", d="")), of(answer(c=""), answer(d=""))):
        assert problem(check, both) == "the driver prepares c and d, expected at most one of them"
    assert problem(check, of(unprepare())) == "the step has no answer of prepare for c and d"


def test_a_claim_is_unprepared_without_an_error() -> None:
    check = preparation_checks.Unprepared(resource_claim="c")
    assert problem(check, of(unprepare(), unprepare())) == ""
    assert problem(check, of(unprepare(), unprepare("busy"))) == "the answer has an error for c: busy"
    assert "the call fails" in problem(check, of(failed("unprepare")))
    assert problem(check, of()) == "the step has no answer of unprepare for c"


def test_unpreparing_fails_by_an_error_of_the_claim_or_of_the_call() -> None:
    check = preparation_checks.UnprepareFails(resource_claim="c")
    assert problem(check, of(unprepare("busy"), failed("unprepare"))) == ""
    assert problem(check, of(unprepare("busy"), unprepare())) == "the answer has no error for c, expected one"
    assert problem(check, of()) == "the step has no answer of unprepare for c"


@pytest.mark.parametrize(
    ("later", "same"),
    [
        (device(1, "v/c=a", "v/c=b"), True),
        (device(1, "v/c=b", "v/c=a"), True),
        (device(1, "v/c=a"), False),
        (device(2, "v/c=a", "v/c=b"), False),
        (device(1, "v/c=a", "v/c=b", request=""), False),
        (device(1, "v/c=a", "v/c=b", share=1), False),
    ],
)
def test_the_same_answer_has_equal_devices_in_any_order(later: PreparedDevice, same: bool) -> None:
    before = of(prepare(device(1, "v/c=a", "v/c=b")))
    said = problem(preparation_checks.SameAnswer(resource_claim="c"), before, of(prepare(later)))
    assert (said == "") is same


def test_the_same_answer_can_leave_out_shares_and_follows_failures() -> None:
    check = preparation_checks.SameAnswer(resource_claim="c", without_shares=True)
    assert problem(check, of(prepare(device(share=1))), of(failed()), of(prepare(device()))) == ""
    assert "the call fails" in problem(check, of(prepare(device())), of(failed()))
    assert "the step has no answer" in problem(check, of(prepare(device())))


RESOLVES = cdi_checks.CDIResolves(resource_claim="c")


def test_a_runtime_finds_all_cdi_devices_of_the_newest_answer() -> None:
    asked = prepare(device(1, "v/c=a"))
    assert problem(RESOLVES, of(asked, cdi={"v/c=a": "1"})) == ""
    assert problem(RESOLVES, of(prepare(device()))) == ""
    assert problem(RESOLVES, of(asked, cdi={"v/c=b": "1"})) == "the CDI folder has no device v/c=a"
    broken = problem(RESOLVES, of(asked, unreadable_cdi=("x.json: is empty",)))
    assert broken == "the CDI folder has no device v/c=a; container runtimes reject x.json: is empty"
    assert problem(RESOLVES, of(prepare(error="no"))) == "the step has no answer of prepare for c"
    unless = cdi_checks.CDIResolves(resource_claim="c", unless_call_fails=True)
    assert problem(unless, of(failed())) == ""
    assert problem(unless, of(asked)) == "the CDI folder has no device v/c=a"


def test_cdi_devices_of_the_start_and_of_other_claims_can_stay() -> None:
    check = cdi_checks.CDIRemoved(resource_claim="c")
    first = of(
        prepare(device(1, "v/c=c-uid", "v/c=all", "v/c=early")), prepare(device(2, "v/c=all"), claim="d")
    )
    start = DriverObservation(cdi={"v/c=early": "1"})
    kept = {"v/c=early": "1", "v/c=all": "2"}
    assert problem(check, first, of(unprepare(), cdi=kept), start=start) == ""
    left = problem(check, first, of(unprepare(), cdi={**kept, "v/c=c-uid": "3"}), start=start)
    assert left == "the CDI folder still has v/c=c-uid"
    of_uid = of(unprepare(), cdi={"v/c=uid": "1"}, cdi_of_claims={"c": ("v/c=uid",)})
    assert problem(check, of_uid) == "the CDI folder still has v/c=uid"


def test_cdi_devices_are_unchanged_with_equal_contents() -> None:
    before = of(cdi={"v/c=a": "1"})
    assert problem(cdi_checks.CDIUnchanged(), before, before) == ""
    for cdi in ({}, {"v/c=a": "2"}, {"v/c=a": "1", "v/c=b": "1"}):
        assert "has changed" in problem(cdi_checks.CDIUnchanged(), before, of(cdi=cdi))


def test_a_cdi_name_keeps_its_contents_also_if_it_was_gone() -> None:
    check = cdi_checks.CDINamesKeepContents()
    first = of(cdi={"v/c=a": "1"})
    assert problem(check, first, of(), of(cdi={"v/c=a": "1", "v/c=b": "2"})) == ""
    again = problem(check, first, of(), of(cdi={"v/c=a": "2"}))
    assert again == "the CDI device v/c=a has other contents than before"


@pytest.mark.parametrize(
    ("name", "right"),
    [("vendor.com/gpu=a-1", True), ("vendor.com/gpu", False), ("gpu=a", False), ("/gpu=a", False)],
)
def test_cdi_names_are_qualified(name: str, right: bool) -> None:
    said = problem(cdi_checks.CDIQualified(resource_claim="c"), of(prepare(device(1, name))))
    assert (said == "") is right


def test_mounted_files_must_exist_and_be_some() -> None:
    check = cdi_checks.MountedFilesExist()
    assert problem(check, of(mounted_files={"a.json": True})) == ""
    assert problem(check, of(mounted_files={"a": True, "b": False})) == (
        "a CDI device mounts b, which does not exist"
    )
    assert problem(check, of()) == "no CDI device mounts a file in the folder of the driver"


def test_files_that_were_mounted_are_removed() -> None:
    check = cdi_checks.NoMountedFilesLeft()
    assert problem(check, of()) == ""
    left = problem(check, of(left_files=("a.json",)))
    assert left == "the driver still has a.json, which no CDI device mounts any more"


def test_the_cdi_spec_of_another_vendor_stays() -> None:
    check = cdi_checks.OtherCDIUnchanged()
    assert problem(check, of()) == ""
    assert problem(check, of(other_cdi_file=False)) == "the CDI spec of another vendor is gone"


def test_the_first_health_report_has_all_devices() -> None:
    check = plugin_checks.FirstHealthReport()
    for right in (HealthWatch(V1, reports=((1, 2), (1,))), HealthWatch(V1, "UNIMPLEMENTED")):
        assert problem(check, of(health=right)) == ""
    part = HealthWatch(V1, reports=((1,), (1, 2)))
    assert problem(check, of(health=part)) == "the first report does not have device 2"
    assert problem(check, of(health=HealthWatch(V1, "INTERNAL"))) == "no report came: INTERNAL"
    assert problem(check, of()) == "the kubelet does not watch health in this step"


def pool(*devices: int, generation: int = 1, **more: object) -> PublishedPool:
    return PublishedPool(generation=generation, slices=1, devices=devices, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("devices", "pools", "said"),
    [
        ("all", (pool(1, 2),), ""),
        ("all", (pool(1), PublishedPool("other", devices=(2,))), ""),
        ("all", (pool(1),), "publishes the devices [1], expected [1, 2]"),
        ("all", (), "the driver publishes no ResourceSlice"),
        ("all", (pool(1, 2, complete=False),), "pool own is incomplete"),
        ("all", (pool(1, 2, foreign=("x",)),), "has the device x, which the driver did not have"),
        ("all", (pool(1, 2, edited=(2,)),), "device 2 still has what another client added to it"),
        ("fewer", (pool(1),), ""),
        ("fewer", (pool(),), "publishes the devices [], expected fewer than [1, 2]"),
        ("fewer", (pool(1, 2),), "publishes the devices [1, 2], expected fewer than [1, 2]"),
        ("none", (pool(),), ""),
        ("none", (pool(1),), "publishes the devices [1], expected none"),
        ("none", (), "the driver publishes no ResourceSlice"),
    ],
)
def test_published_devices(devices: str, pools: tuple[PublishedPool, ...], said: str) -> None:
    check = publication_checks.Publishes(devices=devices)  # type: ignore[arg-type]
    found = problem(check, DriverObservation(pools=pools))
    assert said in found
    assert bool(said) == bool(found)


def test_several_changes_of_a_pool_raise_its_generation() -> None:
    check = publication_checks.GenerationRaised()
    for right in (pool(1, changed=1), pool(1, changed=2, generation=2), PublishedPool("new", changed=3)):
        assert problem(check, DriverObservation(pools=(right,))) == ""
    wrong = problem(check, DriverObservation(pools=(pool(1, changed=2),)))
    assert wrong == "2 ResourceSlices of pool own changed, and its generation is 1, expected more than 1"
    assert problem(check, of()) == "the driver publishes no ResourceSlice"


def test_the_owner_of_slices_of_the_node() -> None:
    check = publication_checks.OwnedByNode()
    assert problem(check, DriverObservation(pools=(pool(1, owned_by_node=True),))) == ""
    assert problem(check, DriverObservation(pools=(pool(1, on_node=False),))) == ""
    assert "does not have the node as its only owner" in problem(check, DriverObservation(pools=(pool(1),)))
    assert problem(check, of()) == "the driver publishes no ResourceSlice"


def test_writes_of_slices() -> None:
    assert problem(publication_checks.NoSliceWrites(), of()) == ""
    assert "ResourceSlices have 2 new versions" in problem(
        publication_checks.NoSliceWrites(), of(slice_writes=2)
    )


def test_slices_of_others_stay_as_they_are() -> None:
    check = publication_checks.OtherSlicesUnchanged()
    assert problem(check, of()) == ""
    wrong = problem(check, of(damaged_slices={"another node": "deleted"}))
    assert wrong == "a ResourceSlice of another node was deleted"


def judged_case(observation: DriverObservation, level: str = MUST) -> Judgement:
    """Judge a case in whose second step something was observed."""
    (case,) = feature(
        "Feature: T\n  @case:one\n  Scenario: One\n    Given a driver with 1 device\n"
        "    When the driver is started\n    Then the driver is running\n    When the kubelet is restarted\n"
        "    Then the driver is running\n"
    )
    expectations: Any = case.expected("kep")
    answer = DriverAnswer(START, (of(), observation))
    profile = Profile.named("kep")
    return Driver().judge(replace(case, level=level), profile, expectations, answer, strict=False)


def test_damage_to_slices_of_others_fails_each_case_once() -> None:
    judgement = judged_case(of(damaged_slices={"another driver": "changed"}))
    assert judgement.kind is Kind.INVALID_STATE
    assert judgement.findings == (
        Finding(
            "slices-of-others-unchanged",
            "a ResourceSlice of another driver was changed",
            case_step=1,
            requirement="DRIVER/slices/others-unchanged",
        ),
    )


def test_a_recommendation_about_others_fails_no_case_of_a_demand() -> None:
    damaged = of(other_cdi_file=False)
    assert judged_case(damaged) == PASSED
    (finding,) = judged_case(damaged, SHOULD).findings
    assert finding.requirement == "DRIVER/prepare/cdi-of-others"


def test_damage_to_others_does_not_explain_another_failure() -> None:
    judgement = judged_case(of(process="exit code 1", damaged_slices={"another node": "deleted"}))
    assert judgement.kind is Kind.WRONG_RESULT
    assert [finding.rule for finding in judgement.findings] == ["expectation"]


def test_groups_are_present_or_absent_and_kept() -> None:
    red, blue = {"1": ("set: red",)}, {"1": ("set: blue",)}
    grouped, ungrouped = DriverObservation(pools=(pool(1, groups=red),)), DriverObservation(pools=(pool(1),))
    present, absent = publication_checks.HasGroups(present=True), publication_checks.HasGroups(present=False)
    assert problem(present, grouped) == problem(absent, ungrouped) == ""
    assert problem(present, ungrouped) == "no device has compatibilityGroups, expected some"
    assert problem(absent, grouped) == "device 1 has compatibilityGroups, expected none"
    assert problem(absent, of()) == "the driver publishes no ResourceSlice"
    kept, changed = (
        publication_checks.KeepsGroups(device=1),
        publication_checks.KeepsGroups(device=1, changed=True),
    )
    other = DriverObservation(pools=(pool(1, groups=blue),))
    assert problem(kept, grouped, start=grouped) == problem(changed, other, start=grouped) == ""
    assert (
        problem(kept, other, start=grouped)
        == "the compatibilityGroups of device 1 are set: blue, expected set: red"
    )
    assert (
        problem(kept, ungrouped, start=grouped)
        == "the compatibilityGroups of device 1 are unset, expected set: red"
    )
    assert (
        problem(changed, grouped, start=grouped)
        == "the compatibilityGroups of device 1 are still set: red, expected others"
    )


@pytest.mark.parametrize(
    ("observed", "said"),
    [
        (info(V1, V1BETA1), ""),
        (info("v1.DRAResourceHealth", V1BETA1), ""),
        (info(V1, kind="DevicePlugin"), "the type is 'DevicePlugin'"),
        (info(V1, name="other"), "the name is 'other'"),
        (info(V1, endpoint="/tmp/x.sock"), "the endpoint is '/tmp/x.sock'"),
        (info("v2.DRAPlugin"), "the services are v2.DRAPlugin"),
        (of(), "the driver is not registered"),
    ],
)
def test_the_answer_of_get_info(observed: DriverObservation, said: str) -> None:
    found = problem(plugin_checks.Registers(), observed)
    assert said in found
    assert bool(said) == bool(found)


def test_the_order_of_services_and_the_time_of_get_info() -> None:
    newest = plugin_checks.NewestServiceFirst()
    assert problem(newest, info(V1, V1BETA1)) == problem(newest, info(V1BETA1)) == ""
    assert problem(newest, info(V1BETA1, V1)) == "v1beta1.DRAPlugin comes before v1.DRAPlugin"
    assert problem(newest, info("v2.DRAPlugin")) == "the driver names no known service"
    assert problem(plugin_checks.InfoWithin(seconds=1), info(V1)) == ""
    assert problem(plugin_checks.InfoWithin(seconds=0), info(V1)) == "GetInfo took 0.250 seconds"
    assert problem(plugin_checks.InfoWithin(seconds=1), of()) == "the driver is not registered"


def test_calls_process_and_sockets() -> None:
    succeed = plugin_checks.CallsSucceed()
    assert problem(succeed, of(KubeletCall("prepare", V1))) == ""
    assert problem(succeed, of(KubeletCall("prepare", V1), failed())) == (
        "v1.DRAPlugin: the call fails: UNAVAILABLE: gone"
    )
    assert problem(succeed, of()) == "no call was made"
    assert problem(plugin_checks.Runs(), of()) == ""
    assert problem(plugin_checks.Runs(), of(process="signal 9")) == "the driver ended (signal 9)"
    none, one = plugin_checks.Sockets(registration=0), plugin_checks.Sockets(registration=1)
    assert problem(none, of()) == problem(one, of(registration_sockets=1, service_sockets=1)) == ""
    assert problem(none, of(registration_sockets=1)) == "found 1 registration socket, expected 0"
    assert problem(none, of(service_sockets=2)) == "found 2 service sockets, expected none"
    assert problem(plugin_checks.OtherSocketExists(), of()) == ""
    assert problem(plugin_checks.OtherSocketExists(), of(other_socket=False)) == (
        "the registration socket of another plugin is gone"
    )


def health(
    *reports: tuple[int | str, ...], end: str = "", pause: float = 1.0, ahead: int = 0, oldest: int = 0
) -> DriverObservation:
    watch = HealthWatch("v1.DRAResourceHealth", end, reports, pause, 30, ahead, oldest, 2)
    return DriverObservation(health=watch)


@pytest.mark.parametrize(
    ("check", "observed", "said"),
    [
        (plugin_checks.HealthOfAllDevices(), health((1, 2)), ""),
        (plugin_checks.HealthOfAllDevices(), health((1,), (2,)), ""),
        (plugin_checks.HealthOfAllDevices(), health(end="UNIMPLEMENTED"), ""),
        (plugin_checks.HealthOfAllDevices(), health((1, "gone")), "no report has device 2"),
        (plugin_checks.HealthOfAllDevices(), health(end="OK"), "no report came, but OK"),
        (plugin_checks.HealthOfAllDevices(), of(), "the kubelet does not watch health in this step"),
        (plugin_checks.HealthStreamOpen(), health((1,)), ""),
        (plugin_checks.HealthStreamOpen(), health(end="UNIMPLEMENTED"), ""),
        (
            plugin_checks.HealthStreamOpen(),
            health((1,), end="UNIMPLEMENTED"),
            "ended after 1 reports: UNIMPLEMENTED",
        ),
        (plugin_checks.HealthStreamOpen(), health(end="OK"), "the stream ended after 0 reports: OK"),
        (plugin_checks.HealthStreamOpen(), of(), "the kubelet does not watch health in this step"),
        (plugin_checks.HealthStaysFresh(), health((1,)), ""),
        (
            plugin_checks.HealthStaysFresh(),
            health((1,), pause=31),
            "no report for 31 seconds, and its timeout is 30",
        ),
        (plugin_checks.HealthStaysFresh(), of(), "the kubelet does not watch health in this step"),
        (plugin_checks.HealthTimes(), health((1,), ahead=60), ""),
        (plugin_checks.HealthTimes(), health((1,), ahead=61), "a time 61 seconds in the future"),
        (plugin_checks.HealthTimes(), health((1,), oldest=10**9), ""),
        (plugin_checks.HealthTimes(), health((1,), oldest=7200), "a report has the time 7200"),
        (plugin_checks.HealthTimes(), of(), "the kubelet does not watch health in this step"),
    ],
)
def test_health_reports(check: ObservationCheck, observed: DriverObservation, said: str) -> None:
    found = problem(check, observed)
    assert said in found
    assert bool(said) == bool(found)


def test_the_device_status_of_another_driver_is_kept() -> None:
    check = plugin_checks.HasDeviceStatus(resource_claim="c", driver="other")
    assert problem(check, of(device_status={"c": (DeviceStatus("other", "d"),)})) == ""
    assert problem(check, of(device_status={"c": (DeviceStatus("own", 1),)})) == (
        "status.devices of c has no entry of other"
    )


def test_another_driver_has_no_device_status() -> None:
    check = plugin_checks.HasDeviceStatus(resource_claim="c", driver="other", absent=True)
    assert problem(check, of(device_status={"c": (DeviceStatus("own", 1),)})) == ""
    assert problem(check, of(device_status={"c": (DeviceStatus("other", "d"),)})) == (
        "status.devices of c has an entry of other, expected none"
    )
