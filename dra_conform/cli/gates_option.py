"""The option --gates: feature gates that differ from the profile."""

from __future__ import annotations

from dra_conform.kube.errors import InputError
from dra_conform.kube.gates import GATES
from dra_conform.kube.profile import Profile


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
