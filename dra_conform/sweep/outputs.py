"""The folder of a sweep: rows as Parquet, differences as NDJSON, and the results of parts for `--resume`."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec
import polars as pl

from dra_conform import __version__
from dra_conform.kube.errors import InputError
from dra_conform.reports.files import IN_USE
from dra_conform.sweep.part import PartResult, SweepSettings

_PARTS = "parts.ndjson"
_EXPECTED = "expected a line that `dra-conform sweep --out` wrote"
_NANO = ("expected_nano", "actual_nano")


@dataclass(frozen=True, slots=True)
class SweepHeader:
    """The first line of `parts.ndjson`: the settings in which a resumed sweep must be equal."""

    tool: str
    implementation: str
    settings: SweepSettings


@dataclass(frozen=True, slots=True)
class RecordedPart:
    """A further line of `parts.ndjson`: the result of a part, and the SHA-256 of its files by their path."""

    result: PartResult
    files: dict[str, str]


class SweepFolder:
    """The folder of `--out`.

    `rows/NNNNN.parquet` has all rows of a part, `differences/NNNNN.ndjson` those that differ. Quantities in
    nano-units have the type decimal(38, 0) there, and are strings in NDJSON.
    """

    def __init__(self, path: Path, implementation: str, settings: SweepSettings) -> None:
        self.path = path
        self.damaged: tuple[str, ...] = ()
        """The files of completed parts that are missing or have changed, so that the parts run again."""
        self._header = SweepHeader(__version__, implementation, settings)
        self._parts: BinaryIO | None = None

    @property
    def cases(self) -> Path:
        """The folder of golden cases."""
        return self.path / "cases"

    @property
    def report(self) -> Path:
        """The HTML report."""
        return self.path / "report.html"

    def begin(self, *, resume: bool) -> dict[int, PartResult]:
        """Create the folder; return the results of completed parts if the sweep is resumed.

        A part whose files are missing or have changed is not complete. Raises InputError if the folder cannot
        be written, has another sweep, is written by another sweep, or has files and the sweep is not resumed.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = self.path / _PARTS
            continued = resume and file.exists()
            if not continued and any(self.path.iterdir()):
                expected = "expected a new folder, or one of a sweep with --resume"
                raise InputError(str(self.path), None, "", f"is not empty, {expected}")
            self._parts = _opened(file)
            done = list(self._recorded(file)) if continued else []
            changed = [self._changed(part) for part in done]
            self.damaged = tuple(path for paths in changed for path in paths)
            kept = [part for part, paths in zip(done, changed, strict=True) if not paths]
            self._parts.truncate(0)
            self._append(self._header, *kept)
        except OSError as error:
            raise InputError(
                str(self.path), None, "", f"cannot be written: {error.strerror}, expected a folder"
            ) from None
        return {part.result.part: part.result for part in kept}

    def add(self, result: PartResult, rows: pl.DataFrame) -> None:
        """Write the rows of a part, then its result. Raises OSError."""
        table = rows.with_columns(pl.col(name).cast(pl.Decimal(38, 0)) for name in _NANO)
        name = f"{result.part:05}"
        for folder in ("rows", "differences"):
            (self.path / folder).mkdir(exist_ok=True)
        written = [f"rows/{name}.parquet"]
        table.write_parquet(self.path / written[0])
        different = f"differences/{name}.ndjson"
        (self.path / different).unlink(missing_ok=True)  # It may be that of an interrupted sweep.
        if len(differing := table.filter(pl.col("differs"))):
            differing.write_ndjson(self.path / different)
            written.append(different)
        self._append(RecordedPart(result, {path: _digest(self.path / path) for path in written}))

    def close(self) -> None:
        """Let other sweeps write to the folder."""
        if self._parts is not None:
            self._parts.close()

    def _append(self, *lines: SweepHeader | RecordedPart) -> None:
        assert self._parts is not None, "begin was called"
        for line in lines:
            self._parts.write(msgspec.json.encode(line, order="deterministic") + b"\n")
        self._parts.flush()

    def _changed(self, part: RecordedPart) -> list[str]:
        """Return the files of a part that are missing or have changed."""
        return [path for path, digest in part.files.items() if _digest(self.path / path) != digest]

    def _recorded(self, file: Path) -> Iterator[RecordedPart]:
        *lines, _cut_off = file.read_bytes().split(b"\n")
        for number, line in enumerate(lines, start=1):
            try:
                if number == 1:
                    self._compare(file, msgspec.json.decode(line, type=SweepHeader))
                    continue
                recorded = msgspec.json.decode(line, type=RecordedPart)
            except (msgspec.DecodeError, RecursionError) as error:
                raise InputError(
                    str(file), number, "", f"is not a result of a part ({error}), {_EXPECTED}"
                ) from None
            if not set(recorded.files) <= _files_of(recorded.result.part) or not recorded.files:
                raise InputError(str(file), number, "files", f"are not those of the part, {_EXPECTED}")
            yield recorded

    def _compare(self, file: Path, recorded: SweepHeader) -> None:
        for name, wanted in asdict(self._header).items():
            of_file = asdict(recorded)[name]
            if of_file != wanted:
                raise InputError(str(file), 1, name, f"is {of_file}, expected {wanted} as in this sweep")


def _files_of(part: int) -> set[str]:
    return {f"rows/{part:05}.parquet", f"differences/{part:05}.ndjson"}


def _opened(file: Path) -> BinaryIO:
    """Open `parts.ndjson` for one sweep; raises InputError if another sweep has opened it, and OSError."""
    stream = file.open("ab")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise InputError(str(file), None, "", IN_USE) from None
    return stream


def _digest(file: Path) -> str:
    """Return the SHA-256 of a file, empty if it cannot be read."""
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
