"""An HTTP server with the answers that a test sets."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from kubernetes.client import Configuration

from dra_conform.adapters.live.endpoint import Endpoint
from dra_conform.kube.json_values import Json


@dataclass
class HttpRequest:
    """A received request."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: Json


@dataclass
class HttpResponse:
    """A response: an object, a string, or the lines of a watch that ends.

    Surrogates of the string are sent as the bytes that they escape.
    """

    body: Json = None
    code: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    lines: list[Json] | None = None


Script = Callable[[HttpRequest], HttpResponse]


@contextmanager
def serving(script: Script) -> Iterator[Endpoint]:
    """Serve on the loopback; return the endpoint."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            response = script(
                HttpRequest(self.command, self.path, self.headers.items(), json.loads(raw) if raw else None)
            )
            if response.lines is not None:
                text = "".join(json.dumps(line) + "\n" for line in response.lines)
            else:
                text = response.body if isinstance(response.body, str) else json.dumps(response.body)
            self.send_response(response.code)
            body = text.encode("utf-8", "surrogateescape")
            for name, value in {"Content-Length": str(len(body)), **response.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815 - as the library has it

        def log_message(self, format: str, *arguments: Json) -> None:  # noqa: A002 - likewise
            """Do not log."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        host = f"http://127.0.0.1:{server.server_port}"
        yield Endpoint(host, Configuration(host=host))
    finally:
        server.shutdown()
        server.server_close()
