"""Seeded Monte Carlo of whole rounds of the main game: the independent cross-check of `odds.game`.

Decisions are those of the analysed strategy; probabilities are never looked at. Every round is
dealt from a full shoe, card by card and without replacement, in the order of play: the players'
cards, the dealer's two, each hand in turn, the dealer's further cards. All rounds of a chunk go
in lockstep, as arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from odds.errors import InputError
from odds.game import GameOdds, Progress, check_shoe
from odds.hands import BoolArray, IntArray, lattice
from odds.play import without_splits
from odds.rules import MAX_SPLIT_HANDS, Rules
from odds.strategy import Action

MAX_SEATS = 7
MAX_ROUNDS = 10**10
_BATCH = 1 << 18  # rounds with a seed of their own
_CELLS = 1 << 23  # cards of all shoes of a chunk, to stay in the cache

# How a hand ends; 17 to 21 are totals.
_BUST, _SURRENDERED, _STIFF, _BEATS_21, _BLACKJACK = 0, 1, 16, 22, 23
_SCORES = 24
# A net result is half units and a number of hands that were paid as a blackjack.
_HALVES, _PAID = 8 * MAX_SPLIT_HANDS + 1, MAX_SPLIT_HANDS + 1
_NOTHING = _HALVES // 2 * _PAID

_STAND, _HIT, _DOUBLE, _SPLIT, _SURRENDER = range(len(Action))
Small = NDArray[np.int8]
Codes = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was seen in the simulated rounds, in units of the initial bet of a seat.

    Figures of a seat are averages over all seats, which are alike.

    Attributes:
        rounds: Rounds that were dealt.
        seed: What they were dealt from.
        seats: Hands dealt in each round, all against one dealer.
        mean: Average net result of a seat.
        variance: Variance of a seat's net result.
        mean_standard_error: Standard error of the mean.
        variance_standard_error: Standard error of the variance.
        covariance: Covariance of two seats' net results; None with one seat.
        covariance_standard_error: Its standard error; None with one seat.
        cards_per_round: Cards of all seats and of the dealer.
        dealer_cards: Cards of the dealer in a round. Two, and more only where the result of a hand
            depends on the dealer's total: not if all are bust, surrendered, or blackjacks.
        cards_per_hand: A player's cards in a hand, the split ones counted each.
        hands_per_round: A seat's hands in a round, after splitting.
        doubles_per_round: A seat's doubled hands in a round.
        win: Share of rounds with a net win of the seat.
        push: Share of rounds with a net result of 0.
        loss: Share of rounds with a net loss.
        blackjack: Share of rounds with a natural, paid or pushed.
        double: Share of rounds with a doubled hand, or several.
        split: Share of rounds that were split.
        surrender: Share of rounds that were surrendered; a late surrender is none where the dealer
            has peeked and has a blackjack.
        distribution: Net result of a seat to share of rounds.
    """

    rounds: int
    seed: int
    seats: int
    mean: float
    variance: float
    mean_standard_error: float
    variance_standard_error: float
    covariance: float | None
    covariance_standard_error: float | None
    cards_per_round: float
    dealer_cards: float
    cards_per_hand: float
    hands_per_round: float
    doubles_per_round: float
    win: float
    push: float
    loss: float
    blackjack: float
    double: float
    split: float
    surrender: float
    distribution: Mapping[Fraction, float]

    @property
    def standard_deviation(self) -> float:
        """Square root of the variance."""
        return sqrt(self.variance)


def _whole(name: str, value: object, low: int, high: int) -> int:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not low <= int(value) <= high:  # type: ignore[call-overload]
        raise InputError(name, value, f"a whole number from {low} to {high}")
    return int(value)  # type: ignore[call-overload,no-any-return]


