"""A counterexample as a golden scenario that expects what the second implementation observed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from dra_conform.fuzz.multi_step.campaign.counterexamples import StoryFind
from dra_conform.fuzz.multi_step.cluster_scenario import Action, RandomStory
from dra_conform.fuzz.multi_step.comparison.step_difference import (
    MISSING,
    StoryDifference,
    StoryDifferenceKind,
)
from dra_conform.kube.profile import Profile
from dra_conform.kube.profile_range import range_of

Json = Any
_SCHEMA = "# yaml-language-server: $schema=../../dra_conform/schemas/golden.schema.json\n"
_OF_COMPONENTS = {"set-gates": "setFeatureGates", "set-version": "setRelease", "restart": "restart"}
_OF_TIME = {"settle": "reachSteadyState", "advance": "passSeconds"}
"""The steps for actions of the wire protocol that have other names."""


class _QuotingDumper(yaml.SafeDumper):
    """Quotes single letters that golden files would read as true or false, too."""


_QuotingDumper.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("[yYnN]"), list("yYnN"))


def write_story(find: StoryFind, names: tuple[str, str], profile: str, command: str, folder: Path) -> Path:
    """Write the find into the folder and return the file; one that is there already is left as it is.

    Raises OSError.
    """
    digest = hashlib.sha256(msgspec.json.encode(find.story, order="deterministic")).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{find.difference.kind.value}-{digest}.yaml"
    if not path.exists():
        path.write_text(golden_story(find, names, profile, command, path.stem), "utf-8")
    return path


def golden_story(find: StoryFind, names: tuple[str, str], profile: str, command: str, name: str) -> str:
    """The golden file of a find."""
    case = {
        "case": name,
        "title": f"{find.difference.verb} {find.difference.about}: {find.difference.kind.value}",
        "requirements": [],
        "profiles": [range_of(Profile.named(profile))],
        "given": list(_given(find.story)),
        "steps": list(_steps(find.story, find.difference)),
    }
    file = {"document": "DRA", "area": "fuzz", "title": "Found by fuzzing", "cases": [case]}
    comments = [f"Found by {command}, in story {find.number}.", *find.difference.lines(names)]
    comments.append(f"What is expected is what {names[1]} says. The requirements are still to be named.")
    lines = "".join(f"# {line}\n" for line in comments)
    options: dict[str, Json] = {"sort_keys": False, "default_flow_style": None, "width": 110}
    return f"{_SCHEMA}{lines}{yaml.dump(file, Dumper=_QuotingDumper, **options)}"


def _given(story: RandomStory) -> Iterator[Json]:
    objects = [one for several in story.objects.values() for one in several]
    if objects:
        yield {"objects": objects}
    if story.gates:
        yield {"featureGates": dict(story.gates)}


def _steps(story: RandomStory, difference: StoryDifference) -> Iterator[Json]:
    """As far as the difference: what comes after it expects nothing."""
    *before, last = story.actions[: difference.act + 1]
    for action in before:
        yield {"when": when_step(action)}
    yield {"when": when_step(last), "then": list(_then(last, difference)) or [{"stored": True}]}


def when_step(action: Action) -> dict[str, Json]:
    """The step of the golden format for an action of the wire protocol."""
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
        said = {members.get(name, name): value for name, value in action.items() if name != "do"}
        return {_OF_COMPONENTS[do]: said}
    if do in _OF_TIME:
        return {_OF_TIME[do]: action.get("seconds", True)}
    if do == "change":
        return {"resize": {"pod": called(action["of"]), "fields": action["fields"]}}
    named = {"kind": action["of"]["kind"], "name": called(action["of"])}
    more = {name: action[name] for name in ("patch", "version", "force") if name in action}
    return {do: {**named, **more, **status, **user}}


def called(of: Mapping[str, str]) -> str:
    """The name by which cases mean an object."""
    namespace = of.get("namespace", "default")
    return of["name"] if namespace == "default" else f"{namespace}/{of['name']}"


def _then(action: Action, difference: StoryDifference) -> Iterator[Json]:
    """What the second implementation says, as far as the two differ."""
    fields = {one.path: _value(one.second) for one in difference.disagreements}
    match difference.kind:
        case StoryDifferenceKind.OBJECT:
            yield {"read" if action["do"] == "get" else "stored": fields}
        case StoryDifferenceKind.REFUSAL:
            for one in difference.disagreements:
                kind, _, path = one.path.partition(" at ")
                yield {"rejected": {"type": kind, "path": path} if path and one.second != MISSING else True}
        case StoryDifferenceKind.OUTCOME:
            refused = str(difference.disagreements[0].second).startswith("refused")
            yield {"rejected": True} if refused else {"stored": True}
        case StoryDifferenceKind.STATE:
            for one in difference.disagreements:
                kind, _, name = one.of.partition(" ")
                name = name.removeprefix("default/")
                if one.path:
                    fields = {one.path: _value(one.second)}
                    yield {"hasFields": {"kind": kind, "name": name, "fields": fields}}
                elif one.second == MISSING:
                    yield {"doesNotExist": {"kind": kind, "name": name}}


def _value(said: Json) -> Json:
    return None if said == MISSING else said
