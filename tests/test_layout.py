"""The layout of tests: other files have their own folders, and a test is in the folder of its module."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
OTHERS = ("support", "reference", "right", "faulty")
"""Folders without tests."""


def _files(*, of_tests: bool) -> list[Path]:
    """Return the modules in folders of tests, or in the other folders, relative to `tests`."""
    modules = sorted(path.relative_to(TESTS) for path in TESTS.rglob("*.py") if path.name != "__init__.py")
    return [path for path in modules if (path.parts[0] not in OTHERS) == of_tests]


def test_folders_of_tests_hold_only_tests() -> None:
    files = _files(of_tests=True)
    assert len(files) > 250
    wrong = [path for path in files if not path.name.startswith("test_") and path.name != "conftest.py"]
    assert wrong == [], "move these to tests/support"


def test_other_folders_hold_no_tests() -> None:
    assert [path for path in _files(of_tests=False) if path.name.startswith("test_")] == []


def test_a_test_is_in_the_folder_of_its_module() -> None:
    """The test of a module in a subfolder is in the same subfolder."""
    wrong = []
    for path in _files(of_tests=True):
        name = path.name.removeprefix("test_")
        package = ROOT / "dra_conform" / path.parent
        same = package / name, package / name.removesuffix(".py") / "__init__.py"
        deeper = sorted(package.glob(f"*/**/{name}")) if path.parent != Path() else []
        if deeper and not any(place.exists() for place in same):
            wrong.append(f"{path} tests {' or '.join(str(module.relative_to(ROOT)) for module in deeper)}")
    assert wrong == []
