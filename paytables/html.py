"""What paytables, their odds and designs show as the last line of a notebook's cell."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from odds.html import FLOAT64, Cell, facts, percent, report, table, text
from paytables.rule_fields import summarize_rules

if TYPE_CHECKING:
    from paytables.design import Design, DesignResult
    from paytables.metrics import Evaluation, MeterResult
    from paytables.model import Paytable, Tier
    from paytables.presets import TablePreset
    from paytables.rule_effects import RuleEffects
    from paytables.volatility import RtpInterval
    from paytables.vulnerability import Vulnerability

EDGE = "House edge = minus the expected net win per unit staked, RTP = 1 - edge"
SHOWN_DESIGNS = 10


def _title(paytable: Paytable) -> str:
    return f"{paytable.name}, {paytable.variant}" if paytable.variant else paytable.name


def _pays(tier: Tier) -> str:
    """What a tier pays, with its share of the meter."""
    parts = [] if tier.pays is None else [text(tier.pays)]
    parts += [] if tier.meter is None else [f"{text(100 * tier.meter)} % of the meter"]
    return " + ".join(parts)


def paytable(shown: Paytable) -> str:
    """A bet's tiers, without odds."""
    rows = [[tier.title, tier.when, _pays(tier)] for tier in shown.tiers]
    note = [f"Looks at {shown.cards}." if shown.cards else "", shown.rule, shown.note]
    note += ["All tiers that hold count." if shown.cumulative else "The first that holds pays."]
    return report(
        _title(shown),
        table(["tier", "when", f"pays {shown.paid}"], rows, (0, 1)),
        note=" ".join(filter(None, note)),
    )


def evaluation(found: Evaluation) -> str:
    """The figures of a paytable and the odds of every tier."""
    rows: list[list[Cell]] = [
        [
            row.tier.title,
            _pays(row.tier),
            row.ways,
            row.probability,
            percent(row.probability),
            f"{float(row.one_in):,.1f}" if row.one_in else "never",
            percent(row.contribution),
        ]
        for row in found.tiers
    ]
    odds = found.odds
    missed = sum(outcome.ways for outcome in odds.outcomes if not any(outcome.hits))
    chance = percent(odds.nothing)
    rows.append(["no tier", None, missed, odds.nothing, chance, None, percent(found.lost)])
    heads = ["tier", f"pays {found.paytable.paid}", "combinations", "exact", "probability"]
    played = "" if found.strategy is None else f" Cards drawn by {found.strategy.name}."
    amount = f"the meter at {text(found.meter)}" if found.paytable.meter is not None else ""
    return report(
        f"{_title(found.paytable)}: {odds.shoe}" + (f", {amount}" if amount else ""),
        facts(
            {
                "house edge": percent(found.edge),
                "exact": found.edge,
                "RTP": percent(found.rtp),
                "hits": percent(found.hit_frequency),
                "pushes": percent(found.push_frequency),
                "standard deviation": f"{found.standard_deviation:.4f}",
            }
        ),
        table([*heads, "1 in", "return"], rows),
        note=f"{EDGE}; exact fractions of {odds.total:,} combinations, shown rounded. Standard "
        f"deviation of one round in units; float64.{played}",
    )


def meter_result(found: MeterResult) -> str:
    """The edge as a function of the meter."""
    return report(
        "Progressive meter",
        facts(
            {
                "edge, meter at 0": percent(found.base_edge),
                "each 1,000 in the meter takes off": percent(1000 * found.return_per_unit),
                "break-even": "never"
                if found.break_even is None
                else f"{float(found.break_even):,.2f}",
                "won one round in": f"{float(1 / found.hit_frequency):,.0f}"
                if found.hit_frequency
                else "never",
                "long-run edge": percent(found.long_run_edge),
            }
        ),
        note=f"{EDGE}; exact, shown rounded. The meter is in currency, one unit of the bet being "
        f"{text(found.meter.stake)}. In the long run the seed and the increments are paid out.",
    )


def _design_row(made: Design) -> list[Cell]:
    first = next(iter(made.evaluations.values()))
    return [
        *(text(pay) for pay in made.pays.values()),
        *(percent(edge) for edge in made.edges.values()),
        percent(first.hit_frequency),
        f"{first.standard_deviation:.3f}",
        made.points,
        "; ".join(made.reasons),
    ]


def _design_table(tiers: list[str], decks: list[int], designs: list[Design], paid: str) -> str:
    heads = [*tiers, *(f"edge, {n} deck{'s' if n > 1 else ''}" for n in decks)]
    heads += [f"hits, {decks[0]}", f"SD, {decks[0]}", "points", "why"]
    rows = [_design_row(made) for made in designs]
    return f"<div>Pays {paid}:</div>" + table(heads, rows, (len(heads) - 1,))


