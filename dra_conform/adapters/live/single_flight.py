"""Single flight: concurrent calls are answered by one execution."""

from __future__ import annotations

import threading
from collections.abc import Callable


class SingleFlight:
    """Does a thing for several threads.

    Who asks while it is being done, which is too early for what it has done just now, waits for the next time
    together with the others. `run` says how long it took.
    """

    def __init__(self, run: Callable[[], float]) -> None:
        self._run = run
        self._turn = threading.Condition()
        self._busy = False
        self._begun = 0
        self._done = 0
        """The number of the newest that succeeded."""
        self._took = 0.0

    def __call__(self) -> float:
        """How long it took the one that began after this call; what `run` raises is raised to one of them."""
        with self._turn:
            mine = self._begun + 1
            while self._busy and self._done < mine:
                self._turn.wait()
            if self._done >= mine:
                return self._took
            self._busy = True
            self._begun += 1
        try:
            took = self._run()
        except BaseException:
            self._end(self._done, self._took)
            raise
        self._end(self._begun, took)
        return took

    def _end(self, done: int, took: float) -> None:
        with self._turn:
            self._busy, self._done, self._took = False, done, took
            self._turn.notify_all()
