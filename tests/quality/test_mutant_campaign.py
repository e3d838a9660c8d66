"""Campaigns of mutants have the same results with any number of processes, also if some of them exit."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest

from dra_conform.conformance.implementation import CannotStart
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.workers.pool import worker_pool
from tests.faulty.by_workers import fingerprint
from tests.faulty.mutants import campaign
from tests.faulty.mutants.campaign import PartOfMutants, kill, try_all, try_part
from tests.faulty.mutants.host import HostEnded, killing_in_a_child
from tests.faulty.mutants.mutation import Killing, Mutant, Trial
from tests.faulty.mutants.subjects import ALLOCATOR, Subject
from tests.faulty.mutants.tree_changes import Change

pytestmark = [
    # dask closes its sockets shortly after it has reported that it did.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SUBJECT = replace(ALLOCATOR, operations=("allocate",), profiles=("kep",))


def _tainted(name: str, new: str, old: str = "_ = _.any_effect_blocks or _1.effect in _BLOCKING") -> Mutant:
    return Mutant(
        name, Change("dra_conform.allocator.device_taints", "untolerated", old, new), near=("taint",)
    )


KILLED = _tainted("taints are ignored", "False", "_.any_effect_blocks or _")
SURVIVING = _tainted("nothing is changed", "_0; pass")
ENDING = _tainted("ends", "import os; os._exit(7); _0")
MISSPELT = _tainted("misspelt", "_1.efect", "_1.effect")
ENDLESS = _tainted("endless", "while True: pass")
OF_NONE = _tainted("of None", "None.effect in _BLOCKING", "_.effect in _BLOCKING")
IMPORT_FAILS = Mutant(
    "import fails",
    Change("dra_conform.allocator.device_taints", "_BLOCKING", "...", "_OTHER = no_such_name; _0"),
)


@pytest.mark.slow
def test_mutants_are_independent_and_a_lost_worker_is_replaced() -> None:
    with worker_pool("", 2) as pool:
        killings = list(kill(pool, SUBJECT, (KILLED, SURVIVING, ENDING, KILLED)))
        os.kill(pool.processes()[0], signal.SIGKILL)
        more = list(kill(pool, SUBJECT, [KILLED] * 12))
    assert [killing.mutant for killing in killings] == [
        "taints are ignored",
        "nothing is changed",
        "ends",
        "taints are ignored",
    ]
    assert "taint" in killings[0].case
    assert killings[1].case == ""
    assert (killings[2].case, killings[2].broken) == ("", "its process ends with 7")
    assert [killings[3], *more] == [killings[0]] * 13


@pytest.mark.slow
def test_a_mutant_that_cannot_run_is_broken_and_not_killed() -> None:
    with worker_pool("", 1) as pool:
        imported, misspelt, of_none = kill(pool, SUBJECT, (IMPORT_FAILS, MISSPELT, OF_NONE))
    assert imported.broken == "NameError: name 'no_such_name' is not defined, as it is imported"
    assert misspelt.broken.startswith("AttributeError: 'DeviceTaint' object has no attribute 'efect', in ")
    assert (imported.case, misspelt.case, of_none.broken) == ("", "", "")
    assert "taint" in of_none.case  # A None may be a consequence of the mutant.


@pytest.mark.slow
def test_a_mutant_that_does_not_end_is_killed_by_no_case(shipped_suite: LoadedSuite) -> None:
    trial = Trial(SUBJECT, shipped_suite)
    assert killing_in_a_child(trial, ENDLESS, 2) == Killing(
        "endless", "", 0, broken="does not end in 2 seconds of work"
    )


def test_a_campaign_fails_with_surviving_stale_or_broken_mutants(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    killings = {
        KILLED.name: Killing(KILLED.name, "a case", 4),
        SURVIVING.name: Killing(SURVIVING.name, "", 9),
        MISSPELT.name: Killing(MISSPELT.name, "", 0, broken="AttributeError: efect"),
    }
    stale = _tainted("stale one", "", "no_such_call()")
    monkeypatch.setattr(campaign, "kill", lambda _, __, mutants: [killings[one.name] for one in mutants])

    with worker_pool("", 1) as pool:

        def came_of(*mutants: Mutant) -> tuple[int, str]:
            return try_all(pool, SUBJECT, mutants, ()), capsys.readouterr().out

        assert came_of(KILLED)[0] == 0
        for mutant, how in (
            (SURVIVING, "survives"),
            (MISSPELT, "is broken"),
            (stale, "does not fit the source"),
        ):
            code, output = came_of(KILLED, mutant)
            assert code == 1
            assert "1 of 2 mutants killed" in output
            assert f"  {how}: {mutant.name}\n" in output


class EndsAfterOne:
    """Replacement of a process with the suite that has exited when it gets its second mutant."""

    started = 0

    def __init__(self, _: Subject) -> None:
        EndsAfterOne.started += 1
        self.asked = EndsAfterOne.started > 2

    def tried(self, mutant: Mutant) -> Killing:
        if self.asked:
            raise HostEnded
        self.asked = True
        return Killing(mutant.name, "a case", 0)

    def close(self) -> None:
        pass


def test_a_process_that_has_exited_is_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "MutantHost", EndsAfterOne)
    part = PartOfMutants(SUBJECT, fingerprint(), KILLED)
    assert [try_part(part).case, try_part(part).case] == ["a case", "a case"]
    with pytest.raises(
        CannotStart, match="taints are ignored: the process that tries mutants has ended twice"
    ):
        try_part(part)


def test_a_worker_with_different_files_is_rejected() -> None:
    with pytest.raises(CannotStart, match="a worker has other files of dra-conform"):
        try_part(PartOfMutants(SUBJECT, "of another tree", KILLED))
