"""The invariant of ResourceQuotas: `status.used` is the usage of existing objects."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.cluster.observed_scenario import ObservedScenario, State
from dra_conform.conformance.cluster.references import key_of
from dra_conform.kube.objects import DecodeErrors, decode
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.quota import QuotaRules, UsageCounter, is_counted

_GATE = "DRAExtendedResource"


def quotas_count_what_exists(scenario: ObservedScenario, profile: Profile) -> Iterator[tuple[int, str]]:
    """`status.used` of a ResourceQuota is the sum over ResourceClaims and pods of its namespace and scopes.

    KEP-5004/quota/no-double-count. Not checked if components may compute usage differently.
    """
    if not scenario.one_release or scenario.switches(_GATE):
        return
    for state in scenario.states[1:]:
        if not state.objects.get("resourceQuotas"):
            continue
        try:
            yield from ((state.act, message) for message in _miscounted(state, profile))
        except (DecodeErrors, QuantityError):
            continue  # other checks report malformed objects


def _miscounted(state: State, profile: Profile) -> Iterator[str]:
    classes, claims, pods = (
        tuple(map(decode, state.objects.get(name, ())))
        for name in ("deviceClasses", "resourceClaims", "pods")
    )
    counter = UsageCounter(classes, claims, pods, QuotaRules.of(profile))
    for quota in state.objects["resourceQuotas"]:
        usage = counter.of_quota(decode(quota))
        for name, used in ((quota.get("status") or {}).get("used") or {}).items():
            exists = usage.get(name, Quantity(0))
            if is_counted(name) and Quantity.parse(str(used)) != exists:
                yield f"ResourceQuota {key_of(quota)}: used {name} is {used}, expected {exists}"
