"""Closing the replies of a run ends scenarios that are still running, so Ctrl-C does not wait for them."""

from __future__ import annotations

import threading

import msgspec
import pytest

from dra_conform.adapters.driver.implementation import DriverImplementation
from dra_conform.adapters.kubelet.implementation import KubeletImplementation
from dra_conform.conformance.driver import actions as driver_actions
from dra_conform.conformance.implementation import Request, Status, Suite
from dra_conform.conformance.kubelet import actions as kubelet_actions
from dra_conform.kube.profile import Profile
from tests.support.rows import mostly_slow

LONG = 500
"""How long a scenario waits in seconds: longer than the test."""
CLOSED = 60.0
"""The time after which a scenario counts as not interrupted, in seconds."""

Implementation = DriverImplementation | KubeletImplementation
Question = driver_actions.DriverQuestion | kubelet_actions.KubeletQuestion
KEP = Profile.named("kep")

driver = DriverImplementation("reference", spec="driver:reference")
kubelet = KubeletImplementation("reference", spec="kubelet:reference")


@pytest.mark.parametrize(
    ("implementation", "operation", "waits"),
    mostly_slow(
        [
            pytest.param(
                driver,
                "driver",
                driver_actions.DriverQuestion((driver_actions.Rest(LONG), driver_actions.StartDriver())),
                id="driver-start",
            ),
            pytest.param(
                kubelet,
                "kubelet",
                kubelet_actions.KubeletQuestion((kubelet_actions.Wait(LONG, until="driver-called"),)),
                id="kubelet-event",
            ),
            pytest.param(
                driver,
                "driver",
                driver_actions.DriverQuestion((driver_actions.Rest(LONG),)),
                id="driver-rest",
            ),
            pytest.param(
                kubelet,
                "kubelet",
                kubelet_actions.KubeletQuestion((kubelet_actions.Wait(LONG),)),
                id="kubelet-wait",
            ),
        ],
        2,
    ),
)
def test_closing_the_replies_ends_running_scenarios(
    implementation: Implementation, operation: str, waits: Question
) -> None:
    def request(number: int, question: Question) -> Request:
        return Request(number, str(number), operation, KEP, {}, msgspec.to_builtins(question))

    implementation.start(Suite("tests", "1", "sha256:0"))
    try:
        replies = implementation.run([request(1, waits), request(2, type(waits)(()))])
        first = next(replies)
        assert (first.id, first.status) == (2, Status.OK)
        closing = threading.Thread(target=replies.close, daemon=True)
        closing.start()
        closing.join(CLOSED)
        assert not closing.is_alive()
    finally:
        implementation.close()
