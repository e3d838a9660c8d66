"""CDI folders: which devices a runtime finds, and files that are no CDI specs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from dra_conform.adapters.driver.cdi import MAX_FILE, MAX_FILES, read_cdi


def write(folder: Path, name: str, devices: list[Any], **more: Any) -> None:
    spec = {"cdiVersion": "0.6.0", "kind": "example.com/gpu", "devices": devices, **more}
    (folder / name).write_text(json.dumps(spec))


def device(name: str, value: str = "1") -> Any:
    return {"name": name, "containerEdits": {"env": [f"GPU={value}"]}}


def test_devices_are_found_in_json_and_yaml(tmp_path: Path) -> None:
    write(tmp_path, "a.json", [device("a")])
    write(tmp_path, "b.yaml", [device("b")])
    write(tmp_path, "c.txt", [device("c")])
    write(tmp_path, ".hidden.json", [device("d")])
    found = read_cdi(tmp_path)
    assert {*found.digests} == {"example.com/gpu=a", "example.com/gpu=b"}
    assert found.unreadable == ()


def test_a_rejected_spec_has_no_devices_and_is_reported_with_the_reason(tmp_path: Path) -> None:
    write(tmp_path, "a.json", [device("a"), {"name": "spare", "containerEdits": {}}])
    write(tmp_path, "b.json", [device("b")])
    found = read_cdi(tmp_path)
    assert {*found.digests} == {"example.com/gpu=b"}
    assert found.unreadable == ("a.json: device 'spare' has no containerEdits",)


def test_the_first_document_of_a_yaml_file_is_read(tmp_path: Path) -> None:
    spec = (
        "---\ncdiVersion: 0.5.0\nkind: example.com/gpu\ndevices: [{name: 0, containerEdits: {env: [A=b]}}]\n"
    )
    (tmp_path / "a.yaml").write_text(f"{spec}---\n")
    assert {*read_cdi(tmp_path).digests} == {"example.com/gpu=0"}


def test_a_device_that_is_defined_twice_is_not_found(tmp_path: Path) -> None:
    write(tmp_path, "a.json", [device("a"), device("a", "2"), device("b")])
    write(tmp_path, "b.json", [device("c"), device("d")])
    write(tmp_path, "c.json", [device("d")])
    found = read_cdi(tmp_path)
    assert {*found.digests} == {"example.com/gpu=c"}
    assert found.unreadable == ("a.json: device 'a' is defined twice",)


def test_common_edits_are_part_of_each_device(tmp_path: Path) -> None:
    write(tmp_path, "a.json", [device("a")])
    before = read_cdi(tmp_path).digests
    write(tmp_path, "a.json", [device("a")], containerEdits={"env": ["COMMON=1"]})
    assert {*read_cdi(tmp_path).digests} == {*before}
    assert read_cdi(tmp_path).digests != before


def test_the_order_of_mounts_and_device_nodes_does_not_count_and_that_of_variables_does(
    tmp_path: Path,
) -> None:
    mounts = [{"hostPath": path, "containerPath": path} for path in ("/dev/card", "/dev/render")]
    nodes = [{"path": mount["hostPath"]} for mount in mounts]
    edits = {"mounts": mounts, "deviceNodes": nodes, "env": ["A=1", "A=2"]}
    digests = set()
    for changed in ({}, {"mounts": mounts[::-1]}, {"deviceNodes": nodes[::-1]}, {"env": ["A=2", "A=1"]}):
        write(tmp_path, "a.json", [{"name": "a", "containerEdits": {**edits, **changed}}])
        digests |= {*read_cdi(tmp_path).digests.values()}
    assert len(digests) == 2


def test_other_files_are_unreadable(tmp_path: Path) -> None:
    write(tmp_path, "good.json", [device("a")])
    (tmp_path / "half.json").write_text('{"kind": "example.com/gpu", "devices": [')
    (tmp_path / "list.yaml").write_text("- a\n")
    (tmp_path / "tag.yaml").write_text("!!python/object:os.system {}\n")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "large.json").write_text(" " * (MAX_FILE + 1))
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    (tmp_path / "folder.json").mkdir()
    found = read_cdi(tmp_path)
    assert {*found.digests} == {"example.com/gpu=a"}
    assert {problem.partition(":")[0] for problem in found.unreadable} == {
        "half.json", "list.yaml", "tag.yaml", "deep.json", "large.json", "pipe.json", "zero.json", "folder.json"
    }  # fmt: skip


def test_too_many_files_are_not_all_read(tmp_path: Path) -> None:
    for number in range(MAX_FILES + 10):
        (tmp_path / f"{number}.json").touch()
    assert read_cdi(tmp_path).unreadable[0] == f"more than {MAX_FILES} files"


def test_a_missing_folder_has_no_devices(tmp_path: Path) -> None:
    assert read_cdi(tmp_path / "missing").digests == {}
