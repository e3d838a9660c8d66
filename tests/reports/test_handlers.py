from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import pytest

from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.errors import InputError
from dra_conform.reports.files import write_text
from dra_conform.reports.handlers import handlers_for
from tests.support.reports.fake_runs import events, of_every_sort, put, result

OPTIONS = {"json": "r.json", "html": "r.html", "junit": "r.xml", "markdown": "r.md", "events": "r.ndjson"}


def test_every_output_is_written_and_nothing_else_stays(tmp_path: Path) -> None:
    paths = {option: str(tmp_path / name) for option, name in OPTIONS.items()}
    handlers = handlers_for(**paths, stream=StringIO())
    assert list(tmp_path.iterdir()) == []
    put(handlers, events(of_every_sort()))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(OPTIONS.values())
    assert all(path.stat().st_size > 500 for path in tmp_path.iterdir())


def test_without_outputs_there_is_no_handler() -> None:
    assert handlers_for() == []


def test_without_a_run_an_older_report_stays(tmp_path: Path) -> None:
    old = tmp_path / "r.json"
    old.write_text("old")
    put(handlers_for(json=str(old)))
    assert old.read_text() == "old"


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("{tmp}", "is a folder"),
        ("{tmp}/none/report", "there is no folder"),
        ("{tmp}/file/report", "there is no folder"),
        ("", "is not a path"),
        ("a\0b", "is not a path"),
    ],
)
def test_an_unwritable_path_is_rejected_before_the_run(
    option: str, path: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=message):
        handlers_for(**{option: path.format(tmp=tmp_path)})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_without_write_permission_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.touch(mode=0o444)
    with pytest.raises(InputError, match="not writable"):
        handlers_for(json=str(path))


def test_one_file_for_two_reports_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the output of both --json and --html"):
        handlers_for(json=str(tmp_path / "r"), html=str(tmp_path / "." / "r"))
    with pytest.raises(InputError, match="the output of both --events and --json"):
        handlers_for(json=str(tmp_path / "r"), events=str(tmp_path / "r"))


def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "r.json"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        write_text(target, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
    assert target.read_text() == "old"


def test_a_link_and_the_mode_of_a_file_survive(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(real)
    write_text(link, "new")
    assert link.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == ("new", 0o640)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a link of another user")
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(tmp_path: Path) -> None:
    shared, mine = tmp_path / "shared", tmp_path / "mine.json"
    shared.mkdir()
    shared.chmod(0o1777)
    mine.write_text("mine")
    (shared / "r.json").symlink_to(mine)
    os.lchown(shared / "r.json", 65534, 65534)
    for paths in ({"json": f"{shared}/r.json"}, {"events": f"{shared}/r.json"}):
        with pytest.raises(InputError, match=r"r\.json: is a link of another user"):
            handlers_for(**paths)
    assert mine.read_text() == "mine"
    shared.chmod(0o755)
    put(handlers_for(json=f"{shared}/r.json"), events([result()]))
    assert mine.read_text() != "mine"


def test_a_device_is_written_straight_and_stays_one() -> None:
    put(handlers_for(json="/dev/null"), events([result()]))
    assert Path("/dev/null").is_char_device()


def test_a_path_with_a_slash_gets_a_folder_and_older_pages_go(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    put(handlers_for(html=f"{folder}/"), events([result(Verdict.FAIL)]))
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["failures-1.html", "index.html", "requirements.html", "summary.html"]
    put(handlers_for(html=f"{folder}/"), events([result()]))
    assert sorted(path.name for path in folder.iterdir()) == names[1:]
    with pytest.raises(InputError, match="is a file, expected a folder"):
        handlers_for(html=f"{folder}/index.html/")


def test_other_files_of_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "failures-2026.html").write_text("mine")
    (tmp_path / "failures-2.html").mkdir()
    put(handlers_for(html=f"{tmp_path}/"), events([result()]))
    assert (tmp_path / "failures-2026.html").read_text() == "mine"


def test_the_markdown_report_links_to_the_page(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    for html, link in (("p.html", "../p.html"), ("pages/", "../pages/index.html")):
        paths = {"html": f"{tmp_path}/{html}", "markdown": f"{tmp_path}/md/r.md"}
        put(handlers_for(**paths), events([result(Verdict.FAIL)]))
        assert f"[The whole report](<{link}>)" in (tmp_path / "md" / "r.md").read_text("utf-8")
