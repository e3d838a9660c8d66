"""tools/suite/rewrite_steps.py keeps the ids and verdicts of a suite with former words.

former_suite has every former sentence, key and member. verdicts.json has the verdicts of the built-in on it, from
the last version that supported the former words.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.implementation import Suite
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, load_suite
from tests.support.rows import mostly_slow

PROGRAM = Path(__file__).parents[2] / "tools" / "suite" / "rewrite_steps.py"
FORMER = Path(__file__).parent / "former_suite"
WORDS = yaml.safe_load(PROGRAM.with_name("former_words.yaml").read_text("utf-8"))
VERDICTS = json.loads((FORMER / "verdicts.json").read_text("utf-8"))


def rewrite(*paths: Path, more: str = "", status: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *more.split(), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the rewritten former suite."""
    copy = tmp_path_factory.mktemp("suites") / "suite"
    shutil.copytree(FORMER, copy)
    (copy / "requirements").mkdir()
    rewrite(copy / "features", copy / "golden")
    return copy


@pytest.fixture(scope="module")
def suite(folder: Path) -> LoadedSuite:
    return load_suite(folder)


def test_the_ids_are_the_same(suite: LoadedSuite) -> None:
    assert {case.id for case in suite.cases} == VERDICTS.keys()


@pytest.mark.parametrize("profile", mostly_slow(["kep", "kep-future", "kubernetes-1.36"], 0))
def test_the_verdicts_are_the_same(suite: LoadedSuite, profile: str) -> None:
    builtin = InProcessImplementation(Builtin, spec="builtin")
    events = run(
        builtin, Suite("former", "1", ""), applicable(suite.cases, profile), settings=Settings(profile)
    )
    verdicts = {
        event.result.case.id: event.result.verdict for event in events if isinstance(event, CaseFinished)
    }
    assert verdicts == {
        name: by_profile[profile] for name, by_profile in VERDICTS.items() if profile in by_profile
    }


def test_a_rewritten_suite_stays_as_it_is(folder: Path) -> None:
    assert rewrite(folder / "features", folder / "golden", more="--check").stdout == ""


def test_check_writes_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "some.feature"
    copy.write_text("    When the cluster settles\n", "utf-8")
    assert rewrite(copy, more="--check").stdout == f"{copy}\n"
    assert copy.read_text("utf-8") == "    When the cluster settles\n"


def test_the_former_suite_has_every_key() -> None:
    golden = "\n".join(path.read_text("utf-8") for path in FORMER.glob("golden/**/*.yaml"))
    renamed = [item for several in WORDS["steps"].values() for item in several.items()]
    keys = {key for key, new in renamed if new.split()[0] != key}
    assert {key for key in keys if not re.search(rf"(?<![\w-]){key}: ", golden)} == set()


ONE = r"""Feature: F
  Background:
    Given the devices
      | device | shared | on | takes cpu |
      | d      | yes    | *  | <cpu>     |

    # A comment stays.
  Scenario Outline: Pod <what>
    When the {kind} "c" is updated with
      | field | value |
      | a     | 1     |
    Then pod "p" <what>
    But since Kubernetes 1.36, because of this: it is rejected as <reason>

    Examples:
      | what       | reason    |
      | runs       | Forbidden |
      | is pending | Conflict  |
"""
NEW = r"""Feature: F
  Background:
    Given the devices
      | device | allowMultipleAllocations | on | mapping cpu |
      | d      | yes                      | *  | <cpu>       |

    # A comment stays.
  Scenario Outline: Pod <what>
    When {kind} "c" is updated with
      | field | value |
      | a     | 1     |
    Then pod "p" <what>
    But since Kubernetes 1.36, because of this: the object is rejected as <reason>

    Examples:
      | what       | reason    |
      | is Running | Forbidden |
      | is Pending | Conflict  |
"""


@pytest.mark.parametrize(("former", "kind"), [("Pod", "pod"), ("ResourceClaim", "ResourceClaim")])
def test_sentences_columns_and_cells(tmp_path: Path, former: str, kind: str) -> None:
    file = tmp_path / "one.feature"
    file.write_text(ONE.replace("{kind}", former), "utf-8")
    rewrite(file)
    assert file.read_text("utf-8") == NEW.replace("{kind}", kind)


def test_an_outline_that_cannot_be_rewritten_is_named(tmp_path: Path) -> None:
    file = tmp_path / "one.feature"
    steps = '    Then <who> is stored\n    And pod "<who>" is pending\n'
    text = f"  Scenario Outline: S\n{steps}    Examples:\n      | who |\n      | it  |\n"
    file.write_text(text, "utf-8")
    done = rewrite(file, status=1)
    assert (
        done.stderr
        == f"""{file}: 'pod "<who>" is pending': no change of the step or its examples gives 'pod "it" is Pending'\n"""
    )
    assert file.read_text("utf-8") == text


GOLDEN = """# A comment.
given: [{claim: {name: c, class: nic}}]  # another
cases:
  - case: one
    given: [{devices: [{device: d, <key>: <value>}]}]
    acts:
      - when:
          settle: true   # a third
    table: {columns: [key, value], rows: [[takes, {cpu: {times: 2}}], [shared, true]]}
"""


def test_golden_keeps_comments_and_layout(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(GOLDEN, "utf-8")
    rewrite(file)
    pairs = {
        "{claim: {name: c, class:": "{resourceClaim: {name: c, deviceClassName:",
        "acts:": "steps:",
        "settle:": "reachSteadyState:",
        "takes, {cpu: {times:": "mappings, {cpu: {multiplier:",
        "shared,": "allowMultipleAllocations,",
    }
    wanted = GOLDEN
    for former, new in pairs.items():
        wanted = wanted.replace(former, new)
    assert file.read_text("utf-8") == wanted


PYTHON = """
STEP = {"held": {"claim": "c", "devices": [{"device": "d", "share": name}]}}
TEXT = f"- claim: {{name: {name}, class: nic, admin: true}}\\n- settle: true"
WORDS = 'claim "c" already holds\\n  | device | share |\\n  | d      | s1    |'
OTHER = {"claim": "c", "share": 1}  # no step
"""
NEW_PYTHON = """
STEP = {"allocated": {"resourceClaim": "c", "results": [{"device": "d", "shareID": name}]}}
TEXT = f"- resourceClaim: {{name: {name}, deviceClassName: nic, adminAccess: true}}\\n- reachSteadyState: true"
WORDS = 'ResourceClaim "c" is already allocated\\n  | device | shareID |\\n  | d      | s1      |'
OTHER = {"claim": "c", "share": 1}  # no step
"""
PAGE = "Write `the cluster settles`, or `then: [{nothing-fits: true}]`; a claim settles nothing.\n"


def test_snippets_in_python_and_on_pages(tmp_path: Path) -> None:
    code, page = tmp_path / "cases.py", tmp_path / "page.md"
    code.write_text(PYTHON, "utf-8")
    page.write_text(PAGE, "utf-8")
    rewrite(code, page)
    assert code.read_text("utf-8") == NEW_PYTHON
    wanted = PAGE.replace("the cluster settles", "the cluster reaches a steady state")
    assert page.read_text("utf-8") == wanted.replace("nothing-fits", "unallocatable")
