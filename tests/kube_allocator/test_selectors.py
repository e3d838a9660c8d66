"""Comparison of device selectors with the real allocator: every overload, and generated expressions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from dra_conform import cel
from dra_conform.cel.evaluation.program import compile_any
from dra_conform.cel.values import types
from dra_conform.kube import resource
from dra_conform.kube.objects import decode_as
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.expressions import ExpressionSwitches
from tests.support.kube_allocator.builds import ask, build
from tests.support.kube_allocator.expressions import DOMAIN, Expressions
from tests.support.kube_allocator.literals import literal

pytestmark = pytest.mark.slow

EXPRESSIONS = 5_000
BATCH = 250

DEVICES: list[dict[str, Any]] = [
    {
        "driver": DOMAIN,
        "name": "full",
        "attributes": {
            "model": {"string": "A100"},
            "numa": {"int": 1},
            "healthy": {"bool": True},
            "firmware": {"version": "1.2.3"},
            "lanes": {"ints": [1, 2]},
            "tags": {"strings": ["gpu", "fast"]},
            "other.example.com/rack": {"string": "r1"},
        },
        "capacity": {"memory": {"value": "10Gi"}, "bw": {"value": "1500m"}},
        "allowMultipleAllocations": True,
    },
    {
        "driver": DOMAIN,
        "name": "other",
        "attributes": {
            "model": {"string": "B"},
            "numa": {"int": 0},
            "healthy": {"bool": False},
            "firmware": {"version": "0.9.0-rc.1"},
            "lanes": {"int": 2},
            "tags": {"strings": []},
        },
        "capacity": {"memory": {"value": "9Gi"}},
    },
    {"driver": "x.example.com", "name": "bare"},
    {
        "driver": DOMAIN,
        "name": "odd",
        "attributes": {
            "model": {"int": 3},
            "numa": {"string": "1"},
            "healthy": {"string": "true"},
            "lanes": {"bools": [True]},
            f"{DOMAIN}/firmware": {"string": "1.2.3"},
        },
        "capacity": {f"{DOMAIN}/memory": {"value": "1e3"}, "bw": {"value": "0"}},
        "allowMultipleAllocations": False,
    },
]


NAMES = [device["name"] for device in DEVICES]
RELEASES = {
    "v0.34.13": "kubernetes-1.34",
    "v0.35.10": "kubernetes-1.35",
    "v0.36.6": "kubernetes-1.36",
    "v0.37.2": "kubernetes-1.37",
}


@pytest.mark.parametrize("lists", [True, False])
@pytest.mark.parametrize("release", RELEASES)
def test_generated_expressions(release: str, lists: bool) -> None:
    expressions = _generated(seed=1, count=EXPRESSIONS)
    differences = list(_differences(release, lists, expressions))
    assert len(differences) == 0, "\n".join(differences[:40])


def test_every_overload_is_called_and_most_calls_compile() -> None:
    generator = Expressions(seed=2)
    compiled = [name for name in _compiling(generator) if name]
    assert len(generator.overloads) > 200
    assert len(compiled) > 0.8 * len(generator.overloads)


def _compiling(generator: Expressions) -> Iterator[str]:
    for overload in generator.overloads:
        for _ in range(4):
            try:
                compile_any(generator.calling(overload, depth=1))
            except cel.CompileError:
                continue
            yield overload.name
            break


def _generated(seed: int, count: int) -> list[str]:
    """Yield expressions: half about devices, half calls of each overload, compared with the expected result."""
    generator = Expressions(seed)
    overloads = generator.overloads
    calls = (generator.calling(overloads[i % len(overloads)], 1 + i % 3) for i in range(count // 2))
    return [text for call in calls for text in (generator.selector(), _boolean(call))]


def _boolean(call: str) -> str:
    try:
        program = compile_any(call)
        if program.type in {types.BOOL, types.DYN, types.ANY}:
            return call
        result = literal(program.value(_ours()[0]))
    except cel.CelError:
        result = None
    return f"dyn({call}) == dyn({call if result is None else result})"


@cache
def _ours(lists: bool = True) -> tuple[cel.DeviceView, ...]:
    raw = [{key: value for key, value in device.items() if key != "driver"} for device in _devices(lists)]
    return tuple(
        cel.device_of(device["driver"], decode_as(resource.Device, fields))
        for device, fields in zip(DEVICES, raw, strict=True)
    )


def _devices(lists: bool) -> list[dict[str, Any]]:
    """Return the devices, without list-type attributes in releases where these fail every expression."""
    if lists:
        return DEVICES
    return [{**device, "attributes": _scalars(device.get("attributes", {}))} for device in DEVICES]


def _scalars(attributes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        name: value
        for name, value in attributes.items()
        if not any(isinstance(one, list) for one in value.values())
    }


def _differences(release: str, lists: bool, expressions: Sequence[str]) -> Iterator[str]:
    profile = Profile.named(RELEASES[release]).with_gates({"DRAListTypeAttributes": lists})
    environment = cel.Environment.stored(ExpressionSwitches.of(profile))
    features = {"EnableConsumableCapacity": True, "EnableListTypeAttributes": lists}
    devices = _devices(environment.lists)
    batches = [expressions[i : i + BATCH] for i in range(0, len(expressions), BATCH)]
    questions = ({"expressions": batch, "devices": devices, "features": features} for batch in batches)
    for batch, answers in zip(batches, ask(build(release), "evaluate", questions), strict=True):
        for expression, answer in zip(batch, answers, strict=True):
            yield from _compared(expression, environment, answer)


QUIRKS = (
    # A sum of quantities on the right of `==` is another Go type, and sums change what they are made of.
    re.compile(r"\.(add|sub)\("),
    # A date after the year 9999, which only another time zone makes.
    re.compile("9999-12-31.*Europe/Berlin"),
    # The words of what is wrong with a name.
    re.compile(r"\.validate\("),
)
"""Differences that are bugs of the real allocator according to its documentation."""


def _left_alone(expression: str, why: str) -> bool:
    # Keys of maps that are maps or lists again: the real one goes by the address of the key.
    keys = why.startswith(("unsupported key type", "keys of different types"))
    return keys or any(quirk.search(expression) for quirk in QUIRKS)


def _compared(expression: str, environment: cel.Environment, answer: dict[str, Any]) -> Iterator[str]:
    try:
        program = cel.compile(expression, environment)
    except cel.CompileError as e:
        if "compile" not in answer:
            yield f"{expression}\n    we refuse it: {str(e).splitlines()[0]}"
        return
    if "compile" in answer:
        yield f"{expression}\n    they refuse it: {answer['compile'].splitlines()[0]}"
        return
    for name, ours, theirs in zip(NAMES, _ours(environment.lists), answer["results"], strict=True):
        try:
            value, why = program.evaluate(ours), ""
        except cel.EvaluationError as e:
            value, why = None, str(e)
        if value != theirs.get("value") and not _left_alone(expression, why):
            their_result = json.dumps(theirs.get("value", theirs.get("error")))
            yield f"{expression}\n    on {name}: ours {value} {why}, theirs {their_result}"
