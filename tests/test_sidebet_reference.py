"""Every figure of the reference file of side bets, reproduced exactly from the catalogue.

The file states for each bet, paytable and deck count the fractions that an independent program
computed (`verified`), and where a published figure is itself wrong.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from odds.errors import InputError
from odds.shoe import Shoe
from odds.sidebets import DealPlan, SideBet, bet_odds
from paytables.bets import find_bet, load_catalog, load_paytable
from paytables.metrics import Evaluation, evaluate, meter_result, strategy_for
from paytables.model import Paytable

DATA = Path(__file__).parent / "data"
REFERENCE: list[dict[str, Any]] = json.loads((DATA / "side_bets.json").read_text("utf-8"))
VARIANTS: dict[str, dict[str, list[str]]] = json.loads(
    (DATA / "side_bet_variants.json").read_text("utf-8")
)

# Labels under which a source prints other pays than the paytable of the catalogue it is run with.
OTHER_PAYS = {
    '"4 to 1" single deck claim 3.77%',
    "github (zh) 200/100/50/10/20/3/2/2",
    "durrell2012 200/100/30/...(partial)",
    "game source 100/100/50/15/4/2 (7+ 100)",
    "game doc 800/250/50/18/4/2",
}
# Where the file splits a tier of ours, or names it otherwise: our tier to its tiers.
SPLIT = {
    ("Pair Play", "11"): {"pair": ["suited", "unsuited"]},
    ("Dare Any Pair", ""): {"pair": ["suited", "unsuited"]},
    ("Lucky Ladies", "C 250/25/9/6/3 (regulation: single deck)"): {"ranked": ["paired"]},
    ("Bonus Blackjack v1 (Riverside; Greektown-type)", ""): {"player": ["p", "pd", "jackpot both"]},
    ("Dealer-Player Blackjack", "named side 15"): {"named": ["p", "pd", "jackpot both"]},
    ("Dealer-Player Blackjack", "either side 7"): {"either": ["p", "pd", "d", "jackpot both"]},
    ("Buster Blackjack", "Sycuan 250(8)/50/12/4/2/2 H17"): {"8+": ["8", "9+"]},
}
# Rows that are not about a dealt bet of the catalogue; each has a test of its own below.
APART = {
    ("Match the Dealer", ""),
    ("Insurance", "full-shoe ratio 288:128"),
    ("Insurance", "three decks, 13 cards seen none ten"),
    ("Bonus Blackjack v2 (Sycuan)", ""),
    ("Perfect Charlie", ""),
}


def rows() -> list[Any]:
    found = []
    for bet in REFERENCE:
        for row in bet["variants"]:
            computed = row["verified"]["status"] != "not computed"
            apart = {(bet["name"], ""), (bet["name"], row["label"])} & APART
            if computed and not apart:
                label = f"{bet['name']}, {row['label']}, {row['decks']} decks"
                found.append(pytest.param(bet["name"], row, id=label))
    return found


def our_paytable(name: str, row: dict[str, Any]) -> Paytable:
    bet, variant = VARIANTS[name][row["label"]]
    return load_paytable(bet, variant)


def parts_of(name: str, row: dict[str, Any]) -> dict[str, list[str]]:
    """Our tiers and the file's tiers that each of them is."""
    split = SPLIT.get((name, row["label"])) or SPLIT.get((name, "")) or {}
    tiers = our_paytable(name, row).tiers
    return {tier.name: split.get(tier.name, [tier.name]) for tier in tiers}


def with_the_files_pays(name: str, row: dict[str, Any]) -> Paytable:
    paytable = our_paytable(name, row).as_to_one()
    pays = {tier["tier"]: tier["pays_to_1"] for tier in row["tiers"]}
    changes = {
        ours: -1 if pays[theirs[0]] is None else pays[theirs[0]]
        for ours, theirs in parts_of(name, row).items()
        if theirs[0] in pays and next(t for t in paytable.tiers if t.name == ours).meter is None
    }
    return paytable.with_pays(changes)


