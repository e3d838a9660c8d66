"""A process that has the suite in its memory and tries mutants, each in a child that has seen no other one.

It is a process beside the worker of a campaign, since whoever forks should have no threads, and since trying
without a mutant forgets modules that the worker needs for other campaigns.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import subprocess
import sys
from multiprocessing.connection import Connection, Pipe, wait

from tests.quality.mutation import Broken, Killing, Mutant, Trial, changed
from tests.quality.subjects import PACKAGE, Subject

_SECONDS = 60
_IDLE_SECONDS = 300
_FORK = multiprocessing.get_context("fork")


class HostEnded(Exception):  # noqa: N818 - it reads as what happened
    """The process is there no more."""


class MutantHost:
    """The process, seen by who has mutants tried. It ends with the last reference to this, and after five idle minutes."""

    def __init__(self, subject: Subject) -> None:
        self._connection, theirs = Pipe()
        with theirs:
            command = [sys.executable, "-m", "tests.quality.mutant_host", str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=PACKAGE.parent)
        self._connection.send(subject)

    def tried(self, mutant: Mutant) -> Killing:
        """How the suite noticed the mutant; raises HostEnded."""
        try:
            self._connection.send(mutant)
            killing = self._connection.recv()
        except (EOFError, OSError):
            raise HostEnded from None
        assert isinstance(killing, Killing)
        return killing

    def close(self) -> None:
        """End the process."""
        self._connection.close()
        self._process.wait()


def _serve(owner: Connection) -> None:
    """Try what the owner sends, after the subject; until the owner is gone."""
    trial = Trial(owner.recv())
    total = len(trial)
    trial.without({put for _, put in trial.failing({})})  # here: children inherit what it makes ready
    gc.collect()
    gc.freeze()  # so that children share these pages
    while owner.poll(_IDLE_SECONDS):
        owner.send(_in_a_child(owner, trial, owner.recv(), left_out=total - len(trial)))


def _in_a_child(owner: Connection, trial: Trial, mutant: Mutant, *, left_out: int) -> Killing:
    ours, theirs = Pipe(duplex=False)
    child = _FORK.Process(target=_kill, args=(theirs, trial, mutant, left_out))
    child.start()
    theirs.close()
    if owner in wait([ours, owner]):  # it sends nothing now: it is gone
        child.kill()
        raise EOFError
    try:
        killing = ours.recv()
    except EOFError:
        child.join()
        killing = Killing(mutant.name, f"(its process ends with {child.exitcode})", 0, left_out)
    child.join()
    assert isinstance(killing, Killing)
    return killing


def _kill(answer: Connection, trial: Trial, mutant: Mutant, left_out: int) -> None:
    """In a child: the first case that fails."""
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)  # of its own work: others may keep the processors busy
    place, case, broken = 0, "", ""
    try:
        found = trial.failing(changed(mutant, trial.texts), mutant.near)
        place, (_, case) = next(found, (len(trial), ("", "")))
    except Broken as why:
        broken = str(why)
    except _TooLong:
        case = f"(does not end in {_SECONDS} seconds of work)"
    answer.send(Killing(mutant.name, case, place, left_out, broken))


class _TooLong(BaseException):
    """Nothing in the allocator or the adapter catches it."""


def _give_up(signum: int, frame: object) -> None:
    raise _TooLong


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal tells everybody: the owner decides
    try:
        _serve(Connection(int(sys.argv[1])))
    except (EOFError, OSError):  # the owner is gone
        sys.exit(1)
