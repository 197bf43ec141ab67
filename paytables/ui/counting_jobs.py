"""Vulnerability to counting, computed in processes of their own; no Streamlit here."""

from __future__ import annotations

from collections.abc import Callable

from odds.counting_system import CountingSystem, Kind
from odds.rules import Rules
from paytables.model import Paytable
from paytables.vulnerability import Vulnerability, game_vulnerability, vulnerability

Progress = Callable[[float, str], None]


def of_bet(
    paytable: Paytable,
    decks: int,
    system: str | None,
    level: int,
    by: Kind,
    cards: float,
    *,
    progress: Progress,
) -> Vulnerability:
    """The vulnerability of a side bet from whole decks.

    Raises:
        InputError: See `paytables.vulnerability.vulnerability`.
    """
    return vulnerability(
        paytable,
        decks,
        system=None if system is None else CountingSystem.named(system),
        level=level,
        by=by,
        cards_per_round=cards,
        progress=progress,
    )


def of_game(
    rules: Rules,
    title: str,
    system: str | None,
    level: int,
    cards: float,
    *,
    progress: Progress,
) -> Vulnerability:
    """The vulnerability of the main game from whole decks.

    Raises:
        InputError: See `paytables.vulnerability.game_vulnerability`.
    """
    return game_vulnerability(
        rules,
        title,
        system=None if system is None else CountingSystem.named(system),
        level=level,
        cards_per_round=cards,
        progress=progress,
    )
