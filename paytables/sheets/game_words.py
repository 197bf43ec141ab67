"""The rules of the main game in words: the order of a round, and what settles itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from odds.rules import Rules
from paytables.rule_fields import RuleField, rule_fields
from paytables.sheets.model import RuleLine

SHUFFLE = (
    "Every round is dealt from the full shoe, perfectly shuffled: each order of its cards is as "
    "likely as any other. No card is burnt, removed or known, and the player does not follow the "
    "cards of earlier rounds. A cut card, after which a shoe is not dealt on, makes the rounds of "
    "a shoe slightly unlike each other; that is not in these figures."
)
SETTLED = (
    "A player's natural (an ace and a ten-valued card as the first two cards) is paid at once "
    "unless the dealer has a blackjack, which makes it a push.",
    "A dealer's blackjack beats every hand but a player's natural.",
    "A hand above 21 is lost at once, whatever the dealer gets.",
    "Otherwise the higher total wins 1 to 1, and equal totals push.",
)
DEFINITIONS: tuple[tuple[str, str], ...] = (
    (
        "House edge",
        "minus the expected net win per unit of the initial bet, dealer blackjacks included, "
        "insurance not",
    ),
    ("RTP", "return to player: 1 minus the house edge"),
    ("Element of risk", "the house edge per unit of all bets: house edge / average action"),
    ("Average action", "expected units bet in a round: the initial bet, doubles and splits"),
    (
        "Standard deviation",
        "of the net result of one round, in units of the initial bet; the root of the variance",
    ),
    (
        "Volatility index",
        "z x standard deviation: the RTP of N rounds lies in RTP ± VI/√N; z is the two-sided "
        "quantile of the normal distribution",
    ),
    ("Effect of a rule", "the house edge after the change less the house edge of this sheet"),
    ("float64", "computed in double precision, with an error below 1e-12"),
)


def _takes(rules: Rules) -> str:
    return {
        "all": "a dealer blackjack found then takes every unit bet",
        "original": "a dealer blackjack found then takes the original bet only",
        "busted_plus_one": "a dealer blackjack found then takes the bets on busted hands, and one "
        "unit more if any hand is live",
    }[rules.dealer_blackjack_takes]


def order_of_a_round(rules: Rules) -> tuple[str, ...]:
    """The order of a round under these rules.

    Example:
        >>> order_of_a_round(Rules())[2]
        'Under an ace or a ten the dealer looks for a blackjack, which ends the round.'
    """
    hole = "no hole card" if rules.peek == "none" else "a hole card"
    steps = [f"The player gets two cards; the dealer one face up, and {hole}."]
    if rules.surrender.startswith("early"):
        against = " (not against an ace)" if rules.surrender == "early_not_ace" else ""
        steps.append(f"The player may surrender two cards for half the bet{against}.")
    if rules.insurance:
        steps.append("Against an ace insurance is offered, priced apart.")
    if rules.peek == "none":
        steps.append(f"The dealer does not look for a blackjack; {_takes(rules)}.")
    elif rules.peek == "ace":
        steps.append(
            "Under an ace the dealer looks for a blackjack, which ends the round. Under a ten the "
            f"dealer does not look; {_takes(rules)}."
        )
    else:
        steps.append(
            "Under an ace or a ten the dealer looks for a blackjack, which ends the round."
        )
    choices = ["stands", "hits", "doubles"]
    choices += ["splits a pair"] if rules.max_split_hands > 1 else []
    choices += ["surrenders for half the bet"] if rules.surrender == "late" else []
    steps.append(f"The player {', '.join(choices[:-1])} or {choices[-1]}, as the rules allow.")
    if rules.max_split_hands > 1:
        steps.append(
            "Split hands are played one after the other; each gets its second card when its turn "
            "comes, and a new pair is split again while the rules allow."
        )
    soft = "hits" if rules.hit_soft_17 else "stands on"
    steps.append(f"The dealer draws to 17 and {soft} soft 17, and the hands are settled.")
    return tuple(steps)


def rule_lines(rules: Rules) -> tuple[RuleLine, ...]:
    """Every rule with its value and meaning."""
    return tuple(
        RuleLine(
            field=field.name,
            label=field.label,
            group=field.group,
            value=field.show(getattr(rules, field.name)),
            words=_in_words(field, getattr(rules, field.name)),
            meaning=_meaning(field),
        )
        for field in rule_fields()
    )


def _in_words(field: RuleField, value: object) -> str:
    shown = field.show(value)
    if field.kind == "choice":
        return field.choice_label(shown)
    if field.kind == "pays":
        return shown.replace(":", " to ")
    return {"any": "any total", "none": "no limit"}.get(shown, shown)


_FOR_PROGRAMMERS = ("given to `analyze`", "given as", "must be left alone")


def _meaning(field: RuleField) -> str:
    """The docstring of the rule, without what is said to programmers."""
    sentences = re.split(r"(?<=\.)\s+", field.text.replace("; None for no limit", ""))
    said = " ".join(s for s in sentences if not any(mark in s for mark in _FOR_PROGRAMMERS))
    if field.kind == "pays":
        said = "What a natural pays to one."
    labels = {other.name: f"'{other.label}'" for other in rule_fields()}
    return re.sub(r"`(\w+)`", lambda m: labels.get(m[1], m[1].replace("_", " ")), said).replace(
        "`", ""
    )


def change_in_words(change: Mapping[str, object]) -> str:
    """Fields and their new values.

    Example:
        >>> change_in_words({"decks": "2", "hit_soft_17": "yes"})
        'decks = 2, hit_soft_17 = yes'
    """
    return ", ".join(f"{name} = {value}" for name, value in change.items())
