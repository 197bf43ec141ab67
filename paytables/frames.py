"""Results as pandas DataFrames: `to_pandas`, one function for every result.

Exact numbers come twice: a float64 column to reckon with, and beside it a column of the same name
and ``_exact`` that holds the `fractions.Fraction`. Main-game values are float64 throughout, with
an error below 1e-12. `DataFrame.attrs["definition"]` says what the numbers mean.

pandas is optional: ``pip install "blackjack-paytables[notebooks]"``.

Example:
    >>> from paytables.bets import load_paytable
    >>> from paytables.metrics import evaluate
    >>> frame = to_pandas(evaluate(load_paytable("Sweet 16"), 8))
    >>> frame.loc["sweet", "probability_exact"], sum(frame["return_exact"])
    (Fraction(4, 5395), Fraction(-4, 83))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from odds.cards import hand_name, value_name
from odds.chart import sections
from odds.errors import InputError
from odds.game import GameOdds, HandOdds
from odds.html import FLOAT64
from odds.outcomes import RoundOutcomes
from odds.removal import Count, RemovalEffects
from odds.sidebets import BetOdds
from odds.sidebets.removal import CardEffects
from odds.sidebets.simulation import SimulatedBet
from odds.simulate import Simulation
from odds.strategy import Action, Chart
from paytables import frames_counting
from paytables.design import DesignResult
from paytables.frame_rows import Row, exact, frame
from paytables.main_game_design import RuleResult, RuleSearch
from paytables.metrics import Evaluation
from paytables.readings import ReadingResult
from paytables.rule_effects import RuleEffects
from paytables.volatility import RtpInterval, Slope, volatility_index
from paytables.vulnerability import Vulnerability

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped,unused-ignore]

PER_BET = f"units of the initial bet, dealer blackjacks included, insurance not; {FLOAT64}"
PER_STAKE = (
    "house edge = minus the expected net win per unit staked, exact; columns without _exact are "
    "the same rounded to float64"
)


@singledispatch
def to_pandas(result: object) -> pd.DataFrame:
    """A result as a DataFrame.

    ===========================  ===================================  ============================
    result                       rows (index)                         columns
    ===========================  ===================================  ============================
    `Evaluation`                 tiers, and ``no tier``               pays, combinations, odds, part
                                                                      of the expected net win
    dict of them by decks        deck counts                          edge, RTP, frequencies, SD
    `odds.sidebets.BetOdds`      tiers                                combinations, odds
    `DesignResult`               designs by rank                      pays, edges, points, why
    `RtpInterval`, list of them  number of rounds                     intervals and their validity
    list of `Slope`              tiers                                change of the edge by a step
    `odds.GameOdds`              two-card hands by upcard             odds, value of every action
    `odds.HandOdds`              actions                              values
    `odds.strategy.Chart`        hands by section                     codes, by upcard
    `RoundOutcomes`              net result                           probability
    `RuleEffects`                changes of one rule                  edge, difference
    `RuleSearch`                 rule sets found                      edge, element of risk
    list of `ReadingResult`      open points and readings             edge, difference
    `RemovalEffects`             cards                                effect of removing one
    `odds.removal.Count`         cards                                tags
    `CardEffects` of a side bet  cards                                effect of removing one
    `Vulnerability`              cards behind the cut card            trigger, bets, edge, units
    `Simulation`                 net result                           share, standard error
    `SimulatedBet`               tiers                                hits, frequency
    ===========================  ===================================  ============================

    Side bets are exact (columns ``..._exact``), in units of the stake; the main game is float64, in
    units of the initial bet. Shares are shares, not percentages. Cards are text: ``A``, ``10``.

    Args:
        result: One of the above.

    Raises:
        InputError: There is no such table, or nothing to list (see the single functions).
        ImportError: pandas is not installed.
    """
    if isinstance(result, Mapping):
        return _mapping(result)
    if isinstance(result, Sequence) and not isinstance(result, str):
        return _sequence(result)
    raise InputError("result", type(result).__name__, f"one of {', '.join(_names())}")


def _names() -> list[str]:
    """The results that there is a table for."""
    single = [kind.__name__ for kind in to_pandas.registry if kind is not object]
    return [*single, "a dict of Evaluation by decks", "a list of " + " or ".join(_LISTS_OF)]


@to_pandas.register(Evaluation)
def _evaluation(result: Evaluation) -> pd.DataFrame:
    """Tiers in order of precedence, then ``no tier``: deals in which none is hit.

    The column ``return`` sums to minus the edge. Probabilities sum to 1 where one tier at most is
    hit. ``net`` is the net win of one hit in units of the tier's wager, ``one_in`` how many rounds
    there are to a hit (infinite if it never comes).
    """
    odds = result.odds
    missed = sum(outcome.ways for outcome in odds.outcomes if not any(outcome.hits))
    rows = [
        {
            "tier": row.tier.name,
            "label": row.tier.title,
            **exact("pays", row.tier.pays),
            "combinations": row.ways,
            **exact("probability", row.probability),
            "one_in": float(row.one_in) if row.one_in is not None else float("inf"),
            **exact("net", row.net),
            **exact("return", row.contribution),
        }
        for row in result.tiers
    ]
    rows.append(
        {
            "tier": "no tier",
            "label": "no tier",
            **exact("pays", None),
            "combinations": missed,
            **exact("probability", odds.nothing),
            "one_in": float(1 / odds.nothing) if odds.nothing else float("inf"),
            **exact("net", None),
            **exact("return", result.lost),
        }
    )
    return frame(rows, "tier", f"{odds.shoe}; pays {result.paytable.paid}; {PER_STAKE}")


@to_pandas.register(BetOdds)
def _bet_odds(result: BetOdds) -> pd.DataFrame:
    """Tiers with their odds. ``expected_count`` is how often one counts on average in a round."""
    rows = [
        {
            "tier": tier.name,
            "combinations": tier.ways,
            **exact("probability", tier.probability),
            **exact("expected_count", tier.expected_count),
        }
        for tier in result.tiers
    ]
    return frame(rows, "tier", f"{result.shoe}; exact, of {result.total} combinations")


def _mapping(result: Mapping[Any, Any]) -> pd.DataFrame:
    """A paytable evaluated for several deck counts, as `paytables.metrics.by_decks` returns it.

    Standard deviation and volatility index (z = 1.645) are per round, in units; float64.
    """
    if not result or not all(isinstance(value, Evaluation) for value in result.values()):
        raise InputError("result", "a dict of other things", "a dict of Evaluation by decks")
    rows = []
    for decks, found in result.items():
        lost = 1 - found.hit_frequency - found.push_frequency
        rows.append(
            {
                "decks": decks,
                **exact("house_edge", found.edge),
                **exact("rtp", found.rtp),
                **exact("hit_frequency", found.hit_frequency),
                **exact("push_frequency", found.push_frequency),
                **exact("lose_frequency", lost),
                "standard_deviation": found.standard_deviation,
                "volatility_index": volatility_index(found),
                **exact("top_award", found.top_award),
            }
        )
    return frame(rows, "decks", PER_STAKE)


@to_pandas.register(DesignResult)
def _design_result(result: DesignResult) -> pd.DataFrame:
    """Designs, best first: ``pays_TIER``, ``house_edge_DECKS``, and the first deck count's figures.

    Raises:
        InputError: No paytable hits the target; `DesignResult.infeasible` says why.
    """
    if not result.designs:
        why = result.infeasible.reason if result.infeasible is not None else "none was found"
        raise InputError("result", "no designs", f"a search that found one ({why})")
    rows = []
    for rank, made in enumerate(result.designs, start=1):
        first = made.evaluations[result.decks[0]]
        row: Row = {"rank": rank}
        for tier, pay in made.pays.items():
            row |= exact(f"pays_{tier}", pay)
        for decks, edge in made.edges.items():
            row |= exact(f"house_edge_{decks}", edge)
        row |= exact("hit_frequency", first.hit_frequency)
        row["standard_deviation"] = first.standard_deviation
        row |= {"points": made.points, "why": "; ".join(made.reasons)}
        rows.append(row)
    return frame(rows, "rank", f"pays {result.paytable.paid}; {PER_STAKE}")


@to_pandas.register(GameOdds)
def _game_odds(result: GameOdds) -> pd.DataFrame:
    """Two-card hands by upcard, with the value of every legal action (NaN: not allowed).

    ``stand`` to ``surrender`` are given no dealer blackjack where ``conditional`` is true (the
    dealer peeks); ``expected_value`` is that of the best action with dealer blackjacks included, so
    that the sum of ``probability * expected_value`` is the game's. Where pairs are split by rank
    two tens come as ``10,10`` (one rank) and ``10,10 unlike``.
    """
    rows = []
    for hand in result.starting_hands():
        unlike = " unlike" if hand.same_rank is False else ""
        row: Row = {
            "hand": hand_name(hand.cards) + unlike,
            "upcard": value_name(hand.upcard),
            "total": hand.total,
            "soft": hand.soft,
            "pair": hand.cards[0] == hand.cards[1] and hand.same_rank is not False,
            "natural": hand.natural,
            "probability": hand.probability,
            "best": hand.best.value,
            "expected_value": hand.unconditional[hand.best],
        }
        row |= {action.value: hand.values.get(action, float("nan")) for action in Action}
        row |= {
            "second_best": None if hand.second_best is None else hand.second_best.value,
            "cost_of_second_best": _number(hand.cost_of_second_best),
            "conditional": hand.conditional,
            "dealer_blackjack": hand.dealer_blackjack,
            "insurance": _number(hand.insurance),
            "even_money": _number(hand.even_money),
        }
        rows.append(row)
    definition = f"{result.shoe}; {result.rules}; strategy {result.regime}: {result.regime_text}"
    return frame(rows, ("hand", "upcard"), f"{definition}; {PER_BET}")


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


@to_pandas.register(HandOdds)
def _hand_odds(result: HandOdds) -> pd.DataFrame:
    """The hand's legal actions, best first.

    ``value`` is given no dealer blackjack where the dealer peeks, ``unconditional`` is not;
    ``cost`` is how much less than the best the action is worth, in the scale of ``value``.
    """
    best = result.values[result.best]
    rows: list[Row] = [
        {
            "action": action.value,
            "value": value,
            "unconditional": result.unconditional[action],
            "cost": best - value,
        }
        for action, value in result.values.items()
    ]
    rows.sort(key=lambda row: (row["action"] != result.best.value, row["cost"]))
    cards = f"{hand_name(result.cards)} against {value_name(result.upcard)}"
    return frame(rows, "action", f"{cards}; {PER_BET}")


@to_pandas.register(Chart)
def _chart(result: Chart) -> pd.DataFrame:
    """Codes (`odds.chart.CODES`) by section and hand, a column for each upcard; empty: none."""
    rows: list[Row] = [
        {
            "section": section.title.split()[0].lower(),
            "hand": label,
            **{value_name(up): row[up].code if up in row else "" for up in result.upcards},
        }
        for section in sections(result)
        for label, row in section.rows
    ]
    return frame(rows, ("section", "hand"), "best play of two-card hands, on average over a cell")


@to_pandas.register(RoundOutcomes)
def _round_outcomes(result: RoundOutcomes) -> pd.DataFrame:
    """The distribution of a round's net result, rising.

    Raises:
        InputError: The distribution is not known: a pair may become more than two hands.
    """
    if result.distribution is None:
        raise InputError(
            "result", "no distribution", "a game with max_split_hands = 2, whose law is known whole"
        )
    rows = [
        {"net": float(net), "net_exact": net, "probability": chance}
        for net, chance in result.distribution.items()
    ]
    return frame(rows, "net", PER_BET)


@to_pandas.register(RuleEffects)
def _rule_effects(result: RuleEffects) -> pd.DataFrame:
    """Single changes of the rules: the edge after each, and how much more than before it is.

    ``player`` is the change of the player's expectation, minus ``difference``.
    """
    rows: list[Row] = [
        {
            "change": effect.label,
            "rule": effect.rule,
            "house_edge": effect.house_edge,
            "difference": effect.difference,
            "player": effect.player,
        }
        for effect in result.effects
    ]
    return frame(rows, "change", f"strategy {result.strategy}; {PER_BET}")


@to_pandas.register(RuleSearch)
def _rule_search(result: RuleSearch) -> pd.DataFrame:
    """Rule sets in the band, nearest to the base first."""
    return _rule_results(result.found)


@to_pandas.register(RemovalEffects)
def _removal_effects(result: RemovalEffects) -> pd.DataFrame:
    """What removing one card of each value adds to the player's expectation; count in the shoe."""
    rows: list[Row] = [
        {"card": value_name(value), "count": result.counts[value], "effect": effect}
        for value, effect in result.effects.items()
    ]
    return frame(rows, "card", PER_BET)


