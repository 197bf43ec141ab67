"""The PAR sheet of a side bet, built from a paytable; the same inputs give the same sheet."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from odds.errors import InputError
from odds.rules import parse_fraction
from odds.shoe import Shoe
from odds.sidebets import BetCounts, count_bet
from odds.sidebets.diagnosis import Finding, diagnose
from odds.sidebets.simulation import simulate_bet
from paytables.bets import load_catalog, paytable_toml
from paytables.metrics import Evaluation, counts_of, evaluate
from paytables.model import Paytable
from paytables.presets import preset_names
from paytables.sheets import bet_words, cross_check, show
from paytables.sheets.bet_check import simulation_section
from paytables.sheets.bet_risk import (
    RTP_ROUNDS,
    decks_lines,
    exposure_section,
    interval_line,
    meter_section,
    sensitivity_lines,
)
from paytables.sheets.identity import (
    checked_date,
    checked_version,
    command_of,
    identity_of,
    rounding_policy,
    shoe_option,
)
from paytables.sheets.model import (
    BetRules,
    BetSheet,
    BetTotals,
    ExactNumber,
    Identity,
    OutcomeLine,
    Rest,
    Term,
    TierLine,
    Wager,
)
from paytables.volatility import NORMAL, volatility_index

Progress: TypeAlias = Callable[[float, str], None]

ROUNDS = 4_000_000
SEED = 1
MAXIMUM_BET = Fraction(100)
SEATS = 7
VOLATILITY_CONFIDENCE = 0.9

exact = ExactNumber.of


def bet_sheet(
    paytable: Paytable,
    decks: int | None = None,
    *,
    date: str | date,
    shoe: Shoe | None = None,
    version: str = "1",
    max_bet: Fraction | int | str | None = None,
    seats: int = SEATS,
    cap: Fraction | int | str | None = None,
    meter: Fraction | int | str | None = None,
    rounds: int = ROUNDS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> BetSheet:
    """The PAR sheet of a side bet.

    Args:
        paytable: The bet with its pays.
        decks: Decks of its pack; by default its usual number.
        date: The date of the sheet.
        shoe: What is dealt from instead of decks.
        version: The version of the design.
        max_bet: The largest bet of one unit in currency; by default the meter's stake for a
            progressive, else 100.
        seats: How many can bet, for the exposure.
        cap: The most that one bet is paid in a round, in currency, or None.
        meter: The meter in currency; by default the paytable's own amount, else 0.
        rounds: Rounds of the simulated cross-check; 0 leaves it out.
        seed: Its seed.
        progress: Called with (fraction done, what); raising cancels.

    Raises:
        InputError: A value is out of range; see also `paytables.metrics.evaluate`.

    Example:
        >>> from paytables.bets import load_paytable
        >>> sheet = bet_sheet(load_paytable("Sweet 16"), 8, date="2026-11-30", rounds=10_000)
        >>> sheet.totals.edge.fraction, sheet.tiers[0].probability.fraction
        ('4/83', '4/5395')
    """
    report = progress or (lambda done, what: None)
    day, design = checked_date(date), checked_version(version)
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 0:
        raise InputError("rounds", rounds, "a whole number, 0 for no simulation")
    report(0.0, "counting deals")
    amount = None if meter is None else parse_fraction("meter", meter)
    if amount is not None and paytable.meter is None:
        raise InputError("meter", str(amount), "left out: this bet has no meter")
    found = evaluate(paytable, decks, shoe=shoe, meter=amount)
    number = None if shoe is not None else (decks if decks is not None else paytable.decks[0])
    usual = paytable.meter.stake if paytable.meter is not None else MAXIMUM_BET
    bet = usual if max_bet is None else parse_fraction("max_bet", max_bet)
    limit = None if cap is None else parse_fraction("cap", cap)
    options: dict[str, object] = {
        "decks": number,
        "shoe": None if shoe is None else list(shoe.counts),
        "meter": str(found.meter) if paytable.meter is not None else None,
        "maximum_bet": str(bet),
        "seats": seats,
        "cap": None if limit is None else str(limit),
        "rounds": rounds,
        "seed": seed,
        "date": day,
        "version": design,
    }
    simulated = None
    exposed = exposure_section(found, bet, seats, limit)
    report(0.1, "counting deals for other decks")
    by_decks = () if shoe is not None else decks_lines(found, number)
    if rounds:
        simulated = simulate_bet(
            paytable.bet,
            found.odds.shoe,
            rounds,
            seed,
            found.strategy,
            lambda done, what: report(0.3 + 0.4 * done, what),
        )
    intervals = []
    for i, spins in enumerate(RTP_ROUNDS):
        report(0.7 + 0.05 * i, f"RTP of {spins:,} rounds")
        intervals.append(interval_line(found, spins))
    lines = sensitivity_lines(found)
    checked = None if simulated is None else simulation_section(found, simulated)
    sheet = BetSheet(
        identity=_identity(paytable, shoe, options),
        rules=_rules(found, number),
        tiers=_tiers(found),
        rest=_rest(found),
        exclusive=not paytable.cumulative and len(bet_words.groups_of(paytable)) == 1,
        outcomes=_outcomes(found),
        totals=_totals(found),
        rtp_intervals=tuple(intervals),
        exposure=exposed,
        by_decks=by_decks,
        sensitivity=lines,
        meter=None if paytable.meter is None else meter_section(found),
        simulation=checked,
        definitions=_definitions(bool(lines), checked is not None),
        rounding=rounding_policy(),
        warnings=_warnings(found, number),
    )
    report(1.0, "done")
    return sheet


def _definitions(steps: bool, checked: bool) -> tuple[Term, ...]:
    """What the figures of the sheet mean, those that it has."""
    words = [*bet_words.DEFINITIONS, *([bet_words.STEP] if steps else [])]
    words += [cross_check.Z, cross_check.CHI_SQUARE] if checked else []
    return tuple(Term(written=word, meaning=meaning) for word, meaning in words)


def _identity(paytable: Paytable, shoe: Shoe | None, options: dict[str, object]) -> Identity:
    day, design = str(options["date"]), str(options["version"])
    command, text = "", None if shoe is None else shoe_option(shoe)
    if shoe is None or text is not None:
        command = command_of(
            _name_on_the_command_line(paytable),
            {
                "decks": options["decks"],
                "shoe": text,
                "meter": options["meter"],
                "max-bet": options["maximum_bet"],
                "seats": options["seats"],
                "cap": options["cap"],
                "rounds": options["rounds"],
                "seed": options["seed"],
                "version": design,
                "date": day,
                "output": "sheet.pdf",
            },
        )
    return identity_of(
        name=paytable.name,
        variant=paytable.variant,
        version=design,
        day=day,
        inputs={"bet": paytable.model_dump(mode="json", exclude_defaults=True), **options},
        command=command,
        source=paytable.source,
    )


def _name_on_the_command_line(paytable: Paytable) -> list[str]:
    bet = load_catalog().get(paytable.name)
    known = bet is not None and paytable.variant in bet.variant_names
    if bet is None or not known or bet.paytable(paytable.variant) != paytable:
        return ["--file", "bet.toml"]
    name = "-".join(paytable.name.lower().split())
    words = [name, "--bet"] if name in preset_names() else [name]
    return [*words, "--variant", paytable.variant] if paytable.variant else words


def _rules(found: Evaluation, decks: int | None) -> BetRules:
    paytable, notes = found.paytable, []
    if paytable.note:
        notes.append(paytable.note)
    if paytable.deal.draw != "always":
        sure = evaluate(
            paytable.with_cards_guaranteed(),
            decks,
            shoe=None if decks is not None else found.odds.shoe,
            meter=found.meter,
        )
        notes.append(
            f"With the next cards dealt in any case the house edge is {sure.edge} "
            f"({show.percent(sure.edge, 6)})."
        )
    if found.strategy is not None and decks is None:
        notes.append(f"The strategy is the best one for {paytable.decks[0]} decks, not this shoe.")
    return BetRules(
        rule=paytable.rule,
        cards=paytable.cards,
        deal=bet_words.deal_in_words(paytable),
        precedence=bet_words.precedence_in_words(paytable),
        payment=bet_words.payment_in_words(paytable),
        pushes=bet_words.pushes_in_words(paytable),
        strategy=bet_words.strategy_in_words(found),
        condition=bet_words.condition_in_words(paytable),
        shuffle=bet_words.SHUFFLE,
        pack=str(paytable.pack),
        shoe=str(found.odds.shoe) if decks is None or not paytable.pack.shoe.full_decks
        else f"{decks} deck{'s' if decks > 1 else ''}, {found.odds.shoe.size} cards",
        decks=decks,
        cards_in_shoe=found.odds.shoe.size,
        cumulative=paytable.cumulative,
        paid=paytable.paid,
        wagers=tuple(
            Wager(name=name, stake=exact(stake), missed=exact(_missed(found, name)))
            for name, stake in paytable.wagers.items()
        ),
        glossary=bet_words.glossary(paytable),
        bet_file=paytable_toml(paytable),
        notes=tuple(notes),
    )  # fmt: skip


def _missed(found: Evaluation, wager: str) -> Fraction:
    """The probability that no tier on a wager is hit."""
    own = [i for i, tier in enumerate(found.paytable.tiers) if tier.wager == wager]
    ways = sum(o.ways for o in found.odds.outcomes if not any(o.hits[i] for i in own))
    return Fraction(ways, found.odds.total)


def _stakes_back(found: Evaluation) -> list[Fraction]:
    """The part of the RTP that is stakes coming back, by tier: of a wager's hits the first has it.

    A bet that pays for one has every hit's unit in its pays already.
    """
    paytable, odds = found.paytable, found.odds
    back = [Fraction(0)] * len(paytable.tiers)
    for outcome in odds.outcomes:
        seen: set[str] = set()
        for i, (tier, hits) in enumerate(zip(paytable.tiers, outcome.hits, strict=True)):
            stake = paytable.wagers.get(tier.wager)
            if not hits or stake is None:
                continue
            times = hits if paytable.paid == "for one" else int(tier.wager not in seen)
            seen.add(tier.wager)
            back[i] += times * stake * odds.probability(outcome) / paytable.stake
    return back


def _tiers(found: Evaluation) -> tuple[TierLine, ...]:
    paytable = found.paytable
    rows = zip(found.tiers, found.odds.tiers, _stakes_back(found), strict=True)
    return tuple(
        TierLine(
            name=row.tier.name,
            title=row.tier.title,
            condition=row.tier.when,
            times=row.tier.times,
            wager=row.tier.wager,
            stake=exact(paytable.wagers.get(row.tier.wager, Fraction(1))),
            pays=None if row.tier.pays is None else exact(row.tier.pays),
            meter_share=None if row.tier.meter is None else exact(row.tier.meter),
            net=exact(row.net),
            combinations=row.ways,
            probability=exact(row.probability),
            one_in=None if row.one_in is None else exact(row.one_in),
            expected_count=exact(odds.expected_count),
            contribution=exact(row.contribution),
            returned=exact(row.contribution + back),
        )
        for row, odds, back in rows
    )


def _rest(found: Evaluation) -> Rest:
    ways = sum(outcome.ways for outcome in found.odds.outcomes if not any(outcome.hits))
    returned = [r.contribution + b for r, b in zip(found.tiers, _stakes_back(found), strict=True)]
    return Rest(
        combinations=ways,
        probability=exact(found.odds.nothing),
        contribution=exact(found.lost),
        returned=exact(found.rtp - sum(returned, Fraction(0))),
    )


def _outcomes(found: Evaluation) -> tuple[OutcomeLine, ...]:
    lines = []
    for outcome in sorted(found.odds.outcomes, key=lambda o: o.hits, reverse=True):
        hit = [
            tier.title if times == 1 else f"{times} x {tier.title}"
            for tier, times in zip(found.paytable.tiers, outcome.hits, strict=True)
            if times
        ]
        lines.append(
            OutcomeLine(
                hits=" + ".join(hit),
                net=exact(found.net(outcome)),
                combinations=outcome.ways,
                probability=exact(found.odds.probability(outcome)),
                counts=outcome.hits,
            )
        )
    return tuple(lines)


def _totals(found: Evaluation) -> BetTotals:
    award = found.top_award
    return BetTotals(
        combinations=found.odds.total,
        stake=exact(found.paytable.stake),
        edge=exact(found.edge),
        rtp=exact(found.rtp),
        hit_frequency=exact(found.hit_frequency),
        push_frequency=exact(found.push_frequency),
        loss_frequency=exact(1 - found.hit_frequency - found.push_frequency),
        variance=exact(found.variance),
        standard_deviation=found.standard_deviation,
        volatility_index=volatility_index(found, VOLATILITY_CONFIDENCE),
        volatility_confidence=VOLATILITY_CONFIDENCE,
        volatility_z=NORMAL.inv_cdf(0.5 + VOLATILITY_CONFIDENCE / 2),
        largest_award=exact(award),
        largest_award_probability=exact(found.results[award]),
    )


def _warnings(found: Evaluation, decks: int | None) -> tuple[str, ...]:
    counts: BetCounts
    if decks is None:
        counts = count_bet(found.paytable.bet, found.odds.shoe, found.strategy)
    else:
        counts = counts_of(found.paytable, found.strategy)
    return tuple(
        str(tier)
        for tier in diagnose(counts, decks if decks is not None else 1)
        if tier.finding not in (Finding.FINE, Finding.ALWAYS)
    )
