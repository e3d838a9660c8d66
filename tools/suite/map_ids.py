"""Map the ids of an older suite to those of a newer one: `map_ids.py OLD NEW [--renamed OLD=NEW ...]`.

OLD and NEW are checkouts with the suite and the package that reads it. Cases correspond if they have the same
position in their file: order of scenarios, golden cases and rows. Prints a JSON object from old to new ids.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

_READ = """
import json
from dra_conform.conformance.suite.loading import load_suite
print(json.dumps([(case.source.file, case.id) for case in load_suite().cases]))
"""


def ids_by_file(checkout: Path) -> dict[str, list[str]]:
    """Return the ids of a checkout's suite by file, in the order of the file."""
    environment = {**os.environ, "PYTHONPATH": str(checkout.resolve())}
    command = [sys.executable, "-c", _READ]
    printed = subprocess.run(command, cwd=checkout, env=environment, check=True, capture_output=True).stdout
    by_file: dict[str, list[str]] = defaultdict(list)
    for file, case_id in json.loads(printed):
        by_file[file].append(case_id)
    return by_file


def id_map(old: dict[str, list[str]], new: dict[str, list[str]], renamed: dict[str, str]) -> dict[str, str]:
    """Return new ids by old id. Raises ValueError if a file has a different number of cases."""
    mapped: dict[str, str] = {}
    for file, ids in old.items():
        other = new.get(renamed.get(file, file), [])
        if len(other) != len(ids):
            raise ValueError(f"{file}: NEW has {len(other)} cases, expected {len(ids)} as in OLD")
        mapped |= zip(ids, other, strict=True)
    return mapped


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument(
        "--renamed", action="append", default=[], metavar="OLD=NEW", help="a file whose path changed"
    )
    arguments = parser.parse_args()
    renamed = dict(pair.split("=", 1) for pair in arguments.renamed)
    try:
        mapped = id_map(ids_by_file(arguments.old), ids_by_file(arguments.new), renamed)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(mapped, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
