"""`dra-conform show`."""

from __future__ import annotations

import pytest

from dra_conform.cli import exits
from dra_conform.kube.manifests import loads
from tests.support.cli.calling import Call

CASE = "kep-5075/rounding/range-rounds-up[3]"
GOLDEN = "kep-5075/rounding/step-up[3]"


def test_a_case_in_words(call: Call) -> None:
    completed = call("show", CASE)
    assert (completed.code, completed.err) == (exits.OK, "")
    assert completed.out.startswith(f"{CASE}\n  ")
    assert "KEP-5075/rounding/step-up (MUST, KEP-5075, " in completed.out
    assert "\n  When allocation of ResourceClaim " in completed.out
    assert completed.out.endswith(f"\n\ndra-conform run -i IMPLEMENTATION --select 'id:{CASE}'\n")


@pytest.mark.usefixtures("folder")
def test_the_command_names_the_suite(call: Call) -> None:
    arguments = ("--suite", "suite", "--profile", "kubernetes-1.36")
    completed = call("show", "kep-5075/trial/one", *arguments)
    command = "dra-conform run -i IMPLEMENTATION --suite suite --profile kubernetes-1.36 --select id:"
    assert completed.out.endswith(f"\n{command}kep-5075/trial/one\n")


def test_the_steps_are_those_of_the_profile(call: Call) -> None:
    case = "dra/admin-access-admission/claim-in-labelled-namespace"
    departs = "kubernetes-1.36 deviates from the specification: these releases use the label "
    assert departs not in call("show", case).out
    assert departs in call("show", case, "--profile", "kubernetes-1.36").out


def test_the_setup_as_manifests(call: Call) -> None:
    completed = call("show", CASE, "--manifests")
    kinds = {type(loaded.object).__name__ for loaded in loads(completed.out)}
    assert {"ResourceSlice", "ResourceClaim", "DeviceClass", "Node"} <= kinds


def test_a_requirement(call: Call) -> None:
    completed = call("show", "KEP-5075/feature-gate/off-capacity-request-error")
    assert (completed.code, completed.err) == (exits.OK, "")
    lines = completed.out.splitlines()
    assert lines[0].startswith("KEP-5075/feature-gate/off-capacity-request-error (MUST, KEP-5075, ")
    assert "3 cases" in lines
    assert "    kep-5075/prioritized-list/gate-off" in lines
    command = "dra-conform run -i IMPLEMENTATION --select "
    assert lines[-1] == f"{command}requirement:KEP-5075/feature-gate/off-capacity-request-error"


def test_a_requirement_without_cases(call: Call) -> None:
    assert "\nNo case can test it: " in call("show", "DRIVER/slices/order-is-preference").out


def test_an_unknown_id(call: Call) -> None:
    completed = call("show", "rounding/step-up[3")
    assert completed.code == exits.USAGE
    assert completed.err == (
        f"show: rounding/step-up[3: unknown case or requirement, did you mean {GOLDEN}?\n"
    )
    assert (
        "unknown case or requirement, `dra-conform list id` lists the cases"
        in call("show", "nothing like it").err
    )


def test_an_unknown_id_can_be_that_of_a_requirement(call: Call) -> None:
    completed = call("show", "KEP-5075/rounding/step-upp")
    assert "unknown case or requirement, did you mean KEP-5075/rounding/step-up" in completed.err
    completed = call("show", "KEP-5075/rounding/step-up", "--manifests")
    assert "show: KEP-5075/rounding/step-up: is a requirement, expected a case; " in completed.err
