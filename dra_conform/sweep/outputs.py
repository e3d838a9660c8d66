"""The folder of a sweep: rows as Parquet, differences as NDJSON, and the results of parts for `--resume`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import polars as pl

from dra_conform import __version__
from dra_conform.kube.errors import InputError
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


class SweepFolder:
    """The folder of `--out`.

    `rows/NNNNN.parquet` has all rows of a part, `differences/NNNNN.ndjson` those that differ. Quantities in
    nano-units have the type decimal(38, 0) there, and are strings in NDJSON.
    """

    def __init__(self, path: Path, implementation: str, settings: SweepSettings) -> None:
        self.path = path
        self._header = SweepHeader(__version__, implementation, settings)

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

        Raises InputError if the folder cannot be written, has another sweep, or has files and the sweep is
        not resumed.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = self.path / _PARTS
            continued = resume and file.exists()
            if not continued and any(self.path.iterdir()):
                expected = "expected a new folder, or one of a sweep with --resume"
                raise InputError(str(self.path), None, "", f"is not empty, {expected}")
            done = dict(self._recorded(file)) if continued else {}
            lines = [msgspec.json.encode(self._header), *map(_encoded, done.values())]
            file.write_bytes(b"".join(line + b"\n" for line in lines))
        except OSError as error:
            raise InputError(
                str(self.path), None, "", f"cannot be written: {error.strerror}, expected a folder"
            ) from None
        return done

    def add(self, result: PartResult, rows: pl.DataFrame) -> None:
        """Write the rows of a part, then its result. Raises OSError."""
        table = rows.with_columns(pl.col(name).cast(pl.Decimal(38, 0)) for name in _NANO)
        name = f"{result.part:05}"
        for folder in ("rows", "differences"):
            (self.path / folder).mkdir(exist_ok=True)
        table.write_parquet(self.path / "rows" / f"{name}.parquet")
        differing = table.filter(pl.col("differs"))
        if len(differing):
            differing.write_ndjson(self.path / "differences" / f"{name}.ndjson")
        with (self.path / _PARTS).open("ab") as stream:
            stream.write(_encoded(result) + b"\n")

    def _recorded(self, file: Path) -> Iterator[tuple[int, PartResult]]:
        *lines, _cut_off = file.read_bytes().split(b"\n")
        for number, line in enumerate(lines, start=1):
            try:
                if number == 1:
                    self._compare(file, msgspec.json.decode(line, type=SweepHeader))
                    continue
                result = msgspec.json.decode(line, type=PartResult)
            except (msgspec.DecodeError, RecursionError) as error:
                raise InputError(
                    str(file), number, "", f"is not a result of a part ({error}), {_EXPECTED}"
                ) from None
            yield result.part, result

    def _compare(self, file: Path, recorded: SweepHeader) -> None:
        for name, wanted in asdict(self._header).items():
            of_file = asdict(recorded)[name]
            if of_file != wanted:
                raise InputError(str(file), 1, name, f"is {of_file}, expected {wanted} as in this sweep")


def _encoded(result: PartResult) -> bytes:
    return msgspec.json.encode(result, order="deterministic")
