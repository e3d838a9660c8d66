"""`python -m tests.support.mutated_inputs.campaign --inputs 1000000 --seed 0 --part 1/4`: what do broken inputs do to us?

Input number n of a kind depends on the seed and on n alone, so that parts of a campaign are the campaign. An input is
a find where reading it raises what is no refusal, or takes more than 2 s of CPU; what is read is 100 KB at most. Prints
each find, the figures of each kind, and exits with 1 if there are any or where more than 500 MB were held.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.mutated_inputs.readers import Reader, readers

SECONDS = 2.0
MEGABYTES = 500


@dataclass(frozen=True)
class Find:
    """An input that is not taken as it should be."""

    kind: str
    number: int
    problem: str
    text: str


def finds(kind: str, reader: Reader, numbers: range, seed: int) -> Iterator[Find]:
    """What is wrong with reading the inputs of these numbers."""
    for number in numbers:
        text = reader.draw(random.Random(f"{seed} {kind} {number}"))
        began = time.process_time()
        try:
            reader.read(text)
        except reader.refusals:
            pass
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            where = traceback.extract_tb(error.__traceback__)[-1]
            yield Find(
                kind, number, f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})", text
            )
        took = time.process_time() - began
        if took > SECONDS:
            yield Find(kind, number, f"takes {took:.1f} s", text)


def main() -> int:
    """The figures of one part of a campaign."""
    asking = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    asking.add_argument("--inputs", type=int, default=1_000_000)
    asking.add_argument("--seed", type=int, default=0)
    asking.add_argument("--part", default="1/1")
    asked = asking.parse_args()
    part, parts = map(int, asked.part.split("/"))
    known = readers()
    found = 0
    for kind, reader in known.items():
        numbers = range(part - 1, asked.inputs // len(known), parts)
        began = time.process_time()
        for find in finds(kind, reader, numbers, asked.seed):
            found += 1
            print(f"{kind} {find.number}: {find.problem[:300]}\n    {find.text[:300]!r}", flush=True)
        print(f"{kind}: {len(numbers)} inputs, {time.process_time() - began:.0f} s of CPU", flush=True)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{found} finds, {held} MB held at most")
    return 1 if found or held > MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
