"""The requests of the operation `allocate`."""

from __future__ import annotations

import pytest

from tests.support.conformance.allocate.judging import case_of

COLLECTIONS = {"nodes", "deviceClasses", "resourceSlices", "resourceClaims"}


@pytest.mark.parametrize(
    ("given", "empty"),
    [
        ("[{devices: [{device: d}]}, {resourceClaim: {name: c}}]", set()),
        ("[{resourceClaim: {name: c}}]", {"resourceSlices"}),
        ("[{resourceClaim: {name: c, deviceClassName: nosuch}}]", {"resourceSlices", "deviceClasses"}),
    ],
)
def test_four_collections_are_always_present(given: str, empty: set[str]) -> None:
    objects = case_of(given, then="[{unallocatable: true}]").objects
    assert objects.keys() == COLLECTIONS
    assert {name for name, items in objects.items() if not items} == empty
