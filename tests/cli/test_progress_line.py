"""The progress line of a command."""

from __future__ import annotations

import io

import pytest

from dra_conform.cli.progress_line import ProgressLine


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(stream: io.StringIO, seconds: list[float]) -> str:
    """Return the output of a command that starts at 0 s and finishes one thing at each of these times."""
    now = 0.0
    line = ProgressLine(stream, lambda: now)
    for number, now in enumerate(seconds, 1):  # noqa: B007 - the clock reads it
        line("scheduling pods", number, 20_000)
    line.close()
    return stream.getvalue()


def test_a_terminal_has_a_live_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert drawn(Screen(), [0.05, 0.2, 0.25, 0.4]) == (
        "\r\x1b[2Kscheduling pods: 2 of 20,000\r\x1b[2Kscheduling pods: 4 of 20,000\r\x1b[2K"
    )


def test_a_short_command_prints_no_progress_to_a_file() -> None:
    assert drawn(io.StringIO(), [0.2, 30, 59]) == ""


def test_a_long_command_prints_a_line_every_minute() -> None:
    assert drawn(io.StringIO(), [59, 61, 62, 130]) == (
        "scheduling pods: 2 of 20,000\nscheduling pods: 4 of 20,000\n"
    )


def test_a_terminal_shows_at_once_what_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for stream, expected in ((Screen(), "\r\x1b[2Kreading the suite\r\x1b[2K"), (io.StringIO(), "")):
        line = ProgressLine(stream)
        line.begin("reading the suite")
        line.close()
        assert stream.getvalue() == expected
