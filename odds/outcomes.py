"""Variance and distribution of a round's net result, exactly for the analysed strategy.

The square of a split round's result is a sum over single hands and over pairs of hands, so its
expectation needs the joint law of two hands only, however many hands there are. The distribution
needs all hands at once and is given where a pair becomes two hands at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, sqrt

import numpy as np

from odds.all_hands import (
    Polynomial,
    alike,
    constant,
    expected,
    split_product,
    split_reaches,
    ways_of_playing,
)
from odds.dealer import FloatArray
from odds.game import GameOdds, Progress
from odds.hands import EYE, lattice
from odds.html import FLOAT64, facts, percent, report, table
from odds.joint import (
    DOUBLED,
    EXISTS,
    STANDINGS,
    STATES,
    States,
    TwoHands,
    one_hand_law,
    pair_chance,
    results,
    states,
)
from odds.pairs import endings, histories, pair_cards
from odds.play import losses, without_splits
from odds.reach import path_odds, reach
from odds.rules import Rules
from odds.shared_loss import all_dead
from odds.strategy import Action
from odds.upcard_law import DEALER_BLACKJACK, OUTCOMES

_ENDS = DOUBLED + 2  # live standings with one and two bets, then busted with one and with two
_BUST, _BUST_DOUBLED = DOUBLED, DOUBLED + 1


@dataclass(frozen=True, slots=True)
class RoundOutcomes:
    """How a round's net result spreads, in units of the initial bet; float64.

    Attributes:
        mean: Expected net result.
        variance: Variance of the net result of one round.
        distribution: Net result to probability; None where a pair may become more than two
            hands, since that needs the joint law of all of them.
        natural: Probability of a player natural.
        split: Probability that the round is split.
        surrender: Probability that the hand is surrendered.
        doubles: Expected number of doubled hands.
        hands: Expected number of player hands after splitting.
        double: Probability that at least one hand is doubled.
    """

    mean: float
    variance: float
    distribution: Mapping[Fraction, float] | None
    natural: float
    split: float
    surrender: float
    doubles: float
    hands: float
    double: float

    @property
    def standard_deviation(self) -> float:
        """Square root of the variance."""
        return sqrt(self.variance)

    def chance(self, sign: int) -> float | None:
        """Probability of a net win (1), push (0) or loss (-1); None without a distribution."""
        if self.distribution is None:
            return None
        return sum(odds for net, odds in self.distribution.items() if (net > 0) - (net < 0) == sign)

    def _repr_html_(self) -> str:
        figures = {
            "standard deviation": f"{self.standard_deviation:.6f}",
            "variance": f"{self.variance:.6f}",
            "naturals": percent(self.natural),
            "splits": percent(self.split),
            "surrenders": percent(self.surrender),
            "doubled hands": f"{self.doubles:.4f}",
            "hands": f"{self.hands:.4f}",
        }
        parts = [facts(figures)]
        if self.distribution is not None:
            law = self.distribution
            parts.append(
                table(
                    ["net", *(f"{float(net):+g}" if net else "0" for net in law)],
                    [["probability", *(percent(chance) for chance in law.values())]],
                )
            )
        return report(
            "A round's net result",
            *parts,
            note="In units of the initial bet, insurance not included, played by the strategy of "
            f"the analysis it is from; {FLOAT64}."
            + (
                ""
                if self.distribution is not None
                else " The distribution is known where a pair becomes two hands at most."
            ),
        )


def _ends_of_states() -> FloatArray:
    """[_ENDS, STATES] expresses how a hand ends by the states of `odds.joint`."""
    matrix = np.zeros((_ENDS, STATES))
    matrix[:DOUBLED, :DOUBLED] = np.eye(DOUBLED)
    matrix[_BUST, EXISTS] = 1.0
    matrix[_BUST, DOUBLED] = -1.0
    matrix[_BUST, :STANDINGS] = -1.0
    matrix[_BUST_DOUBLED, DOUBLED] = 1.0
    matrix[_BUST_DOUBLED, STANDINGS:DOUBLED] = -1.0
    return matrix


ENDS_OF_STATES = _ends_of_states()


def net_results(rules: Rules, up: int, split: bool) -> FloatArray:
    """[_ENDS, OUTCOMES] net result of a hand, without a unit that a blackjack costs the round."""
    nets = np.zeros((_ENDS, OUTCOMES))
    nets[:DOUBLED] = results(rules, split)
    nets[_BUST], nets[_BUST_DOUBLED] = -1.0, -2.0
    loss = losses(rules, split)
    nets[:STANDINGS, DEALER_BLACKJACK] = -loss.live[up]
    nets[STANDINGS:DOUBLED, DEALER_BLACKJACK] = -loss.live_doubled[up]
    if split and rules.split_ace_ten == "blackjack":
        nets[6, DEALER_BLACKJACK] = 0.0
    if loss.refund[up]:
        nets[:, DEALER_BLACKJACK] = 0.0 if split else -1.0
    return nets


class _SplitLaw:
    """The laws of the hands of one pair under the analysed strategy."""

    def __init__(self, odds: GameOdds, value: int) -> None:
        self.odds, self.value = odds, value
        self.rules, self.dealer = odds.rules, odds._dealer
        self.max_hands = self.rules.split_hands(value)
        self.cases = pair_cards(self.rules.split_by, odds.shoe.by_rank, value)
        self.size = int(self.dealer.values.sum()) - 3
        starts = np.array([lattice().of(value), lattice().of(value, value)])
        orders = np.repeat(np.eye(2)[:, :, None], 10, axis=2)
        self.reached = split_reaches(odds.strategy, value, self.max_hands)
        self.kind_at = ways_of_playing(self.reached)
        self.kinds = {
            kind: states(self.rules, self.reached[kind], starts, orders, split=True)
            for kind in sorted(set(self.kind_at.values()))
        }

    def no_double(self, up: int) -> float:
        """The chance that no hand is doubled, and that no peek shows a blackjack."""
        card, hole = EYE[self.value - 1], {0: 9, 9: 0}.get(up)
        factors = {}
        for kind in self.kinds:
            played = self.reached[kind]
            for tally in (0, 1):
                cards = lattice().counts[played.doubles] - (tally + 1) * card
                entered = played.entry_orders[:, tally, up]
                some = entered != 0
                doubled = Polynomial.of(cards[some], entered[some])
                factors[kind, tally] = constant(1.0).plus(doubled.scaled(-1.0, 0 * card))
        end = constant(1.0)
        if hole is not None and self.rules.peeks_under(up + 1):
            end = end.plus(Polynomial(EYE[[hole]], np.array([-1.0])))
        shoe = self.dealer.values - 2 * card - EYE[up]
        products = split_product(self.reached, factors, self.value, alike(self.cases, up))
        return sum(expected(shoe, one.times(end), two) for one, two in products)

    def dead(self, up: int, per_unit: float) -> float:
        """The chance of a blackjack against dead hands only (`odds.shared_loss.all_dead`)."""
        return all_dead(
            self.rules, self.dealer.values, self.value, self.cases, self.reached, up, per_unit
        )

    def _draws(self, number: int) -> FloatArray:
        """[10] the chance that ``number`` given further cards are all pair cards."""
        draws = np.zeros(10)
        for case in self.cases:
            draws += case.weight * case.draws(self.size, number)
        return draws

    def singles(self) -> FloatArray:
        """[_ENDS, 10, OUTCOMES] expected number of hands that end so."""
        terms: dict[tuple[int, int, int], FloatArray] = defaultdict(lambda: np.zeros(10))
        for hands, tallies in histories(self.max_hands).items():
            for (drawn, others), (barred, free) in tallies.items():
                for i in range(others + 1):
                    sign, number = (-1) ** i * comb(others, i), drawn + i
                    kind = self.kind_at[hands]
                    terms[kind, 0, 2 + number] += sign * (barred + free) * self._draws(number)
                    terms[kind, 1, 3 + number] -= sign * barred * self._draws(number + 1)
        total = np.zeros((STATES, 10, OUTCOMES))
        laws: dict[tuple[int, int], FloatArray] = {}
        for (kind, tally, out), weight in terms.items():
            extra = out - 1 - tally
            if not weight.any():
                continue
            if (kind, extra) not in laws:
                laws[kind, extra] = one_hand_law(self.dealer, self.kinds[kind], self.value, extra)
            total += laws[kind, extra][:, tally] * self._given(out, weight)
        ends: FloatArray = np.einsum("es,sud->eud", ENDS_OF_STATES, total)
        return ends

    def _given(self, out: int, weight: FloatArray) -> FloatArray:
        known = pair_chance(self.dealer, self.value, out)
        ratio: FloatArray = np.divide(weight, known, out=np.zeros(10), where=known > 0)
        return ratio[:, None]

    def pairs(self) -> FloatArray:
        """[_ENDS, _ENDS, 10, OUTCOMES] expected number of unordered pairs of hands."""
        terms: dict[tuple[int, int, int, int, int], FloatArray] = defaultdict(lambda: np.zeros(10))
        for ending, orders in endings(self.max_hands).items():
            splits = sum(count for _, count in ending) - 2
            barred = sum(count for hands, count in ending if hands < self.max_hands)
            for i, (hands, count) in enumerate(ending):
                for other_hands, other_count in ending[i:]:
                    same = hands == other_hands
                    number = comb(count, 2) if same else count * other_count
                    bars = [n < self.max_hands for n in (hands, other_hands)]
                    self._expand(
                        terms,
                        (self.kind_at[hands], self.kind_at[other_hands]),
                        bars,
                        barred - sum(bars),
                        splits,
                        orders * number,
                    )
        total = np.zeros((STATES, STATES, 10, OUTCOMES))
        by_kinds: dict[tuple[int, int], dict[int, list[tuple[int, int, int]]]] = {}
        for (kind, other, tally, other_tally, out), weight in terms.items():
            if weight.any():
                extra = out - 2 - tally - other_tally
                places = by_kinds.setdefault((kind, other), {}).setdefault(extra, [])
                places.append((tally, other_tally, out))
        for (kind, other), by_extra in by_kinds.items():
            upcards = self.odds._split_chance[self.value] > 0
            two = TwoHands(self.dealer, self.kinds[kind], self.kinds[other], upcards)
            laws = two.laws(self.value, tuple(by_extra))
            for law, places in zip(laws, by_extra.values(), strict=True):
                for tally, other_tally, out in places:
                    weight = terms[kind, other, tally, other_tally, out]
                    total += law[:, tally, :, other_tally] * self._given(out, weight)
        ends: FloatArray = np.einsum("es,ft,stud->efud", ENDS_OF_STATES, ENDS_OF_STATES, total)
        return ends

    def _expand(
        self,
        terms: dict[tuple[int, int, int, int, int], FloatArray],
        kinds: tuple[int, int],
        bars: list[bool],
        others: int,
        splits: int,
        number: int,
    ) -> None:
        """Add the terms of ``number`` pairs; a barred hand is a free one less one that paired."""
        if not number:
            return
        for i in range(others + 1):
            for tally in range(1 + bars[0]):
                for other_tally in range(1 + bars[1]):
                    sign = (-1) ** (i + tally + other_tally) * comb(others, i)
                    drawn = splits + i + tally + other_tally
                    key = (*kinds, tally, other_tally, 2 + drawn)
                    terms[key] += sign * number * self._draws(drawn)


def round_outcomes(odds: GameOdds, progress: Progress | None = None) -> RoundOutcomes:
    """Variance, and where possible the distribution, of a round under the analysed strategy.

    Args:
        odds: An analysed game.
        progress: Called with (fraction done, what); raising cancels.

    Example:
        >>> from odds.game import analyze
        >>> from odds.rules import Rules
        >>> spread = round_outcomes(analyze(Rules(decks=6, max_split_hands=2)))
        >>> round(spread.standard_deviation, 4)
        1.1465
    """
    rules = odds.rules
    report = progress or (lambda done, what: None)
    tally = _Tally(odds)
    resplits = False
    for i, value in enumerate(odds._split_chance):
        report(i / (len(odds._split_chance) + 1), f"split {value}s")
        if odds._split_chance[value].any():
            tally.add_split(value)
            resplits |= rules.split_hands(value) > 2
    report(0.95, "hands that are not split")
    tally.add_unsplit()
    report(1.0, "done")
    return tally.outcomes(with_distribution=not resplits)


def _busted_units(law: _SplitLaw, up: int) -> float:
    """Expected busted units where a blackjack meets dead hands only.

    The derivative of a polynomial in the weight of a unit, of degree four at most, for which this
    quotient of differences is exact.
    """
    return (
        law.dead(up, -2.0) - 8.0 * law.dead(up, -1.0) + 8.0 * law.dead(up, 1.0) - law.dead(up, 2.0)
    ) / 12.0


class _Tally:
    """Sums over the parts of a round, [10] by upcard."""

    def __init__(self, odds: GameOdds) -> None:
        self.odds, self.rules = odds, odds.rules
        self.spread: dict[float, FloatArray] = defaultdict(lambda: np.zeros(10))
        self.mean, self.square, self.natural, self.split, self.surrender = (
            np.zeros(10) for _ in range(5)
        )
        self.doubles, self.double = np.zeros(10), np.zeros(10)
        self.hands = np.ones(10)
        self.peeked = np.array([self.rules.peeks_under(up) for up in range(1, 11)])

    def _add(self, up: int, net: float, chance: float) -> None:
        self.spread[net][up] += chance
        self.mean[up] += net * chance
        self.square[up] += net**2 * chance

    def add_split(self, value: int) -> None:
        odds, taken = self.odds, self.odds._split_chance[value]
        split = odds._splits[value]
        law = _SplitLaw(odds, value)
        singles, pairs = law.singles(), law.pairs()
        blackjack = odds._play.blackjack[lattice().of(value, value)]
        self.split += taken * (1.0 - self.peeked * blackjack)
        self.hands += taken * (split.hands - 1.0)
        self.doubles += taken * (split.action - split.hands)
        for up in np.flatnonzero(taken).tolist():
            nets = net_results(self.rules, up, split=True)
            unit = float(losses(self.rules, split=True).refund[up] * blackjack[up])
            mean = (nets * singles[:, up]).sum() - unit
            square = (nets**2 * singles[:, up]).sum() + unit
            square += 2.0 * np.einsum("ed,fd,efd->", nets, nets, pairs[:, :, up])
            shared = losses(self.rules, split=False).live[up] - losses(self.rules, True).live[up]
            if shared and blackjack[up]:
                alive = blackjack[up] - law.dead(up, 0.0)
                busted = -nets[:, DEALER_BLACKJACK] @ singles[:, up, DEALER_BLACKJACK]
                mean -= alive
                square += 2.0 * (busted - _busted_units(law, up)) + alive
            self.mean[up] += taken[up] * mean
            self.square[up] += taken[up] * square
            there = 1.0 - float(self.peeked[up] * blackjack[up])
            self.double[up] += taken[up] * (there - law.no_double(up))
            if law.max_hands == 2:
                self._spread_two(up, taken[up] * pairs[:, :, up], nets, bool(unit), bool(shared))

    def _spread_two(
        self, up: int, chance: FloatArray, nets: FloatArray, unit: bool, shared: bool
    ) -> None:
        """Add the distribution of two split hands, [_ENDS, _ENDS, OUTCOMES] chances."""
        sums = nets[:, None, :] + nets[None, :, :]
        if unit:
            sums[..., DEALER_BLACKJACK] = -1.0
        if shared:
            live = np.arange(_ENDS) < DOUBLED
            live[6] &= self.rules.split_ace_ten != "blackjack"
            sums[..., DEALER_BLACKJACK] -= live[:, None] | live
        for net in np.unique(sums):
            self.spread[float(net)][up] += chance[sums == net].sum()

    def add_unsplit(self) -> None:
        odds, rules = self.odds, self.rules
        starts, orders = odds._unsplit
        decisions = without_splits(odds.strategy.first, odds._play.values)
        reached = reach(starts, orders, decisions)
        gives_up = decisions[reached.stands] == Action.SURRENDER.column
        surrendered = reached.stand_orders * gives_up[:, None, :]
        plain = replace(reached, stand_orders=reached.stand_orders - surrendered)
        law = one_hand_law(odds._dealer, states(rules, plain, starts, orders, split=False))[:, 0]
        exists = np.zeros((len(reached.stands), STATES, 1, 10))
        exists[:, EXISTS] = surrendered
        for three_cards in (False, True):
            some = (lattice().cards[reached.stands] > 2) == three_cards
            lost = one_hand_law(odds._dealer, States(reached.stands[some], exists[some]))
            lost = lost[EXISTS, 0]
            law[EXISTS] -= lost
            for up in range(10):
                late = rules.surrender == "late" or (three_cards and self.peeked[up])
                with_blackjack = float(lost[up, DEALER_BLACKJACK])
                without = float(lost[up, :DEALER_BLACKJACK].sum())
                self._add(up, -0.5, without)
                self._add(up, -1.0 if late else -0.5, with_blackjack)
                self.surrender[up] += without + with_blackjack * (not (late and self.peeked[up]))
        ends = np.einsum("es,sud->eud", ENDS_OF_STATES, law)
        counted = 1.0 - self.peeked[:, None] * (np.arange(OUTCOMES) == DEALER_BLACKJACK)
        self.doubles += (law[DOUBLED] * counted).sum(axis=1)
        self.double += (law[DOUBLED] * counted).sum(axis=1)
        for up in range(10):
            nets = net_results(rules, up, split=False)
            for net in np.unique(nets):
                self._add(up, float(net), float(ends[:, up][nets == net].sum()))
        natural = lattice().of(1, 10)
        path = path_odds(odds._dealer.values, np.array([natural]), np.zeros(10, dtype=np.int64))[0]
        self.natural += 2.0 * path
        for up in range(10):
            push = 2.0 * path[up] * odds._play.blackjack[natural, up]
            self._add(up, 0.0, float(push))
            self._add(up, float(rules.blackjack_pays), float(2.0 * path[up] - push))

    def outcomes(self, with_distribution: bool) -> RoundOutcomes:
        chance = np.array([self.odds.upcard_probability.get(up, 0.0) for up in range(1, 11)])
        mean = float(chance @ self.mean)
        distribution = None
        if with_distribution:
            distribution = {
                Fraction(net).limit_denominator(10**6): float(chance @ by_up)
                for net, by_up in sorted(self.spread.items())
                if by_up.any()
            }
        return RoundOutcomes(
            mean=mean,
            variance=float(chance @ self.square) - mean**2,
            distribution=distribution,
            natural=float(chance @ self.natural),
            split=float(chance @ self.split),
            surrender=float(chance @ self.surrender),
            doubles=float(chance @ self.doubles),
            hands=float(chance @ self.hands),
            double=float(chance @ self.double),
        )