def design(made: Design) -> str:
    """One design."""
    shown = _design_table(list(made.pays), list(made.edges), [made], made.paytable.paid)
    return report(_title(made.paytable), shown, note=f"{EDGE}; exact, shown rounded.")


def design_result(found: DesignResult) -> str:
    """What a search found, the best first."""
    from paytables.design import PROOFS

    title = f"{_title(found.paytable)}: edge from {percent(found.target.low)} to "
    title += percent(found.target.high)
    decks = ", ".join(map(str, found.decks))
    note = f"{EDGE}; exact, shown rounded; decks: {decks}. "
    if not found.designs:
        why = found.infeasible
        said = why.reason if why is not None else "no paytable was found"
        lifted = why.binding if why is not None else ()
        rows = [[limit] for limit in lifted]
        parts = [table(["it could be hit without"], rows)] if rows else []
        return report(f"{title}: {said}", *parts, note=f"{note}{PROOFS[found.proof].capitalize()}.")
    shown = list(found.designs[:SHOWN_DESIGNS])
    number = "an uncounted number of" if found.count is None else f"{found.count:,}"
    note += f"The best {len(shown)} of {number} paytables within the limits; "
    note += f"{PROOFS[found.proof]}. Fewer points are easier to read."
    tiers = list(shown[0].pays)
    return report(
        title, _design_table(tiers, list(found.decks), shown, found.paytable.paid), note=note
    )


def rule_effects(found: RuleEffects) -> str:
    """What every single change of the rules does to the edge."""
    rows = [
        [effect.label, percent(effect.house_edge), f"{100 * effect.difference:+.4f}"]
        for effect in found.effects
    ]
    return report(
        f"{', '.join(summarize_rules(found.rules))}: house edge {percent(found.house_edge)}",
        table(["one change", "house edge", "change, points"], rows),
        note=f"Per unit of the initial bet; strategy {found.strategy}, found anew for every rule "
        f"set; {FLOAT64}.",
    )


def rtp_interval(found: RtpInterval) -> str:
    """The interval of the RTP of N rounds."""
    normal, exact = ([percent(end, 3) for end in ends] for ends in (found.normal, found.exact))
    return report(
        f"RTP of {found.rounds:,} rounds, {found.confidence:.0%} interval",
        table(
            ["", "from", "to", "how"],
            [
                ["distribution", *exact, found.method],
                [
                    "normal",
                    *normal,
                    f"{'valid' if found.normal_valid else 'not valid'}: estimated error at an end "
                    f"{percent(found.normal_error, 2)}",
                ],
            ],
            (0, 3),
        ),
        note=f"Expected RTP {percent(found.rtp)}; independent rounds, each from a full shoe; the "
        "same probability left out on both sides; float64.",
    )


def table_preset(preset: TablePreset) -> str:
    """A table's rules, and what its text leaves open."""
    rows: list[list[Cell]] = [
        [
            point.topic,
            point.gap,
            point.reading,
            "; ".join(other.reading for other in point.alternatives) or point.remark,
        ]
        for point in preset.assumptions
    ]
    return report(
        f"{preset.title} ({preset.source})",
        f"<div>{_words(summarize_rules(preset.rules))}</div>",
        table(["left open", "the text", "read as", "other readings"], rows, range(4)),
        note="Nothing is computed here; paytables.readings.price_readings prices every reading.",
    )


def _words(parts: list[str]) -> str:
    return escape(" · ".join(parts))


def vulnerability(shown: Vulnerability) -> str:
    """The vulnerability table of a bet, with the definition of each figure under it."""
    rows: list[list[Cell]] = []
    for row in shown.rows:
        bets, seen = row.betting, row.ceilings
        best = None if seen is None else seen.perfect or seen.linear
        rows.append(
            [
                row.behind,
                percent(row.dealt, 1),
                "" if bets is None or bets.trigger is None else f"{bets.trigger:+.2f}",
                "" if bets is None else percent(bets.share, 2),
                "" if bets is None else f"{100 * bets.edge:+.3f} %",
                "" if bets is None else f"{100 * bets.gain:.3f}",
                "" if best is None else f"{100 * best.gain:.3f}",
            ]
        )
    heads = ["cards cut off", "dealt", "trigger", "bets", "average edge", "units per 100 rounds"]
    count = "no count tells anything" if shown.used is None else str(shown.used.system)
    return report(
        f"{shown.name}, {shown.decks} decks: counting {count}",
        table([*heads, "ceiling, units"], rows, ()),
        note=" ".join(shown.definitions()),
    )
