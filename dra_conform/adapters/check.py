"""The command `adapter check`: whether an adapter follows the protocol. It does not judge answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from dra_conform.adapters import schemas, wire
from dra_conform.adapters.check_advice import (
    STDERR_ADVICE,
    answer_advice,
    location,
    overclaim,
    stderr,
)
from dra_conform.adapters.check_answers import Answers
from dra_conform.adapters.check_item import Item
from dra_conform.adapters.check_shapes import shapes, shapes_in_process
from dra_conform.adapters.checked_allocations import missing_parts
from dra_conform.adapters.faults import FaultKind, Limits, SessionFailed
from dra_conform.adapters.session import Session, run_body
from dra_conform.adapters.specs import command_of, open_implementation
from dra_conform.adapters.supervised_command import start_error
from dra_conform.adapters.unknown_names import has_no_operation, unknown_names
from dra_conform.conformance.features import RESULT_PARTS
from dra_conform.conformance.implementation import (
    CannotStart,
    Identity,
    Implementation,
    Reply,
    Request,
    Status,
    Suite,
)
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP, RELEASE_PROFILES, Profile

_SUITE = Suite("adapter-check", "1", "sha256:none")
_CONFIGURE_TITLE = "the adapter answers configure"
_CONFIGURED_ADVICE = "name each profile in accepted, or in refused with a reason"


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
    added: frozenset[str] = getattr(implementation, "added_operations", frozenset())
    identity = replace(identity, operations=identity.operations - added)
    items = [Item(True, "the adapter can be loaded"), *_unknown_names(identity)]
    questions = _questions(identity)
    replies = implementation.run(question.request for question in questions)
    for question, reply in zip(questions, replies, strict=True):
        items.append(_answered(question, reply, identity))
    items += shapes_in_process(implementation, identity)
    if all(item.ok for item in items):
        items += _missing(implementation, identity)
    return items


def _answered(question: _Question, reply: Reply, identity: Identity) -> Item:
    title = f"the adapter answers {question.title}"
    if reply.status is Status.UNDECLARED:
        return Item(True, f"the adapter does not answer {question.title}", reply.detail, warning=True)
    problem = overclaim(identity, question.request) if reply.status is Status.UNSUPPORTED else ""
    if problem or reply.status not in (Status.OK, Status.UNSUPPORTED):
        return Item(False, title, problem or f"{reply.status}: {reply.detail}{location(reply.log)}")
    return Item(True, title)


def _unknown_names(identity: Identity) -> Iterator[Item]:
    """Yield a warning for each declared name that does not exist, and a failure if no operation exists."""
    for name in unknown_names(identity):
        meant = name.question.capitalize() or f"The protocol page lists each {name.kind}."
        if name.kind == "operation" and has_no_operation(identity):
            advice = f"No other operation is declared, so the adapter gets no case. {meant}"
            yield Item(False, name.problem, advice)
        else:
            yield Item(True, name.problem, f"It is ignored. {meant}", warning=True)


def _missing(implementation: Implementation, identity: Identity) -> Iterator[Item]:
    """Yield a warning for each part that allocations lack."""
    for part in missing_parts(implementation, identity):
        advice = f'Add it, or declare "{part}": "none", otherwise cases with correct devices fail.'
        yield Item(True, f"the allocations lack {RESULT_PARTS[part]}", advice, warning=True)


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
    advice = f"{'; '.join(session.warnings)}: {STDERR_ADVICE}"
    return [
        Item(True, f"the adapter answers hello, as {who}"),
        Item(not session.warnings, "nothing but messages on stdout before hello", advice),
        *_unknown_names(identity),
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
    answers = Answers(session)
    items: list[Item] = []
    title = "the adapter follows the protocol to the end"
    told = False
    try:
        session.greet(_SUITE)
        title = _CONFIGURE_TITLE
        items.append(_configure(session))
        profile = next((name for name, refused in session.refused.items() if not refused), "")
        if items[-1].ok and profile:
            for item in _asked(answers, profile):
                items.append(item)
                if answers.ended or answers.unusable:
                    break
    except SessionFailed as failure:
        told = failure.fault.kind in (FaultKind.CRASH, FaultKind.CLOSED_INPUT)
        items.append(Item(False, title, f"{failure}.{stderr(failure.log)}"))
    finally:
        items += _end(answers, [item.advice for item in items], told=told)
    return items


def _asked(answers: Answers, profile: str) -> Iterator[Item]:
    """Yield the results of all questions about an accepted profile."""
    questions = _questions(answers.session.identity)
    items: list[Item] = []
    for question in questions:
        items.append(_case(answers, question, profile))
        yield items[-1]
    yield from shapes(answers, profile)
    if questions:
        must_answer = items[0].ok  # Otherwise the answer `unsupported` is a problem that is told already.
        yield _unknown_fields(answers, questions[0].request, profile, must_answer)
        if answers.session.window > 1:
            yield _pipeline(answers, questions[0].request, profile, must_answer)


def _configure(session: Session) -> Item:
    """Configure profile `kep`, then the profiles of all releases, until the adapter accepts a profile."""
    reason = ""
    try:
        session.configure({"p1": Profile.named(KEP)})
        reason = session.refused["p1"] or ""
        if reason and not session.configure_error:
            releases = enumerate(reversed(RELEASE_PROFILES), start=2)
            session.configure({f"p{number}": Profile.named(name) for number, name in releases})
    except SessionFailed as failure:
        if failure.fault.kind is not FaultKind.INVALID:
            raise
        return Item(False, _CONFIGURE_TITLE, f"{failure}: {_CONFIGURED_ADVICE}")
    if session.configure_error:
        return Item(False, _CONFIGURE_TITLE, f"{session.configure_error}: {_CONFIGURED_ADVICE}")
    return Item(True, _CONFIGURE_TITLE + (f" (and declines profile kep: {reason})" if reason else ""))


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


def _case(answers: Answers, question: _Question, profile: str) -> Item:
    number = answers.session.send_run(question.request, profile)
    return _judge(answers, f"the adapter answers {question.title}", {number}, question.request, True)


def _unknown_fields(answers: Answers, request: Request, profile: str, must_answer: bool) -> Item:
    objects = {**request.objects, "futureObjects": ()}
    extended = replace(request, objects=objects, ask={**request.ask, "futureHint": {"some": ["thing"]}})
    body = {**run_body(extended, profile), "futureField": 1}
    number = answers.session.send("run", case=body, futureField=[1])
    return _judge(answers, "the adapter ignores unknown fields", {number}, request, must_answer)


def _pipeline(answers: Answers, request: Request, profile: str, must_answer: bool) -> Item:
    count = min(answers.session.window, 16)
    numbers = {answers.session.send_run(request, profile) for _ in range(count)}
    title = f"the adapter answers {count} requests in flight, as it declares"
    return _judge(answers, title, numbers, request, must_answer)


def _judge(answers: Answers, title: str, numbers: set[int], request: Request, must_answer: bool) -> Item:
    """Read all answers; check that each id gets exactly one valid answer, and that nothing else comes."""
    found, problem = answers.read(numbers)
    identity = answers.session.identity if must_answer else None
    advice = (answer_advice(answer, request, identity) for answer in found.values())
    problem = problem or next(filter(None, advice), "")
    return Item(not problem, title, problem)


def _end(answers: Answers, advice_so_far: Sequence[str], *, told: bool) -> list[Item]:
    """End the adapter; `told` says whether a failure tells already that the adapter has ended."""
    title = "the adapter exits after the bye message"
    session = answers.session
    if answers.unusable:
        session.stop()
        return []  # Lines that are left would look like output after bye.
    answers.drop_late()
    if answers.ended:
        ending = answers.read_ending()
        session.stop()
        if told or (ending and any(ending in advice for advice in advice_so_far)):
            return []
        how = f": {ending}" if ending else ""
        return [Item(False, title, f"the session ended before the bye message{how}")]
    problems = session.bye()
    advice = "; ".join(problems) + ": stop reading, write nothing more, exit with code 0"
    return [Item(not problems, title, advice)]
