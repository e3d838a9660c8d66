from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.errors import InputError
from dra_conform.reports.submission import Submission, slug, subject_of, submission_of
from dra_conform.reports.submission_files import (
    README,
    read_submission,
    readme,
    submitted_files,
    write_submission,
)
from tests.support.reports.fake_runs import GROUPS, of_every_sort, result, run


def submission_with() -> Submission:
    results = [result(), result(Verdict.FAIL, "kep-5963/groups/x", requirements=[GROUPS])]
    return submission_of(run(results), contact=["@me"], build=["make adapter"])


def test_a_submission_is_read_as_it_was_written(tmp_path: Path) -> None:
    submission = submission_of(run(of_every_sort()), contact=["@me"], organization="Mine")
    file = write_submission(tmp_path, submission, "<svg/>")
    assert file.relative_to(tmp_path).as_posix() == "kep/builtin/0.1.0.yaml"
    assert read_submission(file).submission == submission
    assert list(submitted_files(tmp_path)) == [file]
    assert (file.parent / "badge.svg").read_text("utf-8") == "<svg/>"


def test_a_submission_has_counts_features_failures_and_commands() -> None:
    submission = submission_with()
    assert submission.failed == {GROUPS: 1}
    assert submission.levels["SHOULD"].failed == 1
    assert submission.cases.correctness == "50 %"
    assert submission.features["taints"].declared == "none"
    assert submission.implementation.url == "https://example.com/?a=1&b=2"
    assert submission.reproduce == ("make adapter", "dra-conform run -i builtin")
    assert "[![DRA conformance](badge.svg)](0.1.0.yaml)" in readme(submission)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("contact:\n  - '@me'", "contact: []", "implementation.contact: is empty"),
        (
            "subject: allocator",
            "subject: toaster",
            "implementation.subject: is 'toaster', expected allocator",
        ),
        ("profile: kep", "profile: kubernetes-0.1", "profile: is 'kubernetes-0.1'"),
        ("  right: 1", "  right: 3", "cases.right: is 3, expected 0 to 2"),
        ("  right: 1", "  right: 0", "cases.mustRight: is 1, expected 0 to 0, the value of right"),
        (
            "    right: 0",
            "    right: 9",
            "features.consumable-capacity.right: is 9, expected 0 to 0, the value of judged",
        ),
        ("    judged: 0", "    judged: 9", "features.consumable-capacity.judged: is 9, expected 0 to 2"),
        (
            "failed:\n  KEP-5963/groups/same-group: 1",
            "failed: {}",
            "failed: has 0 requirements, but 1 judged",
        ),
        ("date: '2026-11-20'", "date: soon", "date: is 'soon', expected a date"),
        ("url: https://", "url: javascript://", "implementation.url: is 'javascript://"),
        ("level: all", "level: all\nsurprise: 1", "surprise"),
        ("- dra-conform run -i builtin", "- dra-conform run -i other", "reproduce: is not in README.md"),
        ("url: https://", 'url: https://x/>"<script>', "implementation.url: is "),
        ("- dra-conform run -i builtin", '- "```\\n<script>"', "reproduce[1]: is "),
        ("- dra-conform run -i builtin", "- ./run", "reproduce: has no command with `dra-conform run`"),
        ("version: 0.1.0\n  subject", "version: 0.2.0\n  subject", "expected kep/builtin/0.2.0.yaml"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = write_submission(tmp_path, submission_with(), "<svg/>")
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(InputError) as found:
        read_submission(file)
    assert message in str(found.value)
    assert f"{file}:" in str(found.value)


def test_a_folder_without_files_or_readme_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no submission"):
        list(submitted_files(tmp_path))
    file = write_submission(tmp_path, submission_with(), "<svg/>")
    (file.parent / README).unlink()
    with pytest.raises(InputError, match=r"README\.md: cannot be read"):
        read_submission(file)


def test_names_of_folders_and_subjects() -> None:
    assert slug("My Allocator/v1 (β)") == "my-allocator-v1"
    assert slug("../..") == "unnamed"
    assert [subject_of([name]) for name in ("allocate", "driver", "usage")] == [
        "allocator",
        "driver",
        "control-plane",
    ]
