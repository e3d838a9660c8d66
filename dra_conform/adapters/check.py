"""The command `adapter check`: whether an adapter follows the protocol. It does not judge answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from dra_conform.adapters import schemas, wire
from dra_conform.adapters.answers import MalformedResult, to_reply
from dra_conform.adapters.check_advice import (
    ANSWER_SECONDS,
    STDERR_ADVICE,
    answer_advice,
    event_advice,
    location,
    stderr,
    unknown_names,
)
from dra_conform.adapters.checked_allocations import missing_parts, shape_problems, shape_requests
from dra_conform.adapters.faults import FaultKind, Limits, SessionFailed
from dra_conform.adapters.session import Session, run_body
from dra_conform.adapters.specs import command_of, open_implementation
from dra_conform.adapters.supervised_command import start_error
from dra_conform.adapters.wire import Frame
from dra_conform.conformance.features import RESULT_PARTS
from dra_conform.conformance.implementation import (
    CannotStart,
    Identity,
    Implementation,
    Request,
    Status,
    Suite,
)
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP, RELEASE_PROFILES, Profile

_SUITE = Suite("adapter-check", "1", "sha256:none")
_SHAPES = "the adapter writes every field of an allocation in its shape"
_CONFIGURED_ADVICE = "name each profile in accepted, or in refused with a reason"
_PROBLEMS = 4
"""The most problems with shapes in one advice."""


@dataclass(frozen=True, slots=True)
class Item:
    """The result of one check; `advice` tells the author of the adapter what to do if it is not `ok`.

    `warning`: the adapter follows the protocol, and the advice saves failures of cases.
    """

    ok: bool
    title: str
    advice: str = ""
    warning: bool = False


def check(spec: str, *, limits: Limits | None = None) -> list[Item]:
    """Run all checks on an adapter; raises BadSpec, and CannotStart if the command cannot be run."""
    if not spec.startswith("exec:"):
        with closing(open_implementation(spec)) as implementation:
            return _loaded(implementation, implementation.start(_SUITE))
    command = command_of(spec)
    limits = limits or Limits()
    first = _greeting(command, limits)
    if not all(item.ok for item in first):
        return first
    items = [*first, *_versions(command, limits), *_session(command, limits)]
    if all(item.ok for item in items):
        with closing(open_implementation(spec, limits=limits)) as implementation:
            items += _missing(implementation, implementation.start(_SUITE))
    return items


def _loaded(implementation: Implementation, identity: Identity) -> list[Item]:
    items = [Item(True, "the adapter can be loaded")]
    questions = _questions(identity)
    replies = implementation.run(question.request for question in questions)
    for question, reply in zip(questions, replies, strict=True):
        ok = reply.status in (Status.OK, Status.UNSUPPORTED, Status.UNDECLARED)
        items.append(
            Item(
                ok,
                f"the adapter answers {question.title}",
                f"{reply.status}: {reply.detail}{location(reply.log)}",
            )
        )
    items += _shapes_in_process(implementation, identity)
    if all(item.ok for item in items):
        items += _missing(implementation, identity)
    return items


def _missing(implementation: Implementation, identity: Identity) -> Iterator[Item]:
    """Yield a warning for each unknown name in hello, and for each part that allocations lack."""
    for title, advice in unknown_names(identity):
        yield Item(True, title, advice, warning=True)
    for part in missing_parts(implementation, identity):
        advice = f'Add it, or declare "{part}": "none", otherwise cases with correct devices fail.'
        yield Item(True, f"the allocations lack {RESULT_PARTS[part]}", advice, warning=True)


def _shapes_in_process(implementation: Implementation, identity: Identity) -> Iterator[Item]:
    asked = list(shape_requests(identity))
    problems: list[str] = []
    for (title, _), reply in zip(asked, implementation.run([request for _, request in asked]), strict=True):
        if reply.status is Status.OK:
            answer = OPERATIONS["allocate"].write(reply.answer)
            problems += (f"{title}: {each}" for each in shape_problems(answer.get("allocations", {})))
        elif reply.status not in (Status.UNSUPPORTED, Status.UNDECLARED):
            problems.append(f"{title}: {reply.status}: {reply.detail}{location(reply.log)}")
    if asked:
        yield _shapes_item(problems)


def _shapes(session: Session, profile: str) -> Iterator[Item]:
    """Check the answers that have every field of an allocation; declined questions are no problem."""
    problems: list[str] = []
    asked = list(shape_requests(session.identity))
    for title, request in asked:
        number = session.send_run(request, profile)
        event = session.next(ANSWER_SECONDS)
        if not isinstance(event, Frame) or event.id != number:
            yield Item(False, _SHAPES, f"{title}: {event_advice(event, {number})}")
            return
        found = list(schemas.result_violations(request.operation, event.body))
        reply = to_reply(request, event.body)
        if isinstance(reply, MalformedResult):
            found = found or [reply.problem]
        elif reply.status is Status.FAILED:
            found.append(f"status failed, {event.body.get('message', '')!r}")
        elif not found and reply.status is Status.OK:
            found += shape_problems(event.body.get("allocations") or {})
        problems += (f"{title}: {each}" for each in found)
    if asked:
        yield _shapes_item(problems)


def _shapes_item(problems: Sequence[str]) -> Item:
    more = f"; and {len(problems) - _PROBLEMS} more" if len(problems) > _PROBLEMS else ""
    return Item(not problems, _SHAPES, "; ".join(problems[:_PROBLEMS]) + more)


def _open(command: Sequence[str], limits: Limits) -> Session:
    try:
        return Session(command, limits)
    except OSError as error:
        raise CannotStart(start_error(command, error)) from None


def _greeting(command: Sequence[str], limits: Limits) -> list[Item]:
    session = _open(command, limits)
    try:
        identity = session.greet(_SUITE)
    except SessionFailed as failure:
        advice = f"{failure}. Answer the first line of stdin with a hello message, and flush stdout."
        return [Item(False, "the adapter answers hello", advice + stderr(failure.log))]
    finally:
        session.stop()
    who = f"{identity.name} {identity.version}"
    advice = "; ".join(session.warnings) + STDERR_ADVICE
    return [
        Item(True, f"the adapter answers hello, as {who}"),
        Item(not session.warnings, "nothing but messages on stdout before hello", advice),
    ]


def _versions(command: Sequence[str], limits: Limits) -> list[Item]:
    title = "the adapter chooses version 1 if offered versions 1 to 5"
    answer, _ = _offer(command, limits, 1, 5)
    advice = 'answer with "protocol": 1, a number from min to max'
    if isinstance(answer, SessionFailed):
        chosen = Item(False, title, f"{answer}: {advice}")
    else:
        ok = answer.get("type") == "hello" and answer.get("protocol") == wire.VERSION
        chosen = Item(ok, title, f"the adapter chose protocol version {answer.get('protocol')!r}: {advice}")
    title = "the adapter declines if offered only version 99"
    answer, exited = _offer(command, limits, 99, 99)
    advice = 'answer {"type": "error", "id": 0, "code": "protocol-version", "message": "..."} or exit'
    if isinstance(answer, SessionFailed):
        return [chosen, Item(exited, title, f"{answer}: {advice}")]
    ok = answer.get("code") == "protocol-version" and not schemas.violations("error", answer)
    return [chosen, Item(ok, title, f"the adapter answered with type {answer.get('type')!r}: {advice}")]


def _offer(
    command: Sequence[str], limits: Limits, low: int, high: int
) -> tuple[Mapping[str, Json] | SessionFailed, bool]:
    """Offer protocol versions to a new process; return its answer and whether it has exited."""
    session = _open(command, limits)
    try:
        return session.hello(_SUITE, low, high).body, False
    except SessionFailed as failure:
        return failure, session.child.ended
    finally:
        session.stop()


def _session(command: Sequence[str], limits: Limits) -> list[Item]:
    session = _open(command, limits)
    items: list[Item] = []
    try:
        session.greet(_SUITE)
        items.append(_configure(session))
        questions = _questions(session.identity)
        profile = next((name for name, refused in session.refused.items() if not refused), "")
        if items[-1].ok and questions and profile:
            items += [_case(session, question, profile) for question in questions]
            items += _shapes(session, profile)
            items.append(_unknown_fields(session, questions[0].request, profile))
            if session.window > 1:
                items.append(_pipeline(session, questions[0].request, profile))
    except SessionFailed as failure:
        items.append(
            Item(False, "the adapter follows the protocol to the end", f"{failure}.{stderr(failure.log)}")
        )
    finally:
        items += _end(session)
    return items


def _configure(session: Session) -> Item:
    """Configure profile `kep`, then the profiles of all releases, until the adapter accepts a profile."""
    title = "the adapter answers configure"
    try:
        session.configure({"p1": Profile.named(KEP)})
        reason = session.refused["p1"] or ""
        if "error" in reason:
            return Item(False, title, f"{reason}: {_CONFIGURED_ADVICE}")
        if reason:
            releases = enumerate(reversed(RELEASE_PROFILES), start=2)
            session.configure({f"p{number}": Profile.named(name) for number, name in releases})
    except SessionFailed as failure:
        advice = f": {_CONFIGURED_ADVICE}" if failure.fault.kind is FaultKind.INVALID else "."
        return Item(False, title, f"{failure}{advice}")
    return Item(True, title + (f" (and declines profile kep: {reason})" if reason else ""))


@dataclass(frozen=True, slots=True)
class _Question:
    title: str
    request: Request


def _questions(identity: Identity) -> list[_Question]:
    """Return the probes of every known operation that the implementation declares."""
    known = (OPERATIONS[name] for name in sorted(identity.operations & OPERATIONS.keys()))
    probes = [(operation.name, probe) for operation in known for probe in operation.probes]
    kep = Profile.named("kep")
    return [
        _Question(probe.title, Request(number, f"check/{number}", name, kep, probe.objects, probe.ask))
        for number, (name, probe) in enumerate(probes)
    ]


def _case(session: Session, question: _Question, profile: str) -> Item:
    number = session.send_run(question.request, profile)
    return _judge(session, f"the adapter answers {question.title}", {number}, question.request)


def _unknown_fields(session: Session, request: Request, profile: str) -> Item:
    objects = {**request.objects, "futureObjects": ()}
    extended = replace(request, objects=objects, ask={**request.ask, "futureHint": {"some": ["thing"]}})
    body = {**run_body(extended, profile), "futureField": 1}
    number = session.send("run", case=body, futureField=[1])
    return _judge(session, "the adapter ignores unknown fields", {number}, request)


def _pipeline(session: Session, request: Request, profile: str) -> Item:
    count = min(session.window, 16)
    numbers = {session.send_run(request, profile) for _ in range(count)}
    return _judge(
        session, f"the adapter answers {count} requests in flight, as it declares", numbers, request
    )


def _judge(session: Session, title: str, numbers: set[int], request: Request) -> Item:
    """Read all answers; check that each id gets exactly one valid answer, and that no message follows."""
    due, first = set(numbers), ""
    while due:
        event = session.next(ANSWER_SECONDS)
        if not isinstance(event, Frame) or event.id not in due:
            return Item(False, title, first or event_advice(event, numbers))
        due.remove(event.id)
        first = first or answer_advice(event, request)
    if first:
        return Item(False, title, first)
    event = session.next(session.limits.settle)
    return Item(True, title) if event is None else Item(False, title, event_advice(event, numbers))


def _end(session: Session) -> list[Item]:
    title = "the adapter exits after the bye message"
    if session.child.ended or session.child.stdin_closed:
        session.stop()
        return [Item(False, title, "the adapter ended before the bye message")]
    problems = session.bye()
    advice = "; ".join(problems) + ": stop reading, write nothing more, exit with code 0"
    return [Item(not problems, title, advice)]
