"""The main game: rules in; house edge, strategy and the odds behind them out.

`analyze` is the one entry. Everything here is float64 with an error below 1e-12;
`odds.recursion` has the same game in exact integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from odds.cards import VALUE_NAMES
from odds.dealer import TOTALS, DealerTable, FloatArray
from odds.errors import InputError
from odds.hands import IntArray, lattice
from odds.play import (
    PlayValues,
    decide,
    follow,
    legal_actions,
    solve,
    without_splits,
)
from odds.reach import path_odds, reach
from odds.rules import Rules
from odds.shoe import Shoe
from odds.split import SplitAnalyzer, SplitOdds
from odds.strategy import (
    ACTIONS,
    NO_DECISION,
    REGIMES,
    Action,
    Chart,
    Strategy,
    check_regime,
)

Progress = Callable[[float, str], None]
"""Called with the fraction done and what is being done; an exception it raises cancels."""

UPCARDS = tuple(range(1, 11))


@dataclass(frozen=True, slots=True)
class HandOdds:
    """A player hand against an upcard: what each action is worth.

    Attributes:
        cards: Card values, ascending, ace as 1.
        upcard: Upcard value, 1 to 10.
        total: The hand's total, an ace as 11 where that does not bust.
        soft: Whether an ace counts 11.
        natural: Whether it is an ace and a ten as dealt, which settles itself; its one value is
            listed under `Action.STAND`.
        same_rank: Of two tens where pairs are split by rank: whether they are a pair.
        probability: Of being dealt these two cards against this upcard; None for more cards.
        dealer_blackjack: Probability of a dealer blackjack given hand and upcard.
        conditional: Whether `values` are given that the dealer has no blackjack (the dealer
            peeks under this upcard).
        values: Each legal action's expected net result, in units of the initial bet.
        unconditional: The same with dealer blackjacks included.
        best: The action with the highest value.
        second_best: The next one, or None.
        cost_of_second_best: How much less it is worth, in the scale of `values`.
        insurance: Expected net result per unit of insurance; only against an ace, where offered.
        even_money: What even money is worth more than waiting, in units of the initial bet; only
            for a natural against an ace, where offered.
        dealer: The dealer's final totals given the hand: "17" to "21", "blackjack", "bust".
    """

    cards: tuple[int, ...]
    upcard: int
    total: int
    soft: bool
    natural: bool
    same_rank: bool | None
    probability: float | None
    dealer_blackjack: float
    conditional: bool
    values: Mapping[Action, float]
    unconditional: Mapping[Action, float]
    best: Action
    second_best: Action | None
    cost_of_second_best: float | None
    insurance: float | None
    even_money: float | None
    dealer: Mapping[str, float]

    def _repr_html_(self) -> str:
        from odds import html

        return html.hand(self)


@dataclass(frozen=True, slots=True)
class GameOdds:
    """The analysed game. Values are float64, in units of the initial bet.

    Attributes:
        rules: The table.
        shoe: The cards that a round is dealt from.
        regime: Name of the strategy regime (see `odds.strategy.REGIMES`).
        strategy: Every decision.
        expected_value: Expected net result of a round per unit of the initial bet, dealer
            blackjacks included, insurance not.
        average_action: Expected units put on the table in a round: the initial bet, doubles and
            splits (none of the latter where the dealer peeks and has a blackjack).
        upcard_probability: By upcard value, 1 (ace) to 10.
        value_by_upcard: Expected net result given the upcard.
        exact_expected_value: The expected value as a fraction, if `analyze` was asked for it.
    """

    rules: Rules
    shoe: Shoe
    regime: str
    strategy: Strategy
    expected_value: float
    average_action: float
    upcard_probability: Mapping[int, float]
    value_by_upcard: Mapping[int, float]
    _dealer: DealerTable
    _play: PlayValues
    _splits: Mapping[int, SplitOdds]
    _split_chance: Mapping[int, FloatArray]
    _unsplit: tuple[IntArray, FloatArray]
    exact_expected_value: Fraction | None = None
    _starting: list[HandOdds] = field(default_factory=list, repr=False, compare=False)

    @property
    def house_edge(self) -> float:
        """Minus the expected value: what the house wins per unit of the initial bet."""
        return -self.expected_value

    @property
    def element_of_risk(self) -> float:
        """What the house wins per unit of all bets made: house edge / average action."""
        return self.house_edge / self.average_action

    @property
    def regime_text(self) -> str:
        """The regime in a sentence."""
        return REGIMES.get(self.regime, "decisions from a fixed table")

    def hand(self, cards: Sequence[int], upcard: int, same_rank: bool | None = None) -> HandOdds:
        """What each action is worth with an unsplit hand of two or more cards.

        Args:
            cards: Card values, 1 (ace) to 10, in any order.
            upcard: Upcard value, 1 to 10.
            same_rank: For two tens where pairs are split by rank: whether they are a pair;
                None takes them as a pair if the shoe has one.

        Raises:
            InputError: The hand is impossible, bust, or not in the shoe with this upcard.

        Example:
            >>> odds = analyze(Rules()).hand([10, 6], 10)
            >>> str(odds.best), round(odds.values[Action.STAND], 4)
            ('hit', -0.541)
        """
        index = self._check_hand(cards, upcard)
        lat, up = lattice(), upcard - 1
        values = self._play.values[index, up].copy()
        blackjack = float(self._play.blackjack[index, up])
        hand = tuple(sorted(int(card) for card in cards))
        natural = hand == (1, 10)
        tens_by_rank = hand == (10, 10) and self.rules.split_by == "rank"
        if tens_by_rank and same_rank is None:
            same_rank = 10 in self._splits
        if not tens_by_rank:
            same_rank = None
        if natural:
            values[:] = np.nan
            values[0] = float(self.rules.blackjack_pays) * (1.0 - blackjack)
        elif len(hand) == 2 and hand[0] == hand[1] in self._splits and same_rank is not False:
            values[Action.SPLIT.column] = self._splits[hand[0]].value[up]
        legal = [action for action in ACTIONS if not np.isnan(values[action.column])]
        unconditional = {action: float(values[action.column]) for action in legal}
        conditional = self.rules.peeks_under(upcard) and blackjack < 1.0
        shown = dict(unconditional)
        if conditional:
            lost = 0.0 if natural else 1.0
            shown = {a: (v + lost * blackjack) / (1.0 - blackjack) for a, v in shown.items()}
        ranked = sorted(shown, key=lambda action: round(shown[action], 12), reverse=True)
        second = ranked[1] if len(ranked) > 1 else None
        against_ace = upcard == 1 and self.rules.insurance and len(hand) == 2
        even = against_ace and natural and self.rules.even_money
        return HandOdds(
            cards=hand,
            upcard=upcard,
            total=int(lat.total[index]),
            soft=bool(lat.soft[index]),
            natural=natural,
            same_rank=same_rank,
            probability=self._probability(index, up, same_rank) if len(hand) == 2 else None,
            dealer_blackjack=blackjack,
            conditional=conditional,
            values=shown,
            unconditional=unconditional,
            best=ranked[0],
            second_best=second,
            cost_of_second_best=None if second is None else shown[ranked[0]] - shown[second],
            insurance=3.0 * blackjack - 1.0 if against_ace else None,
            even_money=1.0 - float(values[0]) if even else None,
            dealer=self._dealer_totals(index, up),
        )

    def _check_hand(self, cards: Sequence[int], upcard: int) -> int:
        if upcard not in UPCARDS:
            raise InputError("upcard", upcard, "a card value from 1 (ace) to 10")
        hand = [cards] if isinstance(cards, (int, str)) or cards is None else list(cards)
        text = ",".join(map(str, hand))
        if len(hand) < 2 or any(
            not isinstance(card, Integral) or isinstance(card, bool) or card not in UPCARDS
            for card in hand
        ):
            raise InputError("hand", text, "two or more card values from 1 (ace) to 10")
        index = lattice().of(*hand)
        if index < 0:
            raise InputError("hand", text, f"a total of at most 21, and this is {sum(hand)}")
        if self.rules.max_cards is not None and len(hand) > self.rules.max_cards:
            raise InputError("hand", text, f"at most max_cards = {self.rules.max_cards} cards")
        left = self._dealer.values - lattice().counts[index]
        left[upcard - 1] -= 1
        for i, count in enumerate(left):
            if count < 0:
                raise InputError(
                    "hand",
                    f"{text} against {upcard}",
                    f"cards in the shoe, which has {self._dealer.values[i]} of {VALUE_NAMES[i]}",
                )
        return index

    def _probability(self, index: int, up: int, same_rank: bool | None) -> float:
        lat = lattice()
        path = path_odds(self._dealer.values, np.array([index]), np.zeros(10, dtype=np.int64))
        orders = 1 if lat.counts[index].max() == 2 else 2
        share = 1.0
        if same_rank is not None:
            like = _like_tens(self.shoe)
            share = like if same_rank else 1.0 - like
        return float(path[0, up]) * orders * share * self.upcard_probability[up + 1]

    def _dealer_totals(self, index: int, up: int) -> dict[str, float]:
        totals = self._dealer.given(lattice().counts[index : index + 1])[0, up]
        blackjack = float(self._play.blackjack[index, up])
        named = {str(total): float(odds) for total, odds in zip(TOTALS, totals, strict=True)}
        return {**named, "blackjack": blackjack, "bust": 1.0 - blackjack - float(totals.sum())}

    def dealer_totals(self, upcard: int) -> dict[str, float]:
        """The dealer's final totals from the shoe less the upcard, no player hand known.

        Returns:
            Probabilities of "17" to "21", "blackjack" and "bust"; they sum to 1.

        Raises:
            InputError: The upcard is no card value, or not in the shoe.
        """
        if upcard not in UPCARDS or self._dealer.values[upcard - 1] == 0:
            raise InputError("upcard", upcard, "a card value, 1 (ace) to 10, that is in the shoe")
        return self._dealer_totals(0, upcard - 1)

    def starting_hands(self) -> list[HandOdds]:
        """Every two-card hand against every upcard that can be dealt; probabilities sum to 1.

        Where pairs are split by rank, two tens come twice: of one rank, and of two.
        """
        if not self._starting:
            self._starting.extend(self._find_starting_hands())
        return list(self._starting)

    def _find_starting_hands(self) -> Iterator[HandOdds]:
        for first in UPCARDS:
            for second in UPCARDS[first - 1 :]:
                tens = first == 10 and self.rules.split_by == "rank"
                for same_rank in (True, False) if tens else (None,):
                    if same_rank and 10 not in self._splits and _like_tens(self.shoe) == 0:
                        continue
                    for up in UPCARDS:
                        index = lattice().of(first, second)
                        if np.isnan(self._play.best[index, up - 1]):
                            continue
                        odds = self.hand((first, second), up, same_rank)
                        if odds.probability:
                            yield odds

    def chart(self) -> Chart:
        """The strategy of two-card hands by total: see `odds.chart`."""
        from odds.chart import build_chart

        return build_chart(self)

    def to_dict(self) -> dict[str, object]:
        """A summary that `json.dumps` takes: rules, regime, figures and their definitions."""
        return {
            "rules": self.rules.differences(),
            "shoe": str(self.shoe),
            "regime": self.regime,
            "regime_definition": self.regime_text,
            "exactness": "float64, error below 1e-12",
            "unit": "initial bet; dealer blackjacks included, insurance not",
            "house_edge": self.house_edge,
            "expected_value": self.expected_value,
            "exact_expected_value": None
            if self.exact_expected_value is None
            else str(self.exact_expected_value),
            "element_of_risk": self.element_of_risk,
            "average_action": self.average_action,
            "by_upcard": {
                VALUE_NAMES[up - 1]: {
                    "probability": self.upcard_probability[up],
                    "expected_value": self.value_by_upcard[up],
                    "dealer": self.dealer_totals(up),
                }
                for up in self.value_by_upcard
            },
        }

    def _repr_html_(self) -> str:
        from odds import html

        return html.game(self)


@lru_cache(maxsize=8)
def dealer_table(values: tuple[int, ...], hit_soft_17: bool) -> DealerTable:
    """The dealer's totals from a shoe of ten counts, kept for the next analysis of the shoe."""
    return DealerTable(values, hit_soft_17)


