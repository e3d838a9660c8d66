from __future__ import annotations

import pytest

from dra_conform.adapters import wire
from dra_conform.adapters.wire import Frame, Junk, Lines, TooLong
from dra_conform.kube.scalars import Number


def test_a_frame_is_one_line() -> None:
    data = wire.encode({"type": "run", "id": 3, "text": "a\nb \u2028 é"})
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1
    assert wire.decode(data) == Frame(3, {"type": "run", "id": 3, "text": "a\nb \u2028 é"})


def test_a_fraction_is_encoded_as_written() -> None:
    body = {"id": 3, "given": [Number("1.50"), Number(".5"), Number("+1e3"), 1.5]}
    assert wire.encode(body) == b'{"id":3,"given":[1.50,0.5,1E+3,1.5]}\n'


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b'{"id": 0}', 0),
        (b'{"id": 9007199254740991}', 9007199254740991),
        (b'{"id": 9007199254740992}', None),
        (b'{"id": -1}', None),
        (b'{"id": true}', None),
        (b'{"id": 1.0}', None),
        (b'{"id": "1"}', None),
        (b'{"id": null}', None),
        (b"{}", None),
        (b'  {"id": 4}\r', 4),
    ],
)
def test_the_id_of_a_frame(line: bytes, number: int | None) -> None:
    frame = wire.decode(line)
    assert isinstance(frame, Frame)
    assert frame.id == number


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"hello", "not JSON"),
        (b'{"id": 1', "not JSON"),
        (b'{"id": NaN}', "not JSON"),
        (b'{"id": 1} {"id": 2}', "not JSON"),
        (b'\xef\xbb\xbf{"id": 1}', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8: byte 0xff at position 7"),
        (b"[1]", "not an object"),
        (b"null", "not an object"),
        (b"[" * 100_000, "JSON"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    ],
    ids=range(10),
)
def test_junk_has_the_problem(line: bytes, problem: str) -> None:
    junk = wire.decode(line)
    assert isinstance(junk, Junk)
    assert problem in junk.problem
    assert len(junk.text) <= 900


STREAMS = [
    ([b"a\nb\n"], [b"a", b"b"]),
    ([b"a", b"b", b"\n"], [b"ab"]),
    ([b"a\n", b"", b"\nb\n"], [b"a", b"b"]),
    ([b"  \r\n\n"], []),
    ([b"rest"], []),
    ([b"12345678\n"], [b"12345678"]),
    ([b"123456789\nok\n"], [TooLong(8), b"ok"]),
    ([b"12345", b"6789", b"0123", b"\nok\n"], [TooLong(8), b"ok"]),
    ([b"1" * 9, b"2" * 9, b"\n", b"3" * 9], [TooLong(8), TooLong(8)]),
]


@pytest.mark.parametrize(("chunks", "expected"), STREAMS, ids=range(len(STREAMS)))
def test_lines(chunks: list[bytes], expected: list[bytes | TooLong]) -> None:
    lines = Lines(limit=8)
    assert [line for chunk in chunks for line in lines.feed(chunk)] == expected


def test_a_too_long_line_is_reported_early_and_dropped() -> None:
    lines = Lines(limit=1000)
    found = [line for _ in range(1000) for line in lines.feed(b"x" * 100)]
    assert found == [TooLong(1000)]
    assert sum(len(part) for part in lines._parts) == 0


def test_the_unfinished_line_has_a_size() -> None:
    lines = Lines(limit=8)
    assert list(lines.feed(b"12\n345")) == [b"12"]
    assert lines.unfinished == 3
    assert list(lines.feed(b"\n")) == [b"345"]
    assert lines.unfinished == 0
    assert list(lines.feed(b"123456789")) == [TooLong(8)]
    assert lines.unfinished == 0
