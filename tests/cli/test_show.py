"""`dra-conform show`."""

from __future__ import annotations

from dra_conform.cli import exits
from dra_conform.kube.manifests import loads
from tests.support.cli.calling import Call

CASE = "kep-5075/rounding/range-rounds-up[3]"
GOLDEN = "kep-5075/rounding/step-up[3]"


def test_a_case_in_words(call: Call) -> None:
    said = call("show", CASE)
    assert (said.code, said.err) == (exits.OK, "")
    assert said.out.startswith(f"{CASE}\n  ")
    assert "KEP-5075/rounding/step-up (MUST, KEP-5075, " in said.out
    assert "\n  When allocation of ResourceClaim " in said.out
    assert said.out.endswith(f"--profile kep --select '{CASE}'\n")


def test_the_steps_are_those_of_the_profile(call: Call) -> None:
    case = "dra/admin-access-admission/claim-in-labelled-namespace"
    departs = "kubernetes-1.36 deviates from the specification: since this release the label is "
    assert departs not in call("show", case).out
    assert departs in call("show", case, "--profile", "kubernetes-1.36").out


def test_what_is_given_as_manifests(call: Call) -> None:
    said = call("show", CASE, "--manifests")
    kinds = {type(one.object).__name__ for one in loads(said.out)}
    assert {"ResourceSlice", "ResourceClaim", "DeviceClass", "Node"} <= kinds


def test_an_id_that_is_none(call: Call) -> None:
    said = call("show", "rounding/step-up[3")
    assert said.code == exits.USAGE
    assert said.err == (f"show: rounding/step-up[3: unknown case, did you mean {GOLDEN}?\n")
    assert "unknown case, did you mean" in call("show", "nothing like it").err
