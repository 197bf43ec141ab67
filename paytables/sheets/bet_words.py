"""The rules of a side bet in words: deal, precedence, pushes, strategy, shuffle, glossary."""

from __future__ import annotations

import re

from odds.errors import InputError
from odds.sidebets.language import PLAYER_HANDS, SHORTHANDS
from odds.sidebets.reference import language_reference
from odds.sidebets.vocabulary import FUNCTIONS, parse_pattern
from paytables.metrics import Evaluation
from paytables.model import Paytable
from paytables.sheets.figures import Term

SHUFFLE = (
    "Every round is dealt from the full shoe, perfectly shuffled: each order of its cards is as "
    "likely as any other. No card is burnt, removed or known. For a player who does not follow the "
    "cards, later rounds of a shoe have the same odds."
)
_WORDS = {"red": '"red"', "black": '"red"', "ten": '"ten"', "face": '"face"'}

DEFINITIONS: tuple[tuple[str, str], ...] = (
    ("House edge", "minus the expected net win per unit staked, all wagers together"),
    ("RTP", "return to player: 1 minus the house edge"),
    ("Hit frequency", "probability that a round ends with a net win"),
    ("Push rate", "probability that a round returns exactly what was staked"),
    ("Net", "what is won above the stake, in units of the wager; negative if lost"),
    (
        "Combinations",
        "ways to deal the cards that the bet looks at, the order within a group of "
        "interchangeable first cards not counted; where hands are drawn out, ways to deal as many "
        "cards in order as the longest deal takes",
    ),
    ("Contribution", "what a line adds to the expected net win per unit staked; sums to -edge"),
    ("Return", "what a line adds to the RTP, winners' stakes included; sums to the RTP"),
    ("Standard deviation", "of the net result of one round, in units; the root of the variance"),
    (
        "Volatility index",
        "z x standard deviation per unit staked: the RTP of N rounds lies in RTP ± VI/√N; z is "
        "the two-sided quantile of the normal distribution",
    ),
    (
        "Exact",
        "a quotient of whole numbers of deals, no approximation; only square roots, intervals "
        "and the simulation are float64",
    ),
)  # fmt: skip
STEP = ("Step", "what a pay is changed by here, about as far as to the next usual pay")


def deal_in_words(paytable: Paytable) -> tuple[str, ...]:
    """The deal, step by step, as far as the bet can see it."""
    plan = paytable.bet.plan
    named = {z for call in paytable.bet.calls() for cards in call.cards for z, _ in cards.parts}
    others = [hand for hand in PLAYER_HANDS[1:] if hand in named]
    hands = "The player's hand" if not others else f"Each of {len(others) + 1} player hands"
    steps = [
        f"{hands} gets a first card, the dealer the upcard; then a second card to each, and the "
        "dealer the hole card. (Where the game has no hole card the dealer's second card comes "
        "later: to the odds it is the same card.)"
    ]
    if plan.next_cards:
        cards = f"{plan.next_cards} further card{'s' if plan.next_cards > 1 else ''}"
        steps.append(
            {
                "always": f"The player's hand gets {cards} in every round.",
                "unless dealer blackjack": f"The player's hand gets {cards}, unless the dealer has "
                "a blackjack: the round then ends before.",
                "by strategy": f"The player's hand gets {cards}"
                + (", " if plan.next_cards == 1 else " at most, each ")
                + "only if the strategy assumed draws it (a hit, a double, or the first card after "
                "a split).",
            }[plan.draw]
        )
    if plan.finished:
        rule = "hits" if plan.hit_soft_17 else "stands on"
        steps.append(
            f"The dealer draws to 17 and {rule} soft 17, "
            + {
                "always": "in every round, whatever the players' hands are.",
                "if live, split rounds live": "only against a live hand (not busted, surrendered "
                "or a natural) of the one player at the table; a round with a split counts as "
                "live.",
                "if live, split rounds dead": "only against a live hand (not busted, surrendered "
                "or a natural) of the one player at the table; a round with a split counts as "
                "dead.",
            }[plan.plays]
        )
    steps.append(
        "The bet is settled by the tiers below. Cards that no tier looks at are left out of the "
        "count: they are as likely to be any card, so they change nothing."
    )
    return tuple(steps)


def condition_in_words(paytable: Paytable) -> str:
    """When the bet can be made; empty if in every round."""
    given = paytable.deal.given
    if given is None:
        return ""
    return (
        f"The bet is made only when this holds: {given}. Every probability of this sheet is given "
        "that it does, and a round is one in which it does."
    )


