"""A process that has the suite in its memory and tries mutants, each in a child that has seen no other one.

It is a process beside the worker of a campaign, since whoever forks should have no threads, and since trying
without a mutant forgets modules that the worker needs for other campaigns.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
from dataclasses import replace
from math import ceil
from multiprocessing.connection import Connection, Pipe, wait
from time import process_time

from tests.faulty.mutants.mutation import Broken, Killing, Mutant, Trial, changed
from tests.faulty.mutants.subjects import PACKAGE, Subject

_LEAST_SECONDS = 60
_TIMES = 3
"""A mutant may work so many times as long as the suite does without one, and at least these seconds."""

_IDLE_SECONDS = 300
_FORK = multiprocessing.get_context("fork")


class HostEnded(Exception):  # noqa: N818 - it reads as what happened
    """The process is there no more."""


class MutantHost:
    """The process, seen by who has mutants tried. It ends with the last reference to this, and after five idle minutes."""

    def __init__(self, subject: Subject) -> None:
        self._connection, theirs = Pipe()
        with theirs:
            command = [sys.executable, "-m", "tests.faulty.mutants.host", str(theirs.fileno())]
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
    total, began = len(trial), process_time()
    trial.without({put for _, put in trial.failing({})})  # here: children inherit what it makes ready
    limit = max(_LEAST_SECONDS, ceil(_TIMES * (process_time() - began)))
    gc.collect()
    gc.freeze()  # so that children share these pages
    while owner.poll(_IDLE_SECONDS):
        mutant = owner.recv()
        killing = killing_in_a_child(trial, mutant, limit, owner)
        owner.send(replace(killing, left_out=total - len(trial)))


def killing_in_a_child(trial: Trial, mutant: Mutant, limit: int, owner: Connection | None = None) -> Killing:
    """How the suite noticed the mutant, in `limit` seconds of work; raises EOFError where the owner is gone."""
    ours, theirs = Pipe(duplex=False)
    child = _FORK.Process(target=_kill, args=(theirs, trial, mutant, limit))
    child.start()
    theirs.close()
    if owner is not None and owner in wait([ours, owner]):  # it sends nothing now: it is gone
        child.kill()
        raise EOFError
    try:
        killing = ours.recv()
    except EOFError:
        child.join()
        killing = Killing(mutant.name, "", 0, broken=f"its process ends with {child.exitcode}")
    child.join()
    assert isinstance(killing, Killing)
    return killing


def _kill(answer: Connection, trial: Trial, mutant: Mutant, limit: int) -> None:
    """In a child: the first case that fails."""

    def end(signum: int, frame: object) -> None:
        """No exception: it would be taken for one of the mutant's."""
        answer.send(Killing(mutant.name, "", 0, broken=f"does not end in {limit} seconds of work"))
        os._exit(0)

    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)  # of its own work: others may keep the processors busy
    killing = _tried(trial, mutant)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    answer.send(killing)


def _tried(trial: Trial, mutant: Mutant) -> Killing:
    try:
        found = trial.failing(changed(mutant, trial.texts), mutant.near)
        place, (_, case) = next(found, (len(trial), ("", "")))
    except Broken as why:
        return Killing(mutant.name, "", 0, broken=str(why))
    return Killing(mutant.name, case, place)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal tells everybody: the owner decides
    try:
        _serve(Connection(int(sys.argv[1])))
    except (EOFError, OSError):  # the owner is gone
        sys.exit(1)