@pytest.mark.parametrize(("name", "row"), rows())
def test_reference_row(name: str, row: dict[str, Any]) -> None:
    ours = our_paytable(name, row)
    paytable = with_the_files_pays(name, row)
    if row["label"] not in OTHER_PAYS:
        assert [ours.as_to_one().net(tier) for tier in ours.as_to_one().tiers] == [
            paytable.net(tier) for tier in paytable.tiers
        ]
    evaluation = evaluate(paytable, row["decks"], meter=0)
    verified = row["verified"]
    tiers = {tier: Fraction(figures["frac"]) for tier, figures in verified["tiers"].items()}
    compared = set()
    for tier, theirs in parts_of(name, row).items():
        if all(part in tiers for part in theirs):
            expected = sum((tiers[part] for part in theirs), Fraction(0))
            assert evaluation.odds.tier(tier).probability == expected, tier
            compared.update(theirs)
    assert compared, "nothing was compared"
    rest = sum((p for tier, p in tiers.items() if tier not in compared), Fraction(0))
    assert evaluation.odds.nothing == rest
    if meter_of(row) is not None:
        evaluation = evaluate(paytable, row["decks"], meter=meter_of(row))
    if "edge_fraction" in verified:
        assert evaluation.edge == Fraction(verified["edge_fraction"])
        assert evaluation.standard_deviation == pytest.approx(verified["sd"], rel=1e-12)
        assert float(evaluation.hit_frequency) == pytest.approx(verified["hit"], rel=1e-14)
    check_meter(name, row, evaluation)
    check_combinations(row, evaluation, parts_of(name, row))


def meter_of(row: dict[str, Any]) -> Fraction | None:
    """The meter at which the file gives an edge: the pay of its tier, with the stake."""
    if "Microgaming" in row["label"] or "meter $" in row["label"]:
        return Fraction(row["tiers"][0]["pays_to_1"] + 1)
    return None


def check_meter(name: str, row: dict[str, Any], evaluation: Evaluation) -> None:
    verified = row["verified"]
    if evaluation.paytable.meter is None or "breakeven_meter" not in verified:
        return
    paytable = evaluation.paytable
    if name.startswith("Bonus Blackjack v1"):  # the meter needs both bets
        paytable = load_paytable("Bet Player and Bet Dealer", "both with the meter")
    result = meter_result(evaluate(paytable, row["decks"], meter=0))
    assert result.break_even is not None
    assert float(result.break_even) == pytest.approx(verified["breakeven_meter"], rel=1e-12)
    if verified.get("base_edge_meter_zero") is not None:
        assert float(result.base_edge) == pytest.approx(verified["base_edge_meter_zero"], rel=1e-14)
    if "return_per_meter_unit" in verified:
        per_unit = pytest.approx(verified["return_per_meter_unit"], rel=1e-14)
        assert float(result.return_per_unit) == per_unit
    if "reduction_per_100" in verified:
        assert float(100 * result.return_per_unit) == pytest.approx(
            verified["reduction_per_100"], rel=1e-14
        )


def check_combinations(
    row: dict[str, Any], evaluation: Evaluation, parts: dict[str, list[str]]
) -> None:
    """Published numbers of combinations, where they count as we do and are not themselves wrong."""
    published_total = row["published_total_combinations"]
    if published_total != evaluation.odds.total or row["verified"]["status"] == "mismatch":
        return
    published = {tier["tier"]: tier.get("published_combinations") for tier in row["tiers"]}
    for tier, theirs in parts.items():
        numbers = [published.get(part) for part in theirs]
        if None not in numbers:
            assert evaluation.odds.tier(tier).ways == sum(numbers)


