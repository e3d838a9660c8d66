"""What a driver lacks: scenarios are declined, or fail if a variant of the driver file promises it."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.driver.boot_id import BootId
from dra_conform.adapters.driver.claims import Devices
from dra_conform.adapters.driver.driver_file import DriverFile, Variant
from dra_conform.adapters.driver.driver_process import DriverFailed
from dra_conform.adapters.driver.node import OTHER_CDI_DEVICE, DriverNode
from dra_conform.adapters.driver.scenario_needs import (
    NeedDeclined,
    answers_without_devices,
    ordered_by_needs,
    require_of_devices,
    require_of_file,
    require_of_node,
)
from dra_conform.conformance.driver.actions import (
    DriverQuestion,
    Prepare,
    StartDriver,
    Unprepare,
    WatchHealth,
)
from dra_conform.conformance.driver.answer import (
    ClaimResult,
    DriverAnswer,
    DriverObservation,
    KubeletCall,
    PreparedDevice,
)
from dra_conform.conformance.steps.driver_claims import ClaimSetup, Result

PLAIN = DriverFile("gpu.example.com", ("driver",))
DEVICES = Devices({("pool", "a"): {"name": "a"}, ("pool", "b"): {"name": "b"}})


def question(*needs: Any, devices: int = 1) -> DriverQuestion:
    return DriverQuestion((StartDriver(),), devices=devices, needs=needs)


def in_variant(need: str) -> DriverFile:
    return DriverFile("gpu.example.com", ("driver",), variants={need: Variant({"V": "1"})})


def test_a_need_that_the_driver_file_lacks_declines_the_scenario() -> None:
    require_of_file(PLAIN, question("shares"))
    with pytest.raises(NeedDeclined, match="the driver file has no state file"):
        require_of_file(PLAIN, question("state-file"))


def test_too_few_devices_decline_the_scenario() -> None:
    with pytest.raises(NeedDeclined, match="the driver publishes 2 devices, expected at least 3"):
        require_of_devices(PLAIN, question(devices=3), DEVICES, ())


def test_a_service_that_the_driver_does_not_offer_declines_the_scenario() -> None:
    older, newer = "v1beta1.DRAPlugin", "v1.DRAPlugin"
    asked = question("older-service")
    require_of_devices(PLAIN, asked, DEVICES, (older,))
    with pytest.raises(NeedDeclined, match=f"the driver does not offer {older}"):
        require_of_devices(PLAIN, asked, DEVICES, (newer,))
    both = DriverQuestion(
        (Prepare(("c",), service=older), Unprepare(("c",), service=newer)), needs=asked.needs
    )
    require_of_devices(PLAIN, both, DEVICES, (newer, older))
    with pytest.raises(NeedDeclined, match=f"the driver does not offer {newer}"):
        require_of_devices(PLAIN, both, DEVICES, (older,))
    health = DriverQuestion((WatchHealth(service="v1alpha1.DRAResourceHealth"),))
    with pytest.raises(NeedDeclined, match=r"the driver does not offer v1alpha1\.DRAResourceHealth"):
        require_of_devices(PLAIN, health, DEVICES, (newer, "v1.DRAResourceHealth"))


def test_shared_devices_are_declined_or_promised() -> None:
    with pytest.raises(NeedDeclined, match="the driver's devices cannot be shared"):
        require_of_devices(PLAIN, question("shares"), DEVICES, ())
    with pytest.raises(DriverFailed, match="although the driver runs in its variant shares"):
        require_of_devices(in_variant("shares"), question("shares"), DEVICES, ())


def test_compatibility_groups_are_declined_or_promised() -> None:
    asked = question("compatibility-groups")
    with pytest.raises(NeedDeclined, match="no two devices exclude each other"):
        ordered_by_needs(PLAIN, asked, DEVICES)
    with pytest.raises(DriverFailed, match="although the driver runs in its variant compatibility-groups"):
        ordered_by_needs(in_variant("compatibility-groups"), asked, DEVICES)


@pytest.mark.parametrize(
    ("answered", "allocated", "cdi", "without"),
    [
        (ClaimResult(), Result(1), OTHER_CDI_DEVICE, True),
        (ClaimResult(devices=(PreparedDevice(1),)), Result(1), OTHER_CDI_DEVICE, False),
        (ClaimResult("no such device"), Result(1), OTHER_CDI_DEVICE, False),
        (ClaimResult(), Result(1, pool="other"), OTHER_CDI_DEVICE, False),
        (ClaimResult(), Result("unknown"), OTHER_CDI_DEVICE, False),
        (ClaimResult(), Result(1, driver="other.example.com"), OTHER_CDI_DEVICE, False),
        (ClaimResult(), Result(1), "gpu.example.com/claim=c-1", False),
    ],
)
def test_a_driver_without_cdi_may_answer_without_devices(
    answered: ClaimResult, allocated: Result, cdi: str, *, without: bool
) -> None:
    call = KubeletCall("prepare", "v1.DRAPlugin", ("c",), claims={"c": answered})
    start = DriverObservation(cdi={OTHER_CDI_DEVICE: ""})
    answer = DriverAnswer(start, (DriverObservation((call,), {cdi: ""}),))
    prepare = DriverQuestion((Prepare(("c",)),), (ClaimSetup("c", (allocated,)),))
    assert answers_without_devices(prepare, answer) is without


def test_a_reboot_needs_a_boot_id_that_can_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BootId, "can_be_seen", lambda _: False)
    node = DriverNode(PLAIN, "node-1")
    rebooted = DriverNode(PLAIN, "node-2", reboots=True)
    require_of_node(node)
    with pytest.raises(NeedDeclined, match="boot ID"):
        require_of_node(rebooted)
    node.close()
    rebooted.close()
