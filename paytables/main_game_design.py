"""The main game's rules as a design: rule sets in an edge band, single effects, blackjack's pay.

A natural settles itself, so in every game whose split ace-ten is not a blackjack the edge is
linear in what a blackjack pays, with slope -P(player natural, dealer none), and the strategy does
not depend on it: one analysis serves every pay. Rule sets that share shoe and dealer are analysed
one after the other, so that the dealer's table is made once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import TypeAlias

from odds.errors import InputError
from odds.game import analyze
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import check_regime
from paytables.design_constraints import Target, parse_share
from paytables.rule_fields import rule_field, show_rules
from paytables.sweep import Row, Values, sweep

Progress: TypeAlias = Callable[[float, str], None]
MOST_RULE_SETS = 100_000
BATCH = 12
"""Rule sets that run in one process before their results are handed over."""
USUAL_PAY = Fraction(3, 2)
PRINTABLE_PAYS = tuple(Fraction(text) for text in ("1", "6/5", "5/4", "7/5", "3/2", "8/5", "2"))


def natural_odds(shoe: Shoe) -> Fraction:
    """The exact probability that a player natural is paid: the dealer has none.

    Example:
        >>> natural_odds(Shoe.decks(1))
        Fraction(7552, 162435)
    """
    aces, tens, size = shoe.by_value[0], shoe.by_value[9], shoe.size
    natural = Fraction(2 * aces * tens, size * (size - 1))
    dealer = Fraction(2 * (aces - 1) * (tens - 1), (size - 2) * (size - 3))
    return natural * (1 - dealer)


def is_linear(rules: Rules) -> bool:
    """Whether the strategy does not depend on what a blackjack pays."""
    return rules.split_ace_ten != "blackjack"


def rule_lattice(base: Rules, choices: Mapping[str, Sequence[object]]) -> list[Rules]:
    """Every combination of rules, those that share shoe and dealer next to each other.

    Combinations that contradict themselves (resplit aces without resplits) are left out; a value
    that no combination can have is refused.

    Args:
        base: The other rules.
        choices: Field of `Rules` to the values it may have, as values or as text.

    Raises:
        InputError: A field or value that there is not, no combination, or more than 100,000.

    Example:
        >>> found = rule_lattice(Rules(), {"decks": (6, 8), "hit_soft_17": ("yes", "no")})
        >>> [str(rules) for rules in found][:2]
        ['the default rules', 'hit_soft_17=True']
    """
    read: dict[str, list[object]] = {}
    for name, values in choices.items():
        if not values:
            raise InputError(name, "", "one or more values")
        read[name] = [rule_field(name).parse(value) for value in values]
    size = math.prod(map(len, read.values()))
    if size > MOST_RULE_SETS:
        raise InputError("rules", size, f"at most {MOST_RULE_SETS} combinations")
    found: dict[Rules, None] = {}
    problems: dict[tuple[str, object], InputError] = {}
    possible: set[tuple[str, object]] = set()
    for values in product(*read.values()):
        chosen = dict(zip(read, values, strict=True))
        try:
            rules = replace(base, **chosen)  # type: ignore[arg-type]
        except InputError as error:
            problems |= dict.fromkeys(chosen.items(), error)
            continue
        found[rules] = None
        possible |= set(chosen.items())
    for value, problem in problems.items():
        if value not in possible:
            raise problem
    return sorted(found, key=_dealer_first)


def _dealer_first(rules: Rules) -> tuple[int, bool, str]:
    return rules.decks, rules.hit_soft_17, str(rules)


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One analysed rule set.

    Attributes:
        rules: The rules.
        house_edge: Per unit of the initial bet.
        element_of_risk: Per unit of all bets.
        average_action: Units bet in a round.
    """

    rules: Rules
    house_edge: float
    element_of_risk: float
    average_action: float


def _core(rules: Rules) -> Rules:
    """The rules that are analysed in place of these."""
    return replace(rules, blackjack_pays=USUAL_PAY) if is_linear(rules) else rules


def _with_pay(core: RuleResult, rules: Rules) -> RuleResult:
    """The result for rules that differ from the analysed ones in blackjack's pay alone."""
    more = rules.blackjack_pays - core.rules.blackjack_pays
    edge = core.house_edge - float(more * natural_odds(Shoe.decks(rules.decks)))
    return RuleResult(rules, edge, edge / core.average_action, core.average_action)


def _analyze_batch(tasks: Sequence[tuple[Rules, str]]) -> list[Values]:
    """The work of a sweep over rule sets."""
    found = []
    for rules, strategy in tasks:
        odds = analyze(rules, strategy=strategy)
        found.append({"house_edge": odds.house_edge, "average_action": odds.average_action})
    return found