@pytest.mark.parametrize(
    "row",
    [row for bet in REFERENCE if bet["name"] == "Match the Dealer" for row in bet["variants"]],
    ids=lambda row: f"{row['label']}, {row['decks']} decks",
)
def test_match_the_dealer_adds_up_its_matches(row: dict[str, Any]) -> None:
    paytable = load_paytable(*VARIANTS["Match the Dealer"][row["label"]])
    evaluation = evaluate(paytable, row["decks"])
    names = {(2, 0): "2s", (1, 1): "1s1u", (1, 0): "1s", (0, 2): "2u", (0, 1): "1u", (0, 0): "lose"}
    pays = {tier["tier"]: tier["pays_to_1"] for tier in row["tiers"]}
    chances = dict.fromkeys(names.values(), Fraction(0))
    for outcome in evaluation.odds.outcomes:
        name = names[outcome.hits[0], outcome.hits[1]]
        chances[name] = evaluation.odds.probability(outcome)
        assert evaluation.net(outcome) == Fraction(str(pays[name]))
    verified = row["verified"]
    assert chances == {tier: Fraction(f["frac"]) for tier, f in verified["tiers"].items()}
    assert evaluation.edge == Fraction(verified["edge_fraction"])
    assert evaluation.standard_deviation == pytest.approx(verified["sd"], rel=1e-12)


def reference(name: str, label: str) -> dict[str, Any]:
    bet = next(bet for bet in REFERENCE if bet["name"] == name)
    row = next(row for row in bet["variants"] if row["label"] == label)
    verified: dict[str, Any] = row["verified"]
    return verified


def test_insurance_from_other_shoes() -> None:
    insurance = load_paytable("Insurance", "ace up")
    ten_of_any = Paytable.model_validate(
        {"name": "hole", "tiers": [{"name": "win", "when": 'hole == "ten"', "pays": 2}]}
    )
    full = evaluate(ten_of_any, 8).edge
    assert full == Fraction(reference("Insurance", "full-shoe ratio 288:128")["edge_fraction"])
    # Thirteen cards out of three decks, no ten among them and one of them the ace that is up.
    seen = [f"{rank}{suit}" for rank in "23456789" for suit in "SH"][:12]
    edge = evaluate(insurance, shoe=Shoe.decks(3).remove(*seen)).edge
    label = "three decks, 13 cards seen none ten"
    assert edge == Fraction(reference("Insurance", label)["edge_fraction"])


def test_visible_tiers_of_half_published_bets() -> None:
    three = bet_odds(
        SideBet.parse(
            {"777": 'every(player + next, "7")', "678": 'exactly(player + next, "6", "7", "8")'},
            DealPlan(next_cards=1),
        ),
        6,
    )
    label = "probabilities of the two visible tiers (always drawing)"
    for tier, figures in reference("Bonus Blackjack v2 (Sycuan)", label)["tiers"].items():
        assert three.tier(tier).probability == Fraction(figures["frac"])
    conditions = {
        "234": 'exactly(player + next[1], "2", "3", "4")',
        "2345": 'exactly(player + next, "2", "3", "4", "5")',
        "234 suited in order": 'in_order(player + next[1], "2", "3", "4")'
        " and suited(player + next[1])",
        "2345 suited in order": 'in_order(player + next, "2", "3", "4", "5")'
        " and suited(player + next)",
    }
    charlie = reference("Perfect Charlie", "visible tiers, six decks")["tiers"]
    plan = DealPlan(next_cards=2)
    for tier, figures in charlie.items():
        alone = bet_odds(SideBet.parse({tier: conditions[tier]}, plan), 6)
        assert alone.tier(tier).probability == Fraction(figures["frac"])


def test_nothing_that_can_be_computed_is_left_out() -> None:
    computed = {
        (bet["name"], row["label"])
        for bet in REFERENCE
        for row in bet["variants"]
        if row["verified"]["status"] != "not computed"
    }
    known = {(name, label) for name, labels in VARIANTS.items() for label in labels}
    left = {pair for pair in computed - known if not {pair, (pair[0], "")} & APART}
    assert left == set()


