"""The API servers of a control plane: the one in use, and earlier ones that keep running."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_Settings = tuple[Path, tuple[tuple[str, bool], ...]]
"""The program of an API server and its feature gates."""


@dataclass(frozen=True, slots=True)
class ApiServer:
    """An API server that was started; `process` is the name of its process, `port` its port."""

    process: str
    port: int


class ApiServers:
    """API servers on one etcd, as in a highly available control plane.

    The start of an API server is most of the time of a restart. So API servers with other gates or of another
    release keep running, one for each port, and are used again when these gates return.

    `start` starts an API server and waits until it is ready, `stop` ends it, and `ready` says whether it is
    still ready.
    """

    def __init__(
        self,
        ports: Sequence[int],
        start: Callable[[ApiServer, Path, Mapping[str, bool]], None],
        stop: Callable[[ApiServer], None],
        ready: Callable[[ApiServer], bool],
    ) -> None:
        self._start = start
        self._stop = stop
        self._ready = ready
        self._free = [ApiServer(f"apiserver-{number}", port) for number, port in enumerate(ports, 1)]
        self._running: dict[_Settings, ApiServer] = {}
        """The API servers that run, the least recently used first."""

    def use(self, program: Path, gates: Mapping[str, bool]) -> ApiServer:
        """Return a ready API server with this program and these gates; start one if none runs."""
        settings = (program, tuple(sorted(gates.items())))
        server = self._running.pop(settings, None)
        if server is not None and not self._ready(server):
            self._end(server)
            server = None
        if server is None:
            if not self._free:
                self._end(self._running.pop(next(iter(self._running))))
            server = self._free[0]
            self._start(server, program, gates)
            self._free.remove(server)
        self._running[settings] = server
        return server

    def end(self, server: ApiServer) -> None:
        """End an API server."""
        self._running = {settings: one for settings, one in self._running.items() if one != server}
        self._end(server)

    def _end(self, server: ApiServer) -> None:
        self._stop(server)
        self._free.append(server)