def _task_key(task: tuple[Rules, str]) -> str:
    return str(task[0])


def sweep_rules(
    rule_sets: Sequence[Rules],
    strategy: str = "CDZ-",
    *,
    jobs: int = 1,
    file: Path | None = None,
    progress: Progress | None = None,
) -> Iterator[RuleResult]:
    """Analyse rule sets, streaming results as they are ready.

    Args:
        rule_sets: The rule sets (see `rule_lattice`).
        strategy: The regime; see `odds.strategy.REGIMES`.
        jobs: Processes at once; -1 for one for each core.
        file: Where results are kept and resumed from.
        progress: Told (fraction done, what); raising from it stops the sweep.

    Raises:
        InputError: An unknown regime; see also `paytables.sweep.sweep`.
    """
    regime = check_regime(strategy)
    by_core: dict[Rules, list[Rules]] = {}
    for rules in rule_sets:
        by_core.setdefault(_core(rules), []).append(rules)
    cores = sorted(by_core, key=_dealer_first)
    batches: list[list[tuple[Rules, str]]] = []
    for core in cores:
        last = batches[-1] if batches else []
        shared = last and _dealer(last[0][0]) == _dealer(core)
        if shared and len(last) < BATCH:
            last.append((core, regime))
        else:
            batches.append([(core, regime)])
    names = {_task_key((core, regime)): core for core in by_core}
    about = {"what": "house edges of rule sets", "strategy": regime}
    rows: Iterator[Row] = sweep(
        batches,
        _analyze_batch,
        key=_task_key,
        jobs=jobs,
        file=file,
        about=about,
        progress=progress,
    )
    return _expanded(rows, names, by_core)


def _dealer(rules: Rules) -> tuple[int, bool]:
    return rules.decks, rules.hit_soft_17


def _expanded(
    rows: Iterator[Row], names: Mapping[str, Rules], by_core: Mapping[Rules, Sequence[Rules]]
) -> Iterator[RuleResult]:
    for row in rows:
        core = names[row.key]
        edge, action = row.values["house_edge"], row.values["average_action"]
        analysed = RuleResult(core, edge, edge / action, action)
        for rules in by_core[core]:
            yield _with_pay(analysed, rules)


@dataclass(frozen=True, slots=True)
class RuleSearch:
    """Rule sets in an edge band.

    Attributes:
        target: The band.
        found: Those in the band, nearest to the base first: by the number of rules changed, then
            by the distance from the edge aimed at.
        below: The rule set with the highest edge under the band, or None.
        above: The one with the lowest edge over it, or None.
        searched: How many rule sets were analysed; all of the lattice, so the list is complete.
    """

    target: Target
    found: tuple[RuleResult, ...]
    below: RuleResult | None
    above: RuleResult | None
    searched: int


def changes(base: Rules, rules: Rules) -> dict[str, str]:
    """The rules that differ from the base, as text.

    Example:
        >>> changes(Rules(), Rules(hit_soft_17=True))
        {'hit_soft_17': 'yes'}
    """
    ours, theirs = show_rules(base), show_rules(rules)
    return {name: text for name, text in theirs.items() if text != ours[name]}


def search_rules(
    base: Rules,
    choices: Mapping[str, Sequence[object]],
    target: Target,
    strategy: str = "CDZ-",
    *,
    jobs: int = 1,
    file: Path | None = None,
    progress: Progress | None = None,
) -> RuleSearch:
    """Every rule set of a lattice whose edge is in a band.

    Raises:
        InputError: See `rule_lattice` and `sweep_rules`.
    """
    lattice = rule_lattice(base, choices)
    results = list(sweep_rules(lattice, strategy, jobs=jobs, file=file, progress=progress))

    def band(result: RuleResult) -> tuple[float, float]:
        low, high = target.band(result.rules.decks)
        return float(low), float(high)

    inside = [r for r in results if band(r)[0] <= r.house_edge <= band(r)[1]]
    inside.sort(
        key=lambda r: (
            len(changes(base, r.rules)),
            abs(r.house_edge - float(target.aim(r.rules.decks))),
            str(r.rules),
        )
    )
    below = [r for r in results if r.house_edge < band(r)[0]]
    above = [r for r in results if r.house_edge > band(r)[1]]
    return RuleSearch(
        target,
        tuple(inside),
        max(below, key=lambda r: r.house_edge, default=None),
        min(above, key=lambda r: r.house_edge, default=None),
        len(results),
    )


