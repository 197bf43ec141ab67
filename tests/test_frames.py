"""Results as DataFrames: the published figures are in them, and what must add up does."""

from __future__ import annotations

import builtins
import json
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from odds import GameOdds, InputError, Rules, analyze
from odds.cards import hand_name, value_name
from odds.chart import sections
from odds.outcomes import round_outcomes
from odds.removal import best_count, effects_of_removal
from odds.shoe import Shoe
from odds.sidebets.removal import card_effects
from odds.sidebets.simulation import simulate_bet
from odds.simulate import simulate
from paytables.bets import load_catalog, load_paytable
from paytables.design import design
from paytables.design_constraints import Limits, Target
from paytables.frames import to_pandas
from paytables.main_game_design import search_rules
from paytables.metrics import by_decks, evaluate
from paytables.presets import load_preset
from paytables.readings import price_readings
from paytables.rule_effects import rule_effects
from paytables.volatility import rtp_interval, slopes
from paytables.vulnerability import vulnerability

DATA = Path(__file__).parent / "data"


@cache
def game(split_by: str = "value") -> GameOdds:
    rules = Rules(decks=1, split_by=split_by, max_split_hands=2)  # type: ignore[arg-type]
    return analyze(rules)


def assert_floats_are_the_fractions_beside_them(frame: pd.DataFrame) -> None:
    exact = [name for name in frame if str(name).endswith("_exact")]
    assert exact
    for name in exact:
        values = frame[str(name).removesuffix("_exact")]
        for value, fraction in zip(values, frame[name], strict=True):
            if fraction is None:
                assert pd.isna(value)
            else:
                assert isinstance(fraction, Fraction)
                assert value == float(fraction)


def test_tiers_have_the_published_combinations_and_fractions() -> None:
    bets = json.loads((DATA / "side_bets.json").read_text())
    published = next(bet for bet in bets if bet["name"] == "Perfect Pairs")["variants"][0]
    frame = to_pandas(evaluate(load_paytable("Perfect Pairs", "25/12/6"), 8))
    assert list(frame.index) == ["perfect", "colored", "mixed", "no tier"]
    for tier, row in zip(published["tiers"], frame.itertuples(), strict=True):
        assert row.combinations == tier["published_combinations"]
        assert row.probability == pytest.approx(tier["published_probability"], abs=5e-7)
    assert sum(frame["return_exact"]) == -Fraction(published["verified"]["edge_fraction"])
    assert sum(frame["probability_exact"]) == 1
    assert_floats_are_the_fractions_beside_them(frame)


FIRST_CARDS = [  # the others take longer and have the same columns
    name
    for name, bet in load_catalog().items()
    if bet.paytable().deal.dealer == "two cards" and bet.paytable().deal.table is None
]


@pytest.mark.parametrize("name", FIRST_CARDS)
def test_returns_of_every_bet_add_up_to_minus_its_edge(name: str) -> None:
    found = evaluate(load_paytable(name), meter=0)
    frame = to_pandas(found)
    assert sum(frame["return_exact"]) == -found.edge
    assert frame["return"].sum() == pytest.approx(-float(found.edge), abs=1e-12)
    assert_floats_are_the_fractions_beside_them(frame)
    odds = to_pandas(found.odds)
    assert list(odds["probability_exact"]) == list(frame["probability_exact"][:-1])


def test_decks_side_by_side() -> None:
    # published for Royal Match 25/2.5 by decks: 1 deck 3.77 %, 6 decks 6.67 % (wizardofodds.com)
    found = by_decks(load_paytable("Royal Match", "25/2.5"), [6, 8])
    frame = to_pandas(found)
    assert frame.index.name == "decks"
    assert frame.loc[6, "house_edge"] == pytest.approx(0.0667, abs=5e-5)
    for row in frame.itertuples():
        assert row.rtp_exact + row.house_edge_exact == 1
        assert row.hit_frequency_exact + row.push_frequency_exact + row.lose_frequency_exact == 1
    assert_floats_are_the_fractions_beside_them(frame)


