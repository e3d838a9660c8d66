"""Output of strings from other sources, with control characters escaped, and the progress line of a command."""

from __future__ import annotations

import io
import json
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dra_conform.cli.printing import ProgressLine, printable_streams
from dra_conform.kube.printable import one_line, printable, unfiltered
from tests.support.cli.calling import Call

ODD = "\x1b[31m\u202e\u2066\x07\x7f\x9b\u200b\u061c\ufeff"
UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")

MANIFEST = """\
apiVersion: v1
kind: Node
metadata: {name: "n%s", labels: {"k%s": "v%s"}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: "c%s\\nsecond line", namespace: "ns%s"}
spec: {devices: {requests: [{name: "r%s", exactly: {deviceClassName: "gpu%s", selectors: [{cel: {expression: "device %s"}}]}}]}}
---
apiVersion: "v1%s"
kind: "Kind%s"
metadata: {name: x}
"""
ESCAPED = ODD.encode("unicode_escape").decode().replace("\\x", "\\u00")
GOLDEN = """\
document: KEP-5075
area: rounding
title: A trial
cases:
  - case: one
    title: "One %s case"
    requirements: [KEP-5075/rounding/step-up]
    given:
      - devices: [{device: d, allowMultipleAllocations: true, capacity: {bw: 10}}]
      - resourceClaim: {name: c, capacity: {bw: 3}}
    when: {allocate: {resourceClaims: [c]}}
    then: [{consumes: {resourceClaim: c, capacity: {bw: 4}}}]
"""


def test_unprintable_characters_are_control_format_and_separator_characters() -> None:
    """Except tabs, line ends, and the joiners and marks that some scripts need."""
    sorts = {"Cc", "Cs", "Zl", "Zp"}
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in sorts and code not in (9, 10):
            assert printable(chr(code)) != chr(code), hex(code)
    assert [hex(ord(character)) for character in ODD if printable(character) == character] == [
        hex(ord(character)) for character in "[31m"
    ]
    assert one_line("a\n\tb\r\n") == "a\\n\\tb\\n"


def test_json_stays_json() -> None:
    text = json.dumps({"a": ODD, "b": "\ud800\x85"})
    assert json.loads(printable(text)) == {"a": ODD, "b": "\ud800\x85"}


@pytest.mark.parametrize("command", ["allocate", "schedule", "admit"])
@pytest.mark.parametrize("output", ["table", "yaml", "json"])
def test_manifests(call: Call, folder: Path, command: str, output: str) -> None:
    (folder / "m.yaml").write_text(MANIFEST.replace("%s", ESCAPED), "utf-8")
    completed = call(command, "-f", "m.yaml", "-o", output)
    assert completed.out + completed.err
    assert UNFIT.findall(completed.out + completed.err) == []
    assert not any(line.startswith("second line") for line in (completed.out + completed.err).splitlines())
    if output == "json" and completed.out:
        json.loads(completed.out)


@pytest.mark.parametrize(
    "arguments",
    [
        (ODD,),
        ("run", f"--{ODD}"),
        ("run", "--suite", "suite", "--select", ODD),
        ("run", "--suite", ODD),
        ("run", "--suite", "suite", "-i", f"exec:./{ODD}"),
        ("run", "--suite", "suite", "-i", f"python:{ODD}:{ODD}"),
        ("run", "--suite", "suite", "--json", f"{ODD}/x"),
        ("run", "--suite", "suite", "--resume", ODD),
        ("allocate", "-f", f"{ODD}\nsecond line"),
        ("schedule", "-f", ODD),
        ("admit", "-f", "/dev/null", "--gates", ODD),
        ("compare", ODD, ODD),
        ("show", ODD),
        ("fuzz", "--features", ODD, "-i", "builtin", "-i", "builtin"),
        ("schema", ODD),
        ("adapter", "check", f"exec:./{ODD}"),
        ("requirements", "--suite", "suite", "--json", f"{ODD}/x"),
    ],
)
def test_arguments(call: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    completed = call(*arguments)
    assert completed.out + completed.err
    assert UNFIT.findall(completed.out + completed.err) == []
    assert "\nsecond line" not in completed.out + completed.err


def test_reports_of_a_suite_and_an_implementation(call: Call, folder: Path) -> None:
    golden = folder / "suite" / "golden" / "kep-5075"
    (golden / "trial.yaml").write_text(GOLDEN.replace("%s", ESCAPED), "utf-8")
    (golden / "trial.yaml").rename(golden / f"t{ODD}`<b>\n.yaml")
    (folder / "odd.py").write_text(
        f"def allocate(objects, ask, profile):\n"
        f"    print({ODD!r})\n"
        f"    return {{'outcome': 'unallocatable', 'message': {ODD!r}, {ODD!r}: [{ODD!r}]}}\n",
        encoding="utf-8",
    )
    names = {name: f"r.{name}" for name in ("json", "html", "junit", "markdown", "events", "matrix")}
    options = [part for name, path in names.items() for part in (f"--{name}", path)]
    completed = call("run", "--suite", "suite", "-i", "python:odd:allocate", "--verbose", *options)
    texts = {name: (folder / path).read_text("utf-8") for name, path in names.items()}
    for name, text in {**texts, "terminal": completed.out + completed.err}.items():
        assert UNFIT.findall(text.replace("\x7f", "") if name in ("json", "events") else text) == [], name
    cases = list(ET.fromstring(texts["junit"]).iter("testcase"))
    assert any("\\u202e" in case.get("file", "") for case in cases)
    assert json.loads(texts["json"])["results"]
    parser = HTMLParser()
    parser.feed(texts["html"])
    assert "<b>" not in texts["html"]
    assert "\\u202e" in texts["markdown"]


def test_the_log_of_a_job_has_no_commands_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub Actions obeys lines of the log that begin with `::`, also after blanks, and `##[` anywhere."""
    text = "a\n  ::add-mask::x\n::error::y\nsee ::z and ##[error]\n\t"
    for job, expected in (
        ("true", "a\n  \\x3a:add-mask::x\n\\x3a:error::y\nsee ::z and #\\u0023[error]\n\t\\x3a:b\n 1::c"),
        ("", f"{text}::b\n 1::c"),
    ):
        monkeypatch.setenv("GITHUB_ACTIONS", job)
        streams = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "stdout", streams[0])
        monkeypatch.setattr(sys, "stderr", streams[1])
        with printable_streams():
            for part in (text, "::b\n 1", "::c"):
                unfiltered(sys.stdout).write(part)
                sys.stderr.write(part)
        assert [stream.getvalue() for stream in streams] == [expected, expected]


def test_the_log_of_a_job_does_not_change_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    with (tmp_path / "objects.yaml").open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        with printable_streams():
            sys.stdout.write("::x\n")
    assert (tmp_path / "objects.yaml").read_text("utf-8") == "::x\n"


def test_streams_are_those_of_before_when_a_command_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    with printable_streams():
        sys.stdout.write("a\x1b")
    sys.stdout.write("b\x1b")
    assert capsys.readouterr().out == "a\\x1bb\x1b"


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


def test_the_progress_line_of_a_terminal_controls_it_and_names_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with printable_streams():
        line = ProgressLine()
        line.begin("reading \x1b[31m")
        line.close()
    assert screen.getvalue() == "\r\x1b[2Kreading \\x1b[31m\r\x1b[2K"
