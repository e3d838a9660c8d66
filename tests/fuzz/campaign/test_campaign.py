"""A campaign finds wrong allocators, counts each scenario once, and stops on request."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from dra_conform.fuzz.campaign.counterexamples import CampaignCounts, Counterexample, find_differences, shows
from dra_conform.fuzz.campaign.golden_counterexamples import replayed_scenario, write_counterexample
from tests.support.fuzz.campaign.starting import started
from tests.support.fuzz.textbook_scenarios import textbook_scenarios
from tests.support.rows import mostly_slow

WRONG = ("RoundsDown", "ForgetsDefault", "ComparesWithTotal", "SharesExclusive", "IgnoresDistinct")


@pytest.mark.parametrize("name", mostly_slow(WRONG))
def test_the_campaign_finds_a_wrong_allocator_and_the_file_replays(name: str, tmp_path: Path) -> None:
    both = started(f"tests.faulty.implementations.allocators:{name}")
    finds = find_differences(
        both,
        both.compare(islice(textbook_scenarios(0), 500)),
        CampaignCounts(),
        strict=False,
        go_on=lambda: True,
    )
    find = next(find for find in finds if find is not None)
    devices, claims = find.scenario.size()
    assert devices <= 4
    assert claims <= 4
    assert 1 in find.difference.wrong
    path = write_counterexample(find, both, "dra-conform fuzz", tmp_path)
    text = path.read_text("utf-8")
    assert shows(both, replayed_scenario(text), find.difference)
    assert f"# {name} 1: " in text
    path.write_text("mine", "utf-8")
    assert write_counterexample(find, both, "dra-conform fuzz", tmp_path) == path
    assert path.read_text("utf-8") == "mine"


@pytest.mark.slow
def test_every_scenario_is_counted_once() -> None:
    both = started("tests.reference.right:LastFitting")
    counts = CampaignCounts()
    finds: list[Counterexample | None] = list(
        find_differences(
            both, both.compare(islice(textbook_scenarios(0), 150)), counts, strict=False, go_on=lambda: True
        )
    )
    assert finds == [None] * 150
    assert counts.choices > 5
    assert not counts.disagreements
    assert counts.cases == 150 == counts.agreed + counts.choices + counts.unsupported
    strict = CampaignCounts()
    found = next(
        find
        for find in find_differences(
            both, both.compare(islice(textbook_scenarios(0), 150)), strict, strict=True, go_on=lambda: True
        )
        if find is not None
    )
    assert found.difference.kind == "choice"
    assert strict.choices == 0


@pytest.mark.slow
def test_the_campaign_stops_on_request() -> None:
    both = started("tests.reference.textbook:Textbook")
    counts = CampaignCounts()
    assert (
        len(
            list(
                find_differences(
                    both,
                    both.compare(textbook_scenarios(0)),
                    counts,
                    strict=False,
                    go_on=lambda: counts.cases < 10,
                )
            )
        )
        == 10
    )
