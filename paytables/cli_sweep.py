"""The main game's design commands: edges of every combination of rules, and single effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from odds.errors import InputError
from paytables.cli_options import Json, column_table, named, print_json
from paytables.design_constraints import Target
from paytables.main_game_design import RuleResult, RuleSearch, blackjack_pay, search_rules
from paytables.presets import load_preset
from paytables.rule_effects import RuleEffects, rule_effects
from paytables.rule_fields import parse_rules, rule_field, show_rules, summarize_rules

Jobs = Annotated[
    int, typer.Option("--jobs", metavar="N", help="Processes at once; -1 for one on each core.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Keep results here, and go on from what is there."),
]
Strategy = Annotated[
    str, typer.Option(help="How split hands are played: CDZ-, CDP1 or CDP.", metavar="NAME")
]
Tolerance = Annotated[
    str, typer.Option("--tolerance", metavar="SHARE", help="How far off the edge may be.")
]


def sweep_command(
    preset: Annotated[
        str, typer.Argument(metavar="PRESET", help="A preset's name, or the path of a .toml file.")
    ],
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary", metavar="RULE=VALUE,...", help="A rule and its values: decks=6,8. Repeatable."
        ),
    ],
    edge: Annotated[
        str | None, typer.Option("--edge", metavar="SHARE", help="The house edge to hit: 0.5%.")
    ] = None,
    tolerance: Tolerance = "0.05%",
    strategy: Strategy = "CDZ-",
    jobs: Jobs = 1,
    out: Out = None,
    top: Annotated[int, typer.Option("--top", metavar="N", help="How many to show.")] = 20,
    as_json: Json = False,
) -> None:
    """The house edge of every combination of rules, or of those near an edge."""
    table = load_preset(preset)
    if top < 1:
        raise InputError("top", top, "1 or more")
    choices = {
        name: [value.strip() for value in values.split(",")]
        for name, values in named(vary, "vary", "a rule and its values, such as decks=6,8").items()
    }
    target = Target.between(-1, 1) if edge is None else Target.around(edge, tolerance)
    from paytables.cli import progress_bar

    with progress_bar() as tell:
        found = search_rules(
            table.rules, choices, target, strategy, jobs=jobs, file=out, progress=tell
        )
    results = found.found
    if edge is None:
        results = tuple(sorted(results, key=lambda result: result.house_edge))
    if as_json:
        print_json(
            {
                "preset": table.name,
                "strategy": strategy,
                "searched": found.searched,
                "found": len(results),
                "rules": [_result_dict(result) for result in results],
            }
        )
        return
    _print_rules(table.title, found, results[:top], show_rules(table.rules), near=edge is not None)


def effects_command(
    preset: Annotated[
        str, typer.Argument(metavar="PRESET", help="A preset's name, or the path of a .toml file.")
    ],
    edge: Annotated[
        str | None,
        typer.Option("--edge", metavar="SHARE", help="Also: the blackjack pay with this edge."),
    ] = None,
    strategy: Strategy = "CDZ-",
    jobs: Jobs = 1,
    out: Out = None,
    as_json: Json = False,
    *,
    changes: Mapping[str, object],
) -> None:
    """The effect of every single rule change around a table."""
    table = load_preset(preset)
    rules = parse_rules(changes, table.rules)
    from paytables.cli import progress_bar

    with progress_bar() as tell:
        pay = None if edge is None else blackjack_pay(rules, edge, strategy)
        found = rule_effects(rules, strategy, jobs=jobs, file=out, progress=tell)
    if as_json:
        shown = effects_dict(found)
        if pay is not None:
            shown["blackjack_pay"] = {"pays": str(pay.pay), "house_edge": pay.house_edge}
        print_json(shown)
        return
    console = Console(highlight=False)
    console.print(Text(table.title if rules == table.rules else f"{table.title}, changed", "bold"))
    console.print(Text("; ".join(summarize_rules(rules)), "dim"))
    _print_effects(console, found)
    if pay is not None:
        line = Text(f"A blackjack that pays {float(pay.pay):.6f} to 1 gives ")
        line.append(f"{pay.house_edge:.4%}", "bold")
        sides = [f"{p.numerator}:{p.denominator} gives {e:.4%}" for p, e in pay.printable]
        console.print(line, Text(f"({'; '.join(sides)})" if sides else "", "dim"))


def _result_dict(result: RuleResult) -> dict[str, Any]:
    return {
        "rules": show_rules(result.rules),
        "house_edge": result.house_edge,
        "element_of_risk": result.element_of_risk,
        "average_action": result.average_action,
    }


def _print_rules(
    title: str,
    found: RuleSearch,
    results: Sequence[RuleResult],
    base: Mapping[str, str],
    *,
    near: bool,
) -> None:
    console = Console(highlight=False)
    of = f"{len(found.found):,} of {found.searched:,} rule sets"
    band = f" from {float(found.target.low):.4%} to {float(found.target.high):.4%}" if near else ""
    console.print(Text(title, "bold"), Text(f"{of}{band}", "dim"))
    table = column_table(">House edge", ">Element of risk", "Changed rules")
    rows = [*results] if results else [r for r in (found.below, found.above) if r is not None]
    if not results:
        console.print(Text("None is in the band; the nearest on both sides:", "yellow"))
    for result in rows:
        shown = show_rules(result.rules)
        text = ", ".join(f"{k}={v}" for k, v in shown.items() if v != base[k])
        table.add_row(
            f"{result.house_edge:.4%}", f"{result.element_of_risk:.4%}", Text(text or "none")
        )
    console.print(table)
    if len(found.found) > len(results) > 0:
        console.print(Text(f"and {len(found.found) - len(results):,} more (--top N)", "dim"))


def effects_dict(found: RuleEffects) -> dict[str, Any]:
    """A table of effects, ready for JSON."""
    return {
        "rules": show_rules(found.rules),
        "strategy": found.strategy,
        "house_edge": found.house_edge,
        "effects": [
            {
                "rule": effect.rule,
                "label": effect.label,
                "change": effect.change,
                "house_edge": effect.house_edge,
                "difference": effect.difference,
            }
            for effect in found.effects
        ],
        "impossible": list(found.impossible),
    }


def _print_effects(console: Console, found: RuleEffects) -> None:
    console.print(Text(f"House edge {found.house_edge:.4%} ({found.strategy})", "bold"))
    table = column_table("One change", ">House edge", ">Effect on the player")
    last = ""
    for effect in found.effects:
        group = rule_field(effect.rule).group
        if last and group != last:
            table.add_row("", "", "")
        last = group
        worth = f"{effect.player:+.4%}" if abs(effect.player) >= 5e-7 else "none"
        table.add_row(Text(effect.label), f"{effect.house_edge:.4%}", worth)
    console.print(table)
    if found.impossible:
        listed = "; ".join(found.impossible)
        console.print(Text(f"Not possible with this table's other rules: {listed}", "dim"))
