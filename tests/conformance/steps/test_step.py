"""The action of a When step from its parameters."""

from __future__ import annotations

import pytest

from dra_conform.conformance.kubelet.actions import PreparePods
from dra_conform.conformance.steps.driver_claims import ChangeAPIServer
from dra_conform.conformance.steps.step import StepError, action_of


def test_an_action_has_the_parameters_of_its_step() -> None:
    assert action_of(PreparePods, "prepare", {"pods": ["p"], "times": 2}) == PreparePods(("p",), 2)


def test_a_wrong_parameter_is_an_error_of_the_step() -> None:
    with pytest.raises(StepError, match="Invalid enum value 'lost'"):
        action_of(ChangeAPIServer, "change-api-server", {"to": "lost"})
