"""`dra-conform sweep`: output, exit codes, folder, resume and shards."""

from __future__ import annotations

import fcntl
from pathlib import Path

import msgspec
import polars as pl
import pytest

from dra_conform.capacity import Consumed, consume
from dra_conform.cli import main
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import DeviceCapacity
from dra_conform.kube.switches.values import Arithmetic

ROWS = ("--area", "rounding", "--rows", "400")


def _one_too_large(capacity: DeviceCapacity, requested: Quantity | None, arithmetic: Arithmetic) -> object:
    result = consume(capacity, requested, arithmetic)
    if requested is None or not isinstance(result, Consumed) or capacity.request_policy is None:
        return result
    return Consumed(result.amount + Quantity.whole(1)) if capacity.request_policy.valid_values else result


def test_an_equal_sweep_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", *ROWS]) == 0
    out = capsys.readouterr().out
    assert "400 rows" in out
    assert "400 equal, 0 different" in out
    assert "pairs of value classes were tested" in out
    assert "0 contradictions" in out


def test_differences_are_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dra_conform.allocator.capacity_needs.consume", _one_too_large)
    folder = tmp_path / "out"
    assert main(["sweep", *ROWS, "--out", str(folder)]) == 1
    out = capsys.readouterr().out
    assert "x validValues: the quantity is one unit too large" in out
    rows = pl.read_parquet(folder / "rows")
    assert len(rows) == 400
    assert rows["differs"].sum() > 0
    assert set(rows.filter("differs")["requestPolicy"]) <= {"one value", "three values", "value 0"}
    first = msgspec.json.decode((folder / "differences" / "00000.ndjson").read_bytes().split(b"\n")[0])
    assert first["expected_nano"] != first["actual_nano"]
    texts = [path.read_text("utf-8") for path in sorted((folder / "cases").glob("*.yaml"))]
    assert texts
    for text in texts:
        assert "Found by dra-conform sweep" in text
        assert "objects:" not in text, "the steps are short"
        assert [case.operation for case in golden_cases(text, "golden/x.yaml", lambda _: ())] == ["allocate"]
    page = (folder / "report.html").read_text("utf-8")
    assert 'class="equal"' in page
    assert 'href="#cause-0"' in page
    assert "one unit too large" in page


def test_a_sweep_resumes_and_checks_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dra_conform.sweep.campaign.PART", 100)
    monkeypatch.setattr("dra_conform.sweep.row_table.PART", 100)
    monkeypatch.setattr("dra_conform.sweep.part.PART", 100)
    folder = tmp_path / "out"
    assert main(["sweep", "--area", "filter", "--rows", "300", "--out", str(folder)]) == 0
    capsys.readouterr()
    parts = folder / "parts.ndjson"
    whole = parts.read_bytes()
    assert len(whole.splitlines()) == 4
    parts.write_bytes(whole[:-40])  # the last part was cut off
    (folder / "rows" / "00002.parquet").unlink()
    assert main(["sweep", "--area", "filter", "--rows", "300", "--out", str(folder), "--resume"]) == 0
    assert "300 rows" in capsys.readouterr().out
    assert parts.read_bytes() == whole
    assert len(pl.read_parquet(folder / "rows")) == 300
    other = ["sweep", "--area", "filter", "--seed", "1", "--out", str(folder), "--resume"]
    assert main(other) == 2
    assert f"{parts}:1: settings: is " in capsys.readouterr().err
    parts.write_bytes(whole.replace(b'"rows":100', b'"rows":"x"', 1))
    assert main(["sweep", "--area", "filter", "--rows", "300", "--out", str(folder), "--resume"]) == 2
    assert f"{parts}:2: is not a result of a part" in capsys.readouterr().err


