"""The objects that a run would create on a cluster, computed without a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.scenario_names import PREFIX, ScenarioNames
from dra_conform.conformance.case import Case
from dra_conform.kube.field_paths import field_at

_RUN = "RUN"


def plan(cases: Iterable[Case]) -> Iterator[str]:
    """One line for each object, under the id of its case. A run has an identifier of its own in place of RUN.

    The canaries are in the namespace of the run. What components make is not listed: generated claims, and
    what every new namespace has.
    """
    stories = [case for case in cases if case.operation == "cluster"]
    if stories:
        yield f"Namespace {PREFIX}{_RUN}"
    for number, case in enumerate(stories, 1):
        yield case.id
        try:
            names = ScenarioNames(_RUN, str(number), [case.objects, case.ask])
        except CannotRun as why:
            yield f"  nothing: {why}"
            continue
        yield from (f"  Namespace {names.namespace(name)}" for name in names.namespaces)
        given = (raw for several in case.objects.values() for raw in several)
        made = (one["object"] for one in case.ask["actions"] if one["do"] in ("create", "apply"))
        lines = (_line(names.own(raw)) for raw in (*given, *made))
        yield from dict.fromkeys(line for line in lines if not line.startswith("  Namespace"))


def _line(own: object) -> str:
    name = field_at(own, "metadata.name")
    namespace = field_at(own, "metadata.namespace")
    place = f" in {namespace}" if isinstance(namespace, str) else ""
    return f"  {field_at(own, 'kind')} {name}{place}"
