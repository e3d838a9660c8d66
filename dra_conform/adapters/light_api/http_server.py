"""The simulated API server over HTTP on a port of the loopback interface."""

from __future__ import annotations

import json
import secrets
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from dra_conform.adapters.light_api.api import LightApi, ReceivedWrite
from dra_conform.adapters.light_api.requests import RequestHandler
from dra_conform.kube.profile import Profile

MAX_CONNECTIONS = 200
"""The maximum number of concurrent connections; further ones are closed at once."""


class LightServer:
    """A running API server. `writes` are the requests to change objects."""

    def __init__(self, profile: Profile, seed: int | None = None) -> None:
        self.api = LightApi(profile, secrets.randbits(64) if seed is None else seed)
        self._stopped = threading.Event()
        handler = type("Handler", (RequestHandler,), {"api": self.api, "server_stopped": self._stopped})
        self._http = _HTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.api.load({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}})

    @property
    def writes(self) -> tuple[ReceivedWrite, ...]:
        """All writes so far in order."""
        return tuple(self.api.writes)

    def write_kubeconfig(self, path: Path) -> None:
        """Write a kubeconfig for this server."""
        named = {"name": "light"}
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "light",
            "clusters": [{**named, "cluster": {"server": self.url}}],
            "users": [{**named, "user": {}}],
            "contexts": [{**named, "context": {"cluster": "light", "user": "light"}}],
        }
        path.write_text(json.dumps(content), encoding="utf-8")

    def stop_answering(self) -> None:
        """Close all current and new connections without an answer until `answer_again`."""
        self._stopped.set()
        self._http.close_connections()

    def answer_again(self) -> None:
        """Answer requests after `stop_answering`."""
        self._stopped.clear()

    def restart(self, gates: Mapping[str, bool]) -> None:
        """Close all connections and continue with other states of feature gates."""
        self.stop_answering()
        self.api.restart(gates)
        self.answer_again()

    def close(self) -> None:
        """End the server and its connections."""
        self._stopped.set()
        self._http.shutdown()
        self._http.close_connections()
        self._http.server_close()
        self._thread.join()


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            accepted = len(self._open) < MAX_CONNECTIONS
            if accepted:
                self._open.add(request)
        if accepted:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        """Shut down all open connections."""
        with self._lock:
            for connection in self._open:
                with suppress(OSError):  # The client may have closed it.
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of broken connections instead of printing them."""
