"""The queues of scheduler and controllers, read from their metrics: whether a component still has work."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_PENDING = re.compile(r'^scheduler_pending_pods\{queue="(active|backoff)"\} (\S+)$', re.MULTILINE)
_WORK_QUEUE = re.compile(
    r'^workqueue_(depth|unfinished_work_seconds|retries_total)\{name="(\w+)"\} (\S+)$', re.MULTILINE
)
_QUEUES = {
    "garbage_collector_attempt_to_delete",
    "garbage_collector_graph_changes",
    "resource_claim",
    "resourcequota_primary",
    "resourcequota_priority",
}
"""The work queues of the controllers that write or delete ResourceClaims and quotas."""

_CLAIMS = ("depth", "resource_claim")
"""A value that every controller manager reports."""


class ComponentQueues:
    """Whether the queues of scheduler and controllers are empty.

    `read` returns the metrics of each component in Prometheus format, or None if they are unknown. A work
    queue does not report keys that it adds later, after a failure. So a controller that has retried anything
    since `begin` is not idle.
    """

    def __init__(self, read: Callable[[], Mapping[str, str] | None]) -> None:
        self._read = read
        self._retries: Mapping[str, str] = {}

    def begin(self) -> None:
        """Remember the retries of the controllers so far."""
        self._retries = _retries("".join((self._read() or {}).values()))

    def idle(self) -> bool:
        """Whether all queues are empty and no controller has retried since `begin`."""
        text = "".join((self._read() or {}).values())
        pods = dict(_PENDING.findall(text))
        work = {(what, name): value for what, name, value in _WORK_QUEUE.findall(text) if name in _QUEUES}
        if len(pods) < 2 or _CLAIMS not in work:
            return False
        queued = [*pods.values(), *(value for (what, _), value in work.items() if what != "retries_total")]
        # Texts are compared, because a component under test may report anything as a value.
        return all(value == "0" for value in queued) and _retries(text) == self._retries


def _retries(text: str) -> Mapping[str, str]:
    return {
        name: value
        for what, name, value in _WORK_QUEUE.findall(text)
        if what == "retries_total" and name in _QUEUES
    }