@to_pandas.register(Count)
def _count(result: Count) -> pd.DataFrame:
    """The tag of each card."""
    rows: list[Row] = [{"card": value_name(c), "tag": tag} for c, tag in result.tags.items()]
    return frame(rows, "card", f"betting correlation {result.correlation:.6f}")


to_pandas.register(CardEffects)(frames_counting.card_effects)
to_pandas.register(Vulnerability)(frames_counting.vulnerability)
to_pandas.register(Simulation)(frames_counting.simulation)
to_pandas.register(SimulatedBet)(frames_counting.simulated_bet)


@to_pandas.register(RtpInterval)
def _rtp_interval(result: RtpInterval) -> pd.DataFrame:
    """One interval of the RTP."""
    return _rtp_intervals([result])


def _rtp_intervals(results: Sequence[RtpInterval]) -> pd.DataFrame:
    """Intervals of the RTP by the number of rounds.

    ``low`` and ``high`` are those to print: the normal ones where these are valid, else those from
    the distribution of the total (``exact_low``, ``exact_high``; ``method`` says how).
    """
    rows: list[Row] = [
        {
            "rounds": found.rounds,
            "confidence": found.confidence,
            "rtp": found.rtp,
            "low": found.best[0],
            "high": found.best[1],
            "normal_low": found.normal[0],
            "normal_high": found.normal[1],
            "normal_valid": found.normal_valid,
            "normal_error": found.normal_error,
            "exact_low": found.exact[0],
            "exact_high": found.exact[1],
            "method": found.method,
        }
        for found in results
    ]
    return frame(rows, "rounds", "RTP of N independent rounds, each from a full shoe; float64")


