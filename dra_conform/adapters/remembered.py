"""An implementation of which every answer is known already, so that nobody has to be asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dra_conform.conformance.implementation import Identity, Reply, Request, Status, Suite


class Remembered:
    """Who was judged before, by what it said of itself then. What it is asked all the same is not run."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity

    def start(self, suite: Suite) -> Identity:
        """It is who it was."""
        return self._identity

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """No answers."""
        return (Reply(request.id, Status.NOT_RUN, detail="it is only remembered") for request in requests)

    def close(self) -> None:
        """Nothing is held."""
