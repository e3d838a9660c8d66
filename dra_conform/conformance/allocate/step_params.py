"""The parameters of the When and Then steps in golden files."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.steps.step import Params


class Allocate(Params, frozen=True, kw_only=True):
    resource_claims: tuple[str, ...]
    node: str = ""


class ResultFacts(Params, frozen=True, kw_only=True):
    """A result of a ResourceClaim. A member that is left out is not compared.

    `consumed_capacity` has all entries.
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


class ClaimResults(Params, frozen=True, kw_only=True):
    resource_claim: str
    results: tuple[ResultFacts, ...]


class ClaimChoices(Params, frozen=True, kw_only=True):
    resource_claim: str
    choices: tuple[tuple[ResultFacts, ...], ...]


class Consumes(Params, frozen=True, kw_only=True):
    resource_claim: str
    capacity: dict[str, Any]


class DeviceCount(Params, frozen=True, kw_only=True):
    resource_claim: str
    count: int


class UsableOn(Params, frozen=True, kw_only=True):
    resource_claim: str
    nodes: tuple[str, ...]


class ConfigurationEntry(Params, frozen=True, kw_only=True):
    """An entry of the configuration. Empty `requests` mean all requests."""

    source: str
    parameters: dict[str, Any]
    requests: tuple[str, ...] = ()


class Configured(Params, frozen=True, kw_only=True):
    resource_claim: str
    entries: tuple[ConfigurationEntry, ...]


class Because(Params, frozen=True, kw_only=True):
    category: str
