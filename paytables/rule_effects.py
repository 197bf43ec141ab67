"""The effect of every single rule change around a chosen game, exactly computed for that game.

Books print one such table for one game; the effects differ from game to game (doubling after a
split is worth more with resplits, H17 costs less with surrender), so here they are worked out
around the game at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from odds.errors import InputError
from odds.rules import Rules
from odds.strategy import check_regime
from paytables.main_game_design import RuleResult, sweep_rules
from paytables.rule_fields import rule_field, rule_fields
from paytables.suggest import nearest

Progress: TypeAlias = Callable[[float, str], None]

_UNPEEKED = {"dealer_blackjack_takes": "all"}
VARIATIONS: dict[str, tuple[Mapping[str, str], ...]] = {
    "decks": tuple({"decks": str(n)} for n in (1, 2, 4, 5, 6, 8)),
    "hit_soft_17": ({"hit_soft_17": "yes"}, {"hit_soft_17": "no"}),
    "peek": (
        {"peek": "ace_ten", **_UNPEEKED},
        {"peek": "ace", **_UNPEEKED},
        {"peek": "none", "dealer_blackjack_takes": "all"},
        {"peek": "none", "dealer_blackjack_takes": "original"},
        {"peek": "none", "dealer_blackjack_takes": "busted_plus_one"},
    ),
    "blackjack_pays": tuple({"blackjack_pays": pay} for pay in ("2:1", "3:2", "7:5", "6:5", "1:1")),
    "double_on": tuple({"double_on": on} for on in ("any", "9-11", "10,11", "11")),
    "double_soft": ({"double_soft": "yes"}, {"double_soft": "no"}),
    "double_any_cards": ({"double_any_cards": "yes"}, {"double_any_cards": "no"}),
    "double_after_split": (
        {"double_after_split": "yes"},
        {"double_after_split": "no", "double_split_aces": "no"},
    ),
    "max_split_hands": (
        {"max_split_hands": "4"},
        {"max_split_hands": "3"},
        {"max_split_hands": "2"},
        {"max_split_hands": "1"},
    ),
    "max_split_hands_aces": tuple({"max_split_hands_aces": n} for n in ("4", "3", "2", "1")),
    "hit_split_aces": ({"hit_split_aces": "yes"}, {"hit_split_aces": "no"}),
    "double_split_aces": ({"double_split_aces": "yes"}, {"double_split_aces": "no"}),
    "split_by": ({"split_by": "value"}, {"split_by": "rank"}),
    "split_ace_ten": (
        {"split_ace_ten": "21"},
        {"split_ace_ten": "beats_21"},
        {"split_ace_ten": "blackjack"},
    ),
    "surrender": (
        {"surrender": "none", "surrender_any_cards": "no"},
        {"surrender": "late"},
        {"surrender": "early_not_ace"},
        {"surrender": "early"},
    ),
    "surrender_any_cards": ({"surrender_any_cards": "yes"}, {"surrender_any_cards": "no"}),
}
"""The changes that are tried, by the rule they are about. What must change along is listed too."""

_LABELS = {
    ("hit_soft_17", "yes"): "Dealer hits soft 17 (H17)",
    ("hit_soft_17", "no"): "Dealer stands on soft 17 (S17)",
    ("double_soft", "no"): "No doubling of soft hands",
    ("double_soft", "yes"): "Doubling of soft hands",
    ("double_any_cards", "yes"): "Double on any number of cards",
    ("double_any_cards", "no"): "Double on two cards only",
    ("double_after_split", "yes"): "Double after a split (DAS)",
    ("double_after_split", "no"): "No double after a split",
    ("max_split_hands", "1"): "No splitting",
    ("max_split_hands", "2"): "No resplits",
    ("max_split_hands_aces", "1"): "No splitting of aces",
    ("max_split_hands_aces", "2"): "Aces split once",
    ("hit_split_aces", "yes"): "Split aces may be hit",
    ("hit_split_aces", "no"): "One card to split aces",
    ("double_split_aces", "yes"): "Split aces may be doubled",
    ("double_split_aces", "no"): "No doubling of split aces",
    ("split_by", "value"): "Any two tens are a pair",
    ("split_by", "rank"): "Only tens of one rank are a pair",
    ("split_ace_ten", "21"): "A split ace-ten is 21",
    ("split_ace_ten", "beats_21"): "A split ace-ten beats 21",
    ("split_ace_ten", "blackjack"): "A split ace-ten is a blackjack",
    ("surrender", "none"): "No surrender",
    ("surrender", "late"): "Late surrender",
    ("surrender", "early"): "Early surrender",
    ("surrender", "early_not_ace"): "Early surrender, not against an ace",
    ("surrender_any_cards", "yes"): "Surrender on any number of cards",
    ("surrender_any_cards", "no"): "Surrender on two cards only",
    ("double_on", "any"): "Double on any total",
}


def label_of(name: str, change: Mapping[str, str]) -> str:
    """What a change is called in a table.

    Example:
        >>> label_of("max_split_hands_aces", {"max_split_hands_aces": "4"})
        'Aces resplit to 4 hands'
    """
    value = change[name]
    if (name, value) in _LABELS:
        return _LABELS[name, value]
    if name == "decks":
        return f"{value} deck{'s' if value != '1' else ''}"
    if name == "blackjack_pays":
        return f"Blackjack pays {value}"
    if name == "double_on":
        return f"Double on {value.replace(',', ' or ')} only"
    if name == "max_split_hands":
        return f"Resplits to {value} hands"
    if name == "max_split_hands_aces":
        return f"Aces resplit to {value} hands"
    if name == "peek":
        takes = {
            "all": "takes all bets",
            "original": "takes the original bet",
            "busted_plus_one": "takes busted bets and one more",
        }[change["dealer_blackjack_takes"]]
        return {
            "ace_ten": "Peek under ace and ten",
            "ace": f"Peek under an ace only; a blackjack {takes}",
            "none": f"No hole card; a blackjack {takes}",
        }[value]
    return f"{rule_field(name).label}: {value}"


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What one change of the rules does.

    Attributes:
        rule: The field of `Rules` it is about.
        label: The change in words.
        change: Every field that changes, as text.
        rules: The rules after it.
        house_edge: The edge after it.
        difference: How much that is above the edge before, in units of the initial bet.
    """

    rule: str
    label: str
    change: dict[str, str]
    rules: Rules
    house_edge: float
    difference: float

    @property
    def player(self) -> float:
        """The change of the player's expectation, as books print it: minus `difference`."""
        return -self.difference


