"""What a side bet is: a deal plan, and tiers with conditions. No payout is known here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from odds.errors import InputError
from odds.sidebets.language import (
    MAX_NEXT_CARDS,
    NEEDS_FINISHED_DEALER,
    parse_amount,
    parse_condition,
)
from odds.sidebets.syntax import Call, Condition

DealerPlan: TypeAlias = Literal["two cards", "stands on soft 17", "hits soft 17"]
DrawPlan: TypeAlias = Literal["always", "unless dealer blackjack", "by strategy"]

PlaysPlan: TypeAlias = Literal["always", "if live, split rounds live", "if live, split rounds dead"]

MAX_TIERS = 40
Slot: TypeAlias = tuple[str, int]
"""One card of the deal: the place and its position there, such as ``("player", 2)``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPlan:
    """Which cards are dealt, as far as a side bet can see them.

    The player's hands have two first cards each; the dealer has an upcard and a hole card (where
    the game has no hole card, the second card: it is the same to the odds), and may play out the
    hand by fixed rules. Cards that no condition names are left out of the count: by symmetry they
    change nothing, whoever they are dealt to.

    Attributes:
        dealer: ``two cards``, or the hand played out under ``stands on soft 17`` (S17) or
            ``hits soft 17`` (H17).
        plays: Whether the dealer plays out ``always``, or only if the one player at the table,
            who follows the strategy given with the count, still has a live hand: not busted, not
            surrendered, no natural. Rounds with a split are counted as live or as dead, as said;
            the truth lies between the two.
        next_cards: How many further cards of the player's (first) hand the bet looks at.
        draw: When those are dealt: ``always``, ``unless dealer blackjack`` (the round ends before),
            or ``by strategy``: only if the main game's strategy draws them (a hit, a double, or the
            first card to the first hand after a split), given with the count. A card that is not
            dealt is absent from ``next``, and what is said of all cards (``every``, ``suited``)
            is false without it.
    """

    dealer: DealerPlan = "two cards"
    plays: PlaysPlan = "always"
    next_cards: int = 0
    draw: DrawPlan = "always"

    def __post_init__(self) -> None:
        if self.dealer not in get_args(DealerPlan):
            raise InputError("dealer", self.dealer, f"one of {', '.join(get_args(DealerPlan))}")
        if self.draw not in get_args(DrawPlan):
            raise InputError("draw", self.draw, f"one of {', '.join(get_args(DrawPlan))}")
        if self.plays not in get_args(PlaysPlan):
            raise InputError("plays", self.plays, f"one of {'; '.join(get_args(PlaysPlan))}")
        if self.plays != "always" and not self.finished:
            raise InputError("plays", self.plays, "left out where the dealer has two cards")
        if not 0 <= self.next_cards <= MAX_NEXT_CARDS:
            raise InputError("next_cards", self.next_cards, f"from 0 to {MAX_NEXT_CARDS}")

    @property
    def finished(self) -> bool:
        """Whether the dealer's hand is played out."""
        return self.dealer != "two cards"

    @property
    def needs_strategy(self) -> bool:
        """Whether the cards depend on the main game's strategy."""
        return self.draw == "by strategy" or self.plays != "always"

    @property
    def hit_soft_17(self) -> bool:
        """Whether a dealer who plays out hits a soft 17."""
        return self.dealer == "hits soft 17"


@dataclass(frozen=True, slots=True)
class TierRule:
    """When a tier is hit.

    Attributes:
        name: A short name, unique in the bet.
        when: The condition.
        times: How many times it counts when hit (in a cumulative group), or None for once.
        group: Tiers of one group compete: the first that holds is the one that counts, unless the
            group is cumulative. Different groups (two wagers, a meter) are settled side by side.
    """

    name: str
    when: Condition
    times: Condition | None = None
    group: str = "main"

    @classmethod
    def parse(cls, name: str, when: str, times: str | None = None, group: str = "main") -> TierRule:
        """A tier from the text of its condition.

        Raises:
            ConditionError: A text is not in the condition language.
        """
        return cls(
            name, parse_condition(when), None if times is None else parse_amount(times), group
        )


