"""The options --profile, for one profile or several, and --gates."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from dra_conform.kube.errors import InputError
from dra_conform.kube.gates import GATES
from dra_conform.kube.profile import KEP, PROFILES, Profile

NEWEST = "kubernetes-1.37"
"""The profile of the newest release of Kubernetes."""


def add_profiles_option(command: argparse.ArgumentParser) -> None:
    """Add the option to a command."""
    command.add_argument(
        "--profile",
        action="extend",
        type=_names,
        choices=PROFILES,
        default=[],
        metavar="PROFILES",
        help=f"the release or specification to follow (kep): {', '.join(PROFILES)}; of several, separated by "
        "commas or given with several --profile, only the differences are shown",
    )


def add_profile_option(
    command: argparse.ArgumentParser | argparse._ArgumentGroup,
    meaning: str = "the release or specification that defines the expected behavior",
    default: str = KEP,
) -> None:
    """Add the option for one profile to a command, or to a group of its options."""
    names = ", ".join(PROFILES)
    command.add_argument(
        "--profile", default=default, choices=PROFILES, metavar="NAME", help=f"{meaning} ({default}): {names}"
    )


def profile_names(arguments: argparse.Namespace, *single: str) -> tuple[str, ...]:
    """Return the profiles of the option, each once.

    Raises InputError if there are several with one of the `single` options, or with the output of objects.
    """
    names = tuple(dict.fromkeys(arguments.profile)) or (KEP,)
    if len(names) == 1:
        return names
    if arguments.output != "table":
        message = f"prints the objects of one profile, expected one --profile instead of {','.join(names)}"
        raise InputError("-o", None, arguments.output, message)
    for option in single:
        if getattr(arguments, option):
            message = f"shows the devices of one profile, expected one --profile instead of {','.join(names)}"
            raise InputError(f"--{option}", None, "", message)
    return names


def rejection_note(arguments: argparse.Namespace) -> Sequence[str]:
    """Return the note for rejected objects if no profile is given, since a release can admit them."""
    if arguments.profile:
        return ()
    return (f"note: rejected by the specification ({KEP}); --profile {NEWEST} shows what that release does",)


def _names(text: str) -> list[str]:
    return text.split(",")


def with_gates(profile: Profile, text: str, option: str = "--gates") -> Profile:
    """Return the profile with the gates of an option.

    Raises InputError for values with which no API server starts.
    """
    wanted: dict[str, bool] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        gate, _, value = entry.partition("=")
        if value not in ("true", "false"):
            raise InputError(
                option, None, entry, f"has no value true or false, expected {gate}=true or {gate}=false"
            )
        if gate not in GATES:
            raise InputError(option, None, gate, f"is not a feature gate, expected one of {', '.join(GATES)}")
        if not profile.has(gate):
            expected = f"expected one of {', '.join(profile.gates)}"
            raise InputError(option, None, gate, f"is not in {profile.name}, {expected}")
        wanted[gate] = value == "true"
    switched = profile.with_gates(wanted)
    for gate, on in wanted.items():
        if switched.enabled(gate) != on:
            raise InputError(
                option, None, gate, "depends on a feature gate that is off; expected both on, or both off"
            )
    return switched
