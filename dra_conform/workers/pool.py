"""A pool of dask workers: local processes, or the workers of a dask scheduler."""

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
Result = TypeVar("Result")

AHEAD = 4
"""The number of submitted parts per worker, including unread results."""


class SchedulerLost(CannotStart):
    """The dask scheduler has ended or cannot be reached; the results read so far stay valid."""


class WorkerPool:
    """A pool that runs parts of a campaign on workers; results do not depend on the number of workers."""

    def __init__(self, client: Any, local: Any = None) -> None:
        self._client = client
        self._local = local

    @property
    def size(self) -> int:
        """The current number of workers."""
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def processes(self) -> list[int]:
        """Return the process IDs of the workers that this pool started."""
        return [nanny.pid for nanny in self._local.workers.values() if nanny.pid] if self._local else []

    def in_order(
        self, function: Callable[[Part], Result], parts: Iterable[Part], *, until: float = inf
    ) -> Generator[Result]:
        """Yield the result of the function for each part, in the order of the parts, which are read lazily.

        After `until`, a time of `time.monotonic`, the next result is still awaited and all other parts are
        cancelled.

        A part whose worker is lost is run again on another worker. Exceptions of the function are raised
        here. Raises CannotStart if several workers end while they run the same part, and SchedulerLost.
        """
        from distributed import KilledWorker  # noqa: PLC0415 - takes a second, and is optional
        from distributed.comm import CommClosedError  # noqa: PLC0415 - likewise

        submitted: deque[Any] = deque()
        try:
            for part in parts:
                submitted.append(self._client.submit(function, part, pure=False))
                if len(submitted) > AHEAD * max(self.size, 1):
                    yield submitted.popleft().result()
                    if not _done_in_time(submitted[0], until):
                        return
            while submitted:
                yield submitted.popleft().result()
                if submitted and not _done_in_time(submitted[0], until):
                    return
        except KilledWorker:
            raise CannotStart("several workers ended while they ran the same part of the campaign") from None
        except (CancelledError, CommClosedError):
            raise SchedulerLost("the dask scheduler has ended or cannot be reached") from None
        finally:
            with suppress(CancelledError, CommClosedError):
                self._client.cancel(list(submitted))


def _done_in_time(future: Any, until: float) -> bool:
    """Wait for a part until a time; return whether it is done by then."""
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
    """Connect to the dask scheduler at an address or, without an address, start `processes` local workers.

    Local workers end with the context. Raises InputError if no scheduler answers at the address.
    """
    from distributed import Client, LocalCluster  # noqa: PLC0415 - likewise
    from distributed.comm import get_address_host_port  # noqa: PLC0415 - likewise

    for name in ("asyncio", "distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # Errors that matter are raised too.
    with ExitStack() as stack:
        local = None
        if not address:
            local = LocalCluster(
                n_workers=processes,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
            stack.enter_context(local)
            address = local.scheduler_address
        try:
            get_address_host_port(address)  # a client of a malformed address cannot be closed
            client = Client(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            message = f"no dask scheduler answers ({error}), expected its address, such as tcp://HOST:8786"
            raise InputError("--cluster", None, address, message) from None
        yield WorkerPool(stack.enter_context(client), local)
