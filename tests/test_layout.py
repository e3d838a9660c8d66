"""The layout of tests: files that are not tests have their own folders, and a test lies where its module lies."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
OTHERS = ("support", "reference", "faulty")
"""Folders without tests."""


def _files(*, of_tests: bool) -> list[Path]:
    """The modules in the folders of tests, or in the others, by their paths below `tests`."""
    found = sorted(path.relative_to(TESTS) for path in TESTS.rglob("*.py") if path.name != "__init__.py")
    return [path for path in found if (path.parts[0] not in OTHERS) == of_tests]


def test_folders_of_tests_hold_only_tests() -> None:
    files = _files(of_tests=True)
    assert len(files) > 250
    wrong = [path for path in files if not path.name.startswith("test_") and path.name != "conftest.py"]
    assert wrong == [], "move these to tests/support"


def test_other_folders_hold_no_tests() -> None:
    assert [path for path in _files(of_tests=False) if path.name.startswith("test_")] == []


def test_a_test_lies_in_the_folder_of_its_module() -> None:
    """A module deeper in the same area has its test as deep."""
    wrong = []
    for path in _files(of_tests=True):
        name = path.name.removeprefix("test_")
        package = ROOT / "dra_conform" / path.parent
        same = package / name, package / name.removesuffix(".py") / "__init__.py"
        deeper = sorted(package.glob(f"*/**/{name}")) if path.parent != Path() else []
        if deeper and not any(place.exists() for place in same):
            wrong.append(
                f"{path} tests {' or '.join(str(path_of_module.relative_to(ROOT)) for path_of_module in deeper)}"
            )
    assert wrong == []