def test_a_resumed_sweep_tests_the_rows_of_damaged_files_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("campaign", "row_table", "part"):
        monkeypatch.setattr(f"dra_conform.sweep.{module}.PART", 100)
    folder = tmp_path / "out"
    command = ["sweep", "--area", "filter", "--rows", "300", "--out", str(folder)]
    assert main(command) == 0
    whole = {path: path.read_bytes() for path in (folder / "rows").iterdir()}
    truncated, missing, _ = sorted(whole)
    truncated.write_bytes(whole[truncated][:1000])
    missing.unlink()
    stale = folder / "differences" / "00001.ndjson"
    stale.write_text("{}\n", encoding="utf-8")
    capsys.readouterr()
    assert main([*command, "--resume"]) == 0
    streams = capsys.readouterr()
    assert "300 rows" in streams.out
    for name in ("rows/00000.parquet", "rows/00001.parquet"):
        assert f"{name} is missing or has changed: its rows are tested again" in streams.err
    assert {path: path.read_bytes() for path in (folder / "rows").iterdir()} == whole
    assert not stale.exists()
    assert main([*command, "--resume"]) == 0
    assert capsys.readouterr().err == ""
    parts = folder / "parts.ndjson"
    parts.write_bytes(parts.read_bytes().replace(b"rows/00002.parquet", b"/../../x"))
    assert main([*command, "--resume"]) == 2
    assert f"{parts}:2: files: are not those of the part" in capsys.readouterr().err


def test_two_sweeps_do_not_write_to_the_same_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["sweep", "--area", "filter", "--rows", "9", "--out", str(tmp_path)]
    assert main(command) == 0
    parts = tmp_path / "parts.ndjson"
    before = parts.read_bytes()
    with parts.open("ab") as other_sweep:
        fcntl.flock(other_sweep, fcntl.LOCK_EX)
        capsys.readouterr()
        assert main([*command, "--resume"]) == 2
    assert f"{parts}: another run is writing it" in capsys.readouterr().err
    assert parts.read_bytes() == before


def test_shards_have_different_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("campaign", "row_table", "part"):
        monkeypatch.setattr(f"dra_conform.sweep.{module}.PART", 100)
    seen: set[int] = set()
    for number in (1, 2):
        folder = tmp_path / str(number)
        shard = ("--shard", f"{number}/2", "--out", str(folder))
        assert main(["sweep", "--area", "filter", "--rows", "300", *shard]) == 0
        rows = set(pl.read_parquet(folder / "rows")["row"])
        assert not seen & rows
        seen |= rows
    assert seen == set(range(300))


def test_files_of_an_existing_folder_are_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "rows" / "mine.parquet"
    mine.parent.mkdir()
    mine.write_text("mine", encoding="utf-8")
    for options in ((), ("--resume",)):
        assert main(["sweep", "--area", "filter", "--rows", "9", "--out", str(tmp_path), *options]) == 2
        assert f"{tmp_path}: is not empty, expected a new folder" in capsys.readouterr().err
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == [mine]


@pytest.mark.slow
def test_workers_have_the_results_of_one_process(tmp_path: Path) -> None:
    results = []
    for name, options in (("one", ()), ("two", ("--workers", "2"))):
        folder = tmp_path / name
        command = ["sweep", "--area", "filter", "--rows", "20500", "--out", str(folder), *options]
        assert main(command) == 0
        results.append((folder / "parts.ndjson").read_bytes())
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--area", "rounding", "--resume"), "--resume: continues a sweep, expected --out with its folder"),
        (("--area", "rounding", "--profile", "kubernetes-1.33"), "has no gate DRAConsumableCapacity"),
        (("--area", "rounding", "--deadline", "nan"), "'nan' is not a time, expected seconds from 0.001"),
        (("--area", "rounding", "-i", "nothing"), "names no implementation"),
        (("--area", "square"), "invalid choice: 'square'"),
        (("--area", "rounding", "--rows", "0"), "'0' is not a number, expected 1 or more"),
        (("--area", "rounding", "--out", "/dev/null/x"), "cannot be written"),
    ],
)
def test_bad_input_ends_with_2(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_an_implementation_without_the_operation_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", *ROWS, "-i", "kubelet:reference"]) == 2
    assert "does not declare the operation allocate" in capsys.readouterr().err