@pytest.mark.parametrize("split_by", ["value", "rank"])
def test_starting_hands_average_to_the_whole_game(split_by: str) -> None:
    odds = game(split_by)
    frame = to_pandas(odds)
    assert frame.index.is_unique
    assert frame["probability"].sum() == pytest.approx(1, abs=1e-12)
    mean = (frame["probability"] * frame["expected_value"]).sum()
    assert mean == pytest.approx(odds.expected_value, abs=1e-12)
    by_upcard = frame.groupby("upcard")["probability"].sum()
    assert by_upcard["10"] == pytest.approx(16 / 52, abs=1e-12)
    assert ("10,10 unlike" in frame.index.get_level_values("hand")) == (split_by == "rank")
    actions = frame[["stand", "hit", "double", "split", "surrender"]]
    assert (actions.max(axis=1).round(12) == actions.apply(best_of(frame), axis=1).round(12)).all()


def best_of(frame: pd.DataFrame) -> Any:
    return lambda row: row[frame.loc[row.name, "best"]]


def test_hands_have_the_values_of_another_program() -> None:
    reference = json.loads((DATA / "hands_f_1d_H17_DAS_spl3_LS_CDZ.json").read_text())
    frame = to_pandas(analyze(Rules(decks=1, hit_soft_17=True, surrender="late")))
    assert len(frame) == len(reference["hands"])
    for row in reference["hands"]:
        ours = frame.loc[(hand_name(tuple(row["player"])), value_name(row["up"]))]
        assert ours["probability"] == pytest.approx(row["prob"], rel=0, abs=1e-14)
        assert ours["dealer_blackjack"] == pytest.approx(row["p_dealer_bj"], rel=0, abs=1e-14)
        if ours["natural"]:
            continue
        assert ours["best"] == row["best"]
        for action in ("stand", "split", "surrender"):
            value = float("nan") if row[action] is None else row[action]
            assert ours[action] == pytest.approx(value, rel=0, abs=1e-10, nan_ok=True)


def test_a_hand_lists_its_actions_from_the_best() -> None:
    hand = game().hand([10, 6], 10)
    frame = to_pandas(hand)
    assert frame["cost"].iloc[0] == 0
    assert frame["cost"].is_monotonic_increasing
    assert dict(frame["value"]) == {action.value: value for action, value in hand.values.items()}


def test_chart_has_every_cell() -> None:
    chart = game().chart()
    frame = to_pandas(chart)
    assert list(frame.columns) == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
    assert frame.loc[("pairs", "8,8"), "10"] == chart.pairs[8][10].code
    assert frame.loc[("soft", "A,7"), "A"] == chart.soft[18][1].code
    assert len(frame) == sum(len(section.rows) for section in sections(chart))


def test_a_round_averages_to_the_whole_game() -> None:
    odds = analyze(Rules(decks=1, max_split_hands=1, max_split_hands_aces=1))
    outcomes = round_outcomes(odds)
    frame = to_pandas(outcomes)
    assert frame["probability"].sum() == pytest.approx(1, abs=1e-12)
    mean = (frame.index * frame["probability"]).sum()
    assert mean == pytest.approx(odds.expected_value, abs=1e-12)
    assert_floats_are_the_fractions_beside_them(frame.rename_axis("x").assign(net=frame.index))
    with pytest.raises(InputError, match="max_split_hands"):
        to_pandas(replace(outcomes, distribution=None))


def test_designs_hit_their_target() -> None:
    pairs = load_paytable("Perfect Pairs", "30/10/5")
    limits = Limits(keep={"perfect": 30})
    frame = to_pandas(design(pairs, Target.around("7%", "0.25%"), decks=[8], limits=limits))
    assert frame.index.name == "rank"
    assert set(frame["pays_perfect_exact"]) == {30}
    assert frame["house_edge_8"].between(0.0675, 0.0725).all()
    for row in frame.itertuples():
        again = pairs.with_pays(
            perfect=row.pays_perfect_exact,
            colored=row.pays_colored_exact,
            mixed=row.pays_mixed_exact,
        )
        assert evaluate(again, 8).edge == row.house_edge_8_exact
    assert_floats_are_the_fractions_beside_them(frame)
    impossible = design(pairs, Target.around("7%", "0.0001%"), decks=[8], limits=limits)
    with pytest.raises(InputError, match="a search that found one"):
        to_pandas(impossible)


def test_effects_are_differences_of_edges() -> None:
    effects = rule_effects(Rules(decks=1), only=["surrender", "blackjack_pays"])
    frame = to_pandas(effects)
    assert (frame["house_edge"] - effects.house_edge - frame["difference"]).abs().max() < 1e-15
    assert (frame["player"] == -frame["difference"]).all()
    assert frame.loc["Blackjack pays 6:5", "difference"] > 0.013  # books: about 1.4 points


