"""`run --expect`: known failures do not count, only differences from the ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from dra_conform.cli import exits
from tests.support.cli.calling import Call

RUN = ("run", "--suite", "suite", "--expect", "known.yaml")
NEVER = ("--in-process", "-i", "python:trial_implementations:never")
UNSUPPORTED = ("--in-process", "-i", "python:trial_implementations:unsupported")
CASE = "kep-5075/trial/one"
FINDING = "expectation: expected allocated, got unallocatable"
FAILURE = {"verdict": "fail: wrong-outcome", "findings": [FINDING]}
GROUP = f"""\
format: dra-conform-ledger/v1
known:
- reason: it never allocates
  cases:
    {CASE}:
      verdict: 'fail: wrong-outcome'
      findings: ['{FINDING}']
"""


def ledger(folder: Path, text: str = GROUP) -> None:
    (folder / "known.yaml").write_text(text, encoding="utf-8")


def test_known_failures_do_not_count(call: Call, folder: Path) -> None:
    ledger(folder)
    completed = call(*RUN, *NEVER)
    assert (completed.code, completed.err) == (exits.OK, "known.yaml: all results are as in the ledger\n")


def test_the_terminal_only_counts_known_failures(call: Call, folder: Path) -> None:
    ledger(folder)
    out = call(*RUN, *NEVER).out
    assert "fails:" not in out
    assert "\n    1 of them is a known failure of known.yaml; --verbose shows them\n" in out
    out = call(*RUN, *NEVER, "--verbose").out
    assert "\n1 case fails: " in out
    assert "\n    1 of them is a known failure of known.yaml\n" in out
    ledger(folder, "format: dra-conform-ledger/v1\n")
    out = call(*RUN, *NEVER).out
    assert "\n1 case fails: " in out
    assert "known failures" not in out


@pytest.mark.parametrize("known", [True, False])
def test_pages_mark_known_failures(call: Call, folder: Path, known: bool) -> None:
    ledger(folder, GROUP if known else "format: dra-conform-ledger/v1\n")
    call(*RUN, *NEVER, "--html", "r.html", "--markdown", "r.md")
    for name in ("r.html", "r.md"):
        text = Path(name).read_text("utf-8")
        assert "expected allocated, got unallocatable" in text
        assert ("known: expected allocated, got unallocatable" in text) == known


def test_a_failure_that_is_not_known(call: Call, folder: Path) -> None:
    ledger(folder, "format: dra-conform-ledger/v1\n")
    completed = call(*RUN, *NEVER)
    assert completed.code == exits.FAILURES
    assert completed.err == (
        f"known.yaml: {CASE}: trial_implementations:never 0, profile kep: the verdict is fail: "
        "wrong-outcome, expected pass or an entry in the ledger\n"
        "known.yaml: 1 result differs from the ledger\n"
    )


def test_a_known_case_that_fails_differently(call: Call, folder: Path) -> None:
    ledger(folder, GROUP.replace("wrong-outcome", "wrong-result"))
    completed = call(*RUN, *NEVER)
    assert completed.code == exits.FAILURES
    assert f"known.yaml:5: {CASE}: " in completed.err
    assert "is now fail: wrong-outcome, expected fail: wrong-result\n" in completed.err


def test_other_findings_are_another_failure(call: Call, folder: Path) -> None:
    ledger(folder, GROUP.replace("expected allocated", "device d3 is unknown"))
    completed = call(*RUN, *NEVER)
    assert completed.code == exits.FAILURES
    assert completed.err.startswith(
        f"known.yaml:5: {CASE}: trial_implementations:never 0, profile kep: has other "
    )
    assert f"findings: '{FINDING}' is new; 'expectation: device d3 is unknown, got" in completed.err


def test_a_run_that_judged_nothing(call: Call, folder: Path) -> None:
    ledger(folder, "format: dra-conform-ledger/v1\n")
    completed = call(*RUN, *UNSUPPORTED, "--select", "kind:golden")
    assert completed.code == exits.INCOMPLETE
    assert (
        "known.yaml: trial_implementations:unsupported 0, profile kep: no case was judged\n" in completed.err
    )
    assert "as in the ledger" not in completed.err


def test_a_stale_entry_is_an_error(call: Call, folder: Path) -> None:
    ledger(folder)
    completed = call(*RUN, "-i", "builtin")
    assert completed.code == exits.FAILURES
    assert "is now pass, expected fail: wrong-outcome; remove it from the ledger\n" in completed.err


def test_a_known_case_that_is_declined_is_not_stale(call: Call, folder: Path) -> None:
    ledger(folder)
    assert "remove it from the ledger" not in call(*RUN, *UNSUPPORTED).err


PATTERN = """\
format: dra-conform-ledger/v1
known:
- reason: it never allocates
  matching:
  - {requirement: KEP-5075/rounding/*, finding: 'expectation: expected allocated*'}
"""


def test_one_pattern_has_all_failures_with_a_finding(call: Call, folder: Path) -> None:
    ledger(folder, PATTERN)
    assert call(*RUN, *NEVER).code == exits.OK
    ledger(folder, PATTERN.replace("expected allocated", "something else"))
    completed = call(*RUN, *NEVER)
    assert (completed.code, "an entry in the ledger" in completed.err) == (exits.FAILURES, True)


def test_a_pattern_that_fits_no_failure_is_stale(call: Call, folder: Path) -> None:
    ledger(folder, PATTERN)
    completed = call(*RUN, "-i", "builtin")
    assert completed.code == exits.FAILURES
    assert "known.yaml:5: a pattern: dra-conform built-in" in completed.err
    assert "matches no failure among 2 judged cases, expected at least one\n" in completed.err
    assert call(*RUN, "-i", "builtin", "--select", "kind:golden").code == exits.OK
    ledger(folder, PATTERN.replace("rounding", "default"))
    for options in ((), ("--select", "kind:golden")):
        completed = call(*RUN, "-i", "builtin", *options)
        assert completed.code == exits.FAILURES
        assert "matches no case of the suite, expected at least one\n" in completed.err


def test_update_keeps_patterns_that_fit(call: Call, folder: Path) -> None:
    ledger(folder, PATTERN)
    call(*RUN, *NEVER, "--update")
    written = yaml.safe_load((folder / "known.yaml").read_text("utf-8"))
    assert written["known"] == yaml.safe_load(PATTERN)["known"]
    call(*RUN, "-i", "builtin", "--update")
    assert yaml.safe_load((folder / "known.yaml").read_text("utf-8"))["known"] == []


def test_update_records_the_breadth_of_all_cases(call: Call, folder: Path) -> None:
    ledger(folder, "format: dra-conform-ledger/v1\n")
    call(*RUN, *NEVER, "--update", "--select", "kind:golden")
    assert "breadth" not in yaml.safe_load((folder / "known.yaml").read_text("utf-8"))
    call(*RUN, *NEVER, "--update")
    [entry] = yaml.safe_load((folder / "known.yaml").read_text("utf-8"))["breadth"]
    name = "trial_implementations:never"
    assert entry == {"implementation": name, "profile": "kep", "level": "all", "share": "100 %"}


def test_a_ledger_entry_of_an_unknown_case(call: Call, folder: Path) -> None:
    ledger(folder, GROUP + "    no/such/case: {verdict: crash}\n")
    completed = call(*RUN, *NEVER)
    assert completed.code == exits.FAILURES
    assert "known.yaml:8: no/such/case: " in completed.err
    assert "is not a case of the suite; remove it from the ledger\n" in completed.err


def test_cases_that_are_not_run_are_left_alone(call: Call, folder: Path) -> None:
    ledger(folder)
    assert call(*RUN, *NEVER, "--select", "not kind:golden").code == exits.OK


@pytest.mark.parametrize("narrow", ["implementation: another", "profile: kubernetes-1.36"])
def test_a_group_of_another_run(call: Call, folder: Path, narrow: str) -> None:
    ledger(folder, GROUP.replace("  cases:", f"  {narrow}\n  cases:"))
    completed = call(*RUN, *NEVER)
    assert completed.code == exits.FAILURES
    assert "an entry in the ledger" in completed.err
    assert call(*RUN, "-i", "builtin").code == exits.OK


def test_update_writes_the_present_failures(call: Call, folder: Path) -> None:
    completed = call(*RUN, *NEVER, "--update", "--reason", "see #7")
    assert (completed.code, completed.err) == (exits.OK, "known.yaml: written\n")
    assert yaml.safe_load((folder / "known.yaml").read_text("utf-8")) == {
        "format": "dra-conform-ledger/v1",
        "breadth": [
            {
                "implementation": "trial_implementations:never",
                "profile": "kep",
                "level": "all",
                "share": "100 %",
            }
        ],
        "known": [
            {
                "reason": "see #7",
                "implementation": "trial_implementations:never",
                "profile": "kep",
                "cases": {CASE: FAILURE},
            }
        ],
    }
    assert call(*RUN, *NEVER).code == exits.OK
    again = (folder / "known.yaml").read_text("utf-8")
    call(*RUN, *NEVER, "--update")
    assert (folder / "known.yaml").read_text("utf-8") == again


def test_update_writes_nothing_without_a_run(call: Call, folder: Path) -> None:
    completed = call(*RUN, "-i", "exec:./not-there", "--update")
    assert completed.code == exits.NOT_RUNNABLE
    assert "known.yaml" not in completed.err
    assert not (folder / "known.yaml").exists()


def test_update_keeps_reasons_and_removes_stale_entries(call: Call, folder: Path) -> None:
    ledger(folder, GROUP.replace("wrong-outcome", "wrong-result") + "    no/such/case: {verdict: crash}\n")
    call(*RUN, *NEVER, "--update")
    [group] = yaml.safe_load((folder / "known.yaml").read_text("utf-8"))["known"]
    assert group == {"reason": "it never allocates", "cases": {CASE: FAILURE}}
    call(*RUN, "--update")
    assert yaml.safe_load((folder / "known.yaml").read_text("utf-8"))["known"] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "known.yaml:1: has 0 YAML documents, expected one"),
        ("format: 1\n", "known.yaml:1: format: "),
        ("format: other\n", "known.yaml:1: format: is 'other', expected dra-conform-ledger/v1"),
        (GROUP + "extra: 1\n", "known.yaml:8: extra: "),
        (GROUP + "- reason: nothing\n", "known.yaml:8: known[1]: has no failure, expected cases or matching"),
        (
            PATTERN + "  - {}\n",
            "known.yaml:6: known[0].matching[1]: matches every failure, expected at least one of case",
        ),
        (
            PATTERN + "  - {case: '*', finding: '**', feature: '?*'}\n",
            "known.yaml:6: known[0].matching[1]: matches every failure, expected at least one of case",
        ),
        (
            PATTERN + "  - {deviation: kep}\n",
            "known.yaml:6: known[0].matching[1].deviation: is 'kep', expected one of kubernetes-1.33, ",
        ),
        (
            PATTERN + "  - {part: node-selectr}\n",
            "known.yaml:6: known[0].matching[1].part: is 'node-selectr', expected one of configuration, node-",
        ),
        (
            GROUP + "  profile: kubernetes-1.3\n",
            "known.yaml:8: known[0].profile: is 'kubernetes-1.3', expected one of kep, kubernetes-1.33, ",
        ),
        (
            GROUP + "breadth: [{implementation: x, profile: kpe, share: 90 %}]\n",
            "known.yaml:8: breadth[0].profile: is 'kpe', expected one of kep, ",
        ),
        (
            GROUP + "breadth: [{implementation: x, profile: kep, level: most, share: 90 %}]\n",
            "known.yaml:8: breadth[0].level: is 'most', expected one of core, extended, all",
        ),
        (
            GROUP.replace("it never allocates", "''"),
            "known.yaml:3: known[0].reason: is empty, expected the reason why",
        ),
        (
            GROUP + GROUP.partition("known:\n")[2],
            f"known.yaml:10: known[1].cases[{CASE}]: is listed in two groups that apply to the same run, expected one entry",
        ),
    ],
)
def test_bad_ledgers(call: Call, folder: Path, text: str, message: str) -> None:
    ledger(folder, text)
    completed = call(*RUN, *NEVER)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith(message), completed.err


def test_a_ledger_that_is_not_there(call: Call, folder: Path) -> None:
    completed = call(*RUN)
    assert (completed.code, completed.err) == (
        exits.USAGE,
        "known.yaml: does not exist, expected a ledger; `run --expect FILE --update` writes one\n",
    )
    completed = call("run", "--suite", "suite", "--update")
    assert completed.err == "--update: updates a ledger, expected --expect with the file of the ledger\n"
    completed = call("run", "--suite", "suite", "--reason", "later")
    assert (completed.code, "--reason: later: is the reason of" in completed.err) == (exits.USAGE, True)
    completed = call("run", "--suite", "suite", "--expect", "nowhere/known.yaml", "--update")
    assert completed.err.startswith("nowhere/known.yaml: there is no folder")


def test_the_first_failure_ends_the_run(call: Call, folder: Path) -> None:
    completed = call("run", "--suite", "suite", *NEVER, "-x")
    assert completed.code in (exits.FAILURES, exits.INCOMPLETE)
    assert "1 of 2 cases failed" in completed.out


PUBLISHED = Path("suite", "ledgers", "trial_implementations-never", "0.yaml")
PLAIN = ("run", "--suite", "suite")


@pytest.fixture
def published(folder: Path) -> Path:
    """Write a published ledger for an implementation by name and version; return its path."""
    file = PUBLISHED
    file.parent.mkdir(parents=True)
    file.write_text(GROUP, encoding="utf-8")
    return file


def test_the_published_ledger_of_a_version_is_used(call: Call, published: Path) -> None:
    completed = call(*PLAIN, *NEVER)
    assert (completed.code, completed.err) == (
        exits.OK,
        f"expected failures of trial_implementations:never 0: {published}\n"
        "  1 case: it never allocates\n"
        f"{published}: all results are as in the ledger\n",
    )
    assert call(*PLAIN, *NEVER, "--select", "not kind:golden").code == exits.OK


def test_reports_name_the_ledger_and_how_to_count_all_failures(
    call: Call, folder: Path, published: Path
) -> None:
    reports = ("--html", "r.html", "--summary", "s.html", "--markdown", "r.md", "--json", "r.json")
    completed = call(*PLAIN, *NEVER, *reports)
    file = published.relative_to("suite")
    note = (
        f"Failures that {file} lists are known and do not change the exit code: the suite has this ledger for"
    )
    found = " ".join(completed.out.split())
    assert found.index(note) < found.index("==")
    assert "With --expect none all failures count." in found
    for name in ("r.html", "s.html", "r.md"):
        assert note in Path(name).read_text("utf-8").replace("\\", "")
    report = json.loads(Path("r.json").read_text("utf-8"))
    assert report["ledger"] == {"file": str(file), "published": True}
    completed = call(*PLAIN, *NEVER, *reports, "--expect", "none")
    assert "known" not in completed.out
    assert "ledger" not in json.loads(Path("r.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--expect", "none"), exits.FAILURES),
        (("--expect", "empty.yaml"), exits.FAILURES),
        (("--profile", "kubernetes-1.36"), exits.FAILURES),
    ],
)
def test_where_a_published_ledger_does_not_apply(
    call: Call, folder: Path, published: Path, arguments: tuple[str, ...], code: int
) -> None:
    (folder / "empty.yaml").write_text("format: dra-conform-ledger/v1\n", encoding="utf-8")
    published.write_text(GROUP.replace("  cases:", "  profile: kep\n  cases:"), encoding="utf-8")
    assert call(*PLAIN, *NEVER, *arguments).code == code


def test_a_published_ledger_without_entries_for_the_profile_is_not_mentioned(
    call: Call, published: Path
) -> None:
    published.write_text(GROUP.replace("  cases:", "  profile: kubernetes-1.36\n  cases:"), encoding="utf-8")
    completed = call(*PLAIN, *NEVER)
    assert (completed.code, completed.err) == (exits.FAILURES, "")


def test_a_published_ledger_of_another_version_does_not_apply(call: Call, published: Path) -> None:
    published.rename(published.with_name("1.yaml"))
    completed = call(*PLAIN, *NEVER)
    assert (completed.code, completed.err) == (exits.FAILURES, "")


def test_a_published_ledger_covers_only_its_implementation(call: Call, published: Path) -> None:
    assert call(*PLAIN, *NEVER, "-i", "builtin").code == exits.OK
    assert call(*PLAIN, *NEVER, "-i", "python:trial_implementations:unsupported").code == exits.FAILURES


def test_a_fixed_failure_of_a_published_ledger_is_reported(call: Call, published: Path) -> None:
    published.write_text(GROUP.replace("wrong-outcome", "wrong-result"), encoding="utf-8")
    completed = call(*PLAIN, *NEVER)
    assert completed.code == exits.FAILURES
    assert (
        f"{published}:5: {CASE}: trial_implementations:never 0, profile kep: the verdict is now"
        in completed.err
    )


def test_a_broken_published_ledger_ends_the_run_at_once(call: Call, published: Path) -> None:
    published.write_text("format: other\n", encoding="utf-8")
    completed = call(*PLAIN, *NEVER)
    assert completed.code == exits.USAGE
    assert f"{published}:1: format: is 'other', expected dra-conform-ledger/v1\n" in completed.err


def test_no_ledger_cannot_be_updated(call: Call, folder: Path) -> None:
    completed = call(*PLAIN, *NEVER, "--expect", "none", "--update")
    assert (completed.code, "--update: updates a ledger" in completed.err) == (exits.USAGE, True)
