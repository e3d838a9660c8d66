"""Comparison of expected and actual results: chosen fields, any order, quantities by value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import inspect

from dra_conform.conformance.allocations.checks import Check, ExpectedResult, MatchMode
from dra_conform.conformance.allocations.documents import canonical_json, list_of_devices
from dra_conform.kube.codec import convert, type_info, without_none, without_nulls
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.listing import counted
from dra_conform.kube.node_selectors import SelectorError, node_matches
from dra_conform.kube.own_fields import OWN_FIELDS
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import AllocationResult, DeviceRequestAllocationResult

_Entry = tuple[str, UncheckedJson, set[str]]
"""An entry of the configuration: source, parameters and request names. No names mean all requests."""


def problem_with(check: Check, allocation: AllocationResult, nodes: Iterable[Node]) -> str:
    """Return what is wrong with an allocation, or an empty string. `nodes` are all nodes of the case."""
    if check.count is not None:
        return count_problem(check, allocation.devices.results)
    if check.nodes is not None:
        return node_selector_problem(check, allocation, nodes)
    if check.config is not None:
        return configuration_problem(check, allocation)
    return result_problem(check, allocation.devices.results)


def count_problem(check: Check, actual: Sequence[DeviceRequestAllocationResult]) -> str:
    """Return what is wrong with the number of devices, or an empty string."""
    if len(actual) == check.count:
        return ""
    return f"expected {counted(check.count or 0, 'device')}, got {len(actual)}"


def result_problem(check: Check, actual: Sequence[DeviceRequestAllocationResult]) -> str:
    """Return which result is missing, or an empty string if one of the choices matches."""
    if not check.choices:
        return ""
    complete = check.match in (MatchMode.EXACT, MatchMode.ONE_OF)
    problems = [_missing_result(expected, actual, complete=complete) for expected in check.choices]
    if not all(problems):
        return ""
    if len(problems) == 1:
        return problems[0]
    return f"matches none of {len(problems)} expected allocations: " + " / ".join(problems)


def node_selector_problem(check: Check, allocation: AllocationResult, nodes: Iterable[Node]) -> str:
    """Return what is wrong, or an empty string if the node selector selects exactly the expected nodes."""
    selector = allocation.node_selector
    try:
        usable = frozenset(
            node.metadata.name for node in nodes if selector is None or node_matches(selector, node)
        )
    except SelectorError as error:
        return f"the node selector is malformed: {error}"
    if usable == check.nodes:
        return ""
    expected = ", ".join(sorted(check.nodes or ())) or "no node"
    return f"expected to be available on {expected}, got {', '.join(sorted(usable)) or 'no node'}"


def configuration_problem(check: Check, allocation: AllocationResult) -> str:
    """Return what is wrong, or an empty string if each result has the expected configuration of each source,
    in order.

    How entries are split and named is left open, and no document says which source comes first.
    """
    expected = [(entry.source, entry.parameters, set(entry.requests)) for entry in check.config or ()]
    actual = [
        (entry.source, entry.opaque.parameters if entry.opaque is not None else None, set(entry.requests))
        for entry in allocation.devices.config
    ]
    chosen = {result.request for result in allocation.devices.results}
    if _by_request(expected, chosen) == _by_request(actual, chosen):
        return ""
    return f"expected the configuration {_entries(expected)}, got {_entries(actual)}"


def _by_request(entries: Iterable[_Entry], chosen: set[str]) -> dict[tuple[str, str], list[UncheckedJson]]:
    """Return the parameters by source and request of a result; names of no result remain.

    An entry without names applies to all requests, one with the name of a request to its chosen subrequest.
    Names of other subrequests of a request with a result are left out if the entry applies to a result.
    """
    found: dict[tuple[str, str], list[UncheckedJson]] = {}
    parents = {name.partition("/")[0] for name in chosen}
    for source, parameters, requests in entries:
        applied = {
            name for name in chosen if not requests or name in requests or name.partition("/")[0] in requests
        }
        unknown = {name for name in requests if name.partition("/")[0] not in parents}
        for name in applied | unknown or requests or {""}:
            found.setdefault((source, name), []).append(parameters)
    return found


def _entries(entries: Iterable[_Entry]) -> str:
    shown = [
        f"{source} {canonical_json(parameters)} for {', '.join(sorted(requests)) or 'all requests'}"
        for source, parameters, requests in entries
    ]
    return "; ".join(shown) or "none"


def _missing_result(
    expected: Sequence[ExpectedResult],
    actual: Sequence[DeviceRequestAllocationResult],
    *,
    complete: bool,
) -> str:
    if complete and len(expected) != len(actual):
        return f"expected {counted(len(expected), 'result')}, got {len(actual)}"
    fits = [[_fits(result, actual_result) for actual_result in actual] for result in expected]
    partner: dict[int, int] = {}
    for index, result in enumerate(expected):
        if not _extend_matching(index, fits, partner, set()):
            return f"expected a result with {_describe(result)}, got none"
    return ""


def _extend_matching(index: int, fits: list[list[bool]], partner: dict[int, int], tried: set[int]) -> bool:
    """Extend a bipartite matching by one expected result, reassigning earlier ones if needed."""
    for candidate, fit in enumerate(fits[index]):
        if fit and candidate not in tried:
            tried.add(candidate)
            if candidate not in partner or _extend_matching(partner[candidate], fits, partner, tried):
                partner[candidate] = index
                return True
    return False


def _fits(expected: ExpectedResult, actual: DeviceRequestAllocationResult) -> bool:
    for name in ("request", "device", "pool", "driver"):
        wanted = getattr(expected, name)
        if wanted is not None and wanted != getattr(actual, name):
            return False
    if expected.share is not None and expected.share != bool(actual.share_id):
        return False
    if expected.admin is not None and expected.admin != bool(actual.admin_access):
        return False
    if expected.groups is not None and _groups(expected.groups) != _groups(actual.compatibility_groups or {}):
        return False
    if expected.binding is not None and expected.binding != (actual.binding_conditions or ()):
        return False
    if expected.failure is not None and expected.failure != (actual.binding_failure_conditions or ()):
        return False
    own = actual.own if isinstance(actual, _ResultWithOwnFields) else {}
    if any(own.get(name) != value for name, value in (expected.own or {}).items()):
        return False
    consumed = actual.consumed_capacity or {}
    if expected.consumed is not None and _amounts(expected.consumed) != consumed:
        return False
    wanted_entries = _amounts(expected.consumes or {})
    return all(consumed.get(name) == amount for name, amount in wanted_entries.items())


def _groups(groups: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return the groups by counter set. A counter set without groups equals an absent counter set."""
    return {name: frozenset(of_set) for name, of_set in groups.items() if of_set}


