"""Folders of submissions: RELEASE/IMPLEMENTATION/VERSION.yaml with a README.md; written, read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dra_conform.conformance.levels import LEVELS
from dra_conform.kube.errors import InputError
from dra_conform.kube.input_files import decode_document, read_input, read_text
from dra_conform.kube.profile import PROFILES
from dra_conform.kube.yaml import Document
from dra_conform.reports.files import write_text
from dra_conform.reports.markdown_text import escaped
from dra_conform.reports.submission import API_VERSION, KIND, SUBJECTS, Submission, to_yaml

README = "README.md"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_URL = re.compile(r"https://[^\s<>\"'`]+")


@dataclass(frozen=True, slots=True)
class SubmittedFile:
    """A submission with its file."""

    file: Path
    submission: Submission


def write_submission(root: Path, submission: Submission, badge: str) -> Path:
    """Write the YAML file, its README.md and `badge.svg` below `root`; return the YAML file.

    Raises InputError for content that `read_submission` would not accept.
    """
    file = root / submission.path
    for path, message in _content_problems(submission):
        raise InputError(str(file), None, ".".join(map(str, path)), message)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(str(file.parent), None, "", f"cannot be created: {error.strerror}") from None
    write_text(file, to_yaml(submission))
    write_text(file.parent / "badge.svg", badge)
    write_text(file.parent / README, readme(submission))
    return file


def readme(submission: Submission) -> str:
    """Return the page of a submission: the result, how to reproduce it, and the badge to copy."""
    who = submission.implementation
    cases = submission.cases
    snippet = f"[![DRA conformance](badge.svg)]({submission.path.rpartition('/')[2]})"
    named = " · ".join(map(escaped, filter(None, (who.organization, ", ".join(who.contact)))))
    about = " · ".join(filter(None, (named, who.url and f"<{who.url}>")))
    return f"""# {escaped(who.name)} {escaped(who.version)}

{snippet}

{about}

Judged on {submission.date} with dra-conform {submission.tool.version}, profile {submission.profile},
level {submission.level}:
{cases.correctness} correct ({cases.must_right} of {cases.must_judged} judged cases of MUST requirements),
{cases.breadth} breadth ({cases.judged} of {cases.judged + cases.declined} applicable cases).

## Reproduce

```sh
{chr(10).join(submission.reproduce)}
```

## Badge

Copy `badge.svg` and this line into a README:

```markdown
{snippet}
```
"""


def submitted_files(path: Path) -> Iterator[Path]:
    """Yield the YAML files of a folder in order, or the file itself. Raises InputError if there is none."""
    found = [path] if path.is_file() else sorted(path.rglob("*.yaml"))
    if not found:
        message = "has no submission, expected RELEASE/IMPLEMENTATION/VERSION.yaml"
        raise InputError(str(path), None, "", message)
    yield from found


def read_submission(file: Path) -> SubmittedFile:
    """Read and check a submission. Raises InputError with the line of the first problem."""
    submission, document = decode_document(read_text(file), str(file), Submission)
    for path, message in (*_content_problems(submission), *_place_problems(file, submission)):
        raise document.error(path, message)
    _check_readme(file, submission, document)
    return SubmittedFile(file, submission)


def _content_problems(submission: Submission) -> Iterator[tuple[tuple[str | int, ...], str]]:
    who, cases = submission.implementation, submission.cases
    expected: tuple[tuple[tuple[str, ...], str, Sequence[str]], ...] = (
        (("apiVersion",), submission.api_version, (API_VERSION,)),
        (("kind",), submission.kind, (KIND,)),
        (("profile",), submission.profile, tuple(PROFILES)),
        (("level",), submission.level, tuple(LEVELS)),
        (("implementation", "subject"), who.subject, SUBJECTS),
    )
    for path, value, allowed in expected:
        if value not in allowed:
            yield path, f"is {value!r}, expected {' or '.join(allowed)}"
    if not _DATE.fullmatch(submission.date):
        yield ("date",), f"is {submission.date!r}, expected a date such as 2026-11-26"
    if not who.contact:
        yield ("implementation", "contact"), "is empty, expected an address or an account"
    if who.url and not _URL.fullmatch(who.url):
        yield ("implementation", "url"), f"is {who.url!r}, expected an address that begins with https://"
    for number, command in enumerate(submission.reproduce):
        if "```" in command or not command.isprintable():  # It would end the block of commands on a page.
            yield ("reproduce", number), f"is {command!r}, expected one line without ```"
    if not any("dra-conform run" in command for command in submission.reproduce):
        yield ("reproduce",), "has no command with `dra-conform run`, expected the command of the run"
    pairs: list[tuple[tuple[str, ...], int, str, int]] = [
        (("cases", "right"), cases.right, "judged", cases.judged),
        (("cases", "mustRight"), cases.must_right, "mustJudged", cases.must_judged),
        (("cases", "mustRight"), cases.must_right, "right", cases.right),
        (("cases", "mustJudged"), cases.must_judged, "judged", cases.judged),
    ]
    for feature, count in submission.features.items():
        pairs += (
            (("features", feature, "right"), count.right, "judged", count.judged),
            (("features", feature, "judged"), count.judged, "cases.judged", cases.judged),
        )
    for path, part, whole_name, whole in pairs:
        if not 0 <= part <= whole:
            yield path, f"is {part}, expected 0 to {whole}, the value of {whole_name}"
    if not cases.judged:
        yield ("cases", "judged"), "is 0, expected a run that judged a case"
    if bool(submission.failed) != (cases.right < cases.judged):
        fails = cases.judged - cases.right
        yield (
            ("failed",),
            f"has {len(submission.failed)} requirements, but {fails} judged cases are not right",
        )
    for field, counts in (("levels", submission.levels), ("documents", submission.documents)):
        failed = sum(count.failed for count in counts.values())
        if failed != len(submission.failed):
            yield (
                (field,),
                f"counts {failed} failed requirements, expected {len(submission.failed)} as in failed",
            )


def _place_problems(file: Path, submission: Submission) -> Iterator[tuple[tuple[str | int, ...], str]]:
    place = "/".join(file.absolute().parts[-3:])
    if place != submission.path:
        yield (), f"is in {place}, expected {submission.path} for its profile, name and version"


def _check_readme(file: Path, submission: Submission, document: Document) -> None:
    page = file.parent / README
    try:
        text = read_input(page).decode("utf-8", errors="replace")
    except OSError as error:
        raise InputError(str(page), None, "", f"cannot be read: {error.strerror}") from None
    newest = max((path.name for path in file.parent.glob("*.yaml")), key=_numbers_and_words)
    missing = [command for command in submission.reproduce if command not in text]
    if file.name == newest and missing:
        raise document.error(("reproduce",), f"is not in {README}, expected it to have {missing[0]!r}")


def _numbers_and_words(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key that orders `1.9.yaml` before `1.10.yaml`."""
    return tuple(
        (int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name) if part
    )
