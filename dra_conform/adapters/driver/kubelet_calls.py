"""The kubelet's calls to prepare and unprepare ResourceClaims, with what the driver answered."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

from dra_conform.adapters.driver import plugin_client
from dra_conform.adapters.driver.driver_process import Registered
from dra_conform.adapters.driver.observed_strings import MAX_DEVICES, shortened
from dra_conform.adapters.driver.plugin_client import CallFailed
from dra_conform.adapters.driver.scenario_claims import ScenarioClaims
from dra_conform.conformance.driver.actions import Prepare, Unprepare
from dra_conform.conformance.driver.answer import Call, ClaimResult
from dra_conform.kube.plugin_api import PLUGIN_SERVICES, Claim

PARALLEL_CALLS = 16
"""The maximum number of parallel calls."""


class KubeletCalls:
    """Calls to a registered driver for the ResourceClaims of a scenario."""

    def __init__(self, claims: ScenarioClaims) -> None:
        self._claims = claims

    def of(self, action: Prepare | Unprepare, registered: Registered) -> tuple[Call, ...]:
        """Return the calls of an action; after one without an answer the others are not made."""
        service = action.service or registered.service
        if isinstance(action, Unprepare):
            return _until_timeout(
                self._unprepare(registered, service, action.claims) for _ in range(action.times)
            )
        if not action.parallel:
            return _until_timeout(
                self._prepare(registered, service, action.claims) for _ in range(action.times)
            )
        each = [(name,) for name in action.claims] * action.times
        with ThreadPoolExecutor(PARALLEL_CALLS) as threads:
            calls = threads.map(lambda names: self._prepare(registered, service, names), each)
            return tuple(sorted(calls, key=lambda call: call.asked))

    def empty(self, registered: Registered) -> tuple[Call, ...]:
        """Return a call without ResourceClaims for each service of the driver."""
        return _until_timeout(
            self._prepare(registered, service, ())
            for service in registered.info.supported_versions
            if service in PLUGIN_SERVICES
        )

    def _prepare(self, registered: Registered, service: str, names: tuple[str, ...]) -> Call:
        claims, began = self._claims.references(names), time.monotonic()
        try:
            response = registered.client.prepare(service, tuple(claims.values()))
        except CallFailed as failed:
            return _failed("prepare", service, names, failed, began)
        results = {
            name: ClaimResult(
                shortened(result.error),
                tuple(map(self._claims.prepared_device, result.devices[:MAX_DEVICES])),
            )
            for name, claim in claims.items()
            if (result := response.claims.get(claim.uid)) is not None
        }
        return _answered("prepare", service, claims, results, response.claims, began)

    def _unprepare(self, registered: Registered, service: str, names: tuple[str, ...]) -> Call:
        claims, began = self._claims.references(names), time.monotonic()
        try:
            response = registered.client.unprepare(service, tuple(claims.values()))
        except CallFailed as failed:
            return _failed("unprepare", service, names, failed, began)
        results = {
            name: ClaimResult(shortened(result.error))
            for name, claim in claims.items()
            if (result := response.claims.get(claim.uid)) is not None
        }
        return _answered("unprepare", service, claims, results, response.claims, began)


def timed_out(call: Call) -> bool:
    """Return whether a call took as long as a kubelet waits."""
    return bool(call.error) and call.seconds >= plugin_client.CALL_SECONDS


def _failed(
    call: Literal["prepare", "unprepare"],
    service: str,
    names: tuple[str, ...],
    failed: CallFailed,
    began: float,
) -> Call:
    return Call(call, service, names, shortened(str(failed)), seconds=time.monotonic() - began)


def _answered(
    call: Literal["prepare", "unprepare"],
    service: str,
    claims: Mapping[str, Claim],
    results: dict[str, ClaimResult],
    answered: Mapping[str, Any],
    began: float,
) -> Call:
    asked = {claim.uid for claim in claims.values()}
    missing = tuple(name for name in claims if name not in results)
    unasked = tuple(sorted(shortened(uid) for uid in answered if uid not in asked)[:MAX_DEVICES])
    seconds = round(time.monotonic() - began, 3)
    return Call(call, service, tuple(claims), "", results, missing, unasked, seconds)


def _until_timeout(calls: Iterable[Call]) -> tuple[Call, ...]:
    """Repeat calls until one of them takes as long as a kubelet waits."""
    made: list[Call] = []
    for call in calls:
        made.append(call)
        if timed_out(call):
            break
    return tuple(made)