def precedence_in_words(paytable: Paytable) -> str:
    """Which tiers count where several hold."""
    if paytable.cumulative:
        return "Every tier that holds is paid; they add up."
    first = (
        "The tiers are tried in the order listed: the first that holds is paid, and no other."
        if len(groups_of(paytable)) == 1
        else "Tiers on different wagers are settled side by side. Those on one wager are tried in "
        "the order listed: the first that holds is paid, and no other on that wager."
    )
    free = [name for name in groups_of(paytable) if name not in paytable.wagers]
    if free:
        listed = ", ".join(f"'{name}'" for name in free)
        first += f" Tiers on {listed} cost no stake of their own: missing them loses nothing."
    return first


def groups_of(paytable: Paytable) -> tuple[str, ...]:
    """The wagers that tiers are on, free bonuses included."""
    return tuple(dict.fromkeys(tier.wager for tier in paytable.tiers))


def payment_in_words(paytable: Paytable) -> str:
    """What "pays" means."""
    if paytable.paid == "to one":
        text = "Pays are X to 1: X units are won for each unit staked, and the stake comes back."
    else:
        text = "Pays are X for 1: X units come back for each unit staked, the stake among them."
    if len(paytable.wagers) > 1:
        stakes = " and ".join(f"{stake} on {name}" for name, stake in paytable.wagers.items())
        text += f" A round stakes {stakes} ({paytable.stake} units in all)."
    return text


def pushes_in_words(paytable: Paytable) -> str:
    """What returns the stake, what loses a part of it, what loses it."""
    plain = [t for t in paytable.tiers if t.meter is None and t.wager in paytable.wagers]
    pushes = [tier.title for tier in plain if paytable.net(tier) == 0]
    partly = [tier.title for tier in plain if -1 < paytable.net(tier) < 0]
    text = f"Returns the stake: {_listed(pushes)}. " if pushes else "No tier is a push. "
    if partly:
        text += f"Loses a part of the stake: {_listed(partly)}. "
    return text + "A wager on which no tier is hit is lost."


def strategy_in_words(evaluation: Evaluation) -> str:
    """The strategy assumed, or that none matters."""
    if evaluation.strategy is None:
        return "None: no decision of a player changes the cards that this bet looks at."
    return (
        f"Cards are drawn by {evaluation.strategy.name}: for every hand and upcard the action with "
        "the highest expected value of the main bet (composition-dependent, regime CDZ-), whatever "
        "that does to the side bet. For another number of decks it is worked out anew."
    )


def glossary(paytable: Paytable) -> tuple[Term, ...]:
    """What the conditions of a bet use of the condition language."""
    texts = [tier.when for tier in paytable.tiers]
    texts += [tier.times for tier in paytable.tiers if tier.times is not None]
    texts += [paytable.deal.given] if paytable.deal.given is not None else []
    used = set(_names(" ".join(texts)))
    used |= {word for name in sorted(used & set(SHORTHANDS)) for word in _names(SHORTHANDS[name])}
    used |= {FUNCTIONS[word].name for word in used if word in FUNCTIONS}
    used |= _texts(" ".join([*texts, *(SHORTHANDS[name] for name in used & set(SHORTHANDS))]))
    used |= {"player[2]"} if re.search(r"\[\s*\d", " ".join(texts)) else set()
    return tuple(
        Term(written=entry.usage, meaning=entry.meaning)
        for entry in language_reference()
        if entry.usage.split("(")[0] in used
    )


def _texts(conditions: str) -> set[str]:
    """How the language's reference writes the kinds of text that conditions name cards by."""
    found: set[str] = set()
    for quoted in re.findall(r"\"([^\"]*)\"|'([^']*)'", conditions):
        text = "".join(quoted)
        try:
            pattern = parse_pattern(text)
        except InputError:  # "ace high"
            continue
        word = text.strip().lower()
        if word in _WORDS:
            found.add(_WORDS[word])
        elif pattern.any_suit:
            found.add('"7"')
        else:
            found |= {'"H"'} if all(pattern.ranks) else {'"7"', '"H"', '"AS"'}
    return found


def _names(text: str) -> list[str]:
    return re.findall(r"[A-Za-z_]\w*", text)


def _listed(titles: list[str]) -> str:
    return ", ".join(f"'{title}'" for title in titles)
