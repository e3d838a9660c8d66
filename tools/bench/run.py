"""Run all benchmarks (or those named) and print one table: `python tools/bench/run.py [NAME ...]`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def main(names: list[str]) -> None:
    benchmarks = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    print(f"{'benchmark':64} {'figure':>14} {'target':>14} unit")
    for name in names or benchmarks:
        for row in importlib.import_module(f"bench_{name}").bench():
            mark = "" if row.met else "  MISSED"
            sign = "<=" if row.at_most else ">="
            print(f"{row.name:64} {row.figure:14,.0f} {sign}{row.target:12,.0f} {row.unit}{mark}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
