"""A node: its folders, the start, registration and end of the reference driver, and what is left."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from dra_conform.adapters.driver.driver_process import DriverFailed
from dra_conform.adapters.driver.node import OTHER_CDI_FILE, DriverNode
from dra_conform.adapters.driver.reference import reference_driver
from dra_conform.adapters.driver.world import LightWorld
from dra_conform.kube.profile import Profile
from tests.support.adapters.driver_nodes import processes_of, short_temporary_folder


@pytest.fixture
def temporary(tmp_path: Path) -> Iterator[Path]:
    """The folder of temporary files; `tmp_path` is made before, outside of it."""
    with short_temporary_folder() as folder:
        yield folder


def test_a_driver_starts_registers_and_ends(temporary: Path) -> None:
    world = LightWorld(Profile.named("kep"))
    node = DriverNode(reference_driver(), "node-1")
    try:
        world.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}})
        world.write_kubeconfig(node.kubeconfig)
        instance = node.start()
        assert instance.registered is not None
        assert instance.registered.service == "v1.DRAPlugin"
        assert node.running()
        assert [path.parent for path in node.sockets()] == [node.registry]
        assert len(node.service_sockets()) == 1
        assert len(processes_of(node.root)) >= 2
        node.stop(instance, signal.SIGTERM)
        assert instance.ended() == "exit code 0"
        assert not node.running()
        assert node.sockets() == []
        killed = node.start()
        node.stop(killed, signal.SIGKILL)
        assert killed.ended() == "signal 9"
        assert node.sockets(), "a killed driver leaves its sockets"
    finally:
        node.close()
        world.close()
    assert processes_of(temporary) == []
    assert [*temporary.iterdir()] == []


FAILING = {
    "a program that does not exist": (("/does/not/exist",), "exit code|cannot run"),
    "a program that ends": (
        ("sh", "-c", "echo no devices; exit 4"),
        r"ended \(exit code 4\)(.|\n)*no devices",
    ),
    "a program that dies": (("sh", "-c", "kill -SEGV $$$$"), r"ended \(signal 11\)"),
    "a program without a socket": (("sleep", "100"), "does not register: no registration socket exists"),
}


@pytest.mark.parametrize("case", FAILING)
def test_a_driver_that_does_not_start_is_explained(case: str, temporary: Path) -> None:
    command, message = FAILING[case]
    node = DriverNode(msgspec.structs.replace(reference_driver(), command=command, start_seconds=1), "node-1")
    try:
        with pytest.raises(DriverFailed, match=message):
            node.start()
    finally:
        node.close()
    assert processes_of(temporary) == []
    assert [*temporary.iterdir()] == []


def test_the_cdi_folder_can_be_lost_and_blocked(temporary: Path) -> None:
    node = DriverNode(reference_driver(), "node-1")
    (node.cdi / "a.json").write_text("{}")
    node.set_cdi_writable(writable=False)
    with pytest.raises(NotADirectoryError):
        (node.cdi / "b.json").touch()
    node.set_cdi_writable(writable=True)
    assert sorted(path.name for path in node.cdi.iterdir()) == ["a.json", OTHER_CDI_FILE]
    (node.cdi / "folder").mkdir()
    mounted = node.cdi.stat().st_ino
    node.lose_cdi_files()
    assert [path.name for path in node.cdi.iterdir()] == [OTHER_CDI_FILE]
    assert node.cdi.stat().st_ino == mounted, "a driver with built-in folders has it mounted"
    node.cdi.rename(node.cdi.with_name("removed"))
    node.lose_cdi_files()
    assert [path.name for path in node.cdi.iterdir()] == [OTHER_CDI_FILE]
    node.close()


def test_a_reboot_changes_the_boot_id_that_a_driver_sees(temporary: Path) -> None:
    node = DriverNode(reference_driver(), "node-1", reboots=True)
    assert node.boot_id is not None
    if not node.boot_id.can_be_seen():
        node.close()
        pytest.skip("this machine allows no mount namespace")
    command = node.boot_id.seen_by(("cat", "/proc/sys/kernel/random/boot_id"))
    before = subprocess.check_output(command)
    assert subprocess.check_output(command) == before
    node.reboot()
    after = subprocess.check_output(command)
    machine = Path("/proc/sys/kernel/random/boot_id").read_bytes()
    assert len({before, after, machine}) == 3
    assert len(after) == len(machine)
    node.close()


def test_a_link_in_place_of_the_boot_id_is_replaced(temporary: Path, tmp_path: Path) -> None:
    (tmp_path / "of-others").write_text("precious")
    node = DriverNode(reference_driver(), "node-1", reboots=True)
    boot_id = node.root / "boot_id"
    boot_id.unlink()
    boot_id.symlink_to(tmp_path / "of-others")
    node.reboot()
    assert (tmp_path / "of-others").read_text() == "precious"
    assert boot_id.is_file()
    assert not boot_id.is_symlink()
    node.close()


def test_files_behind_a_link_in_place_of_the_cdi_folder_are_kept(temporary: Path, tmp_path: Path) -> None:
    (tmp_path / "of-others.json").write_text("{}")
    node = DriverNode(reference_driver(), "node-1")
    node.cdi.rename(node.cdi.with_name("removed"))
    node.cdi.symlink_to(tmp_path)
    node.lose_cdi_files()
    assert [path.name for path in tmp_path.iterdir()] == ["of-others.json"]
    assert [path.name for path in node.cdi.iterdir()] == [OTHER_CDI_FILE]
    node.close()


def test_paths_of_sockets_are_short_enough(temporary: Path) -> None:
    """A registration socket with a driver name of 63 characters and a pod UID fits into 107 bytes."""
    node = DriverNode(msgspec.structs.replace(reference_driver(), name="d" * 40), "node-1")
    assert len(str(node.registry / f"{'d' * 40}-reg.sock")) < 107
    node.close()
