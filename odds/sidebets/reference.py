"""The condition language in words, for a help page or a command: every function, name and text."""

from __future__ import annotations

from dataclasses import dataclass

from odds.sidebets.language import CARD_NAMES, SHORTHANDS
from odds.sidebets.vocabulary import FUNCTIONS

_CARD_MEANINGS = {
    "player": "the player's first two cards",
    "up": "the dealer's upcard",
    "hole": "the dealer's hole card (or second card)",
    "dealer": "the dealer's cards: two, or the finished hand where the plan plays it out",
    "next": "the further cards of the player's hand",
    "first": "the player's first card, the same as player[1]",
    "second": "the player's second card, the same as player[2]",
    "bust_card": "the last card of the dealer's finished hand",
}
_PATTERNS = {
    '"7"': "a rank: A, 2 to 9, 10 or T, J, Q, K",
    '"H"': "a suit: S, H, D, C or spades, hearts, diamonds, clubs",
    '"AS"': "a card: rank and suit",
    '"red"': 'red cards; also "black"',
    '"ten"': "every card worth ten: 10, J, Q, K",
    '"face"': "J, Q, K",
}
_OPERATORS = {
    "and, or, not": "join truth values",
    "==  !=  <  <=  >  >=": "compare numbers; may be chained, as in 12 <= total(player) <= 16",
    'up == "7"': "every card named fits the text",
    "+  -  *": "reckon with numbers; + also joins cards, as in player + up",
    "player[2]": "one card of several, counted from 1",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be written in a condition.

    Attributes:
        kind: ``cards``, ``functions``, ``short forms``, ``texts`` or ``operators``.
        usage: How it is written.
        meaning: What it means.
        gives: For functions, what comes out.
    """

    kind: str
    usage: str
    meaning: str
    gives: str = ""


def language_reference() -> tuple[Entry, ...]:
    """Everything that a condition may contain.

    Example:
        >>> next(e for e in language_reference() if e.usage == "pair(cards)").meaning
        'two of the cards share a rank'
    """
    entries = []
    for name in CARD_NAMES:
        meaning = _CARD_MEANINGS.get(name, f"the first two cards of player {name[-1]}")
        entries.append(Entry("cards", name, meaning, "cards"))
    for name, function in FUNCTIONS.items():
        if name == function.name:
            entries.append(
                Entry("functions", function.usage, function.meaning, function.result.value)
            )
    entries += [Entry("short forms", name, text) for name, text in SHORTHANDS.items()]
    entries += [Entry("texts", usage, meaning) for usage, meaning in _PATTERNS.items()]
    entries += [Entry("operators", usage, meaning) for usage, meaning in _OPERATORS.items()]
    return tuple(entries)
