"""Choice points of the depth-first search. Each point offers its choices one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from dra_conform.allocator.allocation_decision import Failed, Stop
from dra_conform.allocator.claim_plan import Slot
from dra_conform.allocator.device_choices import DeviceChoices
from dra_conform.allocator.eligibility import NO, YES
from dra_conform.allocator.interchangeable import Interchangeable, Kind
from dra_conform.kube.category import Category


class Failure(Enum):
    """The reason why a choice point has no choice."""

    NOTHING_FITS = 1
    TOO_MANY = 2
    """The claim would get more devices than allowed; other devices for the same requests would not help."""


class Position(NamedTuple):
    """The position of the search: indices of claim, request, slot and device.

    `subrequest` is -1 before one is chosen. `device` is the number of the device within the request, and
    `start` its first candidate. Devices of the kinds in `failed` need not be tried for the request any more.
    """

    claim: int
    request: int = 0
    subrequest: int = -1
    device: int = 0
    start: int = 0
    failed: frozenset[Kind] = frozenset()


class ChoicePoint(Protocol):
    """A point on the stack of the search, with the choices that were not tried yet."""

    def next(self, failure: Failure | None) -> Position | Failure:
        """Return the position after the next choice, or the failure if no choice remains.

        `failure` is the failure of the previous choice, None at the first call.
        """
        ...


class RequestEnd:
    """The end of a request or a claim, whose only choice is the next request or claim.

    At the end of a claim (`border`), every failure becomes NOTHING_FITS.
    """

    __slots__ = ("_border", "_onward")

    def __init__(self, onward: Position, *, border: bool = False) -> None:
        self._onward = onward
        self._border = border

    def next(self, failure: Failure | None) -> Position | Failure:
        if failure is None:
            return self._onward
        return Failure.NOTHING_FITS if self._border else failure


class DeadEnd:
    """A choice point without choices."""

    __slots__ = ("_failure",)

    def __init__(self, failure: Failure) -> None:
        self._failure = failure

    def next(self, failure: Failure | None) -> Position | Failure:
        return self._failure


class SubRequestPoint:
    """The subrequests of a prioritized list in order.

    If the search fails after one subrequest was chosen, the next subrequest is tried.
    """

    __slots__ = ("_count", "_position", "_too_many", "_tried")

    def __init__(self, position: Position, count: int) -> None:
        self._position = position
        self._count = count
        self._tried = 0
        self._too_many = True

    def next(self, failure: Failure | None) -> Position | Failure:
        if failure is Failure.NOTHING_FITS:
            self._too_many = False
        if self._tried == self._count:
            return Failure.TOO_MANY if self._too_many else Failure.NOTHING_FITS
        self._tried += 1
        return Position(self._position.claim, self._position.request, self._tried - 1)


_LASTING = frozenset(
    {
        Category.FEATURE_DISABLED,
        Category.INCOMPATIBLE_GROUP,
        Category.COUNTER_EXHAUSTED,
        Category.TAINT_NOT_TOLERATED,
    }
)
"""Categories of failures that also hold for later claims."""


class ExactCountPoint:
    """One device of an ExactCount request: the candidates after the previous device, in total order."""

    __slots__ = ("_alike", "_choices", "_failed", "_holds", "_position", "_rest", "_slot", "_start")

    def __init__(
        self, choices: DeviceChoices, position: Position, slot: Slot, alike: Interchangeable | None
    ) -> None:
        self._choices = choices
        self._position = position
        self._slot = slot
        self._start = position.start
        self._holds = False
        self._alike = alike
        self._failed = position.failed
        self._rest = (position.claim, position.request, max(position.subrequest, 0))

    def next(self, failure: Failure | None) -> Position | Failure:
        choices, position, slot = self._choices, self._position, self._slot
        order = range(len(choices.devices.keys)) if choices.trace is not None else slot.selectors.order
        if self._holds:
            choices.backtrack(position.claim)
            self._holds = False
            if failure is Failure.TOO_MANY or not self._may_go_on(order):
                return failure or Failure.NOTHING_FITS
        # With nothing chosen yet, the first devices fail for the same reasons in every later claim.
        plain = not choices.with_admin
        lasting = failure is None and choices.count == 0 and choices.trace is None and plain
        key = (id(slot.selectors), id(slot.needs), slot.tolerations)
        cursors, in_use = choices.occupancy.cursors, choices.occupancy.in_use
        verdicts, fits = slot.selectors.verdicts, choices.occupancy.consumed.fits
        start = max(self._start, cursors.get(key, 0)) if lasting else self._start
        barrier = choices.devices.barrier
        for at in range(start, len(order)):
            index = order[at]
            if index >= barrier:
                break
            if in_use[index] if plain else choices.blocks(position.claim, slot, index):
                choices.note_in_use(position.claim, slot, index)
                continue
            if verdicts[index] != YES and (
                (verdicts[index] == NO and choices.trace is None) or not self._eligible(index)
            ):
                continue
            if not choices.devices.reaches(index):
                choices.note(
                    position.claim, slot, Category.NODE_MISMATCH, "the device is not on the node", index
                )
                continue
            need = slot.needs.of(index)
            if need.lack:
                choices.note(position.claim, slot, need.lack, need.message, index)
                continue
            if not (fits(index, need.values, need.amounts) if plain else choices.fits(slot, index, need)):
                choices.note_full(position.claim, slot, index, need)
                continue
            if self._failed and self._has_failed(index):
                continue
            category = choices.take(position.claim, slot, index, need, position.device)
            if lasting and category not in _LASTING:
                cursors[key] = at
                lasting = False
            if category:
                continue
            self._start, self._holds = at + 1, True
            following = at + 1 if choices.capacity_switches.one_share_a_request else 0
            return Position(
                position.claim,
                position.request,
                position.subrequest,
                position.device + 1,
                following,
                self._failed,
            )
        if barrier <= len(choices.devices.keys):
            raise Stop(Failed(Category.POOL_INVALID, f"pool {choices.devices.fault()}"))
        if lasting:
            cursors[key] = len(order)
        self._start = len(order)
        if choices.trace is not None:
            message = f"{slot.count} requested, {position.device} found"
            choices.note(position.claim, slot, Category.INSUFFICIENT_DEVICES, message)
        return Failure.NOTHING_FITS

    def _has_failed(self, index: int) -> bool:
        return self._alike is not None and self._alike.kind(self._rest, index) in self._failed

    def _may_go_on(self, order: Sequence[int]) -> bool:
        """Whether enough candidates remain after the latest device has failed."""
        if self._alike is None:
            return True
        self._failed |= {self._alike.kind(self._rest, order[self._start - 1])}
        needed = self._slot.count - self._position.device
        return self._alike.enough(self._rest, order[self._start :], needed)

    def _eligible(self, index: int) -> bool:
        choices, slot, claim = self._choices, self._slot, self._position.claim
        if index in choices.devices.hidden:
            message = "the device has binding conditions, but the feature is disabled"
            choices.note(claim, slot, Category.FEATURE_DISABLED, message, index)
            return False
        if slot.selectors.accepts(index, choices.plans[claim].label):
            return True
        if choices.trace is not None:
            choices.note(
                claim, slot, Category.SELECTOR_NOT_MATCHED, slot.selectors.why_not_matched(index), index
            )
        return False


_CONSTRAINED = frozenset({Category.ATTRIBUTE_MISSING, Category.CONSTRAINT_UNSATISFIED})
"""Categories of failures that a constraint causes."""


class AllModePoint:
    """One device of allocationMode All, which has one choice, because every matching device is needed."""

    __slots__ = ("_choices", "_holds", "_position", "_slot")

    def __init__(self, choices: DeviceChoices, position: Position, slot: Slot) -> None:
        self._choices = choices
        self._position = position
        self._slot = slot
        self._holds = False

    def next(self, failure: Failure | None) -> Position | Failure:
        choices, position, slot = self._choices, self._position, self._slot
        if failure is not None:
            if self._holds:
                choices.backtrack(position.claim)
            return failure
        every = slot.every or ()
        index = every[position.device]
        if choices.blocks(position.claim, slot, index):
            choices.note_in_use(position.claim, slot, index)
            return Failure.NOTHING_FITS
        need = slot.needs.of(index)
        if need.lack:
            choices.note(position.claim, slot, need.lack, need.message, index)
            return Failure.NOTHING_FITS
        # A release that checks the capacity of another device (checks_another_device) does so in `take`.
        elsewhere = choices.capacity_switches.checks_another_device
        full = not elsewhere and not choices.fits(slot, index, need)
        if full and not choices.switches.all_mode.constraint_is_error:
            choices.note_full(position.claim, slot, index, need)
            return Failure.NOTHING_FITS
        category = choices.take(position.claim, slot, index, need, position.device)
        if full and not category:  # constraints are checked before capacity if their failure is an error
            choices.abandon(position.claim)
            choices.note_full(position.claim, slot, index, need)
            return Failure.NOTHING_FITS
        if category:
            if choices.switches.all_mode.constraint_is_error and category in _CONSTRAINED:
                raise Stop(Failed(Category.CONSTRAINT_UNSATISFIED, self._cannot_add(index)))
            return Failure.NOTHING_FITS
        self._holds = True
        subrequest = position.subrequest
        if choices.switches.all_mode.confuses_subrequests:
            subrequest = min(subrequest, 0)
        return Position(position.claim, position.request, subrequest, position.device + 1)

    def _cannot_add(self, index: int) -> str:
        claim = self._choices.plans[self._position.claim].label
        return (
            f"claim {claim}, request {self._slot.subrequest or self._slot.request}: cannot add device "
            f"{self._choices.devices.label(index)} because a claim constraint would not be satisfied"
        )
