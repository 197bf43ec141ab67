"""The design commands of `paytables`: pays that hit an edge, sweeps over rules, single effects."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from odds.errors import InputError
from odds.rules import parse_fraction
from paytables.cli_options import Json, chosen_bet, column_table, named, parse_decks, print_json
from paytables.cli_sweep import (
    Tolerance,
    effects_command,
    sweep_command,
)
from paytables.design import PROOFS, Design, DesignResult, design
from paytables.design_constraints import (
    Limits,
    Target,
    TierLimits,
    Window,
    parse_limits,
    parse_share,
)
from paytables.edge_form import MeterBasis
from paytables.model import Paytable
from paytables.volatility import return_shares, volatility_index

NOT_FOUND = 1
"""The exit code where a target cannot be hit."""


def register(app: typer.Typer) -> None:
    """Add the commands `design`, `sweep` and `effects` to the application."""
    from paytables.cli import rule_options  # that module registers this one

    app.command("design")(design_command)
    app.command("sweep")(sweep_command)
    app.command("effects")(rule_options(effects_command))


def _band(option: str, text: str) -> tuple[Fraction, Fraction]:
    """A band such as ``4%-6%``."""
    low, sign, high = text.partition("-")
    if not sign:
        raise InputError(option, text, "two shares, such as 4%-6%")
    return parse_share(option, low), parse_share(option, high)


def _window(option: str, text: str | None) -> Window | None:
    """A window such as ``5-10``, ``-10`` or ``5-``, of numbers or shares."""
    if text is None:
        return None
    low, sign, high = text.partition("-")
    if not sign or not (low.strip() or high.strip()):
        raise InputError(option, text, "a window such as 5-10, -10 (at most) or 5- (at least)")
    ends = [parse_share(option, end) if end.strip() else None for end in (low, high)]
    return Window(*ends)


def design_command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A bet of the catalogue, in any case.")
    ] = None,
    edge: Annotated[
        str | None, typer.Option("--edge", metavar="SHARE", help="The house edge to hit: 5%.")
    ] = None,
    rtp: Annotated[
        str | None, typer.Option("--rtp", metavar="SHARE", help="The RTP to hit instead: 95%.")
    ] = None,
    tolerance: Tolerance = "0.1%",
    band: Annotated[
        list[str] | None,
        typer.Option("--band", metavar="DECKS=LOW-HIGH", help="Another band: 8=3%-5%. Repeatable."),
    ] = None,
    decks: Annotated[
        str | None,
        typer.Option(
            "--decks", metavar="N", help="Deck counts to hit with one paytable: 6 or 4-8."
        ),
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", metavar="V", help="The paytable to start from.")
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="TIER[=PAY]",
            help="A pay that is fixed; top is the tier that pays most. Repeatable.",
        ),
    ] = None,
    steps: Annotated[
        list[str] | None,
        typer.Option(
            "--steps",
            metavar="TIER=LOW-HIGH[:STEP]",
            help="What a tier may pay: top=100-300:5, or a list top=100,150. Repeatable.",
        ),
    ] = None,
    share: Annotated[
        list[str] | None,
        typer.Option(
            "--share",
            metavar="TIER=MOST",
            help="The most of the total return: top=20%. Repeatable.",
        ),
    ] = None,
    printable: Annotated[
        str | None,
        typer.Option("--printable", metavar="PAYS", help="The pays allowed elsewhere: 1,2,3,5,10."),
    ] = None,
    order: Annotated[
        str,
        typer.Option(
            metavar="WORD",
            help="Rarer pays more (strict), not less (weak), any (none), or as now (auto).",
        ),
    ] = "auto",
    deviation: Annotated[
        str | None,
        typer.Option("--sd", metavar="LOW-HIGH", help="A window for the standard deviation."),
    ] = None,
    hits: Annotated[
        str | None,
        typer.Option("--hits", metavar="LOW-HIGH", help="A window for the hit frequency: 10%-20%."),
    ] = None,
    top_award: Annotated[
        str | None, typer.Option("--top-award", metavar="N", help="The largest net win, in units.")
    ] = None,
    exposure: Annotated[
        str | None,
        typer.Option("--exposure", metavar="AMOUNT", help="The largest loss in a round."),
    ] = None,
    max_bet: Annotated[
        str, typer.Option("--max-bet", metavar="AMOUNT", help="The largest bet, for --exposure.")
    ] = "1",
    seats: Annotated[
        int, typer.Option("--seats", metavar="N", help="Bets at the table, for --exposure.")
    ] = 7,
    for_one: Annotated[
        bool | None,
        typer.Option("--for-one/--to-one", help="Search pays with the stake, or net."),
    ] = None,
    meter: Annotated[
        str | None,
        typer.Option("--meter", metavar="AMOUNT", help="The meter, or the word long-run."),
    ] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", help="How many to show.")] = 20,
    as_json: Json = False,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="TOML", help="A bet of your own.")
    ] = None,
) -> None:
    """Pays that hit a target edge, the most readable first (exit code 1: there are none)."""
    bet = chosen_bet(name, file)
    if (edge is None) == (rtp is None):
        raise InputError("edge", edge or "", "--edge or --rtp, and not both")
    paytable = bet.paytable(variant)
    if for_one is not None:
        paytable = paytable.as_for_one() if for_one else paytable.as_to_one()
    wanted = parse_share("edge", edge) if edge is not None else 1 - parse_share("rtp", rtp)
    bands = {}
    for number, text in named(band or [], "band", "decks and a band, such as 8=3%-5%").items():
        bands[parse_decks(number)[0]] = _band("band", text)
    keep, steps, share = (_with_top(texts, paytable) for texts in (keep, steps, share))
    limits = _limits(
        keep, steps, share, printable, order, deviation, hits, top_award, exposure, max_bet, seats
    )
    from paytables.cli import progress_bar

    with progress_bar() as tell:
        found = design(
            paytable,
            Target.around(wanted, tolerance, bands),
            parse_decks(decks) if decks else None,
            limits,
            top=top,
            meter=_meter(meter, paytable),
            progress=tell,
        )
    if as_json:
        print_json(design_dict(found))
    else:
        _print_designs(found)
    if not found.designs:
        raise typer.Exit(NOT_FOUND)


def _with_top(texts: list[str] | None, paytable: Paytable) -> list[str]:
    """The options with ``top`` as another name for the tier that pays most."""
    names = [tier.name for tier in paytable.tiers]
    paid = [tier for tier in paytable.tiers if tier.pays is not None]
    if "top" in names or not paid:
        return texts or []
    best = max(paid, key=lambda tier: tier.pays or 0).name
    found = []
    for text in texts or []:
        name, sign, rest = text.partition("=")
        found.append(best + sign + rest if name.strip() == "top" else text)
    return found


def _meter(text: str | None, paytable: Paytable) -> MeterBasis:
    if text is None:
        return None
    if paytable.meter is None:
        raise InputError("meter", text, "left out: this bet has no meter")
    if text.strip().lower().replace("-", " ") == "long run":
        return "long run"
    return parse_fraction("meter", text)


def _limits(
    keep: list[str],
    steps: list[str],
    share: list[str],
    printable: str | None,
    order: str,
    deviation: str | None,
    hits: str | None,
    top_award: str | None,
    exposure: str | None,
    max_bet: str,
    seats: int,
) -> Limits:
    tiers: dict[str, TierLimits] = {}
    for text in steps:
        tier, limits = parse_limits(text)
        if tier in tiers:
            raise InputError("steps", text, f"given once for {tier!r}")
        tiers[tier] = limits
    for tier, most in named(share, "share", "a tier and its share, such as top=20%").items():
        own = tiers.get(tier, TierLimits())
        tiers[tier] = TierLimits(own.low, own.high, own.step, own.pays, most)
    kept: dict[str, object] = {}
    for text in keep:
        tier, sign, pay = (part.strip() for part in text.rpartition("="))
        tier = tier if sign else text.strip()
        if tier in kept:
            raise InputError("keep", text, f"given once for {tier!r}")
        kept[tier] = pay if sign else None
    return Limits(
        tiers=tiers,
        keep=kept,
        printable=None if printable is None else tuple(p.strip() for p in printable.split(",")),
        order=order,
        deviation=_window("sd", deviation),
        hits=_window("hits", hits),
        top_award=None if top_award is None else parse_fraction("top_award", top_award),
        exposure=None if exposure is None else parse_fraction("exposure", exposure),
        maximum_bet=parse_fraction("max_bet", max_bet),
        seats=seats,
    )


def _show(pay: Fraction) -> str:
    return f"{pay.numerator:,}" if pay.denominator == 1 else str(pay)


def _print_designs(found: DesignResult) -> None:
    console = Console(highlight=False)
    names = [tier.name for tier in found.paytable.tiers if tier.pays is not None]
    head = Text(found.paytable.name, "bold")
    low, high = found.target.low, found.target.high
    goal = f"  edge from {float(low):.4%} to {float(high):.4%}"
    head.append(f"{goal}, {', '.join(map(str, found.decks))} decks, pays {found.paytable.paid}")
    console.print(head)
    if found.infeasible is not None:
        _print_infeasible(console, found)
        return
    table = _designs_table(found, names)
    wanted = console.measure(table, options=console.options.update(max_width=10_000)).maximum
    # cut headings and pays would mislead
    console.print(table if wanted <= console.width else _narrow_list(found, names))
    best = found.designs[0]
    console.print(Text(f"* changed. The first: {'; '.join(best.reasons)}."))
    number = "an uncounted number of" if found.count is None else f"{found.count:,}"
    console.print(
        Text(
            f"{number} paytables hit the target; {PROOFS[found.proof]}. Fewer points: rounder "
            "pays, fewer changes, evener steps; nearness to the target decides only among equals.",
            "dim",
        )
    )


def _paid(made: Design, found: DesignResult, tier: str) -> str:
    """A tier's pay, with a star where it is another than now."""
    now = next(t.pays for t in found.paytable.tiers if t.name == tier)
    return _show(made.pays[tier]) + ("" if made.pays[tier] == now else "*")


