"""Figures: what is drawn is what was computed; they show themselves, and are reproducible."""

from __future__ import annotations

import base64
from dataclasses import replace
from fractions import Fraction

import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from odds import Rules, analyze
from odds.errors import InputError
from odds.outcomes import round_outcomes
from odds.removal import effects_of_removal
from paytables.bets import load_paytable, parse_bet
from paytables.chart_style import CODE_STYLES
from paytables.metrics import by_decks, evaluate, meter_result
from paytables.model import Paytable
from paytables.plot_style import Plot, literal, printable
from paytables.plots import plot
from paytables.plots_game import draw_probabilities
from paytables.rule_effects import rule_effects
from paytables.volatility import rtp_interval, slopes

SWEET = load_paytable("Sweet 16")
SIMPLE = Rules(decks=6, max_split_hands=1, max_split_hands_aces=1)


def lengths(ax: Axes, horizontal: bool = True) -> list[float]:
    bars = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    return [bar.get_width() if horizontal else bar.get_height() for bar in bars]


def test_bars_of_contributions_add_up_to_the_last_bar_and_that_is_minus_the_edge() -> None:
    evaluation = evaluate(SWEET, 8)
    (ax,) = plot(evaluation).axes
    *parts, total = lengths(ax)
    assert len(parts) == len(SWEET.tiers) + 1
    assert sum(parts) == pytest.approx(total, abs=1e-12)
    assert total == pytest.approx(-4 / 83)  # the published 4.8193 %


def test_a_wager_that_is_lost_in_a_hit_of_another_is_in_the_bar_without_a_tier() -> None:
    """With two wagers the rounds without a hit on each are in one bar, so the sum still holds."""
    evaluation = evaluate(load_paytable("Bet the Bust"))
    *parts, total = lengths(plot(evaluation).axes[0])
    assert sum(parts) == pytest.approx(total, abs=1e-12)


def test_points_of_the_edge_by_decks() -> None:
    found = by_decks(SWEET, [8, 1, 2])
    (ax,) = plot(found, now=8).axes
    (line,) = ax.lines
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "8"]
    assert list(line.get_ydata()) == pytest.approx([100 * float(found[n].edge) for n in (1, 2, 8)])


def test_bars_of_slopes_are_what_a_pay_of_one_more_does() -> None:
    evaluation = evaluate(SWEET, 8)
    drawn = lengths(plot(slopes(evaluation)).axes[0])
    for tier, length in zip(SWEET.tiers, drawn, strict=True):
        assert tier.pays is not None
        more = evaluate(SWEET.with_pays({tier.name: tier.pays + 1}), 8)
        assert length == pytest.approx(100 * float(more.edge - evaluation.edge))


def test_band_of_the_rtp_narrows_and_rings_mark_where_the_normal_one_fails() -> None:
    series = [rtp_interval(evaluate(SWEET, 8), 10**k) for k in (5, 3, 4)]
    (ax,) = plot(series).axes
    low, high = (
        line for line in ax.lines if len(line.get_xdata()) == 3 and line.is_dashed() is False
    )
    widths = [b - a for a, b in zip(low.get_ydata(), high.get_ydata(), strict=True)]
    assert widths == sorted(widths, reverse=True)
    rings = {
        float(line.get_xdata()[0]) for line in ax.lines if line.get_markerfacecolor() == "white"
    }
    assert rings == {float(found.rounds) for found in series if not found.normal_valid}


def test_line_of_the_meter_crosses_zero_at_its_break_even() -> None:
    result = meter_result(evaluate(load_paytable("21+3 Progressive")))
    (ax,) = plot(result, amount=1000.0).axes
    (x0, x1), (y0, y1) = ax.lines[0].get_data()
    assert result.break_even is not None
    assert x0 + (x1 - x0) * y0 / (y0 - y1) == pytest.approx(float(result.break_even))


def test_chart_has_the_letter_and_colour_of_every_cell() -> None:
    game = analyze(Rules(decks=1))
    chart = game.chart()
    figure = plot(game)
    (ax,) = figure.axes
    cells = [
        row[up]
        for part in (chart.hard, chart.soft, chart.pairs)
        for row in part.values()
        for up in row
    ]
    letters = [text.get_text() for text in ax.texts]
    for code in CODE_STYLES:
        here = sum(cell.code == code for cell in cells)
        assert letters.count(code) == here + (here > 0)  # and once in the legend
    starred = sum(bool(cell.exceptions) for cell in cells)
    assert starred
    assert letters.count("*") == starred
    assert plot(chart).alt == figure.alt


