"""Plugins: what other packages add, by entry points of the group `dra_conform.plugins`.

A KEP author keeps steps, fields, features, gates, rules and operations in a package, whose metadata says:

    [project.entry-points."dra_conform.plugins"]
    power-class = "power_class.plugin:PLUGIN"

`PLUGIN` is a `Plugin`. Commands, workers, adapters in Python and pytest load all plugins when they start.
This module also has all that a plugin is made of, so that its authors import from one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from dra_conform.conformance import features
from dra_conform.conformance.allocate.expectation import AllocationExpectationBuilder
from dra_conform.conformance.allocate.invariants import rules
from dra_conform.conformance.allocate.invariants.rules import DeviceFilter, Rule
from dra_conform.conformance.allocations.checks import Check, ExpectedResult, MatchMode
from dra_conform.conformance.case import Case
from dra_conform.conformance.features import OwnFeature
from dra_conform.conformance.operation import AnyOperation
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.plugin_entries import BadPlugin, entries
from dra_conform.conformance.steps import lookup
from dra_conform.conformance.steps.given import Given, claim_key
from dra_conform.conformance.steps.step import Params, Step, StepError, given, then, when
from dra_conform.kube import gates
from dra_conform.kube.own_fields import OWN_FIELDS, Owner, OwnField
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource.device_requests import DeviceRequest, DeviceSubRequest, ExactDeviceRequest
from dra_conform.kube.resource.resource_claims import DeviceRequestAllocationResult
from dra_conform.kube.resource.resource_slices import Device

__all__ = [
    "AllocationExpectationBuilder",
    "Case",
    "Check",
    "DeviceFilter",
    "ExpectedResult",
    "Given",
    "MatchMode",
    "OwnFeature",
    "OwnField",
    "Params",
    "Plugin",
    "Profile",
    "Rule",
    "Step",
    "StepError",
    "claim_key",
    "given",
    "load_plugins",
    "then",
    "when",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """What one package adds. Each member has a default, so that a plugin names only what it has.

    `gates`: feature gates with their stages by release, such as `1.38 alpha, 1.39 beta`.
    `fields`: own fields of devices, requests and allocation results.
    `features`: the features that objects use, with their gates.
    `given`: Given steps of all operations.
    `steps`: When and Then steps of operations, by the name of the operation.
    `filters`: conditions of devices for a request, whatever the case of an allocation expects.
    `rules`: other rules that each allocation must follow, whatever its case expects.
    `operations`: own operations.
    """

    gates: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[OwnField, ...] = ()
    features: tuple[OwnFeature, ...] = ()
    given: tuple[Step, ...] = ()
    steps: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    filters: tuple[DeviceFilter, ...] = ()
    rules: tuple[Rule, ...] = ()
    operations: tuple[AnyOperation, ...] = ()


@cache
def load_plugins() -> tuple[str, ...]:
    """Load all plugins once and return their names; raises BadPlugin."""
    names = []
    for entry in entries():
        where = f"plugin {entry.name} ({entry.value})"
        try:
            plugin = entry.load()
        except (Exception, SystemExit) as error:
            raise BadPlugin(f"{where}: cannot be loaded: {type(error).__name__}: {error}") from error
        if not isinstance(plugin, Plugin):
            raise BadPlugin(f"{where}: is {type(plugin).__name__}, expected a Plugin")
        problem = next(conflicts(plugin), None)
        if problem:
            raise BadPlugin(f"{where}: {problem}")
        _add(plugin)
        names.append(entry.name)
    return tuple(names)


def existing_fields(owner: Owner) -> frozenset[str]:
    """Return the fields that devices, requests or results have in the API, or by a plugin."""
    structs = {
        "device": (Device,),
        "request": (DeviceRequest, ExactDeviceRequest, DeviceSubRequest),
        "result": (DeviceRequestAllocationResult,),
    }
    in_api = {member.encode_name for kind in structs[owner] for member in msgspec.structs.fields(kind)}
    return frozenset({*in_api, *OWN_FIELDS.of(owner)})


def conflicts(plugin: Plugin) -> Iterator[str]:
    """Yield what a plugin would redefine, and names in it that do not exist."""
    for own in plugin.fields:
        if own.name in existing_fields(own.owner):
            yield f"field {own.name} of a {own.owner} exists, expected a new name"
    for gate in plugin.gates.keys() & set(gates.GATES):
        yield f"feature gate {gate} exists, expected a new name"
    for operation in plugin.operations:
        if operation.name in OPERATIONS:
            yield f"operation {operation.name} exists, expected a new name"
    for name in plugin.steps.keys() - OPERATIONS.keys() - {added.name for added in plugin.operations}:
        yield f"unknown operation {name}, expected one of {', '.join(OPERATIONS)}"
    for feature in plugin.features:
        if feature.id in (*features.FEATURES, *features.RESULT_PARTS):
            yield f"feature {feature.id} exists, expected a new id"
        if feature.gate and feature.gate not in (*gates.GATES, *plugin.gates):
            yield f"feature {feature.id} has the unknown gate {feature.gate}, expected one of `gates`"
    yield from _existing_steps(plugin.given, lookup.given_steps())
    for name, steps in plugin.steps.items():
        if name in OPERATIONS:
            yield from _existing_steps(steps, OPERATIONS[name].steps)
    names = {rule.name for rule in rules.added()}
    for name in (each.name for kind in (plugin.filters, plugin.rules) for each in kind):
        if name in names:
            yield f"rule {name} exists, expected a new name"


def _existing_steps(steps: Iterable[Step], existing: Iterable[Step]) -> Iterator[str]:
    known = {(step.keyword, step.key) for step in existing}
    for step in steps:
        if (step.keyword, step.key) in known:
            yield f"{step.keyword.capitalize()} step {step.key} exists, expected a new name"


def _add(plugin: Plugin) -> None:
    gates.add(plugin.gates)
    for own in plugin.fields:
        OWN_FIELDS.add(own)
    for feature in plugin.features:
        features.add(feature)
    lookup.add_given(plugin.given)
    for operation in plugin.operations:
        OPERATIONS[operation.name] = operation
    for name, steps in plugin.steps.items():
        kind: Any = OPERATIONS[name]
        kind.steps = (*kind.steps, *steps)
    rules.add(plugin.rules, plugin.filters)