def simulate(
    odds: GameOdds,
    rounds: int,
    seed: int,
    *,
    seats: int = 1,
    progress: Progress | None = None,
) -> Simulation:
    """Play rounds by the strategy of an analysed game, each from a freshly shuffled full shoe.

    About two million rounds a second on one core. The same rounds and seed always give the same
    result.

    Args:
        odds: The analysed game: rules, shoe and strategy.
        rounds: How many rounds to deal, at least 2.
        seed: Seed of the random numbers, 0 or more.
        seats: How many seats play in each round, 1 to 7, all by the same strategy.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: A number is out of range, or the shoe has too few cards for so many seats.

    Example:
        >>> from odds.game import analyze
        >>> seen = simulate(analyze(Rules(decks=6, max_split_hands=2)), 20_000, seed=1)
        >>> abs(seen.standard_deviation - 1.1465) < 0.02
        True
    """
    rounds = _whole("rounds", rounds, 2, MAX_ROUNDS)
    seed = _whole("seed", seed, 0, 2**128 - 1)
    seats = _whole("seats", seats, 1, MAX_SEATS)
    check_shoe(odds.rules, odds.shoe, seats)
    report = progress or (lambda done, what: None)
    table = _Table(odds, seats)
    batches = -(-rounds // _BATCH)
    for i in range(batches):
        report(i / batches, f"{i * _BATCH:,} rounds")
        source = np.random.SeedSequence(seed, spawn_key=(i,))
        table.play(np.random.Generator(np.random.PCG64(source)), min(_BATCH, rounds - i * _BATCH))
    report(1.0, "done")
    return table.seen(rounds, seed)


class _Shoes:
    """One shoe for each round of a chunk, shuffled no further than it is dealt."""

    def __init__(self, kinds: Small, rounds: int, random: np.random.Generator) -> None:
        self.size, self.rounds, self.random = len(kinds), rounds, random
        # card by card, so that rounds in order touch neighbouring places
        self._cards = np.repeat(kinds, rounds)
        self.dealt: IntArray = np.zeros(rounds, dtype=np.int64)
        self.all: IntArray = np.arange(rounds)

    def shuffle(self) -> None:
        """Put all cards back. Any order will do to begin with."""
        self.dealt[:] = 0

    def draw(self, rounds: IntArray) -> Small:
        """The next card of the shoes of these rounds, each round named once."""
        at = self.dealt[rounds]
        self.dealt[rounds] = at + 1
        chosen = at + (self.random.random(len(rounds)) * (self.size - at)).astype(np.int64)
        chosen *= self.rounds
        chosen += rounds
        at *= self.rounds
        at += rounds
        cards = self._cards[chosen]
        self._cards[chosen] = self._cards[at]
        self._cards[at] = cards
        return cards


@dataclass(slots=True)
class _Seat:
    """One seat of a chunk.

    Attributes:
        score: [rounds] how the hand ends; of no meaning in split rounds.
        bet: [rounds] units on the hand, 1 or 2.
        split: [s] the rounds that are split.
        scores: [s, MAX_SPLIT_HANDS] how the split hands end.
        bets: [s, MAX_SPLIT_HANDS] units on each, 0 where there is no such hand.
    """

    score: Small
    bet: Small
    split: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    scores: Small = field(default_factory=lambda: np.zeros((0, MAX_SPLIT_HANDS), dtype=np.int8))
    bets: Small = field(default_factory=lambda: np.zeros((0, MAX_SPLIT_HANDS), dtype=np.int8))


class _Table:
    """The rules and decisions as tables to look up, and the sums over the rounds."""

    def __init__(self, odds: GameOdds, seats: int) -> None:
        self.rules, self.seats, self.odds = odds.rules, seats, odds
        lat = lattice()
        by_rank = odds.shoe.by_rank if odds.rules.split_by == "rank" else odds.shoe.by_value
        self.kinds = np.repeat(np.arange(len(by_rank), dtype=np.int8), by_rank)
        self.value = np.minimum(np.arange(len(by_rank)), 9)
        # one row more than there are hands: the bust hand
        bust = lat.size
        after = np.where(lat.successor < 0, bust, lat.successor)[:, self.value]
        self.after = np.vstack((after, np.full((1, len(by_rank)), bust))).ravel()
        total = np.append(lat.total, 0)
        soft = np.append(lat.soft, False)
        self.score = np.where(total > 0, np.maximum(total, _STIFF), _BUST).astype(np.int8)
        self.score[bust] = _BUST
        draws = (total < 17) | ((total == 17) & soft & odds.rules.hit_soft_17)
        draws[bust] = False
        self.dealer_draws = draws
        self.peeks = np.array([odds.rules.peeks_under(up) for up in range(1, 11)])
        self.first = self._decisions(odds.strategy.first)
        self.whole = self._decisions(without_splits(odds.strategy.first, odds._play.values))
        self.split = {
            (value, hands): self._decisions(odds.strategy.for_split(value, hands))
            for value in range(1, 11)
            for hands in range(2, odds.rules.split_hands(value) + 1)
            if (value, 2) in odds.strategy.split
        }
        self.natural = lat.of(1, 10)
        self.codes = _single_codes(odds.rules)
        halves, paid = np.divmod(np.arange(_HALVES * _PAID), _PAID)
        pays = float(odds.rules.blackjack_pays)
        self.net = (halves - _HALVES // 2) / 2.0 + paid * pays
        self.counts = np.zeros(_HALVES * _PAID, dtype=np.int64)
        self.tally: Counter[str] = Counter()
        self.moments = np.zeros((3, 3))  # of (sum, sum of squares, sum of products) over seats
        self.sums = np.zeros(3)

    @staticmethod
    def _decisions(columns: Small) -> Small:
        return np.append(columns, np.full((1, 10), _STAND, dtype=np.int8)).ravel()

    def play(self, random: np.random.Generator, rounds: int) -> None:
        """Play so many rounds more."""
        chunk = min(rounds, max(_CELLS // len(self.kinds), 64))
        shoes = _Shoes(self.kinds, chunk, random)
        for start in range(0, rounds, chunk):
            if rounds - start < chunk:
                shoes = _Shoes(self.kinds, rounds - start, random)
            shoes.shuffle()
            self._chunk(shoes)

    def _chunk(self, shoes: _Shoes) -> None:
        everyone = shoes.all
        starts = [(shoes.draw(everyone), shoes.draw(everyone)) for _ in range(self.seats)]
        up, hole = self.value[shoes.draw(everyone)], self.value[shoes.draw(everyone)]
        blackjack = ((up == 0) & (hole == 9)) | ((up == 9) & (hole == 0))
        ended = blackjack & self.peeks[up]
        seats = [self._seat(shoes, first, second, up, ended) for first, second in starts]
        self.tally["player cards"] += int(shoes.dealt.sum()) - 2 * shoes.rounds
        live = np.zeros(shoes.rounds, dtype=bool)
        for seat in seats:
            alive = (seat.score >= _STIFF) & (seat.score <= 21)
            alive[seat.split] = ((seat.scores >= _STIFF) & (seat.scores <= 21)).any(axis=1)
            live |= alive
        dealer = self._dealer(shoes, up, hole, live & ~blackjack)
        dealer[blackjack] = _BLACKJACK
        self.tally["all cards"] += int(shoes.dealt.sum())
        self._settle(seats, dealer)

    def _grow(self, hands: IntArray, cards: NDArray[np.integer]) -> IntArray:
        grown: IntArray = self.after[hands * len(self.value) + cards]
        return grown

    def _seat(
        self, shoes: _Shoes, first: Small, second: Small, up: IntArray, ended: BoolArray
    ) -> _Seat:
        """One seat's hands. In rounds that ended by a peek the hand loses its bet, or pushes."""
        hands = self._grow(self._grow(np.zeros(shoes.rounds, dtype=np.int64), first), second)
        action = self.first[hands * 10 + up]
        seat = _Seat(self.score[hands], np.ones(shoes.rounds, dtype=np.int8))
        natural = hands == self.natural
        seat.score[natural] = _BLACKJACK
        if self.rules.split_by == "rank":
            unlike = (action == _SPLIT) & (first != second)
            action[unlike] = self.whole[(hands * 10 + up)[unlike]]
        before_peek = self.rules.surrender != "late"
        action[ended & ~((action == _SURRENDER) & before_peek)] = _STAND
        action[natural] = _STAND
        gives_up = action == _SURRENDER
        seat.score[gives_up] = _SURRENDERED
        self.tally["naturals"] += int(np.count_nonzero(natural))
        self.tally["hands"] += shoes.rounds
        seat.split = np.flatnonzero(action == _SPLIT)
        playing = np.flatnonzero((action == _HIT) | (action == _DOUBLE))
        seat.score[playing], bet = self._finish(
            shoes, playing, hands[playing], up[playing], action[playing], self.whole
        )
        seat.bet[playing] = bet
        self.tally["surrenders"] += int(np.count_nonzero(seat.score == _SURRENDERED))
        doubles = int(np.count_nonzero(bet == 2))
        self.tally["doubles"] += doubles
        self.tally["rounds with a double"] += doubles
        if len(seat.split):
            self._split(shoes, seat, first[seat.split], up[seat.split])
        return seat

    def _finish(
        self,
        shoes: _Shoes,
        rounds: IntArray,
        hands: IntArray,
        up: IntArray,
        action: Small,
        decisions: Small,
    ) -> tuple[Small, Small]:
        """Play hands on; [m] how they end, and [m] the units on them."""
        score, bet = self.score[hands], np.ones(len(rounds), dtype=np.int8)
        place: IntArray = np.flatnonzero((action == _HIT) | (action == _DOUBLE))
        if len(place) < len(rounds):
            rounds, hands, up, action = rounds[place], hands[place], up[place], action[place]
        while len(place):
            doubled = action == _DOUBLE
            hands = self._grow(hands, shoes.draw(rounds))
            action = decisions[hands * 10 + up]
            action[doubled] = _STAND
            bet[place[doubled]] = 2
            score[place] = np.where(action == _SURRENDER, _SURRENDERED, self.score[hands])
            on = np.flatnonzero((action == _HIT) | (action == _DOUBLE))
            place, rounds, hands, up = place[on], rounds[on], hands[on], up[on]
            action = action[on]
        return score, bet

    def _split(self, shoes: _Shoes, seat: _Seat, pair: Small, up: IntArray) -> None:
        """Play split rounds, hand after hand; a second card that pairs is split while it may be."""
        rules = self.rules
        seat.scores = np.zeros((len(pair), MAX_SPLIT_HANDS), dtype=np.int8)
        seat.bets = np.zeros_like(seat.scores)
        value = self.value[pair]
        most = np.where(value == 0, rules.split_hands(1), rules.split_hands(2))
        hands, played = np.full(len(pair), 2), np.zeros(len(pair), dtype=np.int64)
        single = self._grow(np.zeros(len(pair), dtype=np.int64), pair)
        while len(on := np.flatnonzero(played < hands)):
            second = shoes.draw(seat.split[on])
            again = (second == pair[on]) & (hands[on] < most[on])
            hands[on[again]] += 1
            on, second = on[~again], second[~again]
            two = self._grow(single[on], second)
            for key, decisions in self.split.items():
                some = np.flatnonzero((value[on] + 1 == key[0]) & (hands[on] == key[1]))
                if not len(some):
                    continue
                at = on[some]
                action = decisions[two[some] * 10 + up[at]]
                score, bet = self._finish(
                    shoes, seat.split[at], two[some], up[at], action, decisions
                )
                if rules.split_ace_ten != "21":
                    kept = (two[some] == self.natural) & (action <= _STAND)
                    score[kept] = _BEATS_21 if rules.split_ace_ten == "beats_21" else _BLACKJACK
                seat.scores[at, played[at]], seat.bets[at, played[at]] = score, bet
            played[on] += 1
        self.tally["splits"] += len(pair)
        self.tally["hands"] += int(hands.sum()) - len(pair)
        self.tally["doubles"] += int(np.count_nonzero(seat.bets == 2))
        self.tally["rounds with a double"] += int(np.count_nonzero((seat.bets == 2).any(axis=1)))

    def _dealer(self, shoes: _Shoes, up: IntArray, hole: IntArray, live: BoolArray) -> Small:
        """[rounds] the dealer's final total, 0 for a bust; of no meaning where no hand is live."""
        hands = self._grow(self._grow(np.zeros(shoes.rounds, dtype=np.int64), up), hole)
        score = self.score[hands]
        rounds = np.flatnonzero(live & self.dealer_draws[hands])
        hands = hands[rounds]
        while len(rounds):
            hands = self._grow(hands, shoes.draw(rounds))
            score[rounds] = self.score[hands]
            on = np.flatnonzero(self.dealer_draws[hands])
            rounds, hands = rounds[on], hands[on]
        return score

    def _settle(self, seats: list[_Seat], dealer: Small) -> None:
        total, squares = np.zeros(len(dealer)), np.zeros(len(dealer))
        for seat in seats:
            codes = self.codes[
                (seat.bet.astype(np.int64) * _SCORES + seat.score) * _SCORES + dealer
            ]
            if len(seat.split):
                codes[seat.split] = self._split_codes(seat, dealer[seat.split])
            self.counts += np.bincount(codes, minlength=len(self.counts))
            if self.seats > 1:
                net = self.net[codes]
                total += net
                squares += net * net
        if self.seats > 1:
            three = np.stack((total, squares, (total * total - squares) / 2.0))
            self.sums += three.sum(axis=1)
            self.moments += three @ three.T

    def _split_codes(self, seat: _Seat, dealer: Small) -> Codes:
        flat = (seat.bets.astype(np.int64) * _SCORES + seat.scores) * _SCORES + dealer[:, None]
        codes = self.codes[flat] - _NOTHING
        takes = self.rules.dealer_blackjack_takes
        blackjack = dealer == _BLACKJACK
        code = codes.sum(axis=1, dtype=np.int16)
        if takes == "original":
            code[blackjack] = -2 * _PAID
        elif takes == "busted_plus_one":
            there = seat.bets > 0
            live = there & (seat.scores != _BUST) & (seat.scores != _BLACKJACK)
            busted = (seat.bets * (there & (seat.scores == _BUST))).sum(axis=1, dtype=np.int16)
            code = np.where(blackjack, -2 * _PAID * (busted + live.any(axis=1)), code)
        return np.asarray(code + _NOTHING, dtype=np.int16)

    def seen(self, rounds: int, seed: int) -> Simulation:
        """The figures of all rounds played."""
        seats, dealt = self.seats, rounds * self.seats
        share = self.counts / dealt
        mean = float(share @ self.net)
        centred = self.net - mean
        variance = float(share @ centred**2)
        covariance = covariance_error = None
        if seats == 1:
            mean_error = sqrt(variance / rounds)
            variance_error = sqrt(max(float(share @ centred**4) - variance**2, 0.0) / rounds)
        else:
            pairs = seats * (seats - 1) / 2
            average = self.sums / rounds
            spread = self.moments / rounds - np.outer(average, average)
            covariance = float(average[2] / pairs - mean**2)

            def error(*weights: float) -> float:
                """Of the average of a weighted sum of the three."""
                return sqrt(max(float(np.array(weights) @ spread @ weights), 0.0) / rounds)

            mean_error = error(1 / seats, 0, 0)
            # to first order, a round moves these by its squares or products less 2 mean x net
            variance_error = error(-2 * mean / seats, 1 / seats, 0)
            covariance_error = error(-2 * mean / seats, 0, 1 / pairs)
        law = _distribution(self.rules, self.counts, dealt)
        tally = self.tally
        dealer_cards = (tally["all cards"] - tally["player cards"]) / rounds
        return Simulation(
            rounds=rounds,
            seed=seed,
            seats=seats,
            mean=mean,
            variance=variance,
            mean_standard_error=mean_error,
            variance_standard_error=variance_error,
            covariance=covariance,
            covariance_standard_error=covariance_error,
            cards_per_round=tally["all cards"] / rounds,
            dealer_cards=dealer_cards,
            cards_per_hand=tally["player cards"] / tally["hands"],
            hands_per_round=tally["hands"] / dealt,
            doubles_per_round=tally["doubles"] / dealt,
            win=sum(chance for net, chance in law.items() if net > 0),
            push=law.get(Fraction(0), 0.0),
            loss=sum(chance for net, chance in law.items() if net < 0),
            blackjack=tally["naturals"] / dealt,
            double=tally["rounds with a double"] / dealt,
            split=tally["splits"] / dealt,
            surrender=tally["surrenders"] / dealt,
            distribution=law,
        )


def _single_codes(rules: Rules) -> Codes:
    """Net result of one hand by units on it (0 to 2), how it ends, and the dealer's total; flat."""
    codes = np.full((3, _SCORES, _SCORES), _NOTHING, dtype=np.int16)
    late = rules.surrender == "late"
    for bet in (1, 2):
        for score in range(_SCORES):
            for dealer in range(_SCORES):
                lost = dealer == _BLACKJACK
                halves = paid = 0
                if score == _SURRENDERED:
                    halves = -2 if lost and late else -1
                elif score == _BLACKJACK:
                    paid = 0 if lost else 1
                elif lost:
                    one = rules.dealer_blackjack_takes == "original" or (
                        rules.dealer_blackjack_takes == "busted_plus_one" and score != _BUST
                    )
                    halves = -2 if one else -2 * bet
                elif score == _BUST or score < dealer:
                    halves = -2 * bet
                elif score > dealer:
                    halves = 2 * bet
                codes[bet, score, dealer] += halves * _PAID + paid
    return codes.ravel()


def _distribution(rules: Rules, counts: IntArray, dealt: int) -> dict[Fraction, float]:
    law: dict[Fraction, int] = {}
    for code in np.flatnonzero(counts).tolist():
        halves, paid = divmod(code, _PAID)
        net = Fraction(halves - _HALVES // 2, 2) + paid * rules.blackjack_pays
        law[net] = law.get(net, 0) + int(counts[code])
    return {net: count / dealt for net, count in sorted(law.items())}
