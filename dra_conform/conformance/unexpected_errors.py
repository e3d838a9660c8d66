"""The verdict text for an exception that dra-conform did not expect."""

from __future__ import annotations

from traceback import extract_tb


def unforeseen(error: BaseException, doing: str) -> str:
    """One sentence with the place in the source and the exception, followed by an apology.

    `doing` is what was being done, such as "judging the answer".
    """
    frames = extract_tb(error.__traceback__)
    _, slash, inside = frames[-1].filename.rpartition("dra_conform/") if frames else ("", "", "")
    place = f" at {slash}{inside}:{frames[-1].lineno}" if frames else ""
    said = f": {error}" if str(error) else ""
    return (
        f"{doing} failed{place} with {type(error).__name__}{said}. "
        "This is an error of dra-conform, sorry: please report it with this case"
    )
