"""HTML of the strategy grids, action tables and cards. Text from outside is always escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from odds.game import HandOdds
from odds.strategy import Action, ChartCell
from paytables.chart_style import (
    ACTION_CODES,
    CODE_STYLES,
    Section,
    edge_change,
    hand_name,
    percent,
    value_name,
)
from paytables.presets import Assumption
from paytables.readings import ReadingResult

_CODES_CSS = "".join(
    f".pt-{code}{{background:{look.background};color:{look.ink}}}"
    for code, look in CODE_STYLES.items()
)

# Cells keep their own ink on their own colour, so they read the same on either theme; everything
# else takes the page's colours.
_STYLE = f"""<style>
[data-testid=stMainBlockContainer]{{padding-top:2.6rem}}
[data-testid=stMetricValue]{{font-size:clamp(1.1rem,2.3vw,2.1rem)}}
.pt-grid{{border-collapse:separate;border-spacing:2px;table-layout:fixed;width:100%;
  max-width:34rem;font-size:.86rem;line-height:1.15;font-variant-numeric:tabular-nums;
  margin:0 0 .4rem}}
.pt-grid caption{{caption-side:top;text-align:left;font-weight:600;font-size:1rem;
  padding:.2rem 0 .35rem;color:inherit}}
.pt-grid th{{font-weight:600;padding:.16rem 0;text-align:center;opacity:.8;border:0}}
.pt-grid th[scope=row]{{text-align:right;padding-right:.5rem;width:3.4rem;white-space:nowrap}}
.pt-grid td{{position:relative;text-align:center;font-weight:650;border-radius:4px;
  padding:.27rem 0;border:0;cursor:default}}
.pt-grid td:hover{{box-shadow:0 0 0 2px currentColor}}
.pt-grid td sup{{font-size:.7em;line-height:0;margin-left:1px}}
.pt-grid td[data-tip]:hover::after{{content:attr(data-tip);white-space:pre;position:absolute;
  z-index:99;left:50%;bottom:calc(100% + 5px);transform:translateX(-50%);background:#16202b;
  color:#f4f7f9;border:1px solid #3b4a59;padding:.5rem .65rem;border-radius:6px;
  font:400 .76rem/1.5 ui-monospace,"DejaVu Sans Mono",monospace;text-align:left;
  box-shadow:0 6px 20px rgba(0,0,0,.35);pointer-events:none}}
.pt-grid td:nth-last-child(-n+3)[data-tip]:hover::after{{left:auto;right:0;transform:none}}
.pt-grid td:nth-child(-n+4)[data-tip]:hover::after{{left:0;transform:none}}
.pt-grid tbody tr:nth-child(-n+4) td[data-tip]:hover::after{{bottom:auto;top:calc(100% + 5px)}}
@media (max-width:60rem){{.pt-grid td[data-tip]:hover::after{{position:fixed!important;
  left:.6rem!important;right:auto!important;top:auto!important;bottom:.6rem!important;
  transform:none!important}}}}
.pt-legend{{display:flex;flex-wrap:wrap;gap:.3rem 1rem;margin:.2rem 0 .4rem;font-size:.86rem}}
.pt-legend span{{display:inline-flex;align-items:center;gap:.4rem}}
.pt-badge{{display:inline-block;min-width:1.9rem;text-align:center;font-weight:650;
  border-radius:4px;padding:.08rem .4rem}}
.pt-table{{border-collapse:collapse;width:100%;font-size:.92rem;
  font-variant-numeric:tabular-nums}}
.pt-table caption{{text-align:left;font-weight:600;padding:.2rem 0 .35rem;color:inherit}}
.pt-table th{{text-align:right;font-weight:600;opacity:.75;padding:.3rem .6rem;border:0;
  border-bottom:1px solid rgba(128,138,134,.45);vertical-align:bottom}}
.pt-table td{{text-align:right;padding:.32rem .6rem;border:0;
  border-bottom:1px solid rgba(128,138,134,.2)}}
.pt-table th:first-child,.pt-table td:first-child{{text-align:left;padding-left:.1rem}}
.pt-table td:not(:first-child){{white-space:nowrap}}
.pt-table .pt-best{{font-weight:700}}
.pt-cards{{display:flex;gap:.5rem;align-items:center;flex-wrap:wrap;margin:.1rem 0 .6rem}}
.pt-card{{width:2.7rem;height:3.7rem;border-radius:7px;background:#fff;color:#17211c;
  border:1px solid #b9c4bf;box-shadow:0 1px 4px rgba(0,0,0,.22);display:flex;
  align-items:center;justify-content:center;font-weight:700;font-size:1.2rem}}