def _amounts(texts: Mapping[str, str]) -> dict[str, Quantity]:
    return {name: Quantity.parse(text) for name, text in texts.items()}


def _describe(expected: ExpectedResult) -> str:
    parts = [
        f"{name} {getattr(expected, name)}"
        for name in ("request", "driver", "pool", "device")
        if getattr(expected, name) is not None
    ]
    amounts = expected.consumed if expected.consumed is not None else expected.consumes
    if amounts is not None:
        parts.append(
            "consumedCapacity " + (", ".join(f"{text} of {name}" for name, text in amounts.items()) or "none")
        )
    if expected.share is not None:
        parts.append("a share ID" if expected.share else "no share ID")
    if expected.admin is not None:
        parts.append("adminAccess" if expected.admin else "no adminAccess")
    if expected.groups is not None:
        named = "; ".join(f"{name}: {', '.join(groups)}" for name, groups in expected.groups.items())
        parts.append(f"compatibilityGroups {named}" if named else "no compatibilityGroups")
    if expected.binding is not None:
        parts.append(f"bindingConditions {', '.join(expected.binding) or 'none'}")
    if expected.failure is not None:
        parts.append(f"bindingFailureConditions {', '.join(expected.failure) or 'none'}")
    parts += [f"{name} {value}" for name, value in (expected.own or {}).items()]
    return ", ".join(parts) or "any device"


def read_allocation(allocation: UncheckedJson) -> AllocationResult:
    """Decode an allocation as the API does: drop unknown fields, and treat null as absent.

    Results keep the fields of plugins. Raises ValueError for a malformed allocation: a ConversionError, or a
    string that is not Unicode.
    """
    decoded: AllocationResult = convert(_known_fields(allocation), AllocationResult)
    own = OWN_FIELDS.of("result").keys()
    if not own or not decoded.devices.results:
        return decoded
    results = tuple(
        _ResultWithOwnFields(
            **msgspec.structs.asdict(result), own={name: raw[name] for name in own if name in raw}
        )
        for result, raw in zip(decoded.devices.results, list_of_devices(allocation, "results"), strict=True)
    )
    return msgspec.structs.replace(decoded, devices=msgspec.structs.replace(decoded.devices, results=results))


def written_allocation(allocation: Json) -> Json:
    """Return an allocation as a scheduler writes it: with the fields of the API and of plugins, without null.

    Quantities keep their notation. Raises ValueError as `read_allocation` does.
    """
    read_allocation(allocation)
    known: Json = _known_fields(allocation)
    own = OWN_FIELDS.of("result").keys()
    if own and known["devices"].get("results"):
        pairs = zip(known["devices"]["results"], list_of_devices(allocation, "results"), strict=True)
        results = [{**result, **{name: raw[name] for name in own if name in raw}} for result, raw in pairs]
        known = {**known, "devices": {**known["devices"], "results": results}}
    return known


def _known_fields(allocation: UncheckedJson) -> Json:
    return without_nulls(_without_unknown(allocation, type_info(AllocationResult)), AllocationResult)


class _ResultWithOwnFields(DeviceRequestAllocationResult, frozen=True, kw_only=True):
    """A result with the values of fields of plugins, by name."""

    own: Mapping[str, UncheckedJson]


def _without_unknown(value: UncheckedJson, info: inspect.Type) -> UncheckedJson:
    """Return the value of a type without fields unknown to the API, which the protocol permits."""
    match info:
        case inspect.UnionType() if value is not None:
            return _without_unknown(value, without_none(info))
        case inspect.StructType(fields=fields) if isinstance(value, Mapping):
            known = {field.encode_name: field.type for field in fields}
            return {
                name: _without_unknown(member, known[name]) for name, member in value.items() if name in known
            }
        case inspect.VarTupleType(item_type=inner) if isinstance(value, (list, tuple)):
            return [_without_unknown(item, inner) for item in value]
    return value
