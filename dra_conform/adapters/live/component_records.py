"""What components of a cluster record of their work: the write requests that they send, and their logs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from dra_conform.adapters.live.endpoint import SentWrite
from dra_conform.kube.json_values import Json

_MOST_LINES = 5000
"""The most lines of a log that an observation has; the oldest are left out."""
_HEADER = re.compile(r"^[IWEF]\d{4} [^\]]*\] ")
"""Severity, date, time and place in the code."""


class WriteRequests:
    """The write requests for objects of one scenario; `read` returns all requests since its last call.

    `prefix` is that of the names of the scenario on the cluster.
    """

    def __init__(self, read: Callable[[], Iterable[SentWrite]], prefix: str) -> None:
        self._read = read
        self._own = re.compile(rf"{re.escape(prefix)}(?:[.-]|$)")
        self.observe()

    def observe(self) -> list[Json]:
        """Return the number of requests by component, verb and resource since the previous observation."""
        counts = Counter(
            (write.component, write.verb, write.resource)
            for write in self._read()
            if self._own.match(write.namespace or write.name)
        )
        return [
            {"component": component, "verb": verb, "resource": resource, "count": count}
            for (component, verb, resource), count in sorted(counts.items())
        ]


class ComponentLog:
    """The log of a component; `read` returns all of its text so far.

    Lines with the text `left_out` are left out, because they are about objects of no scenario.
    """

    def __init__(self, component: str, read: Callable[[], str], left_out: str) -> None:
        self._component = component
        self._read = read
        self._left_out = left_out
        self._seen = len(read())

    def observe(self) -> list[Json]:
        """Return the different lines since the previous observation, each without its header."""
        text = self._read()
        new, self._seen = text[self._seen :], len(text)
        own = (line for line in new.splitlines() if _HEADER.match(line) and self._left_out not in line)
        lines = list(dict.fromkeys(_HEADER.sub("", line) for line in own))
        return [{"component": self._component, "line": line} for line in lines[-_MOST_LINES:]]