.pt-cards .pt-against{{opacity:.75;margin:0 .35rem}}
{_CODES_CSS}
</style>"""
_CHANGE_LIGHT = "<style>.pt-up{color:#b23c0a}.pt-down{color:#0b7650}</style>"
_CHANGE_DARK = "<style>.pt-up{color:#ff9d6b}.pt-down{color:#4fd1a0}</style>"


def style(*, dark: bool) -> str:
    """The style sheet that all the tables here need once a page."""
    return _STYLE + (_CHANGE_DARK if dark else _CHANGE_LIGHT)


def _tip(label: str, up: int, cell: ChartCell, exceptions: Mapping[tuple[int, ...], Action]) -> str:
    look = CODE_STYLES.get(cell.code)
    lines = [f"{label} against {value_name(up)}: {look.meaning if look else cell.code}"]
    ranked = sorted(cell.values, key=lambda a: cell.values[a], reverse=True)
    lines += [f"{action.value:<10}{cell.values[action]:+.6f}" for action in ranked]
    lines += [f"but {hand_name(cards)}: {best.value}" for cards, best in exceptions.items()]
    return "\n".join(lines)


def chart_grid(
    section: Section,
    upcards: Sequence[int],
    exceptions: Mapping[tuple[tuple[int, ...], int], Action],
) -> str:
    """One grid of the chart: rows by hand, columns by upcard, values on hover."""
    head = "".join(f'<th scope="col">{value_name(up)}</th>' for up in upcards)
    kind = {"Hard totals": "hard ", "Soft totals": "", "Pairs": "pair "}.get(section.title, "")
    rows = []
    for label, row in section.rows:
        cells = []
        for up in upcards:
            if (cell := row.get(up)) is None:
                cells.append("<td></td>")
                continue
            other = {cards: exceptions[cards, up] for cards in cell.exceptions}
            tip = escape(_tip(f"{kind}{label}", up, cell, other), quote=True)
            star = "<sup>*</sup>" if other else ""
            cells.append(
                f'<td class="pt-{escape(cell.code)}" data-tip="{tip}" aria-label="{tip}">'
                f"{escape(cell.code)}{star}</td>"
            )
        rows.append(f'<tr><th scope="row">{escape(label)}</th>{"".join(cells)}</tr>')
    return (
        f'<table class="pt-grid"><caption>{escape(section.title)}</caption>'
        f'<thead><tr><th scope="row"></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def legend(codes: Sequence[str], *, starred: bool) -> str:
    """The codes that occur, in their colours."""
    shown = [
        f'<span><b class="pt-badge pt-{escape(code)}">{escape(code)}</b>'
        f"{escape(CODE_STYLES[code].meaning if code in CODE_STYLES else code)}</span>"
        for code in codes
    ]
    if starred:
        shown.append("<span><b>*</b>some two-card hands play differently</span>")
    return f'<div class="pt-legend">{"".join(shown)}</div>'


def badge(action: Action) -> str:
    """An action in its chart colour."""
    return f'<span class="pt-badge pt-{ACTION_CODES[action]}">{escape(action.value)}</span>'


def cards_row(cards: Sequence[int], upcard: int) -> str:
    """A hand and an upcard drawn as cards."""

    def card(value: int) -> str:
        return f'<span class="pt-card">{value_name(value)}</span>'

    hand = "".join(card(value) for value in cards)
    label = f"{hand_name(tuple(cards))} against {value_name(upcard)}"
    return (
        f'<div class="pt-cards" role="img" aria-label="{escape(label)}">{hand}'
        f'<span class="pt-against">against</span>{card(upcard)}</div>'
    )


def action_table(hand: HandOdds) -> str:
    """Every legal action of a hand, best first."""
    heads = ["action"]
    heads += ["given no<br>dealer blackjack"] if hand.conditional else []
    heads += ["dealer blackjack<br>included", "against<br>the best"]
    best = hand.values[hand.best]
    rows = []
    for action in sorted(hand.values, key=lambda a: hand.values[a], reverse=True):
        numbers = [f"{hand.values[action]:+.9f}"]
        numbers += [f"{hand.unconditional[action]:+.9f}"] if hand.conditional else []
        numbers.append("best" if action is hand.best else f"{hand.values[action] - best:+.9f}")
        kind = ' class="pt-best"' if action is hand.best else ""
        cells = "".join(f"<td>{number}</td>" for number in numbers)
        rows.append(f"<tr{kind}><td>{badge(action)}</td>{cells}</tr>")
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    return (
        '<table class="pt-table"><caption>Value of every action, in units of the bet</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def readings_rows(
    assumption: Assumption, base_edge: float, results: Sequence[ReadingResult] | None
) -> str:
    """The reading taken and the other ones, with their edges once these are known."""
    taken_edge = percent(base_edge) if assumption.alternatives else ""
    rows = [
        f'<tr class="pt-best"><td>● {escape(assumption.reading)}</td><td>{taken_edge}</td>'
        "<td></td></tr>"
    ]
    by_reading = {id(result.reading): result for result in results or ()}
    for reading in assumption.alternatives:
        edge, change = "", ""
        if (result := by_reading.get(id(reading))) is not None:
            if result.house_edge is None:
                change = escape(result.problem or "")
            else:
                edge = percent(result.house_edge)
                difference = result.house_edge - base_edge
                colour = "" if abs(difference) < 1e-12 else "pt-up" if difference > 0 else "pt-down"
                change = f'<span class="{colour}">{edge_change(difference)}</span>'
        rows.append(
            f"<tr><td>○ {escape(reading.reading)}</td><td>{edge}</td><td>{change}</td></tr>"
        )
    return (
        '<table class="pt-table"><thead><tr><th scope="col">reading</th>'
        '<th scope="col">edge</th><th scope="col">change</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
