"""The command `count`: how far card counting can beat a side bet or the main game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from odds.cards import RANK_NAMES, SUIT_NAMES
from odds.counting_system import CountingSystem, Kind, insurance_correlation
from odds.errors import InputError
from odds.rules import parse_fraction
from odds.running_count import DECK
from odds.shoe import Shoe
from paytables import terminal
from paytables.bets import find_bet
from paytables.cli_options import chosen_bet, print_json
from paytables.count_report import report, rows_of_cards
from paytables.played_out import PlayedRow, played_out
from paytables.presets import load_preset, preset_names
from paytables.rule_fields import parse_rules
from paytables.vulnerability import (
    CARDS_PER_ROUND,
    Vulnerability,
    VulnerabilityRow,
    game_vulnerability,
    interval,
    vulnerability,
)
from paytables.vulnerability_terms import PLAYED


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    from paytables.cli import progress_bar, rule_options

    @app.command("count")
    @rule_options
    def count(
        name: Annotated[
            str | None,
            typer.Argument(metavar="NAME", help="A bet of the catalogue, or a table preset."),
        ] = None,
        file: Annotated[
            Path | None, typer.Option("--file", metavar="TOML", help="A bet of your own.")
        ] = None,
        game: Annotated[
            bool, typer.Option("--game", help="The preset's main game, where a bet has its name.")
        ] = False,
        variant: Annotated[
            str | None, typer.Option("--variant", metavar="V", help="Which of the bet's paytables.")
        ] = None,
        meter: Annotated[
            str | None, typer.Option("--meter", metavar="AMOUNT", help="The meter, in currency.")
        ] = None,
        penetration: Annotated[
            str | None,
            typer.Option(
                "--penetration",
                metavar="PLACES",
                help="Where the cut card is: decks behind it (0.5,1,1.5), cards behind it (75c), "
                "or the share dealt (75%).",
            ),
        ] = None,
        tags: Annotated[
            str | None,
            typer.Option(
                "--tags",
                metavar="TAGS",
                help="Count with these: hi-lo, ko, halves ..., ten tags for A,2,...,9,T, thirteen "
                "for A,2,...,K, or by card: A=-1,5=2,QH=-3 or red=1,black=-1.",
            ),
        ] = None,
        level: Annotated[
            int, typer.Option("--level", metavar="N", help="The best tags' largest number, 1 to 4.")
        ] = 3,
        by: Annotated[
            str, typer.Option("--by", metavar="KIND", help="Best tags by value, rank or card.")
        ] = "rank",
        trigger: Annotated[
            float | None,
            typer.Option(
                "--trigger", metavar="N", help="Bet at this true count or above; else the best."
            ),
        ] = None,
        whole: Annotated[
            bool, typer.Option("--whole", help="Choose triggers among whole true counts.")
        ] = False,
        cards: Annotated[
            float, typer.Option("--cards", metavar="N", help="Cards dealt in a round, all hands.")
        ] = CARDS_PER_ROUND,
        rounds: Annotated[
            int | None,
            typer.Option(
                "--rounds", metavar="N", help="Random shoes of the simulated ceilings; 0 for none."
            ),
        ] = None,
        played: Annotated[
            int | None,
            typer.Option(
                "--played", metavar="N", help="Also deal N shoes heads-up, with real rounds."
            ),
        ] = None,
        table: Annotated[
            str,
            typer.Option(
                "--table", metavar="PRESET", help="How the main game is played in --played."
            ),
        ] = "six-deck-h17",
        seed: Annotated[
            int, typer.Option("--seed", metavar="N", help="Of the random numbers.")
        ] = 1,
        true_counts: Annotated[
            bool, typer.Option("--true-counts", help="Also the edge at each true count.")
        ] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
        *,
        changes: Mapping[str, object],
    ) -> None:
        """Effects of removal, the best count and the vulnerability table of a bet or a table."""
        if (name is None) == (file is None):
            raise InputError("name", name or "", "a bet, a preset or --file, and not both")
        if seed < 0:
            raise InputError("seed", seed, "0 or more")
        system = None if tags is None else CountingSystem.parse(tags)
        as_bet = file is not None or not _is_game(name or "", game=game)
        common: dict[str, Any] = {
            "system": system,
            "level": level,
            "cards_per_round": cards,
            "trigger": trigger,
            "step": 1 if whole else None,
            "rounds": rounds,
            "seed": seed,
        }
        if as_bet:
            paytable = chosen_bet(name, file).paytable(variant)
            decks = _only_decks(changes, paytable.decks[0])
            amount = None if meter is None else parse_fraction("meter", meter)
            if amount is not None and paytable.meter is None:
                raise InputError("meter", meter, "left out: this bet has no meter")
            size = paytable.pack.shoe.size
            rules = load_preset(table).rules
            with progress_bar() as tell:
                result = vulnerability(
                    paytable,
                    decks,
                    by=_kind(by),
                    behind=parse_places(penetration, size * decks) if penetration else None,
                    meter=amount,
                    progress=tell,
                    **common,
                )
                seen = None
                if played is not None:
                    seen = played_out(
                        result, rules, played, paytable, seed=seed, meter=amount, progress=tell
                    )
        else:
            for given, option in ((variant, "variant"), (meter, "meter")):
                if given is not None:
                    raise InputError(option, given, "left out for the main game")
            preset = load_preset(name or "")
            rules = parse_rules(changes, preset.rules)
            size = DECK * rules.decks
            with progress_bar() as tell:
                result = game_vulnerability(
                    rules,
                    preset.title if rules == preset.rules else f"{preset.title}, changed",
                    behind=parse_places(penetration, size) if penetration else None,
                    progress=tell,
                    **common,
                )
                seen = None if played is None else played_out(result, rules, played, seed=seed)
        if as_json:
            found = count_dict(result, seen)
            print_json(found)
            return
        parts = report(result, seen, true_counts=true_counts)
        terminal.print_all(Console(highlight=False), *parts)


def _is_game(name: str, *, game: bool) -> bool:
    """Whether a name is that of a preset: a bet of the catalogue comes first."""
    if game or name.lower().endswith(".toml"):
        return True
    try:
        find_bet(name)
    except InputError as error:
        if name.lower() in preset_names():
            return True
        allowed = f"{error.allowed}; or a preset: {', '.join(preset_names())}"
        raise InputError("name", error.value, allowed) from None
    return False


def _only_decks(changes: Mapping[str, object], usual: int) -> int:
    """The number of decks; no other rule of the main game belongs to a side bet."""
    for field, value in changes.items():
        if field != "decks":
            raise InputError(field, value, "left out for a side bet")
    given = changes.get("decks", usual)
    if not re.fullmatch(r"\d{1,2}", str(given)):
        raise InputError("decks", given, "a whole number from 1 to 12")
    return int(str(given))


def _kind(text: str) -> Kind:
    if text == "value":
        return "value"
    if text == "card":
        return "card"
    if text != "rank":
        raise InputError("by", text, "one of value, rank, card")
    return "rank"


def parse_places(text: str, size: int) -> tuple[int, ...]:
    """Read places of the cut card as numbers of cards behind it.

    Args:
        text: Decks behind it (``0.5,1``), cards behind it (``75c``) or the share dealt (``75%``).
        size: Cards of the shoe.

    Raises:
        InputError: A part is none of these.

    Example:
        >>> parse_places("0.5, 75%, 60c", 312)
        (26, 78, 60)
    """
    places: list[int] = []
    for part in text.replace(" ", "").split(","):
        match = re.fullmatch(r"(\d{1,4}(?:\.\d{1,4})?)(%|c?)", part)
        if match is None or len(places) >= 20:
            raise InputError("penetration", text, "decks (0.5,1,1.5), cards (75c) or shares (75%)")
        number = float(match[1])
        if match[2] == "%":
            places.append(round(size * (1 - number / 100)))
        else:
            places.append(round(number if match[2] else DECK * number))
    return tuple(places)


def count_dict(found: Vulnerability, played: tuple[PlayedRow, ...] | None = None) -> dict[str, Any]:
    """The same, ready for JSON."""
    exact = found.exact_effects
    shoe = Shoe(found.counts_of_cards)
    return {
        "name": found.name,
        "decks": found.decks,
        "exactness": {
            "effects": "float64, error below 1e-12" if exact is None else "exact",
            "counter": "linear estimate" if exact is None else "exact for the model, in float64",
            "ceilings": "simulated",
        },
        "expected": found.expected,
        "expected_exact": None if exact is None else str(exact.expected),
        "offered": found.offered,
        "effects": [
            {
                "cards": [RANK_NAMES[i // 4] + SUIT_NAMES[i % 4] for i in cards],
                "in_shoe": sum(found.counts_of_cards[i] for i in cards),
                "effect": found.effects[cards[0]],
                "exact": None if exact is None else str(exact.effects[cards[0]]),
            }
            for _, cards in rows_of_cards(found)
        ],
        "systems": [
            {
                "name": scored.system.name,
                "tags": str(scored.system),
                "betting_correlation": scored.correlation,
                "insurance_correlation": insurance_correlation(scored.system, shoe),
                "balanced": scored.balanced,
                "used": found.used is not None and scored.system == found.used.system,
            }
            for scored in found.systems
        ],
        "edge_per_true_count": found.edge_per_true_count,
        "cards_per_round": found.cards_per_round,
        "seed": found.seed,
        "rows": [_row_dict(row) for row in found.rows],
        "played_out": None if played is None else [_played_dict(row) for row in played],
        "true_counts": [asdict(each) for each in found.true_counts],
        "definitions": [*found.definitions(), *([] if played is None else [PLAYED])],
    }


def _row_dict(row: VulnerabilityRow) -> dict[str, Any]:
    found: dict[str, Any] = {
        "cards_behind": row.behind,
        "dealt": row.dealt,
        "rounds": row.rounds,
        "counter": None,
        "ceilings": None,
    }
    if row.betting is not None:
        found["counter"] = {
            "trigger": row.betting.trigger,
            "or_below": row.betting.lower,
            "bets": row.betting.share,
            "average_edge": row.betting.edge,
            "units_per_100_rounds": 100 * row.betting.gain,
        }
    if row.ceilings is not None:
        ways = {"best_linear": row.ceilings.linear, "perfect": row.ceilings.perfect}
        found["ceilings"] = {
            name: None
            if way is None
            else {
                "bets": way.share,
                "average_edge": way.edge,
                "units_per_100_rounds": 100 * way.gain,
                "half_width_95": 100 * interval(way.error),
                "shoes": way.shoes,
            }
            for name, way in ways.items()
        }
    return found


def _played_dict(row: PlayedRow) -> dict[str, Any]:
    return {
        "cards_behind": row.behind,
        "rounds": row.rounds,
        "cards_per_round": row.cards_per_round,
        "bets": row.share,
        "average_edge": row.edge,
        "units_per_100_rounds": 100 * row.gain,
        "half_width_95": 100 * interval(row.error),
        "shoes": row.shoes,
    }
