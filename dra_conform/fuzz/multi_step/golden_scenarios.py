"""A counterexample as a golden case that expects the observations of the second implementation."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import yaml

from dra_conform.fuzz.multi_step.cluster_scenario import Action, ClusterScenario
from dra_conform.fuzz.multi_step.counterexamples import ScenarioCounterexample
from dra_conform.fuzz.multi_step.step_difference import (
    MISSING,
    StepDifference,
    StepDifferenceKind,
)
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile, range_of

_SCHEMA = "# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json\n"
_OF_COMPONENTS = {"set-gates": "setFeatureGates", "set-version": "setRelease", "restart": "restart"}
_OF_TIME = {"settle": "reachSteadyState", "advance": "passSeconds"}
"""Golden keys of steps whose actions have another name in the wire protocol."""


class _QuotingDumper(yaml.SafeDumper):
    """A dumper that also quotes single letters that YAML 1.1 reads as booleans."""


_QuotingDumper.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("[yYnN]"), list("yYnN"))


def write_golden_scenario(
    counterexample: ScenarioCounterexample, names: tuple[str, str], profile: str, command: str, folder: Path
) -> Path:
    """Write a counterexample into a folder and return the file. An existing file is not overwritten.

    Raises OSError.
    """
    scenario = msgspec.json.encode(counterexample.scenario, order="deterministic")
    digest = hashlib.sha256(scenario).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{counterexample.difference.kind.value}-{digest}.yaml"
    if not path.exists():
        path.write_text(golden_scenario(counterexample, names, profile, command, path.stem), "utf-8")
    return path


def golden_scenario(
    counterexample: ScenarioCounterexample, names: tuple[str, str], profile: str, command: str, name: str
) -> str:
    """Return a counterexample as a golden file."""
    difference = counterexample.difference
    case = {
        "case": name,
        "title": f"{difference.verb} {difference.about}: {difference.kind.value}",
        "requirements": [],
        "profiles": [range_of(Profile.named(profile))],
        "given": list(_given(counterexample.scenario)),
        "steps": list(_steps(counterexample.scenario, difference)),
    }
    file = {"document": "DRA", "area": "fuzz", "title": "Found by fuzzing", "cases": [case]}
    comments = [
        f"Found by {command}, in scenario {counterexample.number}.",
        *difference.lines(names),
    ]
    comments.append(f"The expectations are the observations of {names[1]}. Add the requirements.")
    lines = "".join(f"# {line}\n" for line in comments)
    options: dict[str, Json] = {"sort_keys": False, "default_flow_style": None, "width": 110}
    return f"{_SCHEMA}{lines}{yaml.dump(file, Dumper=_QuotingDumper, **options)}"


def _given(scenario: ClusterScenario) -> Iterator[Json]:
    objects = [item for several in scenario.objects.values() for item in several]
    if objects:
        yield {"objects": objects}
    if scenario.gates:
        yield {"featureGates": dict(scenario.gates)}


def _steps(scenario: ClusterScenario, difference: StepDifference) -> Iterator[Json]:
    """Yield the steps up to the difference; only the last step has expectations."""
    *before, last = scenario.actions[: difference.step + 1]
    for action in before:
        yield {"when": when_step(action)}
    yield {"when": when_step(last), "then": list(_then(last, difference)) or [{"stored": True}]}


def when_step(action: Action) -> dict[str, Json]:
    """Return the golden step of an action of the wire protocol."""
    do = str(action["do"])
    status = {"status": True} if action.get("subresource") == "status" else {}
    user = {"user": action["user"]} if "user" in action else {}
    if do in ("create", "update"):
        return {do: {"object": action["object"], **status, **user}}
    if do == "apply":
        force = {"force": True} if action.get("force") else {}
        return {do: {"manager": action["manager"], "object": action["object"], **force, **status, **user}}
    if do in _OF_COMPONENTS:
        members = {"gates": "featureGates"}
        arguments = {members.get(name, name): value for name, value in action.items() if name != "do"}
        return {_OF_COMPONENTS[do]: arguments}
    if do in _OF_TIME:
        return {_OF_TIME[do]: action.get("seconds", True)}
    if do == "change":
        return {"resize": {"pod": called(action["of"]), "fields": action["fields"]}}
    named = {"kind": action["of"]["kind"], "name": called(action["of"])}
    more = {name: action[name] for name in ("patch", "version", "force") if name in action}
    return {do: {**named, **more, **status, **user}}


def called(of: Mapping[str, str]) -> str:
    """Return the name of an object, with `NAMESPACE/` before it unless the namespace is `default`."""
    namespace = of.get("namespace", "default")
    return of["name"] if namespace == "default" else f"{namespace}/{of['name']}"


def _then(action: Action, difference: StepDifference) -> Iterator[Json]:
    """Yield expectations for the differing observations of the second implementation."""
    fields = {disagreement.path: _value(disagreement.second) for disagreement in difference.disagreements}
    match difference.kind:
        case StepDifferenceKind.OBJECT:
            yield {"read" if action["do"] == "get" else "stored": fields}
        case StepDifferenceKind.REJECTION:
            for disagreement in difference.disagreements:
                kind, _, path = disagreement.path.partition(" at ")
                yield {
                    "rejected": {"type": kind, "path": path}
                    if path and disagreement.second != MISSING
                    else True
                }
        case StepDifferenceKind.OUTCOME:
            rejected = str(difference.disagreements[0].second).startswith("rejected")
            yield {"rejected": True} if rejected else {"stored": True}
        case StepDifferenceKind.STATE:
            for disagreement in difference.disagreements:
                kind, _, name = disagreement.of.partition(" ")
                name = name.removeprefix("default/")
                if disagreement.path:
                    fields = {disagreement.path: _value(disagreement.second)}
                    yield {"hasFields": {"kind": kind, "name": name, "fields": fields}}
                elif disagreement.second == MISSING:
                    yield {"doesNotExist": {"kind": kind, "name": name}}


def _value(value: Json) -> Json:
    return None if value == MISSING else value
