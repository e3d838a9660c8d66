"""Own rules: invariants of an allocation that plugins add.

A rule gets the case and the allocations as JSON, because own fields are no fields of the typed API objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from traceback import extract_tb

from dra_conform.conformance.case import Case
from dra_conform.conformance.plugin_entries import BadPlugin
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile

RuleCheck = Callable[[Case, Profile, Mapping[str, Json]], Iterator[str]]
"""Yields messages about violations in the allocations of an answer, by `namespace/name` of their claim.

`case.objects` are the objects of the case. `profile` has the feature gates of the case.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its name in reports, such as `power-class-matches`."""

    name: str
    check: RuleCheck


_RULES: list[Rule] = []


def add(rules: Iterable[Rule]) -> None:
    """Add rules, which then apply to each allocation."""
    _RULES.extend(rules)


def added() -> tuple[Rule, ...]:
    """Return the rules that were added."""
    return tuple(_RULES)


def broken_rules(
    case: Case, profile: Profile, allocations: Mapping[str, Json]
) -> Mapping[str, tuple[str, ...]]:
    """Return the violated rules by name, with their messages; raises BadPlugin for a rule that fails."""
    messages = {rule.name: _messages(rule, case, profile, allocations) for rule in _RULES}
    return {name: texts for name, texts in messages.items() if texts}


def _messages(rule: Rule, case: Case, profile: Profile, allocations: Mapping[str, Json]) -> tuple[str, ...]:
    try:
        return tuple(rule.check(case, profile, allocations))
    except Exception as error:
        last = extract_tb(error.__traceback__)[-1]
        raised = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise BadPlugin(
            f"rule {rule.name} of a plugin fails at {last.filename}:{last.lineno} with {raised}, "
            "expected a message for each violation"
        ) from error