def _designs_table(found: DesignResult, names: list[str]) -> Table:
    decks = [f">{n} decks" for n in found.decks]
    table = column_table(">", *(f">{name}" for name in names), *decks, ">SD", ">Points")
    for rank, made in enumerate(found.designs, 1):
        edges = [f"{float(edge):.4%}" for edge in made.edges.values()]
        spread = f"{made.evaluations[found.decks[0]].standard_deviation:.3f}"
        pays = [_paid(made, found, tier) for tier in names]
        table.add_row(*map(Text, (str(rank), *pays, *edges, spread, str(made.points))))
    return table


def _narrow_list(found: DesignResult, names: list[str]) -> Text:
    """The same as lines, where a column for each tier and deck count has no room."""
    lines = Text()
    for rank, made in enumerate(found.designs, 1):
        pays = ", ".join(f"{tier} {_paid(made, found, tier)}" for tier in names)
        edges = ", ".join(f"{n} decks {float(edge):.4%}" for n, edge in made.edges.items())
        spread = f"SD {made.evaluations[found.decks[0]].standard_deviation:.3f}"
        lines.append(f"\n{rank}  ", "bold").append(f"{pays}; {edges}; {spread}; ")
        lines.append(f"{made.points} points\n")
    return lines


def _print_infeasible(console: Console, found: DesignResult) -> None:
    why = found.infeasible
    assert why is not None
    known = "No such paytable (proven: " if found.proof == "complete" else "None was found ("
    console.print(Text(f"{known}{why.reason}).", "yellow"))
    for side in why.nearest:
        ends = []
        for edge, pays in ((side.below, side.below_pays), (side.above, side.above_pays)):
            if edge is not None and pays is not None:
                listed = "/".join(
                    _show(pays.get(t.name, t.pays))
                    for t in found.paytable.tiers
                    if t.pays is not None
                )
                ends.append(f"{float(edge):.4%} ({listed})")
        console.print(Text(f"Nearest with {side.decks} decks: {' and '.join(ends)}"))
    if why.closest is not None and len(found.decks) > 1:
        edges = ", ".join(f"{float(edge):.4%}" for edge in why.closest.edges.values())
        shown = "/".join(map(_show, why.closest.pays.values()))
        console.print(Text(f"Closest for all: {shown} with edges {edges}"))
    if why.binding:
        console.print(Text(f"It could be hit without: {'; or without: '.join(why.binding)}"))


