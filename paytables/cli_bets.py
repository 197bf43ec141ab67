"""The side-bet commands of `paytables`: the catalogue, and one bet in every detail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from odds.errors import InputError
from odds.rules import parse_fraction
from odds.sidebets.diagnosis import Finding, TierDiagnosis, diagnose, show_deal
from odds.sidebets.reference import language_reference
from paytables.bets import BetFile, load_catalog
from paytables.cli_options import chosen_bet, column_table, parse_decks, parse_pays, print_json
from paytables.metrics import (
    Evaluation,
    counts_of,
    evaluate,
    meter_result,
    shared_meter,
)
from paytables.model import Paytable

DEFINITION = (
    "Exact: every probability is a fraction of whole numbers of deals, shown rounded. House edge = "
    "minus the expected net win per unit staked; standard deviation per round, in units."
)


def register(app: typer.Typer) -> None:
    """Add the commands `bets` and `bet` to the application."""
    app.command("bets")(bets)
    app.command("bet")(bet)


def bets(
    search: Annotated[
        str, typer.Argument(metavar="[WORD]", help="Only bets whose name or rule has this word.")
    ] = "",
    language: Annotated[
        bool, typer.Option("--language", help="What a condition in a bet's file may contain.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The catalogue of side bets, each with its usual paytable's edge."""
    if language:
        _print_language(as_json=as_json)
        return
    found = [bet for bet in load_catalog().values() if _mentions(bet, search)]
    if not found:
        raise InputError("word", search, "a word that is in a bet's name or rule")
    if as_json:
        print_json([_bet_dict(bet) for bet in found])
        return
    console = Console(highlight=False)
    wide = console.width >= 110
    cards = ["Looks at"] if wide else []
    table = column_table("Bet", *cards, ">Paytables", "Usual one", ">Decks", ">House edge")
    for bet in found:
        paytable = bet.paytable()
        usual = evaluate(paytable, meter=0)
        note = " (meter at 0)" if paytable.meter else ""
        table.add_row(
            Text(bet.name, style="bold"),
            *([Text(bet.cards)] if wide else []),
            Text(str(len(bet.variant_names))),
            Text(paytable.variant),
            Text(str(paytable.decks[0])),
            Text(_percent(usual.edge) + note),
        )
    console.print(table)
    console.print(Text(DEFINITION, style="dim"))


def bet(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A bet of the catalogue, in any case.")
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", metavar="V", help="Which of its paytables.")
    ] = None,
    decks: Annotated[
        str | None,
        typer.Option("--decks", metavar="N", help="Deck counts: 6, 1-8 or 2,6,8."),
    ] = None,
    pay: Annotated[
        list[str] | None,
        typer.Option("--pay", metavar="TIER=PAY", help="Another pay for a tier; may be repeated."),
    ] = None,
    meter: Annotated[
        str | None, typer.Option("--meter", metavar="AMOUNT", help="The meter, in currency.")
    ] = None,
    hands: Annotated[
        int, typer.Option("--hands", metavar="N", help="Hands that bet at once and share a meter.")
    ] = 1,
    tiers: Annotated[
        bool, typer.Option("--tiers", help="Every tier with combinations and exact fractions.")
    ] = False,
    formula: Annotated[
        bool, typer.Option("--formula", help="Closed forms in the number of decks d.")
    ] = False,
    diagnosis: Annotated[
        bool, typer.Option("--diagnose", help="Check every tier and show example hands.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="TOML", help="A bet of your own.")
    ] = None,
) -> None:
    """The exact odds, edge and diagnosis of one side bet."""
    chosen = chosen_bet(name, file)
    paytable = chosen.paytable(variant)
    if pay:
        paytable = paytable.with_pays(parse_pays(pay))
    amount = None if meter is None else parse_fraction("meter", meter)
    if amount is not None and paytable.meter is None:
        raise InputError("meter", meter, "left out: this bet has no meter")
    if hands != 1 and (paytable.meter is None or not 1 <= hands <= 5):
        raise InputError("hands", hands, "from 1 to 5, for a bet with a meter")
    numbers = parse_decks(decks) if decks else paytable.decks[:1]
    evaluations = {number: evaluate(paytable, number, meter=amount) for number in numbers}
    first = evaluations[numbers[0]]
    found = diagnose(counts_of(paytable, first.strategy), numbers[0])
    if as_json:
        print_json(
            _paytable_dict(chosen, paytable)
            | {"decks": {str(n): _evaluation_dict(e) for n, e in evaluations.items()}}
            | ({"formulas": _formulas_dict(paytable, first)} if formula else {})
            | {"diagnosis": [_diagnosis_dict(tier) for tier in found]}
        )
        return
    console = Console(highlight=False)
    _print_head(console, chosen, paytable, first)
    if len(evaluations) > 1:
        _print_by_decks(console, evaluations)
    for number, evaluation in evaluations.items() if tiers else [(numbers[0], first)]:
        _print_tiers(console, number, evaluation, exact=tiers)
    if paytable.deal.draw != "always":
        edge = evaluate(paytable.with_cards_guaranteed(), numbers[0], meter=amount).edge
        console.print(Text(f"With the next card dealt in any case: house edge {_percent(edge)}"))
    if paytable.meter is not None:
        _print_meter(console, first)
        if hands > 1:
            _print_shared(console, paytable, hands, numbers[0])
    if formula:
        _print_formulas(console, paytable, first)
    _print_diagnosis(console, found, everything=diagnosis)
    console.print(Text(DEFINITION, style="dim"))


