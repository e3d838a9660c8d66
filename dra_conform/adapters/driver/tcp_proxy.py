"""A TCP proxy on the loopback interface that simulates a network outage."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

MAX_CONNECTIONS = 200
"""The maximum number of concurrent connections; further ones are closed at once."""
_CONNECT_SECONDS = 5.0
_CHUNK = 2**16


class TCPProxy:
    """Forwards connections to an address. `port` is its own port on 127.0.0.1."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._interrupted = threading.Event()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def interrupt(self) -> None:
        """Close all connections, and each new one, until `resume`."""
        self._interrupted.set()
        self._end_all()

    def resume(self) -> None:
        """Forward connections after an interruption."""
        self._interrupted.clear()

    def close(self) -> None:
        """End all connections and stop listening."""
        self._interrupted.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # `accept` returns only then.
        self._listener.close()
        self._end_all()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._interrupted.is_set() or len(self._open) >= 2 * MAX_CONNECTIONS:
                client.close()
                continue
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            try:
                server = socket.create_connection(self._target, _CONNECT_SECONDS)
            except OSError:
                return
            with server:
                server.settimeout(None)
                with self._lock:
                    self._open |= {client, server}
                if self._interrupted.is_set():
                    self._end_all()
                back = threading.Thread(target=_forward, args=(server, client), daemon=True)
                back.start()
                _forward(client, server)
                back.join()
                with self._lock:
                    self._open -= {client, server}

    def _end_all(self) -> None:
        with self._lock:
            for connection in self._open:
                _end(connection)


def _forward(source: socket.socket, target: socket.socket) -> None:
    """Copy bytes until one connection ends, then end both."""
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
    _end(source)
    _end(target)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
