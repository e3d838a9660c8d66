"""The steps of a write: equal in both formats, with one message for each invalid text."""

from __future__ import annotations

import re

import pytest

from dra_conform.conformance.admit.operation import Admit
from dra_conform.conformance.case import Case
from dra_conform.kube.errors import InputError
from tests.support.conformance.admit.writing import from_gherkin, from_golden
from tests.support.conformance.suite.phrases import require_each_phrase

ADMIT = Admit()

OBJECT = "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic}, spec: {selectors: []}}"
QUOTED = f'\n  """\n  {OBJECT}\n  """'
FIELDS = "{spec.selectors: null, metadata.labels: {a: b}}"
ROWS = "\n  | field | value |\n  | spec.selectors | null |\n  | metadata.labels | {a: b} |"

WHEN = {
    "create by name": ("create: {kind: DeviceClass, name: nic}", 'DeviceClass "nic" is created'),
    "create with fields": (
        f"create: {{kind: DeviceClass, name: nic, fields: {FIELDS}}}",
        f'DeviceClass "nic" is created with{ROWS}',
    ),
    "create an object": (f"create: {{object: {OBJECT}}}", f"this object is created{QUOTED}"),
    "update by name": (
        f"update: {{kind: DeviceClass, name: nic, fields: {FIELDS}}}",
        f'DeviceClass "nic" is updated with{ROWS}',
    ),
    "update of the status": (
        "update: {kind: DeviceClass, name: nic, status: true}",
        'the status of DeviceClass "nic" is updated',
    ),
    "create as somebody": (
        "create: {kind: DeviceClass, name: nic, user: {name: jane, groups: [team]}}",
        'as user "jane" in group "team", DeviceClass "nic" is created',
    ),
    "update as somebody in no group": (
        f"update: {{object: {OBJECT}, user: {{name: jane}}}}",
        f'as user "jane", this object is updated{QUOTED}',
    ),
    "update to an object": (f"update: {{object: {OBJECT}}}", f"this object is updated{QUOTED}"),
    "update of the status to an object": (
        f"update: {{object: {OBJECT}, status: true}}",
        f"the status of this object is updated{QUOTED}",
    ),
}
RESIZE = (
    f"resize: {{pod: p, fields: {FIELDS}}}",
    f'pod "p" is resized to{ROWS}',
)
THEN = {
    "stored": ("stored: true", "the object is stored"),
    "stored with": (
        "stored: {spec.a: 5, spec.b: null}",
        "the object is stored with\n  | field | value |\n  | spec.a | 5 |\n  | spec.b | null |",
    ),
    "set to": ("stored: {spec.a: {b: c}}", 'the field "spec.a" is set to {b: c}'),
    "set": ("set: spec.a", 'the field "spec.a" is set'),
    "warned": ("warned: unknown field", 'the object is stored with the warning "unknown field"'),
    "warned somehow": ("warned: true", "the object is stored with a warning"),
    "not warned": ("warned: false", "the object is stored without warnings"),
    "not served": ("versionNotServed: true", "the API version is not served"),
    "unchanged": ("storedAsWritten: true", "the object is stored as written"),
    "dropped": ("dropped: spec.a", 'the field "spec.a" is dropped'),
    "kept": ("kept: metadata.name", 'the field "metadata.name" is kept'),
    "rejected": ("rejected: true", "the object is rejected"),
    "rejected with an error": (
        'rejected: {type: Required, path: "spec.devices[0].name"}',
        'the object is rejected with Required at "spec.devices[0].name"',
    ),
    "rejected with an error type": ("rejected: {type: Invalid}", "the object is rejected with Invalid"),
    "rejected at a field": (
        'rejected: {path: "spec.devices[0].name"}',
        'the object is rejected at "spec.devices[0].name"',
    ),
    "rejected as": ("rejected: {reason: Forbidden}", "the object is rejected as Forbidden"),
}


def meaning(case: Case) -> tuple[object, ...]:
    """The question and the expectations of a case, without their texts."""
    [expected] = case.expected("kep")
    members = [getattr(expected, name) for name in ("outcome", "errors", "fields", "warnings", "reason")]
    return (case.operation, case.objects, case.ask, case.features, *members)


@pytest.mark.parametrize("name", WHEN)
def test_when_steps_are_equal_in_both_formats(name: str) -> None:
    golden, gherkin = WHEN[name]
    assert meaning(from_golden(golden, "rejected: true")) == meaning(
        from_gherkin(gherkin, "the object is rejected")
    )


def test_a_resize_is_equal_in_both_formats() -> None:
    golden = from_golden(RESIZE[0], "rejected: true", given="pod: {name: p}")
    assert meaning(golden) == meaning(
        from_gherkin(RESIZE[1], "the object is rejected", given='a pod "p" without ResourceClaims')
    )


