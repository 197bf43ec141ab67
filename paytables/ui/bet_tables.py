"""HTML of the side-bet pages: tier table, example hands, notes. Text from outside is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from html import escape

from odds.cards import Card, Colour
from odds.sidebets.diagnosis import Finding, TierDiagnosis
from odds.sidebets.results import ExampleDeal
from paytables.draft import Problem
from paytables.metrics import Evaluation
from paytables.model import Paytable, Tier

_STYLE = """<style>
.pt-scroll{overflow-x:auto}
.pt-scroll caption{max-width:calc(100vw - 3rem)}
.pt-scroll td:first-child,.pt-scroll th:first-child{min-width:8rem}
.st-key-figures>*{flex:1 1 9rem!important;width:auto!important;min-width:9rem}
[class*=st-key-icon-only] button [data-testid=stMarkdownContainer]{position:absolute;width:1px;
  height:1px;overflow:hidden;clip-path:inset(50%)}
.pt-fraction{font-size:.82em;opacity:.85;white-space:nowrap}
.pt-muted td{opacity:.7}
.pt-total td{font-weight:700;border-top:1px solid rgba(128,138,134,.55)}
.pt-at{font:400 .82rem/1.45 ui-monospace,"DejaVu Sans Mono",monospace;white-space:pre-wrap;
  overflow-wrap:anywhere;margin:0;padding:.45rem .7rem;border-radius:6px;
  background:rgba(214,92,50,.10);border-left:3px solid #d9653b}
.pt-at b{background:#d9653b;color:#fff;border-radius:3px;padding:0 .12em}
.pt-at i{font:italic .84rem/1.4 inherit;display:block;white-space:normal}
.pt-odds{font-size:.84rem;line-height:1.25;font-variant-numeric:tabular-nums;opacity:.85;
  white-space:nowrap;min-width:6.4rem}
.pt-red{color:#b3152b!important}
.pt-card.pt-suited{font-size:1.05rem;letter-spacing:-.02em}
.pt-deal{display:flex;gap:.35rem 1.1rem;flex-wrap:wrap;align-items:flex-end;margin:.1rem 0 .7rem}
.pt-deal figure{margin:0}
.pt-deal figcaption{font-size:.75rem;opacity:.75;margin-bottom:.15rem}
.pt-deal .pt-hand{display:flex;gap:.25rem}
.pt-examples{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));
  gap:0 2rem}
.pt-tier-examples{display:flex;flex-wrap:wrap;gap:.2rem 2.4rem}
@media (max-width:48rem){[class*=st-key-tier-row]{border-top:1px solid rgba(128,138,134,.3);
  padding-top:.7rem}[class*=st-key-tier-row] [class*="-when"]{flex:1 1 100%;min-width:100%}
  [class*=st-key-toolbar] kbd,[class*=st-key-toolbar] [data-testid=stButtonShortcut]{display:none}}
.pt-compare th[scope=row]{text-align:left;padding-left:.1rem;vertical-align:top;
  border-bottom:1px solid rgba(128,138,134,.2);opacity:1}
.pt-compare td{white-space:normal!important;vertical-align:top;text-align:left!important;
  line-height:1.35}.pt-compare thead th{text-align:left}
.pt-differs{background:rgba(224,165,38,.20);box-shadow:inset 3px 0 0 #c98a00}
</style>"""

_PLACES = {
    "player": "player",
    "up": "upcard",
    "hole": "hole card",
    "dealer": "dealer",
    "next": "next cards",
}


def style() -> str:
    """The style sheet of these tables; needs `grids.style` beside it."""
    return _STYLE


def number(value: Fraction) -> str:
    """A pay or a net as people write it: whole, a short decimal, or a fraction.

    Example:
        >>> number(Fraction(5, 2)), number(Fraction(1000)), number(Fraction(1, 3))
        ('2.5', '1,000', '1/3')
    """
    if value.denominator == 1:
        return f"{value.numerator:,}"
    decimal = f"{float(value):.6g}"
    return decimal if "e" not in decimal and Fraction(decimal) == value else str(value)


def pay_text(tier: Tier) -> str:
    """What a tier pays, with its share of the meter."""
    parts = [] if tier.pays is None else [number(tier.pays)]
    parts += [] if tier.meter is None else [f"{number(100 * tier.meter)} % of the meter"]
    return " + ".join(parts)


def plain(text: str) -> str:
    """A text that Markdown shows as it is."""
    return "".join(f"\\{sign}" if sign in "\\*_`[]<>#|~:$" else sign for sign in text)


_ADDRESS = re.compile(r"https?://[A-Za-z0-9_./?=&%+,;@~#-]+")


def with_links(text: str) -> str:
    r"""A text that Markdown shows as it is, but for plain web addresses, which become links.

    Example:
        >>> with_links("*a* https://example.org/b_c")
        '\\*a\\* https://example.org/b_c'
    """
    words = text.split(" ")
    return " ".join(word if _ADDRESS.fullmatch(word) else plain(word) for word in words)


def percent(value: Fraction | float, digits: int = 4) -> str:
    """A share in percent."""
    return f"{100 * float(value):.{digits}f} %"


def one_in(value: Fraction | None) -> str:
    """How many rounds there are to a hit."""
    if value is None:
        return "never"
    return f"{float(value):,.1f}" if value < 1000 else f"{float(value):,.0f}"


def fraction(value: Fraction, most: int = 26) -> str:
    """An exact fraction; one too long for a table is cut, whole on hover."""
    text = f"{value.numerator}/{value.denominator}" if value.denominator > 1 else str(value)
    shown = text if len(text) <= most else f"{text[: most - 2]}…"
    return f'<span class="pt-fraction" title="{text}">{shown}</span>'


def tier_table(evaluation: Evaluation) -> str:
    """Every tier with its combinations, probability, pays and return."""
    paytable = evaluation.paytable
    rows = []
    for row in evaluation.tiers:
        kind = "" if row.ways else ' class="pt-muted"'
        rows.append(
            f"<tr{kind}><td>{escape(row.tier.title)}</td><td>{escape(pay_text(row.tier))}</td>"
            f"<td>{row.ways:,}</td><td>{fraction(row.probability)}</td>"
            f"<td>{percent(row.probability, 6)}</td><td>{one_in(row.one_in)}</td>"
            f"<td>{percent(row.contribution)}</td></tr>"
        )
    odds = evaluation.odds
    missed = sum(outcome.ways for outcome in odds.outcomes if not any(outcome.hits))
    rows.append(
        f'<tr class="pt-muted"><td>no tier</td><td></td><td>{missed:,}</td>'
        f"<td>{fraction(odds.nothing)}</td><td>{percent(odds.nothing, 6)}</td><td></td>"
        f"<td>{percent(evaluation.lost)}</td></tr>"
    )
    rows.append(
        f'<tr class="pt-total"><td>all deals</td><td></td><td>{odds.total:,}</td><td></td><td></td>'
        f"<td></td><td>{percent(-evaluation.edge)}</td></tr>"
    )
    heads = ["tier", f"pays {paytable.paid}", "combinations", "exact", "probability", "1 in"]
    head = "".join(f'<th scope="col">{text}</th>' for text in (*heads, "return"))
    return (
        '<div class="pt-scroll"><table class="pt-table"><caption>Odds of every tier</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def odds_cell(evaluation: Evaluation, tier: int) -> str:
    """Frequency and return of a tier, beside its entries."""
    row = evaluation.tiers[tier]
    often = f"1 in {one_in(row.one_in)}" if row.ways else "never"
    return f'<div class="pt-odds">{often}<br>{percent(row.contribution, 3)}</div>'


def problem_note(problem: Problem) -> str:
    """What is wrong with an entry, and the place in its text."""
    if problem.position is None:
        return f'<p class="pt-at" role="alert"><i>{escape(problem.message)}</i></p>'
    text, at = problem.text, problem.position
    mark = escape(text[at : at + 1]) or "&nbsp;"
    return (
        f'<p class="pt-at" role="alert">{escape(text[:at])}<b>{mark}</b>{escape(text[at + 1 :])}'
        f"<i>Character {at + 1}: {escape(problem.message)}</i></p>"
    )


def card(one: Card) -> str:
    """A card with its suit."""
    red = " pt-red" if one.colour is Colour.RED else ""
    return f'<span class="pt-card pt-suited{red}">{one.sign.replace("T", "10")}</span>'


def deal_row(deal: ExampleDeal) -> str:
    """A deal drawn as cards, by place."""
    shown = [(place, cards) for place, cards in deal if cards]
    words = "; ".join(f"{_PLACES.get(p, p)} {' '.join(map(str, c))}" for p, c in shown)
    figures = "".join(
        f"<figure><figcaption>{escape(_PLACES.get(place, place))}</figcaption>"
        f'<div class="pt-hand">{"".join(card(one) for one in cards)}</div></figure>'
        for place, cards in shown
    )
    return f'<div class="pt-deal" role="img" aria-label="{escape(words)}">{figures}</div>'


def examples(paytable: Paytable, diagnosis: Sequence[TierDiagnosis]) -> str:
    """Example hands of every tier."""
    titles = {tier.name: tier.title for tier in paytable.tiers}
    parts = []
    for tier, found in zip(paytable.tiers, diagnosis, strict=True):
        if found.examples:
            body = "".join(deal_row(deal) for deal in found.examples)
        else:
            body = f"<p>{escape(found.finding.value.capitalize())}.</p>"
        note = ""
        if found.hidden_by and found.finding is Finding.FINE:
            earlier = ", ".join(titles[name] for name in found.hidden_by)
            note = f" · unless taken by {escape(earlier)}"
        parts.append(
            f"<section><h5>{escape(tier.title)} <small style='opacity:.7;font-weight:400'>"
            f"pays {escape(pay_text(tier))}{note}</small></h5>"
            f'<div class="pt-tier-examples">{body}</div></section>'
        )
    return f'<div class="pt-examples">{"".join(parts)}</div>'


def rows_table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain table of texts; every cell is escaped."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f'<div class="pt-scroll"><table class="pt-table"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