def _readings(results: Sequence[ReadingResult]) -> pd.DataFrame:
    """The edge under each other reading of a rule text; NaN where it contradicts the rules."""
    rows: list[Row] = [
        {
            "topic": found.assumption.topic,
            "reading": found.reading.reading,
            "taken": found.assumption.reading,
            "house_edge": _number(found.house_edge),
            "problem": found.problem,
        }
        for found in results
    ]
    return frame(rows, ("topic", "reading"), PER_BET)


def _rule_results(results: Sequence[RuleResult]) -> pd.DataFrame:
    """Analysed rule sets."""
    rows: list[Row] = [
        {
            "rules": str(found.rules),
            "house_edge": found.house_edge,
            "element_of_risk": found.element_of_risk,
            "average_action": found.average_action,
        }
        for found in results
    ]
    return frame(rows, "rules", PER_BET)


def _slopes(results: Sequence[Slope]) -> pd.DataFrame:
    """How the edge changes when a pay moves up by one step."""
    rows = [
        {
            "tier": found.tier,
            **exact("step", found.step),
            **exact("edge_change", found.edge_change),
        }
        for found in results
    ]
    return frame(rows, "tier", PER_STAKE)


_LISTS: dict[type[Any], Callable[[Any], pd.DataFrame]] = {
    RtpInterval: _rtp_intervals,
    ReadingResult: _readings,
    RuleResult: _rule_results,
    Slope: _slopes,
}
_LISTS_OF = [kind.__name__ for kind in _LISTS]


def _sequence(results: Sequence[Any]) -> pd.DataFrame:
    for kind, build in _LISTS.items():
        if results and all(isinstance(result, kind) for result in results):
            return build(results)
    allowed = f"a list of one kind: {' or '.join(_LISTS_OF)}"
    raise InputError("result", "a list", allowed)