def _like_tens(shoe: Shoe) -> float:
    """The chance that two tens are of one rank."""
    ranks = shoe.by_rank[9:]
    total = sum(ranks)
    pairs = sum(count * (count - 1) for count in ranks)
    return pairs / (total * (total - 1)) if total > 1 else 0.0


def check_shoe(rules: Rules, shoe: Shoe, seats: int = 1) -> None:
    """Refuse a shoe that a round could exhaust.

    Args:
        rules: The table.
        shoe: The cards.
        seats: How many seats are dealt in, each to be split as far as it goes.

    Raises:
        InputError: The cards may not last.
    """
    hands = max(rules.max_split_hands, rules.max_split_hands_aces) * seats
    # each hand takes at most 31 pips, busting, and the dealer must still have two cards, at most
    # a ten and an ace; a live hand takes 21, and a dealer who must draw has at most 16
    needed = 31 * hands + 11
    pips = sum((i + 1) * count for i, count in enumerate(shoe.by_value))
    if pips < needed:
        enough = f"{needed} pips or more (ace 1, tens 10), so that no round can run out of cards "
        if seats > 1:
            enough = f"fewer, or a shoe of {enough}"
        raise InputError(
            "seats" if seats > 1 else "shoe",
            seats if seats > 1 else f"{pips} pips",
            f"{enough}with up to {hands} hands",
        )


