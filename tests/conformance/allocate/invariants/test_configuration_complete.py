"""The configuration of an allocation: that of its DeviceClasses and its ResourceClaim, by request."""

from __future__ import annotations

import pytest

from dra_conform.conformance.allocate.answer import AllocationAnswer
from tests.support.conformance.allocate.judging import Json, allocated, dedicated
from tests.support.conformance.allocate.trials import Trial, check, configured, right, wrong

COMPLETE = "configuration-complete"

WORLD = """
- deviceClass: {name: fast}
- deviceClass: {name: safe}
- deviceClass: {name: bare}
- config: {deviceClass: fast, parameters: {speed: 10, ratio: 1.5, deep: {list: [1, true]}}}
- config: {deviceClass: fast, parameters: {mode: f}, driver: other.example}
- config: {deviceClass: safe, parameters: {mode: s}}
- devices: [{device: d}, {device: e}, {device: f}]
"""
ONE = (
    WORLD
    + "- resourceClaim: {name: c, deviceClassName: fast}\n- config: {resourceClaim: c, parameters: {mode: own}}"
)
PLAIN = WORLD + "- resourceClaim: {name: c, deviceClassName: bare}"
TWO = (
    WORLD
    + "- resourceClaim: {name: c, requests: [{request: r0, deviceClassName: safe}, {request: r1, deviceClassName: %s}]}"
)
FOR_ONE = TWO % "bare" + "\n- config: {resourceClaim: c, parameters: {mode: own}, requests: [%s]}"
CHOICE = (
    WORLD
    + "- resourceClaim: {name: c, firstAvailable: [{subrequest: a, deviceClassName: fast}, {subrequest: b, deviceClassName: safe}]}"
    + "\n- config: {resourceClaim: c, parameters: {mode: own}, requests: [%s]}"
)


def entry(source: str, *requests: str, driver: str = "dra.example.com", **parameters: Json) -> Json:
    return {
        "source": f"From{source}",
        **({"requests": list(requests)} if requests else {}),
        "opaque": {"driver": driver, "parameters": parameters},
    }


FAST = {"speed": 10, "ratio": 1.5, "deep": {"list": [1, True]}}
ANSWER = allocated(dedicated("d"))
TWO_ANSWER = allocated(dedicated("d"), dedicated("e", request="r1"))
SPEED = entry("Class", "r0", **FAST)
OTHER = entry("Class", "r0", driver="other.example", mode="f")
OWN = entry("Claim", mode="own")
SAFE = entry("Class", "r0", mode="s")


def chosen(name: str, *entries: Json) -> AllocationAnswer:
    return configured(allocated(dedicated("d", request=f"r0/{name}")), *entries)


CHOSEN_A = (entry("Class", "r0/a", **FAST), entry("Class", "r0/a", driver="other.example", mode="f"))
CHOSEN_B = entry("Class", "r0/b", mode="s")

