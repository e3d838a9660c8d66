"""A gRPC server on a Unix socket for the methods of `plugin_api`. Needs the extra `drivers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import grpc

from dra_conform.kube.plugin_api import Method, Struct, decode, encode

THREADS = 16
"""The number of calls that a server handles at the same time."""

Handler = Callable[[Any, grpc.ServicerContext], Any]
"""Answers the request of a call; for a stream, yields its responses."""


def serve(socket: Path, handlers: Mapping[Method, Handler]) -> grpc.Server:
    """Serve methods on a socket, which is replaced if it exists. The server runs until `stop`."""
    socket.unlink(missing_ok=True)
    server = grpc.server(ThreadPoolExecutor(THREADS))
    services: dict[str, dict[str, grpc.RpcMethodHandler]] = {}
    for method, handler in handlers.items():
        service, _, name = method.path.removeprefix("/").partition("/")
        make = grpc.unary_stream_rpc_method_handler if method.stream else grpc.unary_unary_rpc_method_handler
        services.setdefault(service, {})[name] = make(handler, partial(_decoded, method.request), encode)
    server.add_generic_rpc_handlers(
        tuple(grpc.method_handlers_generic_handler(service, by_name) for service, by_name in services.items())
    )
    server.add_insecure_port(f"unix:{socket}")
    server.start()
    return server


def _decoded(kind: type[Struct], data: bytes) -> Struct:
    return decode(kind, data)
