"""Single flight: concurrent calls are answered by one execution."""

from __future__ import annotations

import threading
from collections.abc import Callable


class SingleFlight:
    """A function whose concurrent calls share one execution.

    A call during an execution waits for the next execution, which it shares with other waiting calls. `run`
    is the function; it returns its duration in seconds.
    """

    def __init__(self, run: Callable[[], float]) -> None:
        self._run = run
        self._condition = threading.Condition()
        self._running = False
        self._started = 0
        self._done = 0
        """The number of the latest successful execution."""
        self._duration = 0.0

    def __call__(self) -> float:
        """Return the duration of an execution that starts after this call.

        If the execution raises an exception, only the caller that runs it gets the exception.
        """
        with self._condition:
            needed = self._started + 1
            while self._running and self._done < needed:
                self._condition.wait()
            if self._done >= needed:
                return self._duration
            self._running = True
            self._started += 1
        try:
            duration = self._run()
        except BaseException:
            self._end(self._done, self._duration)
            raise
        self._end(self._started, duration)
        return duration

    def _end(self, done: int, duration: float) -> None:
        with self._condition:
            self._running, self._done, self._duration = False, done, duration
            self._condition.notify_all()
