"""What differs between profiles: the outcomes of the same subjects, grouped by profiles with equal ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Outcomes = Mapping[str, Sequence[str]]
"""The lines that describe each subject, such as a pod, in one profile."""

_RELEASE = "kubernetes-"


def differences(outcomes: Mapping[str, Outcomes], noun: str, absent: str = "") -> Iterator[str]:
    """Yield each subject that differs, with its first line in each profile and the lines that not all have.

    The last line says how many subjects are the same. `outcomes` has the outcomes by profile, `noun` is the
    plural of the subjects, `absent` the outcome of a subject that a profile does not have.
    """
    subjects = dict.fromkeys(subject for described in outcomes.values() for subject in described)
    equal = 0
    for subject in subjects:
        groups: dict[tuple[str, ...], list[str]] = {}
        for profile, described in outcomes.items():
            lines = described.get(subject) or (absent,)
            groups.setdefault(tuple(_anonymous(line, profile) for line in lines), []).append(profile)
        if len(groups) == 1:
            equal += 1
            continue
        common = set.intersection(*(set(lines) for lines in groups))
        yield subject
        for lines, profiles in groups.items():
            yield f"  {', '.join(profiles)}"
            yield from (
                f"    {line}" for line in (lines[0], *(line for line in lines[1:] if line not in common))
            )
    *first, last = outcomes
    named = f"{', '.join(first)} and {last}" if first else last
    yield f"the same in {named}: {equal} of {len(subjects)} {noun}"


def _anonymous(line: str, profile: str) -> str:
    """Return a line without the name of its release, so that equal outcomes of releases are equal."""
    return line.replace(profile, "this release") if profile.startswith(_RELEASE) else line
