"""The pool of dask workers: local processes, or those that joined a scheduler."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from time import monotonic
from typing import Any, TypeVar

from dra_conform.conformance.implementation import CannotStart
from dra_conform.kube.errors import InputError

Part = TypeVar("Part")
Done = TypeVar("Done")

AHEAD = 4
"""So many parts for each worker are on their way; what is done and not yet asked for waits there."""


class SchedulerLost(CannotStart):
    """The scheduler has ended or can't be reached any more; parts that are done remain."""


class WorkerPool:
    """Does parts of a campaign on workers. What comes back does not hang on how many there are."""

    def __init__(self, client: Any, local: Any = None) -> None:
        self._client = client
        self._local = local

    @property
    def size(self) -> int:
        """How many workers there are now."""
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def processes(self) -> list[int]:
        """The IDs of those workers that are processes of ours."""
        return [nanny.pid for nanny in self._local.workers.values() if nanny.pid] if self._local else []

    def in_order(
        self, function: Callable[[Part], Done], parts: Iterable[Part], *, until: float = inf
    ) -> Generator[Done]:
        """What the function says of each part, in their order; they are handed out as they are needed.

        Of what has not come at a time, `until` of `time.monotonic`, only the first part is waited for.

        A part whose worker is lost is done again by another one. What the function raises is raised here;
        raises CannotStart for a part that ends every worker that takes it, and SchedulerLost.
        """
        from distributed import KilledWorker  # noqa: PLC0415 - takes a second, and is optional
        from distributed.comm import CommClosedError  # noqa: PLC0415 - likewise

        waiting: deque[Any] = deque()
        try:
            for part in parts:
                waiting.append(self._client.submit(function, part, pure=False))
                if len(waiting) > AHEAD * max(self.size, 1):
                    yield waiting.popleft().result()
                    if not _comes(waiting[0], until):
                        return
            while waiting:
                yield waiting.popleft().result()
                if waiting and not _comes(waiting[0], until):
                    return
        except KilledWorker:
            raise CannotStart(
                "a part of the campaign has ended several workers, one after the other"
            ) from None
        except (CancelledError, CommClosedError):
            raise SchedulerLost("the dask scheduler has ended, or cannot be reached any more") from None
        finally:
            with suppress(CancelledError, CommClosedError):
                self._client.cancel(list(waiting))


def _comes(future: Any, until: float) -> bool:
    """Wait for a part; whether it has come in time."""
    left = until - monotonic()
    if left == inf:
        return True
    if left <= 0:
        return False
    try:
        future.exception(timeout=left)
    except TimeoutError:
        return False
    return True


@contextmanager
def worker_pool(address: str, processes: int) -> Iterator[WorkerPool]:
    """The workers of the scheduler at an address; without one so many processes here, which end with this.

    Raises InputError where nobody answers at the address.
    """
    from distributed import Client, LocalCluster  # noqa: PLC0415 - likewise

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is raised
    with ExitStack() as ending:
        local = None
        if not address:
            local = LocalCluster(
                n_workers=processes,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
            ending.enter_context(local)
            address = local.scheduler_address
        try:
            client = Client(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            message = f"nobody answers ({error}), expected the address of a dask scheduler, tcp://HOST:8786"
            raise InputError("--cluster", None, address, message) from None
        yield WorkerPool(ending.enter_context(client), local)
