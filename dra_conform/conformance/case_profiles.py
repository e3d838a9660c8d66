"""The profile in which a case runs: the requested one, with the gates that the case needs."""

from __future__ import annotations

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import needed_gates, useful_gates
from dra_conform.kube.profile import KEP, KEP_FUTURE, Profile


def usual_profile(case: Case) -> str:
    """Return the default profile of a case: `kep`, or `kep-future` if it applies only there."""
    return KEP_FUTURE if case.profiles == frozenset({KEP_FUTURE}) else KEP


def profile_of(case: Case, name: str) -> tuple[Profile, str]:
    """Return the profile of a case, with the gates that the case needs and its overrides.

    The second part is a gate that the case needs or turns on and the release does not have, empty if it has
    all.
    """
    base = Profile.named(name)
    wanted = sorted(needed_gates(case) | case.turned_on)
    missing = next((gate for gate in wanted if not base.has(gate)), "")
    return base.with_gates({**dict.fromkeys(useful_gates(case), True), **case.gates}), missing
