"""`list` and `explain`: the values for --select, and the result of one case."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call

CASE = "kep-5075/trial/one"


def test_list_says_what_can_be_selected(call: Call, folder: Path) -> None:
    completed = call("list", "--suite", "suite")
    assert (completed.code, completed.err) == (exits.OK, "")
    lines = completed.out.splitlines()
    assert "  document:KEP-5075  2" in lines
    assert "kind:golden" in completed.out
    assert lines[-1] == "2 cases"


def test_list_of_one_field(call: Call, folder: Path) -> None:
    completed = call("list", "requirement", "--suite", "suite", "--select", "kind:golden")
    assert completed.out == "requirement:KEP-5075/rounding/step-up  1\n"
    completed = call("list", "id", "--suite", "suite", "--select", "kind:golden")
    assert completed.out.startswith(f"{CASE}  ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("colour",), "argument FIELD: invalid choice: 'colour'"),
        (("--select", "no-such"), "--select: column 1: found 'no-such', which no case of the suite matches"),
        (
            ("--select", "document:KEP-5057"),
            "which no case of the suite matches, expected a value that `list` prints, did you mean document:KEP-5075?",
        ),
        (("--select", "(a"), "--select: column 3: the expression ends here, expected `)`"),
    ],
)
def test_bad_lists(call: Call, folder: Path, arguments: tuple[str, ...], message: str) -> None:
    completed = call("list", "--suite", "suite", *arguments)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert message in completed.err


def test_explain_a_failure(call: Call, folder: Path) -> None:
    completed = call(
        "explain", CASE, "--suite", "suite", "--in-process", "-i", "python:trial_implementations:never"
    )
    assert (completed.code, completed.err) == (exits.FAILURES, "")
    assert f"fail: wrong-outcome  {CASE}" in completed.out
    assert "why: decisions of the built-in allocator" in completed.out
    assert (
        f"dra-conform run -i python:trial_implementations:never --suite suite --select id:{CASE}"
        in completed.out
    )


def test_explain_a_right_answer(call: Call, folder: Path) -> None:
    completed = call("explain", CASE, "--suite", "suite")
    assert (completed.code, completed.err) == (exits.OK, "")
    assert completed.out.startswith(f"{CASE}\n")
    assert ": pass\n  outcome: allocated\n" in completed.out


def test_explain_asks_once(call: Call, folder: Path) -> None:
    (folder / "counting.py").write_text(
        "from dra_conform.adapters.builtin import Builtin\n\n"
        "class Counting(Builtin):\n"
        "    def allocate(self, *question):\n"
        "        with open('asked', 'a') as log:\n"
        "            log.write('asked\\n')\n"
        "        return Builtin.allocate(*question)\n",
        encoding="utf-8",
    )
    completed = call("explain", CASE, "--suite", "suite", "-i", "python:counting:Counting")
    assert (completed.code, completed.err) == (exits.OK, "")
    assert "outcome: allocated" in completed.out
    assert (folder / "asked").read_text("utf-8") == "asked\n"


def test_explain_what_is_not_supported(call: Call, folder: Path) -> None:
    completed = call(
        "explain", CASE, "--suite", "suite", "--in-process", "-i", "python:trial_implementations:unsupported"
    )
    assert completed.code == exits.OK
    assert ": unsupported\n  not today\n" in completed.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("kep-5075/trial/two",),
            "explain: kep-5075/trial/two: unknown case, did you mean kep-5075/trial/one or ",
        ),
        ((CASE, "-i", "nothing"), "--implementation: 'nothing' names no implementation"),
    ],
)
def test_bad_explanations(call: Call, folder: Path, arguments: tuple[str, ...], message: str) -> None:
    completed = call("explain", *arguments, "--suite", "suite")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith(message)


def test_an_implementation_that_cannot_be_run_cannot_be_explained(call: Call, folder: Path) -> None:
    completed = call("explain", CASE, "-i", "exec:./nothing", "--suite", "suite")
    assert (completed.code, completed.out) == (exits.NOT_RUNNABLE, "")
    assert completed.err.startswith("exec:./nothing: cannot be run: ")