TRIALS: dict[str, Trial] = {
    "of class and claim": right(ONE, configured(ANSWER, SPEED, OTHER, OWN)),
    "in another order": right(ONE, configured(ANSWER, OWN, OTHER, SPEED)),
    "for all, without names": right(ONE, configured(ANSWER, entry("Class", **FAST), OTHER, OWN)),
    "for all, by name": right(ONE, configured(ANSWER, SPEED, OTHER, entry("Claim", "r0", mode="own"))),
    "keys in another order": right(
        ONE, configured(ANSWER, entry("Class", deep={"list": [1, True]}, ratio=1.5, speed=10.0), OTHER, OWN)
    ),
    "none": right(PLAIN, ANSWER),
    "none, but there is some": wrong(
        ONE,
        ANSWER,
        COMPLETE,
        'FromClass configuration of other.example {mode: "f"} is missing for request r0',
    ),
    "not that of the claim": wrong(
        ONE,
        configured(ANSWER, SPEED, OTHER),
        COMPLETE,
        'FromClaim configuration of dra.example.com {mode: "own"} is missing',
    ),
    "half that of the class": wrong(
        ONE,
        configured(ANSWER, SPEED, OWN),
        COMPLETE,
        'FromClass configuration of other.example {mode: "f"} is missing',
    ),
    "other parameters": wrong(
        ONE, configured(ANSWER, entry("Class", "r0", **{**FAST, "speed": 11}), OTHER, OWN), COMPLETE
    ),
    "another fraction": wrong(
        ONE, configured(ANSWER, entry("Class", "r0", **{**FAST, "ratio": 1.7}), OTHER, OWN), COMPLETE
    ),
    "true is not one": wrong(
        ONE,
        configured(ANSWER, entry("Class", "r0", **{**FAST, "deep": {"list": [1, 1]}}), OTHER, OWN),
        COMPLETE,
    ),
    "another driver": wrong(
        ONE,
        configured(ANSWER, SPEED, {**OTHER, "opaque": {**OTHER["opaque"], "driver": "x.example"}}, OWN),
        COMPLETE,
    ),
    "another source": wrong(
        ONE,
        configured(ANSWER, SPEED, OTHER, entry("Class", mode="own")),
        COMPLETE,
        'FromClaim configuration of dra.example.com {mode: "own"} is missing',
    ),
    "of an unused DeviceClass": wrong(
        PLAIN,
        configured(ANSWER, SAFE),
        COMPLETE,
        'FromClass configuration of dra.example.com {mode: "s"} is not expected for request r0',
    ),
    "of a class used by one of two": right(TWO % "bare", configured(TWO_ANSWER, SAFE)),
    "for a request of another class": wrong(
        TWO % "bare", configured(TWO_ANSWER, entry("Class", mode="s")), COMPLETE, "for request r1"
    ),
    "of a class used twice": right(
        TWO % "safe", configured(TWO_ANSWER, entry("Class", "r0", "r1", mode="s"))
    ),
    "of a class used twice, listed twice": right(
        TWO % "safe", configured(TWO_ANSWER, SAFE, entry("Class", "r1", mode="s"))
    ),
    "of a class used twice, for one": wrong(
        TWO % "safe", configured(TWO_ANSWER, SAFE), COMPLETE, "for request r1"
    ),
    "for one request": right(FOR_ONE % "r1", configured(TWO_ANSWER, SAFE, entry("Claim", "r1", mode="own"))),
    "for one request, recorded for all": wrong(
        FOR_ONE % "r1",
        configured(TWO_ANSWER, SAFE, OWN),
        COMPLETE,
        'FromClaim configuration of dra.example.com {mode: "own"} is not expected',
    ),
    "for one request, recorded for the other": wrong(
        FOR_ONE % "r1", configured(TWO_ANSWER, SAFE, entry("Claim", "r0", mode="own")), COMPLETE
    ),
    "for two requests, listed twice": right(
        FOR_ONE % "r0, r1",
        configured(TWO_ANSWER, SAFE, *[entry("Claim", "r0", "r1", mode="own")] * 2),
    ),
    "of the alternative": right(CHOICE % "r0/b", chosen("b", CHOSEN_B, entry("Claim", "r0/b", mode="own"))),
    "of the alternative by its request": right(
        CHOICE % "r0", chosen("a", *CHOSEN_A, entry("Claim", "r0", mode="own"))
    ),
    "of the other alternative": wrong(
        CHOICE % "r0/b",
        chosen("a", *CHOSEN_A, entry("Claim", "r0/b", mode="own")),
        COMPLETE,
        "for request r0/b",
    ),
    "nothing of the other alternative": right(CHOICE % "r0/b", chosen("a", *CHOSEN_A)),
    "both alternatives named": right(
        CHOICE % "r0/a, r0/b", chosen("b", CHOSEN_B, entry("Claim", "r0/a", "r0/b", mode="own"))
    ),
    "of the class of the other alternative": wrong(
        CHOICE % "r0/b",
        chosen("a", *CHOSEN_A, CHOSEN_B),
        COMPLETE,
        'FromClass configuration of dra.example.com {mode: "s"} is not expected',
    ),
}


@pytest.mark.parametrize("name", TRIALS)
def test_configuration(name: str) -> None:
    check(TRIALS[name])
