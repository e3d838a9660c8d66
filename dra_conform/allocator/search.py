"""The search: depth first over claims, requests, subrequests and devices; the first full solution wins.

Within a request the next device comes after the previous one in total order; each request starts from the
first device again. The search is a stack of choice points; after a failure the topmost offers its next
choice.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from dra_conform.allocator.allocation_decision import Failed, Stop
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.choice_points import (
    AllModePoint,
    ChoicePoint,
    DeadEnd,
    ExactCountPoint,
    Failure,
    Passage,
    Position,
    SubRequestPoint,
)
from dra_conform.allocator.claim_plan import RESULTS_MAX, ClaimPlan, Slot
from dra_conform.allocator.device_choices import DeviceChoices
from dra_conform.allocator.interchangeable import Interchangeable, applies
from dra_conform.allocator.inventory import NodeDevices
from dra_conform.allocator.occupancy import Occupancy
from dra_conform.allocator.refusals import Trace
from dra_conform.kube.category import Category

MOST_STEPS = 2_000_000
"""After so many steps a search gives up, the same on every machine."""
MOST_SECONDS = 10.0
"""After so much CPU time it gives up as well, as kube-scheduler's does after ten seconds."""
GAVE_UP = "the search gave up: it would take more than two million steps or ten seconds of CPU time"
"""What is said then: the same words on every machine, whichever limit comes first."""
_BETWEEN_LOOKS = 256
"""Steps from one look at the clock to the next."""


class TooManySteps(Exception):  # noqa: N818 - it reads as what happened
    """The search has not ended within the steps or the time that it may take."""


class Search:
    """One search over the devices of a node. `steps` counts every step it takes, forward only.

    The `exhaustive` one tries each device, also where one like it has failed, with the same result.
    """

    def __init__(
        self,
        devices: NodeDevices,
        occupancy: Occupancy,
        plans: Sequence[ClaimPlan],
        behaviour: Behaviour,
        trace: Trace | None,
        *,
        exhaustive: bool = False,
        most_steps: int = MOST_STEPS,
    ) -> None:
        self.choices = DeviceChoices(devices, occupancy, plans, behaviour, trace)
        skips = not exhaustive and trace is None and applies(plans, behaviour)
        self._alike = Interchangeable(self.choices) if skips else None
        self.steps = 0
        self._most_steps = most_steps
        self._plans = plans

    def solve(self) -> bool:
        """Whether all claims fit; raises Stop at an error, TooManySteps where it gives up."""
        self.steps = 1
        deadline = time.thread_time() + MOST_SECONDS
        stack: list[ChoicePoint] = []
        point = self._enter(Position(0))
        while point is not None:
            stack.append(point)
            failure: Failure | None = None
            while True:
                step = stack[-1].next(failure)
                if isinstance(step, Position):
                    break
                failure = step
                stack.pop()
                if not stack:
                    if failure is Failure.TOO_MANY:
                        message = "allocation max size exceeded"
                        raise Stop(Failed(Category.CLAIM_LIMIT_EXCEEDED, message))
                    return False
            self.steps += 1
            if self.steps > self._most_steps:
                raise TooManySteps
            if self.steps % _BETWEEN_LOOKS == 0 and time.thread_time() > deadline:
                raise TooManySteps
            point = self._enter(step)
        return True

    def _enter(self, position: Position) -> ChoicePoint | None:
        """The choice point at a position, None behind the last claim."""
        if position.claim == len(self._plans):
            return None
        requests = self._plans[position.claim].requests
        if position.request == len(requests):
            return Passage(Position(position.claim + 1), border=True)
        request = requests[position.request]
        if request.is_list and position.subrequest < 0:
            return SubRequestPoint(position, len(request.slots))
        slot = request.slots[max(position.subrequest, 0)]
        if len(self.choices.chosen[position.claim]) + slot.count - position.device > RESULTS_MAX:
            self._note_limit(position.claim, slot)
            return DeadEnd(Failure.TOO_MANY)
        if slot.every is not None:
            if not slot.every:
                self.choices.note(position.claim, slot, Category.INSUFFICIENT_DEVICES, "no device matches")
                return DeadEnd(Failure.NOTHING_FITS)
            if position.device < slot.count:
                return AllModePoint(self.choices, position, slot)
        elif position.device < slot.count:
            return ExactCountPoint(self.choices, position, slot, self._alike)
        return Passage(Position(position.claim, position.request + 1))

    def _note_limit(self, claim: int, slot: Slot) -> None:
        self.choices.note(
            claim, slot, Category.CLAIM_LIMIT_EXCEEDED, f"more than {RESULTS_MAX} devices in the claim"
        )
