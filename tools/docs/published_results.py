"""Run the published results of this repository again, and write them: `published_results.py [NAME ...]`.

A result in `reports` says how to reproduce it. Without names, all results of another suite than the current
one are run; a NAME is that of an implementation or a release. `--drivers` has the built drivers, in folders
named as in `examples/drivers`. A result whose program is not there is named and left as it is.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from dra_conform.conformance.suite.loading import load_suite
from dra_conform.reports.submission import Submission
from dra_conform.reports.submission_files import read_submission, submitted_files

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "reports"
OUT = ROOT / "out" / "results"
CONFORM = (sys.executable, "-m", "dra_conform")

_DRIVER_FOLDER = re.compile(r"examples/drivers/([a-z0-9-]+)")


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """A published result, and where its run starts."""

    submission: Submission
    folder: Path
    """The working directory of the run, with the `driver.yaml` of a driver."""

    @property
    def run(self) -> list[str]:
        """The arguments of its run, from `run` on."""
        return shlex.split(self.submission.reproduce[-1])[1:]

    @property
    def report(self) -> Path:
        """The JSON report of its new run, such as `out/results/kube-scheduler-allocator/1.37.json`."""
        return OUT / Path(self.submission.path).parts[1] / f"{self.submission.release}.json"

    def missing(self) -> str:
        """Return the file that the run needs and that is not there, or an empty text."""
        implementation = self.run[self.run.index("-i") + 1]
        scheme, _, rest = implementation.partition(":")
        file = rest.removeprefix("exec:")
        if scheme in ("exec", "driver", "kubelet") and file != "reference":
            return "" if (self.folder / file).is_file() else str(self.folder / file)
        return ""

    def repeat(self) -> str:
        """Run and write it. Return a line for the reader, with `FAILED` if there is no new result."""
        started = time.monotonic()
        self.report.parent.mkdir(parents=True, exist_ok=True)
        self.report.unlink(missing_ok=True)
        command = [*_surroundings(self.folder), *CONFORM, *self.run, "--json", str(self.report)]
        done = subprocess.run(command, cwd=self.folder, check=False, capture_output=True, text=True)
        name = f"{self.submission.release} {self.submission.implementation.name}"
        if done.returncode not in (0, 1):
            return f"FAILED {name}: the run exited with {done.returncode}\n{done.stderr[-2000:]}"
        written = subprocess.run(self._submit(), cwd=ROOT, check=False, capture_output=True, text=True)
        if written.returncode:
            return f"FAILED {name}: {written.stderr}"
        return f"{name}: {time.monotonic() - started:.0f} s, {done.stdout.strip().splitlines()[-1]}"

    def _submit(self) -> list[str]:
        who = self.submission.implementation
        command = [*CONFORM, "submit", str(self.report), "--into", str(REPORTS), "--subject", who.subject]
        command += ["--organization", who.organization, "--url", who.url]
        for address in who.contact:
            command += ["--contact", address]
        for build in self.submission.reproduce[:-1]:
            command += ["--build", build]
        return command


def _surroundings(folder: Path) -> Sequence[str]:
    """Return the command that gives a driver its devices, if they are network interfaces."""
    script = folder / "with-interfaces.sh"
    return ("unshare", "--net", "--mount", "sh", str(script)) if script.is_file() else ()


def published_results(drivers: Path) -> Iterator[PublishedResult]:
    """Yield the newest result of each implementation and release."""
    newest: dict[Path, Submission] = {}
    for file in submitted_files(REPORTS):
        submission = read_submission(file).submission
        earlier = newest.get(file.parent)
        if earlier is None or submission.date >= earlier.date:
            newest[file.parent] = submission
    for submission in newest.values():
        named = _DRIVER_FOLDER.search(submission.reproduce[0])
        yield PublishedResult(submission, drivers / named[1] if named else ROOT)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", metavar="NAME")
    options.add_argument("--drivers", type=Path, default=ROOT / "out" / "drivers")
    options.add_argument("--jobs", type=int, default=2, help="runs at the same time (%(default)s)")
    chosen = options.parse_args()
    suite = load_suite().fingerprint
    due = []
    for result in published_results(chosen.drivers.absolute()):
        submission = result.submission
        names = {submission.implementation.name, submission.release}
        if names.intersection(chosen.names) if chosen.names else submission.tool.suite != suite:
            missing = result.missing()
            if missing:
                print(f"left: {submission.path}, there is no {missing}")
            else:
                due.append(result)
    failed = False
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for line in pool.map(PublishedResult.repeat, due):
            print(line, flush=True)
            failed = failed or line.startswith("FAILED")
    sys.exit(failed)


if __name__ == "__main__":
    main()