def _print_language(*, as_json: bool) -> None:
    entries = language_reference()
    if as_json:
        print_json([asdict(entry) for entry in entries])
        return
    table = column_table("Written", "Meaning", "Gives")
    kind = ""
    for entry in entries:
        if entry.kind != kind:
            kind = entry.kind
            table.add_row(Text(kind, style="bold"))
        table.add_row(Text(entry.usage), Text(entry.meaning), Text(entry.gives))
    Console(highlight=False).print(table)


def _mentions(bet: BetFile, word: str) -> bool:
    text = " ".join([bet.name, *bet.aliases, bet.cards, bet.rule]).lower()
    return word.lower() in text


def _percent(value: Fraction, digits: int = 4) -> str:
    return f"{float(value) * 100:.{digits}f} %"


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 or value.denominator > 1000 else f"{float(value):g}"


def _print_head(console: Console, bet: BetFile, paytable: Paytable, evaluation: Evaluation) -> None:
    head = Text()
    head.append(paytable.name, style="bold")
    if paytable.variant:
        head.append(f", {paytable.variant}", style="bold")
    head.append(f"  {paytable.pack}\n", style="dim")
    head.append(f"{paytable.rule}\n" if paytable.rule else "")
    if paytable.cards:
        head.append(f"Looks at: {paytable.cards}.\n", style="dim")
    if paytable.deal.given:
        head.append(f"Made when: {paytable.deal.given}\n", style="dim")
    if evaluation.strategy is not None:
        head.append(f"Cards drawn by {evaluation.strategy.name}.\n", style="dim")
    if paytable.note:
        head.append(f"{paytable.note}\n", style="dim")
    if paytable.source:
        head.append(f"Pays from: {paytable.source}\n", style="dim")
    others = [name for name in bet.variant_names if name and name != paytable.variant]
    if others:
        head.append(f"Other paytables: {'; '.join(others)}\n", style="dim")
    console.print(head, end="")


def _print_by_decks(console: Console, evaluations: dict[int, Evaluation]) -> None:
    table = column_table(">Decks", ">House edge", ">Exact", ">RTP", ">Hits", ">Pushes", ">SD")
    for number, evaluation in evaluations.items():
        table.add_row(
            str(number),
            _percent(evaluation.edge),
            _short(evaluation.edge),
            _percent(evaluation.rtp),
            _percent(evaluation.hit_frequency),
            _percent(evaluation.push_frequency),
            f"{evaluation.standard_deviation:.3f}",
        )
    console.print(table)


def _short(value: Fraction, most: int = 28) -> str:
    text = str(value)
    return text if len(text) <= most else f"{len(str(value.denominator))}-digit fraction"


def _print_tiers(console: Console, decks: int, evaluation: Evaluation, *, exact: bool) -> None:
    paytable = evaluation.paytable
    line = Text()
    line.append(f"\n{decks} deck{'s' if decks > 1 else ''}: ")
    line.append(f"house edge {_percent(evaluation.edge)}", style="bold")
    if evaluation.meter:
        line.append(f" with the meter at {_number(evaluation.meter)}")
    elif paytable.meter is not None:
        line.append(" with the meter at 0")
    line.append(
        f", RTP {_percent(evaluation.rtp)}, hits {_percent(evaluation.hit_frequency)}, "
        f"SD {evaluation.standard_deviation:.3f}\n"
    )
    if exact:
        line.append(f"edge = {evaluation.edge}\n", style="dim")
    console.print(line, end="")
    table = column_table("Tier", f">Pays {paytable.paid}", ">Probability", ">One in", ">Return")
    for row in evaluation.tiers:
        pays = "" if row.tier.pays is None else _number(row.tier.pays)
        if row.tier.meter is not None:
            pays += (" + " if pays else "") + f"{_number(row.tier.meter * 100)} % of meter"
        cells = (
            row.tier.title,
            pays,
            f"{float(row.probability):.8f}",
            f"{float(row.one_in):,.1f}" if row.one_in else "never",
            _percent(row.contribution),
        )
        table.add_row(*map(Text, cells))
    nothing = evaluation.odds.nothing
    cells = ("no tier", "", f"{float(nothing):.8f}", "", _percent(evaluation.lost))
    table.add_row(*(Text(cell, style="dim") for cell in cells))
    console.print(table)
    if exact:
        _print_combinations(console, evaluation)


