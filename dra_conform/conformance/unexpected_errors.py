"""The verdict text for an exception that dra-conform did not expect."""

from __future__ import annotations

from traceback import extract_tb

BUG_REPORT_REQUEST = "This is a bug in dra-conform: please report it with this case"
"""The last sentence of each such text, by which tests and campaigns recognize it."""


def unexpected_error_message(error: BaseException, doing: str) -> str:
    """Return a sentence with the place in the source and the exception, and a request to report it.

    `doing` is the failed activity, such as "judging the answer".
    """
    frames = extract_tb(error.__traceback__)
    _, slash, inside = frames[-1].filename.rpartition("dra_conform/") if frames else ("", "", "")
    place = f" at {slash}{inside}:{frames[-1].lineno}" if frames else ""
    text = f": {error}" if str(error) else ""
    return f"{doing} failed{place} with {type(error).__name__}{text}. {BUG_REPORT_REQUEST}"