@dataclass(frozen=True, slots=True)
class SideBet:
    """A side bet as the engine sees it.

    Attributes:
        tiers: In order of precedence.
        plan: Which cards are dealt.
        given: What is known when the bet is made (after the upcard is seen, after a peek), or None.
        cumulative: The groups whose tiers all count when they hold.

    Raises:
        InputError: Two tiers of one name, a condition about cards that the plan does not deal, or
            none or too many tiers.

    Example:
        >>> bet = SideBet.parse({"suited": "pair(player) and suited(player)",
        ...                      "pair": "pair(player)"})
        >>> [tier.name for tier in bet.tiers]
        ['suited', 'pair']
    """

    tiers: tuple[TierRule, ...]
    plan: DealPlan = DealPlan()
    given: Condition | None = None
    cumulative: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not 1 <= len(self.tiers) <= MAX_TIERS:
            raise InputError("tiers", len(self.tiers), f"from 1 to {MAX_TIERS} tiers")
        names = [tier.name for tier in self.tiers]
        for name in names:
            if names.count(name) > 1:
                raise InputError("tier", name, "a name that no other tier of the bet has")
        for tier in self.tiers:
            if tier.times is not None and tier.group not in self.cumulative:
                raise InputError(
                    f"times of {tier.name}", tier.times.text, "left out, or a cumulative group"
                )
        for condition in self.conditions():
            self._check(condition)

    @classmethod
    def parse(
        cls,
        tiers: Mapping[str, str],
        plan: DealPlan | None = None,
        given: str | None = None,
        *,
        cumulative: bool = False,
    ) -> SideBet:
        """A bet of one group from texts: tier name to condition, in order of precedence.

        Raises:
            ConditionError: A text is not in the condition language.
            InputError: See the class.
        """
        return cls(
            tuple(TierRule.parse(name, when) for name, when in tiers.items()),
            plan or DealPlan(),
            None if given is None else parse_condition(given),
            frozenset({"main"}) if cumulative else frozenset(),
        )

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of tiers, in order of first appearance."""
        return tuple(dict.fromkeys(tier.group for tier in self.tiers))

    def conditions(self) -> Iterator[Condition]:
        """Every condition and amount of the bet."""
        for tier in self.tiers:
            yield tier.when
            if tier.times is not None:
                yield tier.times
        if self.given is not None:
            yield self.given

    def calls(self) -> Iterator[Call]:
        """Every function call of every condition."""
        for condition in self.conditions():
            yield from condition.calls()

    def _check(self, condition: Condition) -> None:
        if not self.plan.finished:
            for name in NEEDS_FINISHED_DEALER:
                if name in condition.names:
                    raise InputError(
                        "condition", condition.text, f"without {name}: in this plan the dealer "
                        "has two cards; choose a plan in which the dealer plays out"
                    )  # fmt: skip
        for call in condition.calls():
            for cards in call.cards:
                for zone, position in cards.parts:
                    if self.plan.plays != "always" and zone not in ("up", "hole", "dealer"):
                        raise InputError(
                            "condition", condition.text, "the dealer's cards only, where the "
                            "dealer's play depends on the player's hand"
                        )  # fmt: skip
                    most = self.most_cards(zone)
                    if most == 0 or (position or 0) > most:
                        raise InputError(
                            "condition", condition.text, f"cards that are dealt: this plan has "
                            f"{most or 'no'} {zone} card{'s' if most != 1 else ''}"
                        )  # fmt: skip

    def most_cards(self, zone: str) -> int:
        """The most cards that a place can hold under the plan."""
        if zone == "next":
            return self.plan.next_cards
        if zone == "dealer":
            return 20 if self.plan.finished else 2
        return 1 if zone in ("up", "hole") else 2