def _find_strategy(
    regime: str, analyzers: Mapping[int, SplitAnalyzer], rules: Rules, play: PlayValues
) -> Strategy:
    """The regime's decisions; those for the first two cards still without the splits."""
    first = decide(play.values)
    split: dict[tuple[int, int], NDArray[np.int8]] = {}
    shared: dict[bool, NDArray[np.int8]] = {}
    for value, analyzer in analyzers.items():
        if regime == "CDZ-":
            if (value == 1) not in shared:
                legal = legal_actions(rules, value)
                masked = play.values.copy()
                masked[~legal.hit, :, Action.HIT.column] = np.nan
                masked[~legal.double, :, Action.DOUBLE.column] = np.nan
                masked[:, :, Action.SURRENDER.column] = np.nan
                shared[value == 1] = decide(masked)
            split[value, 2] = shared[value == 1]
        elif regime == "CDP1":
            split[value, 2] = analyzer.optimise(None)
        else:
            for hands in range(2, analyzer.max_hands + 1):
                split[value, hands] = analyzer.optimise(hands)
    return Strategy(regime, first, split)


def analyze(
    rules: Rules,
    shoe: Shoe | None = None,
    strategy: str | Strategy = "CDZ-",
    progress: Progress | None = None,
    exact: bool = False,
) -> GameOdds:
    """Analyse the main game.

    Args:
        rules: The table.
        shoe: The cards; a fresh shoe of `rules.decks` packs if None.
        strategy: A regime of `odds.strategy.REGIMES`, or a fixed table of decisions (from
            another analysis), which is then followed and not optimised.
        progress: Called with (fraction done, what) along the way; raising cancels.
        exact: Also find the expected value as a Fraction, with decisions that are closer than
            1e-9 in float64 decided exactly. Takes up to a minute for eight decks.

    Raises:
        InputError: An unknown regime, a shoe that a round could exhaust, or an exact fraction
            under `busted_plus_one` with splits.

    Example:
        >>> odds = analyze(Rules(decks=6))
        >>> f"{odds.house_edge:.6%}"
        '0.402870%'
    """
    report = progress or (lambda done, what: None)
    if not isinstance(rules, Rules):
        raise InputError("rules", rules, "an odds.Rules")
    shoe = Shoe.decks(rules.decks) if shoe is None else shoe
    if not isinstance(shoe, Shoe):
        raise InputError("shoe", shoe, "an odds.Shoe, or None for a fresh one")
    check_shoe(rules, shoe)
    fixed = strategy if isinstance(strategy, Strategy) else None
    regime = fixed.name if fixed else check_regime(str(strategy))
    report(0.0, "dealer totals")
    dealer = dealer_table(shoe.by_value, rules.hit_soft_17)
    dealer.rows(lattice().counts[(lattice().counts <= dealer.values).all(axis=1)])
    report(0.3, "hands that are not split")
    play = solve(rules, dealer, fixed.first if fixed else None)
    analyzers = {
        value: SplitAnalyzer(rules, dealer, value, shoe.by_rank)
        for value in UPCARDS
        if rules.split_hands(value) > 1
        and not np.isnan(play.best[lattice().of(value, value)]).all()
        and not (value == 10 and rules.split_by == "rank" and _like_tens(shoe) == 0)
    }
    report(0.4, "strategy of split hands")
    chosen = fixed or _find_strategy(regime, analyzers, rules, play)
    report(0.6, "split hands")
    needed = [analyzer.prepare(chosen) for analyzer in analyzers.values()]
    if needed:
        dealer.rows(np.concatenate(needed))
    splits = {}
    for value, analyzer in analyzers.items():
        report(0.8 + 0.02 * value, f"split {VALUE_NAMES[value - 1]}s")
        splits[value] = analyzer.odds()
    odds = _assemble(rules, shoe, regime, chosen, fixed is not None, dealer, play, splits)
    if exact:
        from odds.settle import exact_odds

        odds = exact_odds(odds, progress)
    report(1.0, "done")
    return odds


