"""The encoding of the messages between kubelet and driver, held against bytes written by hand."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from dra_conform.kube.plugin_api import (
    Claim,
    Claims,
    DeviceHealth,
    DeviceIdentifier,
    Empty,
    HealthReport,
    MessageError,
    PluginDevice,
    PluginInfo,
    PreparedClaim,
    PrepareResponse,
    Struct,
    decode,
    encode,
)


def _text(number: int, text: str) -> bytes:
    """Return a field of type string, bytes or message by the wire format."""
    return _bytes(number, text.encode())


def _bytes(number: int, value: bytes) -> bytes:
    return bytes([number << 3 | 2, len(value)]) + value


_DEVICE = _text(1, "r") + _text(2, "pool") + _text(3, "gpu-0") + _text(4, "v/c=a") + _text(4, "v/c=b")
MESSAGES: tuple[tuple[Struct, bytes], ...] = (
    (Empty(), b""),
    (
        PluginInfo("DRAPlugin", "d", "/s", ("v1.DRAPlugin", "x")),
        _text(1, "DRAPlugin") + _text(2, "d") + _text(3, "/s") + _text(4, "v1.DRAPlugin") + _text(4, "x"),
    ),
    (Claims((Claim("n", "u", "c"),)), _bytes(1, _text(1, "n") + _text(2, "u") + _text(3, "c"))),
    (
        PrepareResponse(
            {"u": PreparedClaim((PluginDevice(("r",), "pool", "gpu-0", ("v/c=a", "v/c=b"), "s"),))}
        ),
        _bytes(1, _text(1, "u") + _bytes(2, _bytes(1, _DEVICE + _text(5, "s")))),
    ),
    (
        HealthReport((DeviceHealth(DeviceIdentifier("p", "d"), 2, 3, 30, "hot"),)),
        _bytes(1, _bytes(1, _text(1, "p") + _text(2, "d")) + b"\x10\x02\x18\x03\x20\x1e" + _text(5, "hot")),
    ),
)


@pytest.mark.parametrize(("message", "data"), MESSAGES, ids=lambda value: type(value).__name__)
def test_messages_have_the_documented_field_numbers(message: Struct, data: bytes) -> None:
    assert encode(message) == data
    assert decode(type(message), data) == message


def test_unknown_fields_are_ignored() -> None:
    assert decode(Claim, _text(1, "n") + _text(14, "later")) == Claim("n")


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05ab", b"\x0a\x02\xff\xfe"])
def test_malformed_messages_are_an_error(data: bytes) -> None:
    with pytest.raises(MessageError, match="not a PrepareResponse"):
        decode(PrepareResponse, data)


def test_an_absent_share_differs_from_an_empty_one() -> None:
    assert decode(PluginDevice, encode(PluginDevice(share_id=""))).share_id == ""
    assert decode(PluginDevice, encode(PluginDevice())).share_id is None


_FIRST_USE = """
import sys, threading
from tests.kube.test_plugin_api import MESSAGES, decode
sys.setswitchinterval(1e-6)
barrier = threading.Barrier(16)
def read():
    barrier.wait()
    for message, data in reversed(MESSAGES):
        decode(type(message), data)
threads = [threading.Thread(target=read) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


@pytest.mark.slow
def test_the_first_messages_can_be_decoded_in_several_threads() -> None:
    """Without a lock, msgspec ends the process by SIGSEGV in most attempts."""
    for _ in range(4):
        environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        subprocess.run([sys.executable, "-c", _FIRST_USE], check=True, env=environment)
