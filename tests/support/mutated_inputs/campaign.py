"""Read mutated inputs, and report crashes and slow reads.

`python -m tests.support.mutated_inputs.campaign --inputs 1000000 --seed 0 --part 1/4` reads a quarter of the inputs. An
input depends only on the seed and its number, and has at most 100 KB. It is a counterexample if reading it raises
an unexpected exception or takes more than 2 s of CPU time twice. The campaign prints the counterexamples and the
figures of each kind. It exits with 1 if there is a counterexample or if it used more than 500 MB of memory.
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
class Counterexample:
    """Input that raises an unexpected exception or takes too long."""

    kind: str
    number: int
    problem: str
    text: str


def counterexamples(kind: str, reader: Reader, numbers: range, seed: int) -> Iterator[Counterexample]:
    """Yield the counterexamples among the inputs of these numbers."""
    for number in numbers:
        text = reader.draw(random.Random(f"{seed} {kind} {number}"))
        problem, seconds = _read(reader, text)
        if problem is None and seconds > SECONDS:
            # The first read may have paid for a garbage collection or for a cache.
            problem, seconds = _read(reader, text)
            if problem is None and seconds > SECONDS:
                problem = f"takes {seconds:.1f} s twice"
        if problem is not None:
            yield Counterexample(kind, number, problem, text)


def _read(reader: Reader, text: str) -> tuple[str | None, float]:
    """Read the text, and return the unexpected exception, if any, and the seconds of CPU time."""
    began = time.process_time()
    problem = None
    try:
        reader.read(text)
    except reader.expected_errors:
        pass
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        problem = f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"
    return problem, time.process_time() - began


def main() -> int:
    """Run a part of a campaign, and return its exit code."""
    asking = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    asking.add_argument("--inputs", type=int, default=1_000_000)
    asking.add_argument("--seed", type=int, default=0)
    asking.add_argument("--part", default="1/1")
    options = asking.parse_args()
    part, parts = map(int, options.part.split("/"))
    known = readers()
    count = 0
    for kind, reader in known.items():
        numbers = range(part - 1, options.inputs // len(known), parts)
        began = time.process_time()
        for counterexample in counterexamples(kind, reader, numbers, options.seed):
            count += 1
            print(
                f"{kind} {counterexample.number}: {counterexample.problem[:300]}\n    {counterexample.text[:300]!r}",
                flush=True,
            )
        print(f"{kind}: {len(numbers)} inputs, {time.process_time() - began:.0f} s of CPU", flush=True)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{count} counterexamples, at most {megabytes} MB of memory")
    return 1 if count or megabytes > MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
