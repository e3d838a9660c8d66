"""The search: depth first over claims, requests, subrequests and devices; the first complete solution wins.

Within a request the next device comes after the previous one in total order. Each request starts from the
first device again. The search is a stack of choice points: after a failure the topmost point offers its next
choice.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from dra_conform.allocator.allocation_decision import Failed, Stop, Trace
from dra_conform.allocator.choice_points import (
    AllModePoint,
    ChoicePoint,
    DeadEnd,
    ExactCountPoint,
    Failure,
    Position,
    RequestEnd,
    SubRequestPoint,
)
from dra_conform.allocator.claim_plan import RESULTS_MAX, ClaimPlan, Slot
from dra_conform.allocator.device_choices import DeviceChoices
from dra_conform.allocator.interchangeable import Interchangeable, applies
from dra_conform.allocator.node_devices import NodeDevices
from dra_conform.allocator.occupancy import Occupancy
from dra_conform.kube.category import Category
from dra_conform.kube.switches.allocation import AllocationSwitches

MOST_STEPS = 2_000_000
"""The limit of steps of a search, equal on every machine."""
MOST_SECONDS = 10.0
"""The limit of CPU time of a search; kube-scheduler's Filter timeout is ten seconds too."""
GAVE_UP = "search stopped: it takes more than two million steps or ten seconds of CPU time"
"""The message for both limits; it is equal so that it does not depend on the speed of the machine."""
_STEPS_BETWEEN_CLOCK_READS = 256


class TooManySteps(Exception):  # noqa: N818 - the name says what happened
    """The search has exceeded its limit of steps or CPU time."""


class Search:
    """One search over the devices of a node. `steps` counts the forward steps, without backtracking.

    With `exhaustive` the search also tries devices that are equal to failed ones; the result is the same.
    """

    def __init__(
        self,
        devices: NodeDevices,
        occupancy: Occupancy,
        plans: Sequence[ClaimPlan],
        switches: AllocationSwitches,
        trace: Trace | None,
        *,
        exhaustive: bool = False,
        most_steps: int = MOST_STEPS,
    ) -> None:
        self.choices = DeviceChoices(devices, occupancy, plans, switches, trace)
        skips = not exhaustive and trace is None and applies(plans, switches)
        self._alike = Interchangeable(self.choices) if skips else None
        self.steps = 0
        self._most_steps = most_steps
        self._plans = plans

    def solve(self) -> bool:
        """Return whether all claims can be allocated. Raise Stop for an error, TooManySteps at a limit."""
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
            if self.steps % _STEPS_BETWEEN_CLOCK_READS == 0 and time.thread_time() > deadline:
                raise TooManySteps
            point = self._enter(step)
        return True

    def _enter(self, position: Position) -> ChoicePoint | None:
        """Return the choice point at a position, None after the last claim."""
        if position.claim == len(self._plans):
            return None
        requests = self._plans[position.claim].requests
        if position.request == len(requests):
            return RequestEnd(Position(position.claim + 1), border=True)
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
        if self.choices.trace:
            self.choices.trace.satisfied(self._plans[position.claim].label, slot.name)
        return RequestEnd(Position(position.claim, position.request + 1))

    def _note_limit(self, claim: int, slot: Slot) -> None:
        self.choices.note(
            claim, slot, Category.CLAIM_LIMIT_EXCEEDED, f"more than {RESULTS_MAX} devices in the claim"
        )
