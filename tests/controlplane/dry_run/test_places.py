"""Lookup of the API server's error paths in objects of every version."""

from __future__ import annotations

import pytest

from dra_conform.controlplane.dry_run.places import place_of

LONG = "a" * 70 + ".example.com/" + "b" * 40
OBJECT = {
    "metadata": {"labels": {"a.b/c": "d"}},
    "spec": {
        "devices": [{"name": "x", "basic": {"attributes": {"e.com/a.b": {"int": 1}, "e.com/a": {"int": 1}, LONG: {}}}}],
        "spec": {"devices": {"requests": [{"name": "r", "count": 0}, {"name": "q", "exactly": {"adminAccess": True}}]}},
    },
}  # fmt: skip
BASIC = ("spec", "devices", 0, "basic")
REQUESTS = ("spec", "spec", "devices", "requests")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("metadata.labels", ("metadata", "labels")),
        ("metadata.labels[a.b/c]", ("metadata", "labels", "a.b/c")),
        ("metadata.namespace", ("metadata",)),
        ("spec.pool.name", ("spec",)),
        ("spec.devices[0].name", ("spec", "devices", 0, "name")),
        ("spec.devices[3].name", ("spec", "devices")),
        ("spec.devices[0].attributes[e.com/a.b].int", (*BASIC, "attributes", "e.com/a.b", "int")),
        ("spec.devices[0].basic.attributes[e.com/a].int", (*BASIC, "attributes", "e.com/a", "int")),
        ("spec.devices[0].basic.attributes.e.com/a.b.bogus", (*BASIC, "attributes", "e.com/a.b")),
        (f"spec.devices[0].attributes[{LONG[:47]}...{LONG[-46:]}]", (*BASIC, "attributes", LONG)),
        ("spec.spec.devices.requests[0].exactly.count", (*REQUESTS, 0, "count")),
        ("spec.spec.devices.requests[0].exactly", (*REQUESTS, 0)),
        ("spec.devices.requests[1].adminAccess", ("spec", "devices")),
        ("kind", ()),
        ("", ()),
    ],
)
def test_a_path_leads_to_the_written_field(path: str, place: tuple[str | int, ...]) -> None:
    assert place_of(path, OBJECT) == place


def test_claim_paths_lead_to_fields_of_a_template() -> None:
    template = {"spec": {"spec": {"devices": {"requests": [{"exactly": {"adminAccess": True}}]}}}}
    place = ("spec", "spec", "devices", "requests", 0, "exactly", "adminAccess")
    assert place_of("spec.devices.requests[0].adminAccess", template) == place
