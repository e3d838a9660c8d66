"""The parameters of the When and Then steps in golden files."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.steps.step import Params


class Allocate(Params, frozen=True, kw_only=True):
    """ResourceClaims that are allocated together on a node, by default the first node."""

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


class FailureCategory(Params, frozen=True, kw_only=True):
    """The category of the reason why nothing is allocated."""

    category: str
