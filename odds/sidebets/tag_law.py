"""The law of a bet's result together with the tags of the cards that decide it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from odds.counting_system import CountingSystem
from odds.errors import InputError
from odds.running_count import TagOutcome
from odds.shoe import Shoe
from odds.sidebets.bet import MAX_TIERS, SideBet, TierRule
from odds.sidebets.counting import count_bet
from odds.sidebets.decisions import StrategyTable
from odds.sidebets.depletion import Net
from odds.sidebets.language import PLAYER_HANDS
from odds.sidebets.syntax import Call, Cards, Condition, Truth
from odds.sidebets.vocabulary import FUNCTIONS, Pattern

_ALWAYS = Condition("true", Truth(True))
_ALL, _KNOWN = "tags of all cards", "tags of known cards"
Part = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class TagLaw:
    """A bet by the tags of its cards.

    Attributes:
        outcomes: Their probabilities sum to `offered`, their nets to `offered` times `expected`.
        offered: Probability that the bet is offered.
        expected: Expected net result in units, given that it is.
        known: Cards of the bet that the bettor sees before betting.
    """

    outcomes: tuple[TagOutcome, ...]
    offered: Fraction
    expected: Fraction
    known: int


def tag_law(
    bet: SideBet,
    net: Net,
    system: CountingSystem,
    pack: Shoe,
    decks: int,
    strategy: StrategyTable | None = None,
) -> TagLaw:
    """Count a bet with the tags of its cards told apart, exact.

    The bettor is taken to see, before betting, the player's cards and the upcard as far as the
    condition under which the bet is offered (`SideBet.given`) speaks of them.

    Args:
        bet: The side bet.
        net: The net result of an outcome in units.
        system: The tags.
        pack: One pack.
        decks: How many packs.
        strategy: What the main game's strategy does, where the cards depend on it.

    Raises:
        InputError: Too many different tags, the dealer does not always play out, or see
            `odds.sidebets.count_bet`.

    Example:
        >>> bet = SideBet.parse({"tens": 'every(player, "ten")'})
        >>> law = tag_law(bet, lambda hits: 9 * Fraction(hits[0]) - 1,
        ...               CountingSystem.parse("T=-1"), Shoe.decks(1), decks=6)
        >>> [(o.tags, float(o.net)) for o in law.outcomes if o.net > 0]
        [((-1, -1), 0.7519168933959931)]
    """
    if bet.plan.plays != "always":
        raise InputError("plays", bet.plan.plays, "always, to follow the bet through a shoe")
    values = sorted({t for t, n in zip(system.tags, pack.counts, strict=True) if n})
    known = known_cards(bet)
    own = len(bet.tiers)
    counted = _count_tags(values, system, _decisive_cards(bet), _ALL)
    if known:
        counted += _count_tags(values, system, known, _KNOWN)
    if own + len(counted) > MAX_TIERS:
        raise InputError("tags", f"{len(values)} different ones", "fewer different tags")
    told = SideBet(
        bet.tiers + counted, bet.plan, bet.given, bet.cumulative | frozenset({_ALL, _KNOWN})
    )
    counts = count_bet(told, pack, strategy)
    odds = counts.at(decks)
    offered = Fraction(
        odds.total * counts.symmetry, math.perm(pack.size * decks, counts.longest)
    )  # fmt: skip
    ways: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, Fraction]] = {}
    for outcome in odds.outcomes:
        hits = outcome.hits[own:]
        key = (_listed(values, hits), _listed(values, hits[len(values) :]))
        before = ways.get(key, (0, Fraction(0)))
        gain = outcome.ways * net(outcome.hits[:own])
        ways[key] = (before[0] + outcome.ways, before[1] + gain)
    outcomes = tuple(
        TagOutcome(tags, seen, number * offered / odds.total, gain * offered / odds.total)
        for (tags, seen), (number, gain) in ways.items()
    )
    expected = sum((gain for _, gain in ways.values()), Fraction(0)) / odds.total
    return TagLaw(outcomes, offered, expected, max(len(o.known) for o in outcomes))


def _listed(values: list[int], hits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(value for value, number in zip(values, hits, strict=False) for _ in range(number))


def known_cards(bet: SideBet) -> tuple[Part, ...]:
    """The cards that are seen before the bet is made, as far as its `given` speaks of them."""
    if bet.given is None:
        return ()
    parts = [part for call in bet.given.calls() for cards in call.cards for part in cards.parts]
    parts = [("up", None) if part == ("dealer", 1) else part for part in parts]
    return _without_repeats([p for p in parts if p[0] == "up" or p[0] in PLAYER_HANDS])


def _decisive_cards(bet: SideBet) -> tuple[Part, ...]:
    """Every card that the result can depend on."""
    parts = [part for call in bet.calls() for cards in call.cards for part in cards.parts]
    if any(zone == "next" for zone, _ in parts) and bet.plan.draw != "always":
        parts += [("up", None), ("hole", None)]
        if bet.plan.draw == "by strategy":
            parts += [("player", None), ("next", None)]
    dealt: list[Part] = []
    for zone, position in parts:
        if zone not in ("up", "hole", "dealer"):
            dealt.append((zone, position))
        elif bet.plan.finished:
            dealt.append(("dealer", None))
        elif zone == "dealer":
            dealt += [(z, None) for i, z in ((1, "up"), (2, "hole")) if position in (None, i)]
        else:
            dealt.append((zone, None))
    return _without_repeats(dealt)


def _without_repeats(parts: list[Part]) -> tuple[Part, ...]:
    """Each card once: a place as a whole instead of its single cards, where it is named."""
    whole = {zone for zone, position in parts if position is None}
    return tuple(dict.fromkeys(p for p in parts if p[1] is None or p[0] not in whole))


def _count_tags(
    values: list[int], system: CountingSystem, parts: tuple[Part, ...], group: str
) -> tuple[TierRule, ...]:
    """One tier for each tag, counting the cards that have it."""
    tiers = []
    for value in values:
        call = Call(FUNCTIONS["count"], (Cards(parts),), _patterns(system, value))
        amount = Condition(f"{group}: {value}", call)
        tiers.append(TierRule(f"{group}: {value}", _ALWAYS, amount, group))
    return tuple(tiers)


def _patterns(system: CountingSystem, value: int) -> tuple[Pattern, ...]:
    """The cards of one tag, as ranks with the same suits."""
    by_suits: dict[tuple[bool, ...], list[int]] = {}
    for rank in range(13):
        suits = tuple(system.tags[4 * rank + suit] == value for suit in range(4))
        by_suits.setdefault(suits, []).append(rank)
    return tuple(
        Pattern(f"tag {value}", tuple(rank in ranks for rank in range(13)), suits)
        for suits, ranks in by_suits.items()
        if any(suits)
    )
