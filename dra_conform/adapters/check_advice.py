"""What the author of an adapter can do about an unexpected event or a failure."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.adapters import schemas, wire
from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.session import CLOSED_STDOUT, Session
from dra_conform.adapters.session_events import Ended, Event, StdinClosed
from dra_conform.adapters.wire import Frame, Junk, TooLong
from dra_conform.conformance.features import features_in_words
from dra_conform.conformance.implementation import Identity, Request, Status
from dra_conform.conformance.operations import OPERATIONS

ANSWER_SECONDS = 10.0
"""How long `adapter check` waits for an answer."""
STDERR_ADVICE = "write logs to stderr, stdout is for messages only"


def event_advice(
    event: Event | None,
    numbers: set[int],
    session: Session,
    *,
    seconds: float = ANSWER_SECONDS,
    late: Sequence[int] = (),
) -> str:
    """Return what is wrong with an event instead of the answers with these ids, and what to do.

    Without an event: `seconds` is how long the wait was, and `late` has the ids of late answers.
    """
    ids = ", ".join(map(str, sorted(numbers)))
    match event:
        case None if late:
            came = ", ".join(map(str, late))
            return f"within {seconds:g} s only id {came} came, expected {ids}: repeat the id of the request"
        case None:
            flush = "write one line for each request and flush stdout"
            return f"no answer within {seconds:g} s{session.unfinished}: {flush}{_stderr_of(session)}"
        case Frame(id=number) if number in numbers:
            return f"id {number} was answered twice: write one result for each run"
        case Frame(id=number, body=body) if number is not None and session.asked(number):
            kind = body.get("type")
            return (
                f"a message of type {kind!r} has id {number} of an earlier request: write one answer for each"
            )
        case Frame(body=body):
            given = f"id {body['id']!r:.40}" if "id" in body else "no id"
            return f"a message has {given}, expected {ids}: repeat the id of the request"
        case Junk(text=text, problem=problem):
            return f"a line on stdout is not a message ({problem}): {text!r}: {_junk_advice(event)}"
        case TooLong(limit=limit):
            return f"a line on stdout has more than {limit} bytes, expected at most {limit}"
        case Ended(how=how):
            return _end_advice(how) + _stderr_of(session)
        case StdinClosed():
            return f"the adapter closed its stdin: keep reading until the bye message{_stderr_of(session)}"


def _junk_advice(junk: Junk) -> str:
    if not junk.text.startswith("{"):
        return STDERR_ADVICE
    if junk.problem.startswith(wire.NOT_UTF_8):
        return "write messages in UTF-8"
    return "write each message as one JSON object on one line"


def _end_advice(how: str) -> str:
    if how == CLOSED_STDOUT:
        return f"{how}: keep it open until the bye message"
    reading = ": keep reading stdin until the bye message or end of file" if how == "exit code 0" else ""
    return f"the adapter exited ({how}){reading}"


def _stderr_of(session: Session) -> str:
    text = stderr(session.child.log)
    return f".{text}" if text else ""


def answer_advice(answer: Frame, request: Request, identity: Identity | None = None) -> str:
    """Return what is wrong with an answer and what to do about it, empty if nothing is.

    `identity` is None if the answer may be `unsupported`.
    """
    problems = list(schemas.result_violations(request.operation, answer.body))
    reply = to_reply(request, answer.body)
    if isinstance(reply, MalformedResult) and not problems:
        problems.append(reply.problem)
    if problems:
        return "the result violates the schema: " + "; ".join(problems)
    if isinstance(reply, MalformedResult) or reply.status is Status.FAILED:
        message, place = answer.body.get("message", ""), location(answer.body.get("traceback", ""))
        return f"status failed, {message!r}{place}: answer ok to such a small case"
    return overclaim(identity, request) if identity and reply.status is Status.UNSUPPORTED else ""


def overclaim(identity: Identity, request: Request) -> str:
    """Return why a request must not be answered with `unsupported`, empty if it may be.

    `run` has the same rule for its verdict `overclaim`.
    """
    features = sorted(OPERATIONS[request.operation].features(request.objects, request.ask))
    if not all(identity.features.get(name) == "full" for name in features):
        return ""
    why = (
        f"{features_in_words(features)} declared as fully supported"
        if features
        else f"the adapter declares the operation {request.operation}, and the question uses no feature"
    )
    return f"status unsupported, but {why}: answer ok, otherwise run gives the verdict overclaim"


def location(traceback: str) -> str:
    """Return the file and line where a Python exception was raised, from its traceback."""
    files = [line.strip() for line in traceback.split("\n") if line.lstrip().startswith('File "')]
    return f" ({files[-1]})" if files else ""


def stderr(log: str) -> str:
    """Return a sentence with the end of what the adapter wrote to stderr, empty if it wrote nothing."""
    return f" The stderr of the adapter ends with: {log.strip()[-500:]}" if log.strip() else ""
