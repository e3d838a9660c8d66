"""The steps of Given: what there is before the action."""

from __future__ import annotations

from dra_conform.conformance import steps_cells as cells
from dra_conform.conformance.building import CaseBuilder
from dra_conform.conformance.phrases import plain, quoting, tabled
from dra_conform.conformance.step import Part, Step
from dra_conform.conformance.steps_params import (
    ClaimStep,
    ClassStep,
    ConstraintStep,
    DeviceRow,
    Gates,
    HeldStep,
    Name,
    NodeStep,
    Objects,
)
from dra_conform.kube.errors import InputError
from dra_conform.kube.yaml import parse_yaml


def _documents(text: str) -> Objects:
    try:
        return [document.value for document in parse_yaml(text, "")]
    except InputError as error:
        raise cells.StepError(error.message) from None


GIVEN = (
    Step(
        "node",
        Part.GIVEN,
        "A node.",
        NodeStep,
        CaseBuilder.node,
        (
            plain('a node "{name}"', lambda at: {"name": at["name"]}),
            tabled(
                'a node "{name}" with the labels',
                lambda at, table: {"name": at["name"], "labels": cells.labels(table)},
            ),
        ),
    ),
    Step(
        "class",
        Part.GIVEN,
        "A device class. A claim's request without a class has the class `any`, which selects every device.",
        ClassStep,
        CaseBuilder.device_class,
        (
            plain('a device class "{name}"', lambda at: {"name": at["name"]}),
            quoting(
                'a device class "{name}" that selects',
                lambda at, text: {"name": at["name"], "selectors": [text]},
            ),
        ),
    ),
    Step(
        "devices",
        Part.GIVEN,
        "Published devices, in the order of their slices.",
        list[DeviceRow],
        CaseBuilder.publish,
        (tabled("the devices", lambda _, table: cells.DEVICES.rows(table)),),
    ),
    Step(
        "objects",
        Part.GIVEN,
        "Objects as they are in the Kubernetes API.",
        Objects,
        CaseBuilder.objects,
        (quoting("the objects", lambda _, text: _documents(text)),),
    ),
    Step(
        "fixture",
        Part.GIVEN,
        "The objects of a file of `fixtures/`.",
        Name,
        CaseBuilder.fixture,
        (plain('the fixture "{name}"', lambda at: at["name"]),),
    ),
    Step(
        "claim",
        Part.GIVEN,
        "A claim that is not allocated yet.",
        ClaimStep,
        CaseBuilder.claim,
        (
            plain('a claim "{name}" asking no capacity', lambda at: {"name": at["name"]}),
            plain(
                'a claim "{name}" asking an empty capacity', lambda at: {"name": at["name"], "capacity": {}}
            ),
            plain(
                'a claim "{name}" asking {amounts}',
                lambda at: {"name": at["name"], "capacity": cells.amounts(at["amounts"])},
            ),
            tabled(
                'a claim "{name}" with the requests',
                lambda at, table: {"name": at["name"], "requests": cells.requests(table)},
            ),
        ),
    ),
    Step(
        "constraint",
        Part.GIVEN,
        "A constraint of a claim given before.",
        ConstraintStep,
        CaseBuilder.constrain,
        tuple(
            plain(
                f'claim "{{claim}}" needs {word} "{{attribute}}"{among}',
                lambda at, key=key: {
                    "claim": at["claim"],
                    key: at["attribute"],
                    **({"requests": cells.names(at["requests"])} if "requests" in at else {}),
                },
            )
            for word, key in (("distinct", "distinct"), ("matching", "match"))
            for among in ("", ' among the requests "{requests}"')
        ),
    ),
    Step(
        "held",
        Part.GIVEN,
        "A claim that is allocated already.",
        HeldStep,
        CaseBuilder.hold,
        (
            tabled(
                'claim "{claim}" already holds',
                lambda at, table: {"claim": at["claim"], "devices": cells.HELD.rows(table)},
            ),
        ),
    ),
    Step(
        "gate",
        Part.GIVEN,
        "Feature gates that are not as the profile has them.",
        Gates,
        CaseBuilder.switch,
        (plain('the feature gate "{gate}" is {state}', lambda at: {at["gate"]: at["state"] == "on"}),),
    ),
)
