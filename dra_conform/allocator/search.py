"""The search: depth first over claims, requests, alternatives and devices; the first full solution wins.

Within a request the next device comes after the previous one in total order; each request starts from the
first device again. The search is a stack of places; after a failure the topmost offers its next choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.allocator import explain
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.choices import Choices
from dra_conform.allocator.decision import Failed, Stop
from dra_conform.allocator.explain import Trace
from dra_conform.allocator.inventory import Devices
from dra_conform.allocator.places import Alternatives, Dead, Every, Exact, Failure, Passage, Place, Position
from dra_conform.allocator.plan import RESULTS_MAX, ClaimPlan, Slot
from dra_conform.allocator.state import Occupancy


class Search:
    """One search over the devices of a node. `steps` counts every step it takes, forward only."""

    def __init__(
        self,
        devices: Devices,
        occupancy: Occupancy,
        plans: Sequence[ClaimPlan],
        behaviour: Behaviour,
        trace: Trace | None,
    ) -> None:
        self.choices = Choices(devices, occupancy, plans, behaviour, trace)
        self.steps = 0
        self._plans = plans

    def solve(self) -> bool:
        """Whether all claims fit; raises Stop at an error."""
        self.steps = 1
        stack: list[Place] = []
        place = self._enter(Position(0))
        while place is not None:
            stack.append(place)
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
                        raise Stop(Failed(explain.CLAIM_LIMIT_EXCEEDED, message))
                    return False
            self.steps += 1
            place = self._enter(step)
        return True

    def _enter(self, position: Position) -> Place | None:
        """The place at a position, None behind the last claim."""
        if position.claim == len(self._plans):
            return None
        requests = self._plans[position.claim].requests
        if position.request == len(requests):
            return Passage(Position(position.claim + 1), border=True)
        request = requests[position.request]
        if request.is_list and position.alternative < 0:
            return Alternatives(position, len(request.slots))
        slot = request.slots[max(position.alternative, 0)]
        if len(self.choices.chosen[position.claim]) + slot.count - position.device > RESULTS_MAX:
            self._note_limit(position.claim, slot)
            return Dead(Failure.TOO_MANY)
        if slot.every is not None:
            if not slot.every:
                self.choices.note(position.claim, slot, explain.INSUFFICIENT_DEVICES, "no device matches")
                return Dead(Failure.NOTHING_FITS)
            if position.device < slot.count:
                return Every(self.choices, position, slot)
        elif position.device < slot.count:
            return Exact(self.choices, position, slot)
        return Passage(Position(position.claim, position.request + 1))

    def _note_limit(self, claim: int, slot: Slot) -> None:
        self.choices.note(
            claim, slot, explain.CLAIM_LIMIT_EXCEEDED, f"more than {RESULTS_MAX} devices in the claim"
        )