@dataclass(frozen=True, slots=True)
class RuleEffects:
    """All single-rule effects around a game.

    Attributes:
        rules: The game.
        strategy: The regime.
        house_edge: Its edge.
        effects: The effects, rule by rule.
        impossible: Changes that contradict the game's other rules, in words.
    """

    rules: Rules
    strategy: str
    house_edge: float
    effects: tuple[RuleEffect, ...]
    impossible: tuple[str, ...]

    def _repr_html_(self) -> str:
        from paytables import html

        return html.rule_effects(self)


def variations(
    rules: Rules, only: Collection[str] | None = None
) -> Iterator[tuple[str, dict[str, str], Rules | None]]:
    """Every single change: the rule, what changes, and the rules after it (None: contradiction)."""
    fields = {field.name: field for field in rule_fields()}
    for name, candidates in VARIATIONS.items():
        if only is not None and name not in only:
            continue
        for candidate in candidates:
            wanted: dict[str, Any] = {k: fields[k].parse(v) for k, v in candidate.items()}
            if name == "max_split_hands":
                most = int(wanted[name])
                wanted["max_split_hands_aces"] = min(rules.max_split_hands_aces, most)
            aces = wanted.get("max_split_hands_aces", rules.max_split_hands_aces)
            if name in ("max_split_hands", "max_split_hands_aces") and aces == 1:
                wanted |= {"hit_split_aces": False, "double_split_aces": False}
            changed = {k: v for k, v in wanted.items() if getattr(rules, k) != v}
            if name not in changed and not (name == "peek" and changed):
                continue
            shown = {k: fields[k].show(v) for k, v in wanted.items() if k in changed or k == name}
            if name == "peek":
                shown = {k: fields[k].show(v) for k, v in wanted.items()}
            try:
                yield name, shown, replace(rules, **changed)
            except InputError:
                yield name, shown, None


def rule_effects(
    rules: Rules,
    strategy: str = "CDZ-",
    *,
    only: Collection[str] | None = None,
    jobs: int = 1,
    file: Path | None = None,
    progress: Progress | None = None,
) -> RuleEffects:
    """The effect of every single rule change around a game.

    Args:
        rules: The game.
        strategy: The regime; see `odds.strategy.REGIMES`.
        only: The rules to change, as names of `VARIATIONS`; all of them if None.
        jobs: Processes at once; -1 for one for each core.
        file: Where results are kept and resumed from.
        progress: Told (fraction done, what); raising from it cancels.

    Raises:
        InputError: A rule that is not varied; see also `paytables.main_game_design.sweep_rules`.

    Example:
        >>> game = Rules(decks=1, double_after_split=False)
        >>> (das,) = rule_effects(game, only=["double_after_split"]).effects
        >>> das.label, f"{das.player:+.2%}"
        ('Double after a split (DAS)', '+0.14%')
    """
    regime = check_regime(strategy)
    for name in only or ():
        if name not in VARIATIONS:
            raise InputError("rule", name, nearest(name, list(VARIATIONS)))
    found = list(variations(rules, only))
    wanted = [rules, *dict.fromkeys(after for _, _, after in found if after is not None)]
    results: dict[Rules, RuleResult] = {
        result.rules: result
        for result in sweep_rules(wanted, regime, jobs=jobs, file=file, progress=progress)
    }
    base = results[rules].house_edge
    effects, impossible = [], []
    for name, change, after in found:
        label = label_of(name, change)
        if after is None:
            impossible.append(label)
            continue
        edge = results[after].house_edge
        effects.append(RuleEffect(name, label, change, after, edge, edge - base))
    return RuleEffects(rules, regime, base, tuple(effects), tuple(impossible))