def rounded(edge: Fraction, published: float) -> bool:
    """Whether a published edge of a few digits is this edge, rounded or cut off."""
    digits = len(str(published).split(".")[1])
    return abs(float(edge) - published) < 10.0**-digits


WRONG_EDGES = [
    pytest.param(bet["name"], row, id=f"{bet['name']}, {row['label']}, {row['decks']} decks")
    for bet in REFERENCE
    for row in bet["variants"]
    if row["verified"]["status"] == "mismatch"
    and any(text.startswith("edge published") for text in row["verified"]["mismatch"])
]


@pytest.mark.parametrize(("name", "row"), WRONG_EDGES)
def test_a_published_edge_called_wrong_is_not_ours(name: str, row: dict[str, Any]) -> None:
    edge = evaluate(with_the_files_pays(name, row), row["decks"]).edge
    assert not rounded(edge, row["published_house_edge"])


def test_where_wrong_published_edges_come_from() -> None:
    """The explanations of the file that can be computed: what the published figure really is."""
    table = load_paytable("21+3", "100/40/25/10/5")
    assert rounded(evaluate(table, 8).edge, 0.0629)  # printed for seven decks
    pairs = load_paytable("21+3", "5 to 2 with pairs")
    assert rounded(evaluate(pairs, 2).edge, 0.0278)  # printed for 100/40/30/10/5
    assert rounded(evaluate(load_paytable("Royal Match", "10/3"), 1).edge, 0.0377)
    netplaces = load_paytable("Perfect Pairs", "30/10/5")
    assert not any(rounded(evaluate(netplaces, n).edge, 0.0345) for n in range(1, 13))
    posted = load_paytable("Buster Blackjack", "250/50/12/4/2/2 H17")
    assert rounded(evaluate(posted, 6).edge, 0.0621)  # printed over a paytable with 15 for 12


def test_the_columns_of_bet_the_bust_hold_other_decks_than_they_say() -> None:
    """The page's columns for 4, 6 and 8 decks hold the probabilities for 3, 4 and 5."""
    held = {4: 3, 6: 4, 8: 5}
    bet = next(bet for bet in REFERENCE if bet["name"] == "Bet the Bust")
    compared = 0
    for row in bet["variants"]:
        if row["decks"] in held and row["verified"]["status"] == "mismatch":
            printed = row["tiers"][0]["published_probability"]
            odds = evaluate(our_paytable("Bet the Bust", row), held[row["decks"]]).odds
            assert round(float(odds.tier("bust").probability), 6) == printed
            compared += 1
    assert compared == 30


def test_probabilities_sum_to_one_for_every_bet_and_one_to_eight_decks() -> None:
    checked = 0
    for bet in load_catalog().values():
        for paytable in bet.paytables.values():
            strategy = strategy_for(paytable, 6)  # where the cards depend on one: that of six decks
            for decks in range(1, 9):
                evaluation = evaluate(paytable, decks, strategy=strategy)
                assert sum(evaluation.results.values()) == 1
                ways = sum(outcome.ways for outcome in evaluation.odds.outcomes)
                assert ways == evaluation.odds.total
                contributions = sum(row.contribution for row in evaluation.tiers)
                assert contributions + evaluation.lost == -evaluation.edge
                checked += 1
    assert checked == 8 * sum(len(bet.paytables) for bet in load_catalog().values())


def test_names_lead_to_their_bets() -> None:
    assert find_bet("  PERFECT   pairs ").name == "Perfect Pairs"
    assert find_bet("Greektown bonus").name == "Bet Player and Bet Dealer"
    with pytest.raises(InputError, match="perfect pairs"):
        find_bet("Perfct Pairs")
    with pytest.raises(InputError, match="30/10/5"):
        load_paytable("Perfect Pairs", "30/10")