def design_dict(found: DesignResult) -> dict[str, Any]:
    """A search's result, ready for JSON."""
    why = found.infeasible
    return {
        "bet": found.paytable.name,
        "paid": found.paytable.paid,
        "decks": list(found.decks),
        "edge": [str(found.target.low), str(found.target.high)],
        "count": found.count,
        "proof": found.proof,
        "proof_text": PROOFS[found.proof],
        "designs": [_design_dict(made) for made in found.designs],
        "infeasible": None
        if why is None
        else {
            "reason": why.reason,
            "binding": list(why.binding),
            "nearest": [
                {
                    "decks": side.decks,
                    "below": None if side.below is None else str(side.below),
                    "above": None if side.above is None else str(side.above),
                }
                for side in why.nearest
            ],
            "closest": None if why.closest is None else _design_dict(why.closest),
        },
    }


def _design_dict(made: Design) -> dict[str, Any]:
    return {
        "pays": {tier: str(pay) for tier, pay in made.pays.items()},
        "points": made.points,
        "reasons": list(made.reasons),
        "by_decks": {
            str(decks): {
                "exact": str(made.edges[decks]),
                "house_edge": float(made.edges[decks]),
                "hit_frequency": float(evaluation.hit_frequency),
                "standard_deviation": evaluation.standard_deviation,
                "volatility_index": volatility_index(evaluation),
                "return_shares": {t: float(s) for t, s in return_shares(evaluation).items()},
            }
            for decks, evaluation in made.evaluations.items()
        },
    }
