"""The Then steps about an allocated ResourceClaim."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from dra_conform.conformance.allocations.checks import (
    Check,
    CheckBuilder,
    ExpectedConfiguration,
    ExpectedResult,
    MatchMode,
)
from dra_conform.conformance.steps.given import claim_key
from dra_conform.conformance.steps.step import AMOUNTS, Params, Step, StepError, Table, amounts, listed, then
from dra_conform.conformance.steps.table_cells import columns, flag, own_cells, own_fields, plain
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.quantity import Quantity, QuantityError


class ResultFacts(Params, frozen=True, kw_only=True):
    """A result of a ResourceClaim. A member that is left out is not compared.

    `consumed_capacity` has all entries. `fields` has fields of plugins.
    """

    request: str | None = None
    device: str | None = None
    pool: str | None = None
    driver: str | None = None
    consumed_capacity: dict[str, Any] | None = None
    share_id: bool | None = None
    admin_access: bool | None = None
    compatibility_groups: dict[str, tuple[str, ...]] | None = None
    binding_conditions: tuple[str, ...] | None = None
    binding_failure_conditions: tuple[str, ...] | None = None
    fields: dict[str, Any] = {}


class ClaimResults(Params, frozen=True, kw_only=True):
    """Expected results of a ResourceClaim."""

    resource_claim: str
    results: tuple[ResultFacts, ...]


class ClaimChoices(Params, frozen=True, kw_only=True):
    """Several lists of results; the results of the ResourceClaim must be exactly those of one list."""

    resource_claim: str
    choices: tuple[tuple[ResultFacts, ...], ...]


class Consumes(Params, frozen=True, kw_only=True):
    """Some consumed quantities of a ResourceClaim, by capacity name."""

    resource_claim: str
    capacity: dict[str, Any]


class DeviceCount(Params, frozen=True, kw_only=True):
    """The number of devices that a ResourceClaim is allocated."""

    resource_claim: str
    count: int


class UsableOn(Params, frozen=True, kw_only=True):
    """All nodes of the case that the node selector of an allocation selects."""

    resource_claim: str
    nodes: tuple[str, ...]


class ConfigurationEntry(Params, frozen=True, kw_only=True):
    """An entry of the configuration. Empty `requests` mean all requests."""

    source: str
    parameters: dict[str, Any]
    requests: tuple[str, ...] = ()


class Configured(Params, frozen=True, kw_only=True):
    """The complete configuration of an allocation, in order."""

    resource_claim: str
    entries: tuple[ConfigurationEntry, ...]


def _check(then: CheckBuilder, claim: str, match: MatchMode, **rest: Any) -> None:
    then.expect_allocation(Check(claim_key(claim), match, step=len(then.steps) - 1, **rest))


def _as_answered(parameters: dict[str, Any]) -> Any:
    """Convert numbers as JSON does, so that fractions of a case equal those of an answer."""
    return msgspec.json.decode(encode_json(parameters))


def _results(results: tuple[ResultFacts, ...]) -> tuple[ExpectedResult, ...]:
    return tuple(
        ExpectedResult(
            request=facts.request,
            device=facts.device,
            pool=facts.pool,
            driver=facts.driver,
            consumed=None if facts.consumed_capacity is None else _texts(facts.consumed_capacity),
            share=facts.share_id,
            admin=facts.admin_access,
            groups=facts.compatibility_groups,
            binding=facts.binding_conditions,
            failure=facts.binding_failure_conditions,
            own=own_fields("result", facts.fields) or None,
        )
        for facts in results
    )


def _texts(written: dict[str, Any]) -> dict[str, str]:
    for name, value in written.items():
        try:
            Quantity.parse(str(value))
        except QuantityError as error:
            raise StepError(f"{name}: {error}, expected a quantity such as 10, 500m or 1Gi") from None
    return {name: str(value) for name, value in written.items()}


def _result_row(row: dict[str, str]) -> Json:
    params: dict[str, Json] = dict(plain(row, "consumedCapacity", "compatibilityGroups"))
    params.pop("choice", None)
    if own := own_cells("result", params):
        params["fields"] = own
    for name in ("shareID", "adminAccess"):
        if name in params:
            params[name] = flag(params[name])
    for name in ("bindingConditions", "bindingFailureConditions"):
        if name in params:
            params[name] = listed(params[name])
    groups = columns(row, "compatibilityGroups")
    if groups:
        params["compatibilityGroups"] = {name: listed(text) for name, text in groups.items()}
    consumed = columns(row, "consumedCapacity")
    if consumed:
        params["consumedCapacity"] = consumed
    return params


def result_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    """Return the parameters of a Then step about allocation results, one result for each row of its table."""
    return {"resourceClaim": match["claim"], "results": [_result_row(dict(row)) for row in rows]}


def choice_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    """Return the parameters of a Then step with a choice of results, one list for each value of `choice`."""
    choices: dict[str, list[Json]] = {}
    for row in rows:
        choices.setdefault(row.get("choice", ""), []).append(_result_row(dict(row)))
    return {"resourceClaim": match["claim"], "choices": list(choices.values())}


def entry_rows(match: re.Match[str], rows: Table, _: str) -> Json:
    """Return the parameters of a Then step about the configuration, one entry for each row of its table."""
    entries = [
        {
            "source": row.get("source", ""),
            "parameters": {"profile": row.get("profile", "")},
            "requests": listed(row.get("requests", "")),
        }
        for row in rows
    ]
    return {"resourceClaim": match["claim"], "entries": entries}


@then('ResourceClaim "{claim}" is allocated')
def allocated(then: CheckBuilder, params: str) -> None:
    _check(then, params, MatchMode.VALID)


@then('ResourceClaim "{claim}" is allocated exactly', result_rows)
def allocated_exactly(then: CheckBuilder, params: ClaimResults) -> None:
    _check(then, params.resource_claim, MatchMode.EXACT, choices=(_results(params.results),))


@then('ResourceClaim "{claim}" is allocated one of', choice_rows)
def allocated_one_of(then: CheckBuilder, params: ClaimChoices) -> None:
    _check(
        then,
        params.resource_claim,
        MatchMode.ONE_OF,
        choices=tuple(_results(results) for results in params.choices),
    )


@then('ResourceClaim "{claim}" is allocated at least', result_rows)
def allocated_at_least(then: CheckBuilder, params: ClaimResults) -> None:
    _check(then, params.resource_claim, MatchMode.VALID, choices=(_results(params.results),))


@then(
    'ResourceClaim "{claim}" consumes {amounts}',
    lambda match, _, __: {"resourceClaim": match["claim"], "capacity": amounts(match["amounts"])},
    amounts=AMOUNTS,
)
def consumes(then: CheckBuilder, params: Consumes) -> None:
    expected = ExpectedResult(consumes=_texts(params.capacity))
    _check(then, params.resource_claim, MatchMode.VALID, choices=((expected,),))


@then(
    'ResourceClaim "{claim}" is allocated {count} device[s]',
    lambda match, _, __: {"resourceClaim": match["claim"], "count": int(match["count"])},
    count="[0-9]+",
)
def allocated_devices(then: CheckBuilder, params: DeviceCount) -> None:
    _check(then, params.resource_claim, MatchMode.COUNT, count=params.count)


@then(
    'ResourceClaim "{claim}" is available only on node[s] "{nodes}"',
    lambda match, _, __: {"resourceClaim": match["claim"], "nodes": listed(match["nodes"])},
)
def available_on(then: CheckBuilder, params: UsableOn) -> None:
    _check(then, params.resource_claim, MatchMode.VALID, nodes=frozenset(params.nodes))


@then('ResourceClaim "{claim}" has the configuration', entry_rows)
def config(then: CheckBuilder, params: Configured) -> None:
    entries = tuple(
        ExpectedConfiguration(entry.source, _as_answered(entry.parameters), entry.requests)
        for entry in params.entries
    )
    _check(then, params.resource_claim, MatchMode.VALID, config=entries)


CLAIM_STEPS: tuple[Step, ...] = (
    allocated,
    allocated_exactly,
    allocated_one_of,
    allocated_at_least,
    consumes,
    allocated_devices,
    available_on,
    config,
)
"""The Then steps about an allocated ResourceClaim."""
