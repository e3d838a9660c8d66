"""All readers of external input, each with a generator of inputs."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path

import yaml

from dra_conform import cel
from dra_conform.adapters import wire
from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.specs import open_for_serving, open_implementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.implementation import Identity, Implementation, Request, Suite
from dra_conform.conformance.judging import judged
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.runner import answer_of
from dra_conform.conformance.suite.gherkin import feature_cases
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.conformance.verdict import BUG_REPORT_REQUEST
from dra_conform.kube import resource
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.json_values import Json, encode_json
from dra_conform.kube.manifests import loads
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError
from dra_conform.previews.dry_run.stored_manifests import as_stored
from dra_conform.reports import diff
from tests.support.adapters import device_requests
from tests.support.conformance.suite.writing import FIXTURES, golden
from tests.support.mutated_inputs import files
from tests.support.mutated_inputs.mutating import mutated, mutated_tree
from tests.support.shipped import shipped_suite

_SUITE = Path(__file__).parents[3]
_KEP = Profile.named("kep")


@dataclass(frozen=True)
class Reader:
    """Reader of inputs that `draw` generates. `read` may raise only the exceptions `expected_errors`."""

    draw: Callable[[random.Random], str]
    read: Callable[[str], object]
    expected_errors: tuple[type[Exception], ...] = (InputError, InputErrors)


def readers() -> dict[str, Reader]:
    """Return all readers by the name of their input."""
    return {
        "quantities": Reader(partial(mutated, _QUANTITIES), Quantity.parse, (QuantityError,)),
        "selectors": Reader(lambda chance: mutated(_selectors(), chance), _evaluated, (cel.CelError,)),
        "manifests": Reader(lambda chance: mutated(_manifest_texts(), chance), _stored),
        "trees of manifests": Reader(lambda chance: mutated_tree(_manifests(), chance), _stored),
        "golden files": Reader(lambda chance: mutated(_golden_texts(), chance), _golden),
        "trees of golden files": Reader(lambda chance: mutated_tree(_goldens(), chance), _golden),
        "features": Reader(lambda chance: mutated(_features(), chance), _feature),
        "answers": Reader(partial(mutated, _ANSWERS), _judged, ()),
        "trees of answers": Reader(
            partial(mutated_tree, [json.loads(answer) for answer in _ANSWERS]), _judged, ()
        ),
        **{f"answers of {name}": _answers_of(name) for name in OPERATIONS},
        "reports": Reader(files.reports, files.compared, ()),
        "events": Reader(files.events, files.resumed),
        "ledgers": Reader(files.ledgers(), files.known),
        "dumps of a cluster": Reader(files.dumps(), files.counted, ()),
        "kubeconfigs": Reader(files.kubeconfigs(), files.reached),
        "answers of an API server": Reader(files.answers(), files.answered, ()),
    }


def _answers_of(operation: str) -> Reader:
    """Return the reader of mutated answers to cases of an operation. A failure of the judge is an error, too."""

    def draw(chance: random.Random) -> str:
        case, body = chance.choice(_answered(operation))
        return json.dumps([case.id, mutated_tree([body], chance)])

    def read(text: str) -> None:
        name, body = json.loads(text)
        [case] = [candidate for candidate, _ in _answered(operation) if candidate.id == name]
        request = Request(0, name, operation, profile_of(case, _KEP.name)[0], case.objects, case.ask)
        reply = to_reply(request, json.loads(body))
        if isinstance(reply, MalformedResult):
            return
        result = judged(case, request, reply, _IDENTITY, _KEP.name)
        assert BUG_REPORT_REQUEST not in result.detail, result.detail
        diff.of(result)

    return Reader(draw, read, ())


def right_implementation(subject: str) -> Implementation:
    """Return the built-in implementation, or the reference driver or kubelet."""
    if subject == "control plane":
        return open_for_serving("builtin")
    return open_implementation(f"{subject}:reference")


@cache
def _answered(operation: str) -> list[tuple[Case, Json]]:
    """Return some cases of an operation, each with the body of a correct answer."""
    known = OPERATIONS[operation]
    cases = [
        case_of_suite
        for case_of_suite in shipped_suite().cases
        if case_of_suite.operation == operation and case_of_suite.profiles is None
    ]
    answered = []
    if known.subject != "control plane":  # Each of its cases starts a process.
        cases = [case for case in cases if case.id.startswith(f"{known.subject}/prepare/")][:3]
    with closing(right_implementation(known.subject)) as implementation:
        implementation.start(Suite("mutated inputs", "1", ""))
        for case in cases[:: len(cases) // 40 + 1]:
            answer = answer_of(implementation, case, _KEP.name)
            body = {"type": "result", "status": "ok", **known.write(answer)} if answer else None
            answered += [(case, json.loads(encode_json(body)))] if body else []
    return answered


_QUANTITIES = ("1", "1500m", "3Gi", "1e3", "-0.5", "12E", "100n")


def _stored(text: str) -> object:
    return as_stored(loads(text, "m.yaml"), _KEP)


def _golden(text: str) -> object:
    document = re.search(r'"?document"?: "?([A-Za-z0-9-]+)', text)
    folder = document[1].lower() if document else "x"
    return list(golden_cases(text, f"golden/{folder}/x.yaml", _fixture))


def _feature(text: str) -> object:
    return list(feature_cases(text, "features/kep-5075/x.feature", _fixture))


def _fixture(name: str) -> object:
    if name not in FIXTURES:
        raise InputError(f"fixtures/{name}.yaml", None, "", "does not exist, expected a fixture")
    return FIXTURES[name]


@cache
def _goldens() -> list[Json]:
    """Return golden files with a single case, made of every fourth file of the suite."""
    files_of_one_case = []
    for path in sorted((_SUITE / "golden").rglob("*.yaml"))[::4]:
        whole = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        files_of_one_case += [{**whole, "cases": [case]} for case in whole["cases"][::3]]
    return files_of_one_case


@cache
def _golden_texts() -> list[str]:
    return [yaml.dump(golden, Dumper=yaml.CSafeDumper) for golden in _goldens()[::9]]


@cache
def _features() -> list[str]:
    texts = []
    for path in sorted((_SUITE / "features" / "kep-5075").glob("*.feature")):
        head, *scenarios = re.split(r"(?m)\n\n(?=  @)", path.read_text("utf-8"))
        texts += [f"{head}\n\n{scenario}" for scenario in islice(scenarios, 0, None, 3)]
    return texts


@cache
def _selectors() -> list[str]:
    expressions = set()
    for path in (_SUITE / "golden").rglob("*.yaml"):
        expressions.update(re.findall(r"device\.[^\"'\n{}]{5,80}", path.read_text("utf-8")))
    return sorted(expressions)


@cache
def _manifests() -> list[Json]:
    objects = [written for case in golden() for collection in case.objects.values() for written in collection]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {
            "containers": [{"name": "c", "image": "i", "resources": {"claims": [{"name": "g"}]}}],
            "resourceClaims": [{"name": "g", "resourceClaimName": "c"}],
        },
    }
    return [json.loads(encode_json(object_)) for object_ in (*objects, pod)]


@cache
def _manifest_texts() -> list[str]:
    return [yaml.dump(manifest, Dumper=yaml.CSafeDumper) for manifest in _manifests()]


_DEVICE = cel.device_of("dra.example.com", resource.Device(name="d"))


def _evaluated(text: str) -> bool:
    return cel.compile(text).evaluate(_DEVICE)


_REQUEST = device_requests.request(1, devices=2)
_RESULT = '{"request":"r0","driver":"dra.example.com","pool":"pool-1","device":"device-0","consumedCapacity":{"bw":"5"}}'
_ANSWERS = [
    '{"type":"result","id":2,"status":"ok","outcome":"unallocatable","reasons":[{"category":"Other","message":"m"}]}',
    '{"type":"result","id":2,"status":"ok","outcome":"allocated","allocations":{"default/c":{"devices":{"results":['
    + _RESULT
    + ']},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}}}',
    '{"type":"result","id":2,"status":"failed","message":"m","traceback":"t","fault":"no-answer"}',
    '{"type":"result","id":2,"status":"unsupported","feature":"f","issue":"i"}',
]
[_CASE] = golden()
_IDENTITY = Identity("x", "1")


def _judged(text: str) -> object:
    frame = wire.decode(text.encode("utf-8"))
    if isinstance(frame, wire.Junk):
        return frame
    reply = to_reply(_REQUEST, frame.body)
    return (
        reply if isinstance(reply, MalformedResult) else judged(_CASE, _REQUEST, reply, _IDENTITY, _KEP.name)
    )