def _print_combinations(console: Console, evaluation: Evaluation) -> None:
    odds = evaluation.odds
    table = column_table("Tier", "Combinations", "Exact probability")
    for row in evaluation.tiers:
        table.add_row(Text(row.tier.title), f"{row.ways:,}", str(row.probability))
    missed = sum(outcome.ways for outcome in odds.outcomes if not any(outcome.hits))
    table.add_row(Text("no tier", style="dim"), f"{missed:,}", str(odds.nothing))
    console.print(table)
    console.print(Text(f"of {odds.total:,} combinations", style="dim"))


def _print_meter(console: Console, evaluation: Evaluation) -> None:
    result = meter_result(evaluation)
    line = Text("Meter: ")
    line.append(f"edge {_percent(result.base_edge)} at 0, ")
    line.append(f"{_percent(result.return_per_unit * 1000)} less for each 1,000; ")
    if result.break_even is not None:
        line.append("break-even at ")
        line.append(f"{float(result.break_even):,.2f}", style="bold")
    if result.hit_frequency:
        line.append(f"; won one round in {float(1 / result.hit_frequency):,.0f}")
    if result.meter.seed or result.meter.increment:
        line.append(f"; long-run house edge {_percent(result.long_run_edge)} (seed and increment)")
    console.print(line)


def _print_shared(console: Console, paytable: Paytable, hands: int, decks: int) -> None:
    for tier in paytable.tiers:
        if tier.meter is not None:
            shared = shared_meter(paytable, tier.name, hands, decks)
            once = f"one round in {float(1 / shared.any_winner):,.0f}"
            console.print(
                Text(
                    f"{tier.title}: with {hands} hands betting it is won {once}; a winner gets "
                    f"{_percent(shared.expected_share)} of its share on average, the rest going "
                    "to hands that win at once."
                )
            )


def _print_formulas(console: Console, paytable: Paytable, evaluation: Evaluation) -> None:
    table = column_table("Tier", "Probability with d decks")
    for name, text in _formulas_dict(paytable, evaluation).items():
        table.add_row(Text(name), Text(text))
    console.print(table)
    if evaluation.strategy is not None:
        console.print(Text(f"For {evaluation.strategy.name}, whatever d is.", style="dim"))


def _print_diagnosis(console: Console, found: Sequence[TierDiagnosis], *, everything: bool) -> None:
    for tier in found:
        if tier.finding not in (Finding.FINE, Finding.ALWAYS):
            console.print(Text(f"Warning: {tier}", style="yellow"))
    if everything:
        table = column_table("Tier", "Diagnosis", "Also met by deals of", "Example hands")
        for tier in found:
            examples = "\n".join(show_deal(deal) for deal in tier.examples)
            cells = (tier.name, tier.finding.value, ", ".join(tier.hidden_by), examples)
            table.add_row(*map(Text, cells))
        console.print(table)


def _bet_dict(bet: BetFile) -> dict[str, Any]:
    return {
        "name": bet.name,
        "aliases": list(bet.aliases),
        "cards": bet.cards,
        "rule": bet.rule,
        "variants": list(bet.variant_names),
    }


def _paytable_dict(bet: BetFile, paytable: Paytable) -> dict[str, Any]:
    return _bet_dict(bet) | {
        "paytable": paytable.model_dump(mode="json", exclude_defaults=True),
        "definition": DEFINITION,
    }


def _evaluation_dict(evaluation: Evaluation) -> dict[str, Any]:
    values = {
        "house_edge": evaluation.edge,
        "rtp": evaluation.rtp,
        "hit_frequency": evaluation.hit_frequency,
        "push_frequency": evaluation.push_frequency,
        "meter": evaluation.meter,
    }
    return {
        "exact": {name: str(value) for name, value in values.items()},
        **{name: float(value) for name, value in values.items()},
        "standard_deviation": evaluation.standard_deviation,
        "combinations": evaluation.odds.total,
        "strategy": evaluation.strategy.name if evaluation.strategy else None,
        "tiers": [
            {
                "name": row.tier.name,
                "label": row.tier.title,
                "combinations": row.ways,
                "exact": str(row.probability),
                "probability": float(row.probability),
                "net": str(row.net),
                "return": float(row.contribution),
            }
            for row in evaluation.tiers
        ],
    }


def _formulas_dict(paytable: Paytable, evaluation: Evaluation) -> dict[str, str]:
    from paytables.symbolic import formulas  # sympy takes half a second to load

    forms = formulas(paytable, evaluation.strategy)
    shown = {name: str(form) for name, form in forms.probability.items()}
    return shown | {"house edge": str(forms.edge)}


def _diagnosis_dict(tier: TierDiagnosis) -> dict[str, Any]:
    return {
        "tier": tier.name,
        "finding": tier.finding.value,
        "hidden_by": list(tier.hidden_by),
        "examples": [show_deal(deal) for deal in tier.examples],
    }
