"""The audit log of API servers."""

from __future__ import annotations

import json
from pathlib import Path

from dra_conform.adapters.control_plane.audit_log import AuditLog, sent_write
from dra_conform.adapters.live.endpoint import SentWrite

ENTRY = {
    "verb": "patch",
    "user": {"username": "system:kube-scheduler"},
    "objectRef": {"resource": "pods", "subresource": "status", "namespace": "default", "name": "p"},
}


def test_only_writes_of_the_users_are_logged(tmp_path: Path) -> None:
    policy_flag, path_flag = AuditLog(tmp_path).flags(6443, ["system:kube-scheduler"])
    assert path_flag == f"--audit-log-path={tmp_path / 'audit-6443.log'}"
    policy = json.loads(Path(policy_flag.partition("=")[2]).read_text())
    events, writes, others = policy["rules"]
    assert (events["level"], others) == ("None", {"level": "None"})
    assert writes["users"] == ["system:kube-scheduler"]
    assert writes["verbs"] == ["create", "update", "patch", "delete"]


def test_no_user_means_no_entry(tmp_path: Path) -> None:
    policy_flag, _ = AuditLog(tmp_path).flags(6443, [])
    policy = json.loads(Path(policy_flag.partition("=")[2]).read_text())
    assert {rule["level"] for rule in policy["rules"]} == {"None"}


def test_each_complete_entry_of_all_servers_is_read_once(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)
    assert list(log.new_entries()) == []
    first, second = tmp_path / "audit-1.log", tmp_path / "audit-2.log"
    line = json.dumps(ENTRY)
    first.write_text(f"{line}\n{line[:20]}")
    second.write_text(f"{line}\n")
    assert list(log.new_entries()) == [ENTRY, ENTRY]
    first.write_text(f"{line}\n{line}\n")
    assert list(log.new_entries()) == [ENTRY]
    second.write_text("")
    assert list(log.new_entries()) == []


def test_a_renamed_file_is_not_read_again(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)
    line = f"{json.dumps(ENTRY)}\n"
    current = tmp_path / "audit-6443.log"
    current.write_text(line)
    assert list(log.new_entries()) == [ENTRY]
    current.rename(tmp_path / "audit-6443-2026-11-29T17-00-00.000.log")
    current.write_text("")
    assert list(log.new_entries()) == []
    current.write_text(line)
    assert list(log.new_entries()) == [ENTRY]


def test_a_subresource_belongs_to_the_resource() -> None:
    assert sent_write(ENTRY, "scheduler") == SentWrite("scheduler", "patch", "pods/status", "default", "p")
