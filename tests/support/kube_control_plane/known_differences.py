"""Where the built-in answers a random write otherwise than the real API server, and why it stays so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.controlplane.admitting import admit
from dra_conform.fuzz.writes.kinds import NAMESPACES
from tests.support.kube_control_plane.answers import Answer
from tests.support.kube_control_plane.difference import Difference

_REQUEST = re.compile(r"((?:spec\.)?spec\.devices\.requests\[\d+\])\..*")


@dataclass(frozen=True)
class Known:
    """A reason, and whether it explains a difference."""

    why: str
    explains: Callable[[Difference], bool]


def _in_too_long_list(one: Difference) -> bool:
    lists = [path for path, kind in one.ours.errors if kind == "TooMany"]
    below = tuple(f"{path}[" for path in lists)
    if one.ours.outcome != one.real.outcome or one.too_much:
        return False
    return all(path in lists or path.startswith(below) for path, _ in one.missing)


def _of_no_claim(one: Difference) -> bool:
    entries = tuple(
        path.removesuffix("resourceClaimName") for path, kind in one.real.errors if kind == "Required"
    )
    return (
        bool(one.too_much) and not one.missing and all(path.startswith(entries) for path, _ in one.too_much)
    )


def _in_request_of_both_kinds(one: Difference) -> bool:
    found = [_REQUEST.fullmatch(path) for path, _ in one.missing]
    return (
        bool(found)
        and not one.too_much
        and all(path and (path[1], "Invalid") in one.ours.errors for path in found)
    )


def _stored_already(one: Difference) -> bool:
    if one.ask["verb"] != "update":
        return False
    everything = one.profile.with_gates(dict.fromkeys(one.profile.gates, True))
    stored = admit({"namespaces": NAMESPACES}, {"verb": "create", "object": one.ask["old"]}, everything)
    wrong = {
        (error["path"].replace(".basic.", "."), str(error["type"])) for error in stored.get("errors", ())
    }
    return bool(wrong) and one.too_much | one.missing <= wrong


def _rule_not_served(one: Difference) -> bool:
    return one.real.outcome == "NotFound" and one.ask["object"]["kind"] == "DeviceTaintRule"


def _huge_amount(one: Difference) -> bool:
    return one.real.stored == one.ours.stored.replace('"1000E"', '"1"') != one.ours.stored


def _path_of_another_version(one: Difference) -> bool:
    return one.ours.outcome == one.real.outcome == "Invalid" and _shared(one.ours) == _shared(one.real)


def _shared(answer: Answer) -> set[tuple[str, str]]:
    """The errors with the paths that all versions share."""
    return {(path.replace(".exactly.", ".").replace(".basic.", "."), kind) for path, kind in answer.errors}


KNOWN = (
    Known(
        "the builds of 1.33 and 1.34 have no DeviceTaintRule while its gate is off; in an API server only"
        " `--runtime-config` decides",
        _rule_not_served,
    ),
    Known(
        "1.37: rules declared with the types hold in some lists that are too long; the built-in looks into none",
        _in_too_long_list,
    ),
    Known(
        "1.37: rules declared with the types hold for `exactly` and `firstAvailable` where not both may be set;"
        " the built-in looks into neither",
        _in_request_of_both_kinds,
    ),
    Known(
        "1.37: an entry of nodeAllocatableResourceClaimStatuses without claim is not looked into any further",
        _of_no_claim,
    ),
    Known(
        "1.37: rules declared with the types look otherwise at what is wrong in the stored object already; no"
        " API server has ever stored that",
        _stored_already,
    ),
    Known(
        "1.37: such a rule reports the path of v1beta1 and leaves out what is stored, and then another one"
        " reports it with the path of v1",
        _path_of_another_version,
    ),
    Known("Go writes 1000E as 1", _huge_amount),
)


def reason(one: Difference) -> str:
    """Why the answers differ, empty if it is not known."""
    return next((known.why for known in KNOWN if known.explains(one)), "")
