"""Known differences between the built-in and the real API server on random writes, with their reasons."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dra_conform.fuzz.writes.kinds import NAMESPACES
from dra_conform.simulation.parts import admit
from tests.support.kube_control_plane.answers import Answer
from tests.support.kube_control_plane.difference import Difference

_REQUEST = re.compile(r"((?:spec\.)?spec\.devices\.requests\[\d+\])\..*")


@dataclass(frozen=True)
class Known:
    """Reason of a known difference, and a predicate of the differences that it explains."""

    why: str
    explains: Callable[[Difference], bool]


def _in_too_long_list(difference: Difference) -> bool:
    lists = [path for path, kind in difference.ours.errors if kind == "TooMany"]
    below = tuple(f"{path}[" for path in lists)
    if difference.ours.outcome != difference.real.outcome or difference.too_much:
        return False
    return all(path in lists or path.startswith(below) for path, _ in difference.missing)


def _of_no_claim(difference: Difference) -> bool:
    entries = tuple(
        path.removesuffix("resourceClaimName") for path, kind in difference.real.errors if kind == "Required"
    )
    return (
        bool(difference.too_much)
        and not difference.missing
        and all(path.startswith(entries) for path, _ in difference.too_much)
    )


def _in_request_of_both_kinds(difference: Difference) -> bool:
    matches = [_REQUEST.fullmatch(path) for path, _ in difference.missing]
    return (
        bool(matches)
        and not difference.too_much
        and all(path and (path[1], "Invalid") in difference.ours.errors for path in matches)
    )


def _stored_already(difference: Difference) -> bool:
    if difference.ask["verb"] != "update":
        return False
    everything = difference.profile.with_gates(dict.fromkeys(difference.profile.gates, True))
    stored = admit(
        {"namespaces": NAMESPACES}, {"verb": "create", "object": difference.ask["old"]}, everything
    )
    wrong = {
        (error["path"].replace(".basic.", "."), str(error["type"])) for error in stored.get("errors", ())
    }
    return bool(wrong) and difference.too_much | difference.missing <= wrong


def _rule_not_served(difference: Difference) -> bool:
    return difference.real.outcome == "NotFound" and difference.ask["object"]["kind"] == "DeviceTaintRule"


def _path_of_another_version(difference: Difference) -> bool:
    return difference.ours.outcome == difference.real.outcome == "Invalid" and _shared(
        difference.ours
    ) == _shared(difference.real)


def _shared(answer: Answer) -> set[tuple[str, str]]:
    """Return the errors with the paths that are equal in all versions."""
    return {(path.replace(".exactly.", ".").replace(".basic.", "."), kind) for path, kind in answer.errors}


KNOWN = (
    Known(
        "the builds of 1.33 and 1.34 have no DeviceTaintRule while its gate is off; in an API server only"
        " `--runtime-config` decides",
        _rule_not_served,
    ),
    Known(
        "1.37: declarative validation checks items of some lists that are too long; the built-in checks none",
        _in_too_long_list,
    ),
    Known(
        "1.37: declarative validation checks both `exactly` and `firstAvailable` if both are set;"
        " the built-in checks neither",
        _in_request_of_both_kinds,
    ),
    Known(
        "1.37: an entry of nodeAllocatableResourceClaimStatuses without claim is not validated any further",
        _of_no_claim,
    ),
    Known(
        "1.37: declarative validation treats errors of the stored object differently; no API server has ever"
        " stored such an object",
        _stored_already,
    ),
    Known(
        "1.37: declarative validation reports the path of v1beta1 and skips stored values; another validation"
        " then reports the path of v1",
        _path_of_another_version,
    ),
)


def reason(difference: Difference) -> str:
    """Return the reason why the answers differ, empty if it is unknown."""
    return next((known.why for known in KNOWN if known.explains(difference)), "")
