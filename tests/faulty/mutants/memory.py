"""Mutants that keep too much or too little of a search: what is taken back, and from which claim or alternative."""

from __future__ import annotations

from tests.faulty.mutants.mutation import Mutant

_DRAW = (
    "            found = draw(index, self.devices, self.occupancy, self.behaviour, uses=uses, shares=shares)"
)
_FOUND = "            drawn = found\n"
_LEAVES = "            drawn = found\n            if {when}:\n                self.occupancy.groups.leave(drawn.joined)\n                drawn = drawn._replace(joined=())\n"
_BACK = "            undo_draw(index, self.occupancy, chosen.drawn)"
_UNDO = "        for constraint in reversed(chosen.slot.constraints):\n"
_SHARE = "            self._release_share(index, chosen.need, marked=self.behaviour.failed_attempts_leak)"
_FREE = "            self.occupancy.in_use[index] = chosen.before"
_CONSTRAIN = "        for place, constraint in enumerate(slot.constraints):\n            value = self.value(index, constraint.attribute)\n            if value is not None and constraint.add"
_REST = "        if failure is None:\n            return self._onward\n"
_LIST = "        if self._tried == self._count:\n"
_FITS = "        if slot.admin and self.behaviour.admin_is_free:\n            return True\n        return self.occupancy"


def _draws(name: str, unless: str) -> Mutant:
    return Mutant(name, (_DRAW, _DRAW.replace("uses=uses", f"uses=uses and not ({unless})")))


def _narrows(name: str, unless: str) -> Mutant:
    return Mutant(name, (_FOUND, _LEAVES.format(when=unless)))


def _keeps(name: str, when: str) -> Mutant:
    """What is drawn is not given back."""
    return Mutant(
        name,
        (
            _BACK,
            f"            if not ({when}):\n                undo_draw(index, self.occupancy, chosen.drawn)",
        ),
    )


def _unconstrained(name: str, when: str) -> Mutant:
    return Mutant(
        name,
        (
            _CONSTRAIN,
            _CONSTRAIN.replace(
                "enumerate(slot.constraints)", f"enumerate(() if {when} else slot.constraints)"
            ),
        ),
        (
            _UNDO,
            f"        for constraint in reversed(() if {when.replace('slot.', 'chosen.slot.').replace('number', 'chosen.number')} else chosen.slot.constraints):\n",
        ),
    )


_SHARED = "self.devices.shared[index]"

MEMORY = (
    _draws("shared devices of alternatives draw nothing", f"slot.subrequest and {_SHARED}"),
    _draws("with tolerations nothing is drawn", "slot.tolerations"),
    _draws("an alternative of all draws nothing", "slot.subrequest and slot.every is not None"),
    _draws("beside a constraint in a later claim nothing is drawn", "slot.constraints and claim"),
    _draws("shared devices of a later claim draw nothing", f"claim and {_SHARED}"),
    _draws("tolerated devices of a count draw nothing", "number and slot.tolerations"),
    _narrows("alternatives do not narrow groups", "slot.subrequest"),
    _narrows("later claims do not narrow groups", "claim"),
    _narrows("of a count the first narrows groups", "number and slot.every is None"),
    _narrows("of all devices the first narrows groups", "number and slot.every is not None"),
    _narrows("shared devices do not narrow groups", _SHARED),
    _narrows("with amounts groups are not narrowed", "need.amounts"),
    _keeps("counters of a later claim stay taken", "claim"),
    _keeps("counters of an alternative stay taken", "chosen.slot.subrequest"),
    _keeps("counters of all devices stay taken", "chosen.slot.every is not None"),
    Mutant("a share that is given back takes the counters of the others along", ("    if drawn.counted:\n        occupancy.counters.undo_draw(index)", "    if drawn is not NOTHING_DRAWN:\n        occupancy.counters.undo_draw(index)")),
    _keeps("counters of shared devices stay taken", "shared"),
    Mutant("shares of an alternative stay taken", (_SHARE, f"            if not chosen.slot.subrequest:\n    {_SHARE}")),
    Mutant("shares of a later claim stay taken", (_SHARE, f"            if not claim:\n    {_SHARE}")),
    Mutant("shares of all devices stay taken", (_SHARE, f"            if chosen.slot.every is None:\n    {_SHARE}")),
    Mutant("devices of an alternative stay taken", (_FREE, f"            if not chosen.slot.subrequest:\n    {_FREE}")),
    Mutant("devices of a later claim stay taken", (_FREE, f"            if not claim:\n    {_FREE}")),
    Mutant("devices of all stay taken", (_FREE, f"            if chosen.slot.every is None:\n    {_FREE}")),
    Mutant("constraints remember what an alternative had", (_UNDO, _UNDO.replace("chosen.slot.constraints", "() if chosen.slot.subrequest else chosen.slot.constraints"))),
    Mutant("constraints remember what a later request had", (_UNDO, _UNDO.replace("chosen.slot.constraints", "() if chosen.slot.request != self.plans[claim].requests[0].name else chosen.slot.constraints"))),
    Mutant("the last constraint remembers what was taken back", (_UNDO, _UNDO.replace("chosen.slot.constraints", "chosen.slot.constraints[:-1]"))),
    Mutant("a list is not reconsidered for a later claim", (_REST, "        if failure is not None and self._border:\n            SubRequestPoint.closed = True\n" + _REST), ("        self._tried = 0\n", "        self._tried = 0\n        SubRequestPoint.closed = False\n"), (_LIST, "        if getattr(SubRequestPoint, 'closed', False) and self._tried:\n            return Failure.NOTHING_FITS\n" + _LIST)),
    Mutant("the amounts of all devices in a later claim always fit", (_FITS, "        if slot.every is not None and self.plans.index(next(plan for plan in self.plans for request in plan.requests if slot in request.slots)):\n            return True\n" + _FITS)),
    _unconstrained("constraints are not for alternatives of shared devices", f"slot.subrequest and {_SHARED}"),
    _unconstrained("constraints are not for all shared devices", f"slot.every is not None and {_SHARED}"),
    _unconstrained("constraints are not for partitions of alternatives", "slot.subrequest and self.devices.devices[index].consumes_counters"),
    Mutant("shares are counted in percent", ("        return all(used.get(name, 0) + amount <= values[name] for name, amount in amounts.items())", "        return all(values[name] == 0 or 100 * used.get(name, 0) // values[name] + 100 * amount // values[name] <= 100 for name, amount in amounts.items())")),
    Mutant("a device has at most ten shares", ("        used = self.used(device)\n", "        used = self.used(device)\n        if self.shares(device) > 9:\n            return False\n")),
    Mutant("a device has at most two shares a call", (_DRAW, "            if shares > 1:\n                return Category.COUNTER_EXHAUSTED\n" + _DRAW)),
    Mutant("a billionth too much is as good as fits", ("        return all(used.get(name, 0) + amount <= values[name] for name, amount in amounts.items())", "        return all(used.get(name, 0) + amount <= values[name] + values[name] // 10**9 for name, amount in amounts.items())")),
)  # fmt: skip