def _assemble(
    rules: Rules,
    shoe: Shoe,
    regime: str,
    strategy: Strategy,
    is_fixed: bool,
    dealer: DealerTable,
    play: PlayValues,
    splits: Mapping[int, SplitOdds],
) -> GameOdds:
    """Weigh the starting hands: total value, value by upcard, average action."""
    lat = lattice()
    first = strategy.first.copy()
    starts = lat.by_cards[2][~np.isnan(play.best[lat.by_cards[2]]).all(axis=1)]
    orders = np.where(lat.counts[starts].max(axis=1) == 2, 1.0, 2.0)
    odds = path_odds(dealer.values, starts, np.zeros(10, dtype=np.int64)) * orders[:, None]
    blackjack = play.blackjack[starts]
    unsplit = follow(play.values[starts], first[starts])
    value = np.nan_to_num(unsplit)
    stays = np.ones((len(starts), 10))  # the part of each starting hand that is not split
    split_action = np.zeros(10)
    split_chance = {}
    for pair, split in splits.items():
        at = int(np.flatnonzero(starts == lat.of(pair, pair))[0])
        share = _like_tens(shoe) if pair == 10 and rules.split_by == "rank" else 1.0
        if is_fixed:
            splitting = first[starts[at]] == Action.SPLIT.column
        else:
            splitting = split.value > unsplit[at]
            first[starts[at], splitting] = Action.SPLIT.column
        taken = share * splitting
        value[at] += taken * (split.value - value[at])
        stays[at] = 1.0 - taken
        split_chance[pair] = odds[at] * taken
        split_action += split_chance[pair] * split.action
    natural = starts == lat.of(1, 10)
    value[natural] = float(rules.blackjack_pays) * (1.0 - blackjack[natural])
    first[lat.of(1, 10)] = NO_DECISION
    by_upcard = (odds * value).sum(axis=0)

    no_split = without_splits(first, play.values)
    unsplit_orders = ((odds > 0) * stays * orders[:, None])[~natural][:, None, :]
    played = reach(starts[~natural], unsplit_orders, no_split)
    path = path_odds(dealer.values, played.doubles, np.zeros(10, dtype=np.int64))
    peeked = np.array([rules.peeks_under(up) for up in UPCARDS])
    path *= 1.0 - peeked * play.blackjack[played.doubles]
    doubles = (played.entry_orders[:, 0] * path).sum(axis=0)
    action = doubles + (odds * stays).sum(axis=0) + split_action

    chance = np.array(shoe.by_value) / shoe.size
    there = [up for up in UPCARDS if chance[up - 1] > 0]
    return GameOdds(
        rules=rules,
        shoe=shoe,
        regime=regime,
        strategy=Strategy(strategy.name, first, strategy.split),
        expected_value=float(chance @ by_upcard),
        average_action=float(chance @ action),
        upcard_probability={up: float(chance[up - 1]) for up in there},
        value_by_upcard={up: float(by_upcard[up - 1]) for up in there},
        _dealer=dealer,
        _play=play,
        _splits=splits,
        _split_chance=split_chance,
        _unsplit=(starts[~natural], unsplit_orders),
    )
