"""Break the built-in allocator on purpose, one rule at a time, and see the suite notice: `make mutants`.

Each mutant is a change of source text in a copy of the package. The suite (features and golden cases, no unit
test) is run on the copy in profile `kep`; a mutant that passes is a hole in the suite.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` becomes `new` wherever it stands in `file` (below dra_conform/); it must stand there."""

    name: str
    file: str
    old: str
    new: str


POLICY = "capacity/policy.py"
NEEDS = "allocator/needs.py"
PLACES = "allocator/places.py"
CHOICES = "allocator/choices.py"
STATE = "allocator/state.py"
RESULT = "allocator/result.py"
CONSTRAINTS = "allocator/constraints.py"
ACCOUNTING = "capacity/accounting.py"

MUTANTS = (
    Mutant("rounds down", POLICY, "count = -((minimum.nano - requested.nano) // step.nano)",
           "count = (requested.nano - minimum.nano) // step.nano"),
    Mutant("one step too many", POLICY, "minimum.nano + count * step.nano, requested",
           "minimum.nano + (count + 1) * step.nano, requested"),
    Mutant("steps from zero", POLICY,
           "count = -((minimum.nano - requested.nano) // step.nano)\n        return Quantity(minimum.nano + count",
           "count = -(-requested.nano // step.nano)\n        return Quantity(0 + count"),
    Mutant("below min is kept", POLICY, "    if requested.nano < minimum.nano:\n        return minimum\n", ""),
    Mutant("max itself is refused", POLICY, "amount.nano > valid.max.nano", "amount.nano >= valid.max.nano"),
    Mutant("max does not count", POLICY, "valid.max is not None and amount.nano > valid.max.nano", "False"),
    Mutant("the next value though equal", POLICY, "value.nano >= requested.nano", "value.nano > requested.nano"),
    Mutant("the largest value instead", POLICY,
           "return next((value for value in values if value.nano >= requested.nano), requested)",
           "return max((value for value in values if value.nano >= requested.nano), default=requested)"),
    Mutant("above all values is allowed", POLICY, "elif policy.valid_values and amount not in policy.valid_values:",
           "elif False:"),
    Mutant("the default is forgotten", POLICY, "if policy is not None and policy.default is not None:",
           "if False:"),
    Mutant("zero is no request", POLICY, "if requested is None:", "if not requested:"),
    Mutant("the remainder must be larger", ACCOUNTING, "used.get(name, 0) + amount <= values[name]",
           "used.get(name, 0) + amount < values[name]"),
    Mutant("compares with the total", ACCOUNTING, "used.get(name, 0) + amount <= values[name]",
           "amount <= values[name]"),
    Mutant("any capacity suffices", ACCOUNTING, "return all(used.get(name, 0)", "return not amounts or any(used.get(name, 0)"),
    Mutant("undo keeps capacity", CHOICES, "self.occupancy.consumed.remove(chosen.index, chosen.need.amounts)", "pass"),
    Mutant("undo keeps the device", CHOICES, "self.occupancy.in_use[chosen.index] = FREE", "pass"),
    Mutant("undo keeps the constraint", CHOICES, "constraint.remove(chosen.slot.request, value)", "pass"),
    Mutant("a refused device stays in an earlier constraint", CHOICES, "earlier.remove(slot.request, known)", "pass"),
    Mutant("dedicated devices are not marked", CHOICES, "self.occupancy.in_use[index] = CHOSEN", "pass"),
    Mutant("shares of a call are not counted", CHOICES, "self.occupancy.consumed.add(index, need.amounts)", "pass"),
    Mutant("shares of other claims are not counted", STATE,
           "self.consumed.add(index, {name: amount.nano for name, amount in amounts.items()})", "pass"),
    Mutant("held devices are free", STATE,
           "                else:\n                    self.in_use[index] = ALLOCATED", "                else:\n                    pass"),
    Mutant("shares do not block a device turned dedicated", STATE,
           "if behaviour.shares_block_dedicated and not devices.shared[index]:", "if False:"),
    Mutant("a shared device ignores its exclusive holder", STATE,
           "                else:\n                    self.in_use[index] = ALLOCATED",
           "                elif not devices.shared[index]:\n                    self.in_use[index] = ALLOCATED"),
    Mutant("an unknown capacity passes", NEEDS, "            if name not in capacities:\n                return _undeclared(name)\n        if not self._devices.shared",
           "            pass\n        if not self._devices.shared"),
    Mutant("dedicated devices are not filtered", NEEDS, "return self.too_small(index) or NOTHING", "return NOTHING"),
    Mutant("dedicated devices must be larger", NEEDS, "if value < amount:", "if value <= amount:"),
    Mutant("bare names have no domain", NEEDS, 'return name if "/" in name else f"{driver}/{name}"', "return name"),
    Mutant("no share IDs", RESULT, "share_ids.new(claim, place, used) if shared else None", "None"),
    Mutant("share IDs everywhere", RESULT, "share_ids.new(claim, place, used) if shared else None",
           "share_ids.new(claim, place, used)"),
    Mutant("equal share IDs", RESULT, "            if found not in used:", "            found = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'\n            if True:"),
    Mutant("no consumedCapacity", RESULT, "slot.needs.consumed(index) if shared and device.capacity else None", "None"),
    Mutant("consumedCapacity on dedicated devices", RESULT,
           "slot.needs.consumed(index) if shared and device.capacity else None",
           "slot.needs.consumed(index) if device.capacity else None"),
    Mutant("zero amounts are left out", NEEDS, "return dict(known)",
           "return {name: amount for name, amount in known.items() if amount}"),
    Mutant("match ignores the value", CONSTRAINTS,
           'elif value != self._reference or value[0] == "unknown":', 'elif value[0] == "unknown":'),
    Mutant("distinct ignores the value", CONSTRAINTS,
           "        if value in self._values:\n            return False\n        self._values.add(value)",
           "        self._values.add(value)"),
    Mutant("distinct ignores the type", CONSTRAINTS, "return (kind, value)\n    for kind in sorted", 'return ("any", str(value))\n    for kind in sorted'),
    Mutant("constraints cover every request", CONSTRAINTS, "return not names or request in names", "return True or request in names"),
    Mutant("constraints do not cover alternatives", CONSTRAINTS, "return not names or request in names or", "return not names or"),
    Mutant("a count takes one device several times", PLACES,
           "at + 1 if choices.behaviour.one_share_a_request else 0", "at"),
    Mutant("gives up at the first full device", PLACES,
           "                choices.note_full(position.claim, slot, index, need)\n                continue",
           "                choices.note_full(position.claim, slot, index, need)\n                break"),
    Mutant("does not backtrack", PLACES, "        order = range(len(choices.devices.keys)) if",
           "        if failure is not None:\n            return failure\n        order = range(len(choices.devices.keys)) if"),
    Mutant("selectors see nothing shared", "allocator/allocator.py", "sharing=behaviour.selectors_see_sharing", "sharing=False"),
)  # fmt: skip


def killed(mutant: Mutant, copy: Path) -> str:
    """How the suite noticed the mutant, empty if it did not. Restores the copy."""
    path = copy / "dra_conform" / mutant.file
    source = path.read_text("utf-8")
    if source.count(mutant.old) < 1:
        raise SystemExit(f"{mutant.name}: {mutant.old!r} is not in {mutant.file}, expected it there")
    path.write_text(source.replace(mutant.old, mutant.new), "utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-B", "-m", "dra_conform", "run", "--suite", str(copy)],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "does not end"
    finally:
        path.write_text(source, "utf-8")
    lines = done.stdout.strip().splitlines()
    return "" if done.returncode == 0 else (lines[-1].strip() if lines else f"exit {done.returncode}")


def main() -> int:
    """Run every mutant; 0 if all are killed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("dra_conform", "features", "golden", "fixtures", "requirements"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        survivors = []
        for mutant in MUTANTS:
            how = killed(mutant, copy)
            print(f"{'killed' if how else 'SURVIVES':9} {mutant.name:52} {how}", flush=True)
            if not how:
                survivors.append(mutant.name)
    print(f"\n{len(MUTANTS) - len(survivors)} of {len(MUTANTS)} mutants killed by the suite")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