@pytest.mark.parametrize("name", THEN)
def test_then_steps_are_equal_in_both_formats(name: str) -> None:
    golden, gherkin = THEN[name]
    when, said = WHEN["create by name"]
    assert meaning(from_golden(when, golden)) == meaning(from_gherkin(said, gherkin))


def test_each_phrase_is_tested_and_belongs_to_one_step() -> None:
    tried = {("when", text.partition(":")[0]) for text, _ in WHEN.values()}
    tried |= {("then", text.partition(":")[0]) for text, _ in THEN.values()} | {("when", "resize")}
    assert tried == {(step.keyword, step.key) for step in ADMIT.steps}
    require_each_phrase(ADMIT.steps, "when", (text for _, text in (*WHEN.values(), RESIZE)))
    require_each_phrase(ADMIT.steps, "then", (text for _, text in THEN.values()))


CREATE = "create: {kind: DeviceClass, name: nic}"
BROKEN = {
    "no object": (
        "create: {}",
        "stored: true",
        "expected the kind and name of an object in the setup, or an object",
    ),
    "kind only": (
        "create: {kind: DeviceClass}",
        "stored: true",
        "expected the kind and name of an object in the setup",
    ),
    "both": (
        f"create: {{kind: DeviceClass, name: nic, object: {OBJECT}}}",
        "stored: true",
        "expected the kind and name of an object in the setup, or an object",
    ),
    "status of a new object": (
        "create: {kind: DeviceClass, name: nic, status: true}",
        "stored: true",
        "status: is an unknown field",
    ),
    "not in the setup": (
        "create: {kind: DeviceClass, name: other}",
        "stored: true",
        "DeviceClass 'other' is not in the setup, expected one of nic",
    ),
    "no object of the kind in the setup": (
        "update: {kind: ResourceClaim, name: c}",
        "stored: true",
        "ResourceClaim 'c' is not in the setup, which has no ResourceClaim",
    ),
    "update of nothing": (
        "update: {object: {apiVersion: v1, kind: Node, metadata: {name: left}}}",
        "stored: true",
        "Node 'left' is not in the setup",
    ),
    "path of a field": (
        "create: {kind: DeviceClass, name: nic, fields: {spec..x: 1}}",
        "stored: true",
        "'spec..x' is not a path, expected a path such as spec.devices[0].name",
    ),
    "path that leads nowhere": (
        "create: {kind: DeviceClass, name: nic, fields: {kind.x: 1}}",
        "stored: true",
        "'kind.x' does not exist at 'x', expected a field or the index of an item",
    ),
    "path of what is stored": (CREATE, "stored: {spec..x: 1}", "'spec..x' is not a path"),
    "path that is dropped": (CREATE, "dropped: spec/x", "'spec/x' is not a path"),
    "kept that is not there": (
        CREATE,
        "kept: spec.x",
        "the written object has no field spec.x, expected a field of this object",
    ),
    "unknown error type": (
        CREATE,
        "rejected: {type: Wrong, path: spec}",
        "unknown error type 'Wrong', expected one of Required, Invalid, ",
    ),
    "stored false": (CREATE, "stored: false", "is false, expected true or fields with their values"),
    "unchanged false": (CREATE, "storedAsWritten: false", "is false, expected true"),
    "rejected false": (CREATE, "rejected: false", "is false, expected true or an error"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_golden_text(name: str) -> None:
    when, then, message = BROKEN[name]
    with pytest.raises(InputError, match=re.escape(message)):
        from_golden(when, then)


@pytest.mark.parametrize(
    "then",
    [
        ("stored: true", "rejected: true"),
        ("rejected: true", "dropped: spec.x"),
        ("storedAsWritten: true", "rejected: {reason: Invalid}"),
    ],
)
def test_contradicting_outcomes(then: tuple[str, str]) -> None:
    with pytest.raises(
        InputError, match="contradicts the outcome of an earlier Then step, expected the same outcome"
    ):
        from_golden(CREATE, *then)


SAID = 'DeviceClass "nic" is created'
BROKEN_GHERKIN = {
    "unknown kind": ('the Thing "nic" is created', "the object is stored", "unknown When step"),
    "no object": ('this object is created\n  """\n  """', "the object is stored", "0 objects, expected one"),
    "not YAML": (
        'this object is created\n  """\n  a: [\n  """',
        "the object is stored",
        "cannot be parsed: ",
    ),
    "unknown type": (SAID, 'the object is rejected with Wrong at "spec"', "unknown error type 'Wrong'"),
    "an allocation": (SAID, "no allocation is possible", "unknown Then step 'no allocation is possible'"),
    "no such column": (
        SAID + "\n  | path | value |\n  | spec | 1 |",
        "the object is stored",
        "the table has the columns path, value, expected field and value",
    ),
}


@pytest.mark.parametrize("name", BROKEN_GHERKIN)
def test_broken_feature_text(name: str) -> None:
    when, then, message = BROKEN_GHERKIN[name]
    with pytest.raises(InputError, match=re.escape(message)):
        from_gherkin(when, then)
