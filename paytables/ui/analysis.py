"""Analyses for the app: cached for all users, bounded, with a progress bar for the slow ones.

`st.cache_data` cannot be used here: nothing on the page may change while a cached function runs,
so there could be no progress bar, and a bar's message is what lets a stopped script stop.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from odds.game import GameOdds, HandOdds, analyze
from odds.rules import Rules
from odds.shoe import Shoe
from odds.strategy import Action, Chart

MAX_GAMES = 12
"""Games kept, about 10 MB each."""

MAX_EDGES = 4096
"""House edges kept."""

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """The values of the most recently used keys; safe in threads."""

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._lock = threading.Lock()
        self._found: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable) -> Value | None:
        """The value, or None."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: Hashable, value: Value) -> None:
        """Keep a value, and forget the one not used for longest if there are too many."""
        with self._lock:
            self._found[key] = value
            self._found.move_to_end(key)
            while len(self._found) > self._max_entries:
                self._found.popitem(last=False)

    def __len__(self) -> int:
        return len(self._found)


@dataclass(frozen=True, slots=True)
class Part:
    """What the hands of one first decision add to the expected value.

    Attributes:
        name: The decision, or `natural`.
        share: The fraction of rounds.
        expected_value: Their part of the expected value of a round.
    """

    name: str
    share: float
    expected_value: float


@dataclass(frozen=True, slots=True)
class GameView:
    """An analysed game with all that the page shows of it.

    Attributes:
        odds: The analysis.
        chart: The strategy chart.
        exceptions: (hand, upcard) to best action, of hands that differ from their chart cell.
        dealer: Upcard to the dealer's final totals.
        parts: The expected value by first decision; the parts add up to it.
    """

    odds: GameOdds
    chart: Chart
    exceptions: dict[tuple[tuple[int, ...], int], Action]
    dealer: dict[int, dict[str, float]]
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, odds: GameOdds) -> GameView:
        """Collect the view of an analysis."""
        chart = odds.chart()
        exceptions = {
            (cards, up): odds.hand(cards, up).best
            for grid in (chart.hard, chart.soft, chart.pairs)
            for row in grid.values()
            for up, cell in row.items()
            for cards in cell.exceptions
        }
        dealer = {up: odds.dealer_totals(up) for up in odds.upcard_probability}
        return cls(odds, chart, exceptions, dealer, expected_value_parts(odds))


def expected_value_parts(odds: GameOdds) -> tuple[Part, ...]:
    """The expected value by first decision, naturals apart."""
    shares: dict[str, float] = {}
    values: dict[str, float] = {}
    for hand in odds.starting_hands():
        name = "natural" if hand.natural else hand.best.value
        chance = hand.probability or 0.0
        shares[name] = shares.get(name, 0.0) + chance
        values[name] = values.get(name, 0.0) + chance * hand.unconditional[hand.best]
    order = ["natural", *(action.value for action in Action)]
    return tuple(Part(name, shares[name], values[name]) for name in order if name in shares)


@st.cache_resource(show_spinner=False)
def _games() -> BoundedCache[GameView]:
    return BoundedCache(MAX_GAMES)


@st.cache_resource(show_spinner=False)
def _edges() -> BoundedCache[float]:
    return BoundedCache(MAX_EDGES)


@st.cache_resource(show_spinner=False)
def engine_lock() -> threading.RLock:
    """The lock for every analysis of a main game, of all sessions."""
    # Analyses of one shoe share a table of dealer odds that they extend; two threads must not.
    return threading.RLock()


@contextmanager
def progress_bar(
    place: DeltaGenerator, what: str, wait: float = 0.4
) -> Iterator[Callable[[float, str], None]]:
    """A progress bar in an `st.empty` that appears once the work has taken `wait` seconds."""
    started = time.monotonic()

    def tell(done: float, detail: str) -> None:
        if time.monotonic() - started > wait:
            place.progress(min(max(done, 0.0), 1.0), text=f"{what}: {detail}" if detail else what)

    try:
        yield tell
    finally:
        place.empty()


def game_view(rules: Rules, shoe: Shoe | None, strategy: str, place: DeltaGenerator) -> GameView:
    """The analysed game, from the cache or computed with a progress bar in `place`.

    Raises:
        InputError: The shoe is too small for a round.
    """
    key = (rules, shoe, strategy)
    if (view := _games().get(key)) is None:
        with progress_bar(place, "Analysing the game") as tell, engine_lock():
            view = GameView.of(analyze(rules, shoe, strategy, progress=tell))
        _games().put(key, view)
        _edges().put(key, view.odds.house_edge)
    return view


def hand_odds(
    view: GameView, cards: tuple[int, ...], upcard: int, same_rank: bool | None
) -> HandOdds:
    """A hand of an analysed game.

    Raises:
        InputError: The hand is impossible or not in the shoe.
    """
    with engine_lock():
        return view.odds.hand(cards, upcard, same_rank=same_rank)


def edge_of(
    rules: Rules,
    shoe: Shoe | None,
    strategy: str,
    progress: Callable[[float, str], None] | None = None,
) -> float:
    """The house edge alone, from the cache or computed."""
    key = (rules, shoe, strategy)
    if (edge := _edges().get(key)) is None:
        with engine_lock():
            edge = analyze(rules, shoe, strategy, progress=progress).house_edge
        _edges().put(key, edge)
    return edge