@dataclass(frozen=True, slots=True)
class BlackjackPay:
    """What a blackjack must pay for a target edge.

    Attributes:
        rules: The rules with this pay.
        pay: The pay to one: exact where `exact` was asked for, else within 1e-10.
        house_edge: The edge with it, from an analysis (exact: the target itself).
        slope: How much the edge falls for one unit more of pay.
        analyses: How many analyses it took: one where the strategy does not depend on the pay.
        printable: Common pays on both sides with their edges: (pay, house edge).
    """

    rules: Rules
    pay: Fraction
    house_edge: float
    slope: float
    analyses: int
    printable: tuple[tuple[Fraction, float], ...]


def blackjack_pay(
    rules: Rules, edge: object, strategy: str = "CDZ-", *, exact: bool = False
) -> BlackjackPay:
    """The blackjack pay that gives a target edge.

    Where a split ace-ten is no blackjack, the edge is linear in the pay and one analysis gives it.
    Otherwise the strategy may change with the pay; the edge is then a chain of straight pieces,
    and Newton's method with each piece's own slope ends on the right one after a few analyses.

    Args:
        rules: The game; its own blackjack pay does not matter.
        edge: The target, as a share: 0.01, ``1%``.
        strategy: The regime.
        exact: Solve in exact fractions (up to a minute).

    Raises:
        InputError: An edge that no pay from 0 to 100 gives; `exact` where the strategy depends on
            the pay.

    Example:
        >>> found = blackjack_pay(Rules(decks=6), "1%")
        >>> round(float(found.pay), 4), found.analyses
        (1.3683, 1)
    """
    target = parse_share("edge", edge)
    if exact and not is_linear(rules):
        raise InputError("exact", True, "left out where a split ace-ten counts as a blackjack")
    start = replace(rules, blackjack_pays=USUAL_PAY)
    if is_linear(rules):
        return _linear_pay(start, target, strategy, exact=exact)
    return _iterated_pay(start, target, strategy)


def _linear_pay(start: Rules, target: Fraction, strategy: str, *, exact: bool) -> BlackjackPay:
    odds = analyze(start, strategy=strategy, exact=exact)
    slope = natural_odds(Shoe.decks(start.decks))
    value = odds.exact_expected_value
    now = -value if value is not None else Fraction(odds.house_edge)
    pay = USUAL_PAY + (now - target) / slope
    _check_pay(pay, target, float(now + USUAL_PAY * slope))
    if value is None:
        pay = pay.limit_denominator(10**9)
    edges = [(p, odds.house_edge - float((p - USUAL_PAY) * slope)) for p in PRINTABLE_PAYS]
    found = odds.house_edge - float((pay - USUAL_PAY) * slope)
    return BlackjackPay(
        replace(start, blackjack_pays=pay), pay, found, float(slope), 1, _both_sides(edges, pay)
    )


def _iterated_pay(start: Rules, target: Fraction, strategy: str) -> BlackjackPay:
    pay, analyses = USUAL_PAY, 0
    edges: list[tuple[Fraction, float]] = []
    low, high = Fraction(0), Fraction(100)
    slope = float(natural_odds(Shoe.decks(start.decks)))
    for _ in range(60):
        rules = replace(start, blackjack_pays=pay)
        odds = analyze(rules, strategy=strategy)
        # the same decisions one unit higher: the slope of this piece
        raised = analyze(replace(rules, blackjack_pays=pay + 1), strategy=odds.strategy)
        analyses += 2
        slope = odds.house_edge - raised.house_edge
        miss = odds.house_edge - float(target)
        edges.append((pay, odds.house_edge))
        low, high = (pay, high) if miss > 0 else (low, pay)
        if abs(miss) < 1e-11 or high - low < Fraction(1, 10**10):
            break
        step = pay + Fraction(miss / slope)
        if not 0 <= step <= 100:
            _check_pay(step, target, odds.house_edge + float(pay) * slope)
        pay = step.limit_denominator(10**12) if low <= step <= high else (low + high) / 2
    rules = replace(start, blackjack_pays=edges[-1][0])
    near = []
    for printable in PRINTABLE_PAYS:
        near.append((printable, analyze(replace(start, blackjack_pays=printable)).house_edge))
        analyses += 1
    return BlackjackPay(
        rules, edges[-1][0], edges[-1][1], slope, analyses, _both_sides(near, edges[-1][0])
    )


def _check_pay(pay: Fraction, target: Fraction, at_zero: float) -> None:
    if not 0 <= pay <= 100:
        raise InputError(
            "edge", f"{float(target):.4%}", f"at most {at_zero:.4%}, the edge if it paid nothing"
        )


def _both_sides(
    edges: Sequence[tuple[Fraction, float]], pay: Fraction
) -> tuple[tuple[Fraction, float], ...]:
    below = [entry for entry in edges if entry[0] <= pay]
    above = [entry for entry in edges if entry[0] > pay]
    return (*below[-1:], *above[:1])
