"""The invariant of ResourceQuotas: they count exactly what exists."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.conformance.cluster.references import key_of
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.quota import QuotaRules, UsageCounter, is_counted

_GATE = "DRAExtendedResource"


def quotas_count_what_exists(story: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """What the status of a quota says is used is the sum over the claims and pods of its namespace
    that are in its scopes.

    KEP-5004/quota/no-double-count. Left alone where components may count differently.
    """
    if not story.one_release or story.switches(_GATE):
        return
    for state in story.states[1:]:
        if not state.objects.get("resourceQuotas"):
            continue
        try:
            yield from ((state.act, message) for message in _miscounted(state, profile))
        except (DecodeErrors, QuantityError):
            continue  # what cannot be read is for others to say


def _miscounted(state: State, profile: Profile) -> Iterator[str]:
    classes, claims, pods = (
        tuple(map(decode, state.objects.get(name, ())))
        for name in ("deviceClasses", "resourceClaims", "pods")
    )
    counter = UsageCounter(classes, claims, pods, QuotaRules.of(profile))
    for quota in state.objects["resourceQuotas"]:
        usage = counter.of_quota(decode(quota))
        for name, told in ((quota.get("status") or {}).get("used") or {}).items():
            exists = usage.get(name, Quantity(0))
            if is_counted(name) and Quantity.parse(str(told)) != exists:
                yield f"quota {key_of(quota)} counts {told} of {name}, there is {exists}"
