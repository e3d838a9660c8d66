"""The objects that a run would create on a cluster, computed without a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dra_conform.adapters.live.endpoint import CannotRun
from dra_conform.adapters.live.scenario_names import PREFIX, ScenarioNames
from dra_conform.conformance.case import Case
from dra_conform.kube.field_paths import field_at

_RUN = "RUN"


def plan(cases: Iterable[Case]) -> Iterator[str]:
    """Yield one line for each object, after the id of its case.

    In a real run, names contain the identifier of the run instead of RUN. Probe pods are in the namespace of
    the run. Objects that components create are not listed, such as generated claims and the default objects
    of a new namespace.
    """
    scenarios = [case for case in cases if case.operation == "cluster"]
    if scenarios:
        yield f"Namespace {PREFIX}{_RUN}"
    for number, case in enumerate(scenarios, 1):
        yield case.id
        try:
            names = ScenarioNames(_RUN, str(number), [case.objects, case.ask])
        except CannotRun as error:
            yield f"  creates nothing: {error}"
            continue
        yield from (f"  Namespace {names.namespace(name)}" for name in names.namespaces)
        setup = (raw for items in case.objects.values() for raw in items)
        written = (action["object"] for action in case.ask["actions"] if action["do"] in ("create", "apply"))
        lines = (_line(names.on_cluster(raw)) for raw in (*setup, *written))
        yield from dict.fromkeys(line for line in lines if not line.startswith("  Namespace"))


def _line(raw: object) -> str:
    name = field_at(raw, "metadata.name")
    namespace = field_at(raw, "metadata.namespace")
    suffix = f" in {namespace}" if isinstance(namespace, str) else ""
    return f"  {field_at(raw, 'kind')} {name}{suffix}"
