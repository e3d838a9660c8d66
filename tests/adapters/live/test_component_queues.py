"""Whether scheduler and controllers have work, by their metrics."""

from __future__ import annotations

import pytest

from dra_conform.adapters.live.component_queues import ComponentQueues

SCHEDULER = """
scheduler_pending_pods{queue="active"} 0
scheduler_pending_pods{queue="backoff"} 0
scheduler_pending_pods{queue="unschedulable"} 3
"""
CONTROLLERS = """
workqueue_depth{name="deployment"} 5
workqueue_depth{name="resource_claim"} 0
workqueue_retries_total{name="deployment"} 7
workqueue_retries_total{name="resource_claim"} 2
workqueue_unfinished_work_seconds{name="resource_claim"} 0
"""


def idle_with(scheduler: str, controllers: str) -> bool:
    """Return whether components that begin without work are idle with these metrics."""
    metrics = {"scheduler": SCHEDULER, "controller-manager": CONTROLLERS}
    queues = ComponentQueues(lambda: metrics)
    queues.begin()
    assert queues.idle()
    metrics |= {"scheduler": scheduler, "controller-manager": controllers}
    return queues.idle()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('scheduler_pending_pods{queue="active"}', "1"),
        ('scheduler_pending_pods{queue="backoff"}', "1"),
        ('workqueue_depth{name="resource_claim"}', "1"),
        ('workqueue_depth{name="resource_claim"}', "many"),
        ('workqueue_unfinished_work_seconds{name="resource_claim"}', "0.2"),
        ('workqueue_retries_total{name="resource_claim"}', "3"),
    ],
)
def test_components_with_queued_work_or_new_retries_are_not_idle(line: str, value: str) -> None:
    changed = [
        "\n".join(f"{line} {value}" if one.startswith(line) else one for one in text.splitlines())
        for text in (SCHEDULER, CONTROLLERS)
    ]
    assert changed != [SCHEDULER, CONTROLLERS]
    assert not idle_with(*(text + "\n" for text in changed))


def test_pods_without_a_chance_and_other_controllers_are_no_work() -> None:
    assert idle_with(SCHEDULER.replace(" 3", " 4"), CONTROLLERS.replace(" 7", " 8"))


def test_components_without_metrics_are_not_idle() -> None:
    assert not idle_with("", CONTROLLERS)
    assert not idle_with(SCHEDULER, "")
    queues = ComponentQueues(lambda: None)
    queues.begin()
    assert not queues.idle()
