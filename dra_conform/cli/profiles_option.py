"""Profiles of a command: the options --profile, for one profile or several, and --gates, and what differs
between profiles."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dra_conform.kube.errors import InputError
from dra_conform.kube.gates import GATES
from dra_conform.kube.profile import KEP, PROFILES, Profile

Outcomes = Mapping[str, Sequence[str]]
"""The lines that describe each subject, such as a pod, in one profile."""

_RELEASE = "kubernetes-"


def differences(
    outcomes: Mapping[str, Outcomes], noun: str, absent: str = "", failures: Sequence[str] = ()
) -> Iterator[str]:
    """Yield each subject that differs, with its first line in each profile and the lines that not all have.

    The last line says how many subjects are the same, and how many of these fail. `outcomes` has the
    outcomes by profile, `noun` is the plural of the subjects, `absent` the outcome of a subject that a
    profile does not have. `failures` are the beginnings of the first line of subjects that fail.
    """
    subjects = dict.fromkeys(subject for described in outcomes.values() for subject in described)
    equal: Counter[str] = Counter()
    for subject in subjects:
        groups: dict[tuple[str, ...], list[str]] = {}
        for profile, described in outcomes.items():
            lines = described.get(subject) or (absent,)
            groups.setdefault(tuple(anonymous(line, profile) for line in lines), []).append(profile)
        if len(groups) == 1:
            [same] = groups
            equal[next((failure for failure in failures if same[0].startswith(failure)), "")] += 1
            continue
        common = set.intersection(*(set(lines) for lines in groups))
        yield subject
        for lines, profiles in groups.items():
            yield f"  {', '.join(profiles)}"
            yield from (
                f"    {line}" for line in (lines[0], *(line for line in lines[1:] if line not in common))
            )
    *first, last = outcomes
    if not first:
        yield f"nothing is compared, because only {last} admits the manifests"
        return
    named = f"{', '.join(first)} and {last}"
    failing = ", ".join(f"{count} {failure}" for failure, count in equal.items() if failure)
    also = f", of which {failing}" if failing else ""
    yield f"the same in {named}: {equal.total()} of {len(subjects)} {noun}{also}"


def anonymous(line: str, profile: str) -> str:
    """Return a line without the name of its release, so that equal outcomes of releases are equal."""
    return line.replace(profile, "this release") if profile.startswith(_RELEASE) else line


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
        help=f"the release or specification to follow (kep): {', '.join(PROFILES)}; several, separated by "
        "commas or each with --profile, show only the differences",
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


def add_gates_option(command: argparse.ArgumentParser) -> None:
    """Add the option for feature gates that differ from the profile to a command."""
    command.add_argument(
        "--gates", default="", metavar="A=true,B=false", help="feature gates that differ from the profile"
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
        if not wanted[gate] and profile.locks(gate):
            message = f"{profile.name} locks this gate to true, expected true"
            raise InputError(option, None, entry, message)
    switched = profile.with_gates(wanted)
    for gate, on in wanted.items():
        if switched.enabled(gate) != on:
            raise InputError(
                option, None, gate, "depends on a feature gate that is off; expected both on, or both off"
            )
    return switched