def test_texts_of_the_chart_stay_on_the_page() -> None:
    figure = plot(analyze(Rules(decks=1, surrender="late")).chart())
    figure.png()
    width, height = figure.bbox.width, figure.bbox.height
    for text in figure.axes[0].texts:
        box = text.get_window_extent()
        assert box.x0 >= 0, text.get_text()
        assert box.y0 >= 0, text.get_text()
        assert box.x1 <= width, text.get_text()
        assert box.y1 <= height, text.get_text()


def test_columns_of_the_distribution_are_all_of_the_probability() -> None:
    outcomes = round_outcomes(analyze(SIMPLE))
    (ax,) = plot(outcomes).axes
    assert sum(lengths(ax, horizontal=False)) == pytest.approx(100.0)
    with pytest.raises(InputError, match="two split hands"):
        plot(replace(outcomes, distribution=None))


def test_rule_effects_go_from_the_best_for_the_player_to_the_worst() -> None:
    effects = rule_effects(SIMPLE, only=["hit_soft_17", "blackjack_pays", "surrender"])
    drawn = lengths(plot(effects).axes[0])
    assert drawn == sorted(drawn)
    assert drawn == pytest.approx(sorted(100 * e.difference for e in effects.effects))
    most = max(drawn, key=abs)
    (length,) = lengths(plot(effects, most=1).axes[0])
    assert abs(length) == pytest.approx(abs(most))


def test_effects_of_removal_are_drawn_from_two_to_ace() -> None:
    effects = effects_of_removal(SIMPLE)
    (ax,) = plot(effects).axes
    assert [label.get_text() for label in ax.get_yticklabels()] == [*list("23456789"), "10", "A"]
    assert lengths(ax)[-1] == pytest.approx(100 * effects.effects[1])


@pytest.mark.parametrize("nothing", [None, {}, [], (), {6: 0.5}, [1, 2], "Sweet 16"])
def test_what_cannot_be_drawn_is_said(nothing: object) -> None:
    with pytest.raises(InputError, match="an Evaluation"):
        plot(nothing)


def test_the_same_figure_has_the_same_bytes() -> None:
    evaluation = evaluate(SWEET, 8)
    assert plot(evaluation).png() == plot(evaluation).png()


def test_a_notebook_gets_the_image_with_its_alternative_text() -> None:
    core = pytest.importorskip("IPython.core.formatters")
    figure = plot(evaluate(SWEET, 8))
    data, metadata = core.DisplayFormatter().format(figure)
    assert base64.b64decode(data["image/png"]) == figure.png()
    assert data["text/plain"] == figure.alt == figure.get_label()
    assert metadata["image/png"]["alt"] == figure.alt
    assert 'alt="Return by tier' in figure.html()


def test_texts_from_outside_are_drawn_as_they_are() -> None:
    """Dollar signs start no formula; a sign that the font lacks makes no warning."""
    paytable = Paytable.model_validate(
        {
            "name": "$5 and $10 点",
            "tiers": [
                {"name": "a", "label": r"$\frac$ _x^" * 9, "when": "suited(player)", "pays": 2}
            ],
        }
    )
    figure = plot(evaluate(paytable, 6))
    figure.png()
    assert "$5 and $10" in figure.alt
    assert literal("$5 点") == r"\$5 �"
    assert printable("≤ − × ♠♥♦♣ ⋅ é") == "≤ − × ♠♥♦♣ ⋅ é"


def test_numbers_at_the_ends_of_bars_stay_inside() -> None:
    figure = plot(evaluate(load_paytable("Lucky Ladies"), 6))
    figure.png()
    (ax,) = figure.axes
    frame = figure.bbox
    left = max(label.get_window_extent().x1 for label in ax.get_yticklabels())
    for text in ax.texts:
        box = text.get_window_extent()
        assert left <= box.x0, text.get_text()
        assert box.x1 <= frame.width, text.get_text()


def test_a_figure_is_a_plain_matplotlib_figure() -> None:
    figure = draw_probabilities({Fraction(-1): Fraction(1, 2), Fraction(1): 0.5}, title="Even")
    assert isinstance(figure, Plot)
    figure.axes[0].set_xlabel("changed")
    assert figure.png()[:4] == b"\x89PNG"


def test_bars_that_are_all_zero_have_an_axis() -> None:
    always = parse_bet(
        'name = "Even"\n[[tiers]]\nname = "any"\nwhen = "total(player) > 1"\npays = 0\n'
    )
    drawn = plot(evaluate(always.paytable()))  # a warning would be an error
    low, high = drawn.axes[0].get_xlim()
    assert low < 0 < high
