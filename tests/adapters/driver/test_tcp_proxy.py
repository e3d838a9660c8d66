"""The proxy between a driver and a real API server."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from dra_conform.adapters.driver.tcp_proxy import TCPProxy


@pytest.fixture
def proxy() -> Iterator[TCPProxy]:
    """A proxy to a server that sends back what it gets."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_echo_all, args=(listener,), daemon=True).start()
        proxy = TCPProxy("127.0.0.1", listener.getsockname()[1])
        yield proxy
        proxy.close()
        listener.shutdown(socket.SHUT_RDWR)


def _echo_all(listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_echo, args=(connection,), daemon=True).start()


def _echo(connection: socket.socket) -> None:
    with connection:
        while data := connection.recv(1000):
            connection.sendall(data)


def test_bytes_are_forwarded_until_an_outage(proxy: TCPProxy) -> None:
    address = ("127.0.0.1", proxy.port)
    with socket.create_connection(address, 5) as client:
        client.sendall(b"before")
        assert client.recv(100) == b"before"
        proxy.interrupt()
        assert client.recv(100) == b""
    with socket.create_connection(address, 5) as client:
        assert client.recv(100) == b""
    proxy.resume()
    with socket.create_connection(address, 5) as client:
        client.sendall(b"after")
        assert client.recv(100) == b"after"


def test_after_close_nothing_listens(proxy: TCPProxy) -> None:
    proxy.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", proxy.port), 5)