def test_removal_of_every_card_of_a_kind() -> None:
    effects = effects_of_removal(Rules(decks=1, max_split_hands=2), reoptimise=False)
    frame = to_pandas(effects)
    assert frame["count"].sum() == 52
    # with a fixed strategy the mean over all cards of the shoe is 0
    assert (frame["count"] * frame["effect"]).sum() == pytest.approx(0, abs=1e-12)
    tags = to_pandas(best_count(effects))["tag"]
    assert (tags * frame["count"]).sum() == 0


def test_intervals_readings_slopes_and_rule_sets() -> None:
    sweet = evaluate(load_paytable("Sweet 16"), 8)
    intervals = to_pandas([rtp_interval(sweet, n) for n in (1000, 10**6)])
    assert list(intervals["normal_valid"]) == [False, True]
    assert intervals.loc[1000, "low"] == intervals.loc[1000, "exact_low"]
    assert intervals.loc[10**6, "low"] == intervals.loc[10**6, "normal_low"]
    assert to_pandas(rtp_interval(sweet, 1000)).equals(intervals.loc[[1000]])

    frame = to_pandas(slopes(sweet))
    assert frame.loc["sweet", "edge_change_exact"] == -sweet.tiers[0].probability
    assert_floats_are_the_fractions_beside_them(frame)

    preset = load_preset("six-deck-h17")
    readings = to_pandas(price_readings(preset, preset.rules, edge=lambda *_: 0.005))
    assert len(readings) == len(list(preset.readings()))
    assert set(readings["house_edge"].dropna()) == {0.005}

    found = search_rules(Rules(decks=1), {"surrender": ["none", "late"]}, Target.around(0, 1))
    assert list(to_pandas(found)["house_edge"]) == [result.house_edge for result in found.found]


def test_combinations_beyond_64_bits_stay_whole_numbers() -> None:
    bet = evaluate(load_paytable("Bust Bonus"))
    total = sum(int(ways) for ways in to_pandas(bet)["combinations"])
    assert total > 2**63
    assert total == bet.odds.total


@pytest.mark.parametrize("result", [5, "Evaluation", [], {}, [1, 2], {6: 1}, Rules()])
def test_other_things_are_refused_in_a_sentence(result: object) -> None:
    with pytest.raises(InputError, match=r"Evaluation|RtpInterval"):
        to_pandas(result)


def test_every_frame_says_what_its_numbers_are() -> None:
    for result in (game(), game().chart(), evaluate(load_paytable("Sweet 16"), 8)):
        assert len(to_pandas(result).attrs["definition"]) > 20


def test_without_pandas_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.delitem(sys.modules, "pandas")
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"blackjack-paytables\[notebooks\]"):
        to_pandas(game().chart())


def test_effects_of_a_side_bet_average_out_exactly() -> None:
    sweet = load_paytable("Sweet 16")
    effects = card_effects(sweet.bet, sweet.result, Shoe.decks(8))
    frame = to_pandas(effects)
    assert len(frame) == 52
    assert frame["count"].sum() == 416
    assert sum(frame["count"] * frame["effect_exact"]) == 0
    assert frame.loc["6S", "effect"] < 0 < frame.loc["2S", "effect"]  # sixteens need sixes


def test_a_vulnerability_table_says_what_the_counter_wins() -> None:
    found = vulnerability(load_paytable("Insurance"), 1, rounds=40)
    frame = to_pandas(found)
    assert list(frame.index) == [row.behind for row in found.rows]
    won = frame["share_of_bets"] * frame["average_edge"] * 100
    assert (won - frame["units_per_100"]).abs().max() < 1e-9
    assert "seed 1" in frame.attrs["definition"]


def test_simulations_add_up() -> None:
    seen = simulate(game(), 2_000, seed=1)
    frame = to_pandas(seen)
    assert abs(frame["share"].sum() - 1) < 1e-12
    assert abs((frame.index * frame["share"]).sum() - seen.mean) < 1e-12
    sweet = load_paytable("Sweet 16")
    dealt = simulate_bet(sweet.bet, Shoe.decks(8), 5_000, seed=1)
    hits = to_pandas(dealt)
    assert list(hits.index) == [tier.name for tier in sweet.tiers]
    assert (hits["hits"] / 5_000 == hits["frequency"]).all()
    assert list(hits["hits"]) == [dealt.observed(tier.name) for tier in sweet.tiers]
